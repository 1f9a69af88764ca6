import { InvalidArgumentError, type Command } from 'commander';

/** The words by which a command is told where a target is, and how it is let in. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
    .option('--header <header>', headerHelp, collect, [])
    .option(
      '--server <name=url>',
      'the base URL of a server that operations name for themselves; repeatable',
      collectServer,
      {},
    );
}

function collectServer(value: string, earlier: Record<string, string>): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError(
      'Write it as NAME=URL, such as messages=https://messages.example.com.',
    );
  return { ...earlier, [value.slice(0, at)]: value.slice(at + 1) };
}

/** What `--auth` means, for every command that has it. */
export const authHelp =
  'the environment variable that holds the token (default: env:VOUCH_TOKEN); ' +
  'where operations ask for several security schemes, name each: adminKey=env:ADMIN_KEY; repeatable';

/** What `--header` means, for every command that has it. */
export const headerHelp =
  "a header to send with every request: 'X-Tenant: acme', or " +
  'X-Gateway-Key=env:GATEWAY_KEY for a secret in an environment variable; repeatable';

/** Gathers the values of a flag that may be repeated. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
