import { InvalidArgumentError, type Command } from 'commander';

/** The words by which a command is told where a target is, and how it is let in. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--auth <[scheme=]env:NAME>', 'the environment variable that holds the token (default: env:VOUCH_TOKEN); for one security scheme write its name before it, and repeat the flag', collect, [])
    .option('--server <name=url>', 'the base URL of a server that operations name for themselves; repeatable', collectServer, {});
}

function collectServer(value: string, earlier: Record<string, string>): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as NAME=URL, such as messages=https://messages.example.com.');
  return { ...earlier, [value.slice(0, at)]: value.slice(at + 1) };
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
