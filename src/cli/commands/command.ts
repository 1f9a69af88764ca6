import { type Command, InvalidArgumentError, type Option } from 'commander';
import { meantWord } from '../../errors.ts';
import type { Io } from '../io.ts';

/** Executes a parsed command and returns its exit code. */
export type Run = (io: Io) => Promise<number>;

/**
 * A command: declares its arguments and flags, and passes its action to the runner. `words` is the
 * whole command line.
 */
export interface CommandEntry {
  readonly name: string;
  register(program: Command, start: (run: Run) => Promise<void>, words: readonly string[]): void;
}

/** Adds the flags of every command that reads a contract. */
export function addContractOptions(command: Command): Command {
  const named = command
    .option(
      '--config <file>',
      'configuration file (default: vouch.config.yaml in the current folder)',
    )
    .option('--demo', 'use the bundled example contract');
  return addReferenceOptions(named).option(
    '--overlay <file>',
    'apply an OpenAPI Overlay to the document; repeatable, in this order',
    collect,
  );
}

/** Adds the flags for what the references of a document may name. */
export function addReferenceOptions(command: Command): Command {
  return command
    .option(
      '--allow-ref-host <host>',
      'allow $ref to fetch documents from this host; repeatable',
      collect,
    )
    .option(
      '--root <folder>',
      'folder whose files $ref may point to (default: the repository of the document)',
    );
}

/** Adds the flag for the headers of the request of a contract that is named by its URL. */
export function addDocumentHeaders(command: Command): Command {
  return command.option(
    '--header <header>',
    'header for the request of a document that is named by its URL: ' +
      'Authorization=env:NAME for a secret in an environment variable; repeatable',
    collect,
    [],
  );
}

/** Adds the flags for the URL, credentials and headers of a target. */
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

/** The help of `--auth`, shared by all commands that have it. */
export const authHelp =
  'environment variable with the token (default: env:VOUCH_TOKEN); ' +
  'for several security schemes, name each: adminKey=env:ADMIN_KEY; repeatable';

/** The help of `--header`, shared by all commands that have it. */
export const headerHelp =
  "header to send with every request: 'X-Tenant: acme', or " +
  'X-Gateway-Key=env:GATEWAY_KEY for a secret in an environment variable; repeatable';

/** The help of `--reporter`, shared by all commands that have it. */
export const reporterHelp =
  'output format, written to stdout or to =file; repeatable: pretty ' +
  '(default), dot, json, ndjson, junit, sarif, html, github, gitlab, markdown, har, ' +
  'blob';

/** Collects the values of a repeatable flag. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** A flag with a fixed set of values; the error for another value suggests the nearest one. */
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
