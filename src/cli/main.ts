import { Command, CommanderError, Option } from 'commander';
import { readVersion } from '../library/package-files.ts';
import { countOf } from '../text/counts.ts';
import { makeTextStyle } from '../text/text-style.ts';
import { commandGroups, commands } from './commands/index.ts';
import { asCalled, exitCodes, type Io, wantsColor } from './io.ts';
import type { HelpLayout } from './help.ts';
import { chooseOften, commandPath, describeOption, optionsOf, writeSections } from './help.ts';
import type { Run } from './commands/command.ts';
import { printError } from './print-error.ts';
import { refuseRemovedFlags } from './removed-flags.ts';

/**
 * Runs one command line (without `node` and the script) and returns its exit code; `mock` is the
 * command of one that names none. Never throws, never exits.
 */
export async function main(given: readonly string[], outside: Io): Promise<number> {
  const words = await withCommand(given, [...commands.map(({ name }) => name), 'help'], outside);
  // Commands in messages start with the program name of this installation.
  const secrets = new Set(namedSecrets(words, outside.env));
  const io: Io = {
    ...outside,
    err: (text) => outside.err(asCalled(text, outside.program)),
    keepSecret: (value) => void secrets.add(value),
  };
  let code: number = exitCodes.passed;
  const isShort = !words.includes(helpAll);
  const program = makeProgram(io, isShort);
  const start = async (run: Run): Promise<void> => {
    code = await run(io);
  };
  for (const [heading, group] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const command of group) command.register(program, start, words);
  }
  program.helpCommand('help [command]', 'print the help of a command');
  addSections(program, { isShort, width: io.width, program: io.program });
  try {
    refuseRemovedFlags(words);
    const read = words.map((word) => (word === helpAll ? '--help' : word));
    await program.parseAsync(read, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed the error; --help and --version also arrive here, with exit code 0.
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownOption')
        io.err(suggestCommand(program, error.message, words));
      return error.exitCode === 0 ? exitCodes.passed : exitCodes.usageError;
    }
    return printError(error, await withoutSecrets(io, secrets));
  }
}

/** The values of VOUCH_TOKEN and of each variable that the command line names as `env:NAME`. */
function namedSecrets(words: readonly string[], env: Io['env']): string[] {
  const named = words.flatMap((word) => /\benv:([A-Za-z_]\w*)$/.exec(word)?.[1] ?? []);
  return ['VOUCH_TOKEN', ...named].flatMap((name) => env[name]?.trim() || []);
}

/** An `Io` that redacts credentials on stderr, because an error may quote a server. */
async function withoutSecrets(io: Io, secrets: ReadonlySet<string>): Promise<Io> {
  if (secrets.size === 0) return io;
  // Loaded on demand: most commands end without an error.
  const { makeRedactor } = await import('../check/secrets/redact.ts');
  const known = [...secrets].map((value) => ({ value, shell: '$VOUCH_TOKEN' }));
  const redactor = makeRedactor({ secrets: known, invented: [], headerNames: [] });
  return { ...io, err: (text) => io.err(redactor.text(text)) };
}

/** What to write instead of an unknown flag; '' if nothing is known. */
function suggestCommand(program: Command, complaint: string, words: readonly string[]): string {
  const flag = /'(--[\w-]+)/.exec(complaint)?.[1];
  const asked = program.commands.find((command) => command.name() === words[0]);
  const takesDocument = asked?.registeredArguments.some((one) => /^documents?$/.test(one.name()));
  if (flag === '--contract' && asked !== undefined && takesDocument === true)
    return `The document is an argument: vouch ${asked.name()} ${asked.usage()}\n`;
  const owner = program.commands.find(({ options }) => options.some(({ long }) => long === flag));
  return owner === undefined
    ? ''
    : `${flag ?? ''} is a flag of vouch ${owner.name()}: vouch ${owner.name()} ${helpAll}\n`;
}

