import { type Command, InvalidArgumentError, type Option } from 'commander';
import { meantWord } from '../../nearest-word.ts';
import type { Io } from '../io.ts';

/** What a command does once its words have been read: it answers an exit code. */
export type Run = (io: Io) => Promise<number>;

/** One command of the program: it declares its words, and hands over what is to be run. */
export interface CommandEntry {
  readonly name: string;
  register(program: Command, start: (run: Run) => Promise<void>): void;
}

/** The words of every command that reads a contract. */
export function addContractOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'configuration file (default: vouch.config.yaml in the current folder)',
    )
    .option(
      '--allow-ref-host <host>',
      'allow $ref to fetch documents from this host; repeatable',
      collectHost,
    );
}

function collectHost(host: string, before: readonly string[] = []): readonly string[] {
  return [...before, host];
}

/** The words by which a command is told where a target is, and how it is let in. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--auth <[scheme=]env:NAME>', authHelp, collect, [])
    .option('--header <header>', headerHelp, collect, [])
    .option(
      '--server <name=url>',
      'base URL of a server that operations declare themselves; repeatable',
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
  'environment variable with the token (default: env:VOUCH_TOKEN); ' +
  'for several security schemes, name each: adminKey=env:ADMIN_KEY; repeatable';

/** What `--header` means, for every command that has it. */
export const headerHelp =
  "header to send with every request: 'X-Tenant: acme', or " +
  'X-Gateway-Key=env:GATEWAY_KEY for a secret in an environment variable; repeatable';

/** Gathers the values of a flag that may be repeated. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** A flag that takes one of a few words; a wrong one is answered with the nearest right one. */
export function oneOf(option: Option, values: readonly string[]): Option {
  return option.choices(values).argParser((given) => {
    if (values.includes(given)) return given;
    const nearest = meantWord(given, values);
    throw new InvalidArgumentError(
      nearest === undefined
        ? `Allowed choices are ${values.join(', ')}.`
        : `Did you mean ${nearest}?`,
    );
  });
}
