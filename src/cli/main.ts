import { Command, CommanderError, Help } from 'commander';
import { commands } from './commands/index.ts';
import { exitCodes } from './exit-code.ts';
import { describeOption, hasShortHelp, isOftenUsed } from './help-words.ts';
import type { Io } from './io.ts';
import { printError } from './print-error.ts';
import { readVersion } from '../library/version.ts';

/** Runs one command line (without `node` and the script) and answers its exit code. Never throws, never exits. */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.kept;
  const program = makeProgram(io, words.includes('-h'));
  for (const command of commands) {
    command.register(program, async (run) => {
      code = await run(io);
    });
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said what is wrong; --help and --version arrive here too, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.kept : exitCodes.askedWrongly;
    return printError(error, io);
  }
}

function makeProgram(io: Io, isShort: boolean): Command {
  return new Command('vouch')
    .description('Serves an OpenAPI contract as a stateful mock, and checks whether a deployment keeps it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text), getOutHelpWidth: () => io.width, getErrHelpWidth: () => io.width })
    .configureHelp({
      optionDescription: describeOption,
      visibleOptions: (command) => Help.prototype.visibleOptions.call(new Help(), command).filter((option) => !isShort || isOftenUsed(command, option)),
    })
    .addHelpText('afterAll', ({ command }) => (isShort && hasShortHelp(command) ? `\nAll flags: vouch ${command.name()} --help` : ''))
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', '\nExamples:\n  vouch start                                  lint, mock and Prism for the bundled contract\n  vouch mock openapi.yaml                      a stateful mock of your own contract\n  vouch check http://127.0.0.1:4010/v1         does that deployment keep the contract?\n  vouch lint openapi.yaml                      is the contract itself sound?\n\nExit codes: 0 kept, 1 broken, 2 asked wrongly, 3 inconclusive, 70 a fault of vouch, 130 interrupted.');
}