function makeProgram(io: Io, isShort: boolean): Command {
  return new Command('vouch')
    .description('Serves an OpenAPI contract as a stateful mock and tests deployments against it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHelpWidth: () => io.width,
      getErrHelpWidth: () => io.width,
      outputError: (text, write) => write(errorText(text, io)),
    })
    .configureHelp({
      // `[options]`, which each has, would leave no room for what it does.
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trimEnd(),
      optionDescription: describeOption,
      visibleOptions: (command) => {
        const options = optionsOf(command);
        return isShort ? chooseOften(command, options) : options;
      },
    })
    .showSuggestionAfterError()
    .showHelpAfterError('All commands: vouch -h')
    .exitOverride()
    .addHelpText('after', () => {
      const more = isShort
        ? `\n\n${helpAll} shows files and variables; vouch check -h the options of a command.`
        : fullSections;
      const { program: name, width } = io;
      return writeSections('', { isShort: false, width, program: name }) + asCalled(more, name);
    });
}

/** Prints the whole help of a command; `-h` and `--help` have what is used most. */
const helpAll = '--help-all';

/** An error of Commander in the form of all others: `error: unknown option '--x'`. */
function errorText(text: string, io: Io): string {
  const [what = '', hint] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n');
  const sentence = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`.replace(/\.?$/, '.');
  const { red } = makeTextStyle(wantsColor(io, 'err'));
  return `${red('error')} ${sentence}\n${hint === undefined ? '' : `${hint.slice(1, -1)}\n`}`;
}

/** Adds examples, variables and exit codes to the help of each command and its subcommands. */
function addSections(above: Command, layout: HelpLayout): void {
  for (const command of above.commands) {
    const path = commandPath(command);
    command.showHelpAfterError(`Usage: vouch ${path} -h`);
    const count = optionsOf(command).length;
    command.addOption(new Option(helpAll, 'print help with all options'));
    const more = layout.isShort
      ? `\n\n${helpAll} shows ${countOf(count, 'option')}, variables and exit codes.`
      : '';
    command.addHelpText('after', `${writeSections(path, layout)}${asCalled(more, layout.program)}`);
    addSections(command, layout);
  }
}

const fullSections = `

Files:
  vouch.config.yaml   contract, mock and targets; create it with vouch init

Environment:
  VOUCH_TOKEN             token of the target; no flag takes a token itself
  VOUCH_PORT              first port that the mock tries
  VOUCH_STATE_DIR         folder that stores runs for replay and cleanup
  NO_COLOR, FORCE_COLOR   disable or force colored output
Flags override environment variables, which override the config file.`;

/** A word with a dot, a slash or a colon is the path of a document, or its URL. */
const isPlace = /[./\\:]/;
/** Flags of the program itself, which need no command. */
const ownFlag = /^(?:-h|--help|-V|--version)$/;

/**
 * The words of a command line with its command: `mock` where there is none, because the first word
 * is a document, a flag of `mock` or missing. A word that is neither a document nor a command is
 * left to be reported. Alone in a folder without a document, vouch serves its example.
 */
async function withCommand(
  words: readonly string[],
  known: readonly string[],
  io: Pick<Io, 'readFile'>,
): Promise<readonly string[]> {
  const [first] = words;
  if (first === undefined) return (await isEmptyFolder()) ? ['mock', '--demo'] : ['mock'];
  if (known.includes(first) || words.some((word) => ownFlag.test(word))) return words;
  const isDocument = first.startsWith('-') || isPlace.test(first) || (await isFile(first, io));
  return isDocument ? ['mock', ...words] : words;
}

async function isEmptyFolder(): Promise<boolean> {
  // Loaded on demand: the other commands read them when they need them.
  const [{ findConfig }, { findDocuments }] = await Promise.all([
    import('../config/config.ts'),
    import('../library/find-documents.ts'),
  ]);
  const folder = process.cwd();
  return findConfig(folder) === undefined && (await findDocuments(folder)).length === 0;
}

async function isFile(path: string, { readFile }: Pick<Io, 'readFile'>): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
