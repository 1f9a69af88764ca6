import { styleText } from 'node:util';
import { formatPlace, VouchError } from '../errors.ts';
import { columnsOf, wrapText } from '../text/wrap-text.ts';
import { exitCodeOfError, exitCodes, type ExitCode } from './exit-code.ts';
import { wantsColor, type Io } from './io.ts';
import { asCalled } from './program-name.ts';

/** Tells a person what went wrong, where, and what to do next. Answers the exit code. */
export function printError(error: unknown, io: Io): ExitCode {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    wantsColor(io, 'err') ? styleText(format, text, { validateStream: false }) : text;
  if (!(error instanceof VouchError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(
      `${paint('red', 'vouch has a fault of its own.')} Please report it with these lines:\n${stack}\n`,
    );
    return exitCodes.internalError;
  }
  const place = error.place === undefined ? [] : [`  ${paint('cyan', formatPlace(error.place))}`];
  const frame = error.frame === undefined ? [] : [error.frame.replaceAll(/^/gm, '  ')];
  const hint = error.hint === undefined ? [] : fitProse(error.hint, io);
  io.err(
    [
      ...fitProse(`${paint('red', 'error')} ${error.message}`, io),
      ...place,
      ...frame,
      ...hint,
      '',
    ].join('\n'),
  );
  return exitCodeOfError(error.code);
}

/**
 * A terminal would break a long line within a word. Lines that fit stand as they are, and so do all
 * that nobody reads in a terminal.
 */
function fitProse(text: string, io: Io): string[] {
  const lines = asCalled(text, io.program).split('\n');
  return io.isTTY.err
    ? lines.flatMap((line) => (columnsOf(line) > io.width ? wrapText(line, io.width) : [line]))
    : lines;
}
