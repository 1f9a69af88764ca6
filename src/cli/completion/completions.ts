import type { Argument, Command, Option } from 'commander';

/** A flag, as a shell completes it. */
export interface FlagCompletion {
  /** `--mode`, and `-p` where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  /**
   * What may stand behind it: undefined where nothing does, empty where it is anything or a file.
   */
  readonly values: readonly string[] | undefined;
}

/** A command with what may follow it. */
export interface CommandCompletion {
  /** Its words: `check`, or `report merge`. */
  readonly path: string;
  readonly description: string;
  readonly flags: readonly FlagCompletion[];
  /**
   * The words that it takes: the names of commands below it, or the values of its argument; empty
   * where a file may stand.
   */
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** Values that a table of vouch names, for flags and arguments that do not name them themselves. */
export interface KnownValues {
  readonly reporters: readonly string[];
  readonly checks: readonly string[];
}

/** Everything that can be completed: the program itself, its commands and those below them. */
export function readCompletions(
  program: Command,
  known: KnownValues,
): readonly CommandCompletion[] {
  return [
    describe(program, [], known),
    ...program.commands.flatMap((command) => below(command, [], known)),
  ];
}

function below(
  command: Command,
  above: readonly string[],
  known: KnownValues,
): CommandCompletion[] {
  const path = [...above, command.name()];
  return [
    describe(command, path, known),
    ...command.commands.flatMap((child) => below(child, path, known)),
  ];
}

function describe(
  command: Command,
  path: readonly string[],
  known: KnownValues,
): CommandCompletion {
  const options = command.createHelp().visibleOptions(command);
  const children = command.commands.map((child) => ({
    word: child.name(),
    description: child.summary(),
  }));
  const values = command.registeredArguments.flatMap((argument) =>
    argumentValues(argument, known).map((word) => ({ word, description: '' })),
  );
  return {
    path: path.join(' '),
    description: command.summary(),
    flags: options.map((option) => flagOf(option, known)),
    words: [...children, ...values],
  };
}

function argumentValues(argument: Argument, { checks }: KnownValues): readonly string[] {
  return argument.argChoices ?? (argument.name() === 'check' ? checks : []);
}

function flagOf(option: Option, known: KnownValues): FlagCompletion {
  const names = [option.long, option.short].filter((name) => name !== undefined && name !== null);
  const takes = option.required || option.optional;
  return {
    names,
    description: option.description,
    values: takes ? optionValues(option, known) : undefined,
  };
}

function optionValues(option: Option, { reporters, checks }: KnownValues): readonly string[] {
  if (option.argChoices !== undefined) return option.argChoices;
  const name = option.attributeName();
  if (name === 'reporter') return reporters;
  return name === 'only' || name === 'skip' ? checks : [];
}
