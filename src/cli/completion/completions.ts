import type { Argument, Command, Option } from 'commander';
import { optionsOf } from '../help.ts';

/** A flag to complete. */
export interface FlagCompletion {
  /** `--mode`, and `-p` if there is a short form. */
  readonly names: readonly string[];
  readonly description: string;
  /**
   * The possible values: undefined if the flag takes none, empty if it takes any text or a file.
   */
  readonly values: readonly string[] | undefined;
}

/** A command to complete, with its flags and arguments. */
export interface CommandCompletion {
  /** The path of the command: `check`, or `report merge`. */
  readonly path: string;
  readonly description: string;
  readonly flags: readonly FlagCompletion[];
  /** The possible arguments: subcommands or values; empty if a file is expected. */
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** Values for flags and arguments that do not list their own. */
export interface KnownValues {
  readonly reporters: readonly string[];
  readonly checks: readonly string[];
}

/** Completions of the program, its commands and subcommands. */
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
  const options = optionsOf(command);
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
