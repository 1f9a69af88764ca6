import { styleText } from 'node:util';
import { formatPlace, VouchError } from '../errors.ts';
import { cleanLine, cleanText } from '../text/safe-text.ts';
import { columnsOf, wrapText } from '../text/wrap-text.ts';
import { asCalled, type ExitCode, exitCodeOfError, exitCodes, type Io, wantsColor } from './io.ts';
import type { ContractFlags } from './find-contract.ts';

/** Prints an error with its location and hint, and returns the exit code. */
export function printError(error: unknown, io: Io): ExitCode {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    wantsColor(io, 'err') ? styleText(format, text, { validateStream: false }) : text;
  if (!(error instanceof VouchError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.err(
      `${paint('red', 'Internal error in vouch.')} Please report it with this ` +
        `stack trace:\n${stack}\n`,
    );
    return exitCodes.internalError;
  }
  const place =
    error.place === undefined ? [] : [`  ${paint('cyan', cleanLine(formatPlace(error.place)))}`];
  const frame = error.frame === undefined ? [] : [cleanText(error.frame).replaceAll(/^/gm, '  ')];
  const hint = error.hint === undefined ? [] : fitProse(cleanText(error.hint), io);
  io.err(
    [
      ...fitProse(`${paint('red', 'error')} ${cleanText(error.message)}`, io),
      ...place,
      ...frame,
      ...hint,
      '',
    ].join('\n'),
  );
  return exitCodeOfError(error.code);
}

/** Wraps long lines between words for a terminal. Other output is unchanged. */
function fitProse(text: string, io: Io): string[] {
  const lines = asCalled(text, io.program).split('\n');
  return io.isTTY.err
    ? lines.flatMap((line) => (columnsOf(line) > io.width ? wrapText(line, io.width) : [line]))
    : lines;
}

/** The part of a command line that selects the contract. */
interface NamedContract {
  /** The given document; undefined for the configuration's or the bundled one. */
  readonly document: string | undefined;
  readonly flags: ContractFlags;
}

/**
 * Runs an action on a contract. If it fails unexpectedly and the document is not valid OpenAPI,
 * throws a VouchError with the location of that problem instead.
 */
export async function withDocumentErrors<Result>(
  named: NamedContract,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VouchError
      ? error
      : ((await documentError(named).catch(() => undefined)) ?? error);
  }
}

async function documentError({ document, flags }: NamedContract): Promise<VouchError | undefined> {
  const [{ findContract, referenceChoice }, { lintContract }] = await Promise.all([
    import('./find-contract.ts'),
    import('../lint/lint-contract.ts'),
  ]);
  // Even an unreadable contract has a file name.
  const found = await findContract(document, flags).catch(() => undefined);
  const source = found?.contract.source ?? document;
  if (source === undefined) return undefined;
  const { file, problems } = await lintContract(source, referenceChoice(flags));
  const fault = problems.find(({ rule, severity }) => rule === 'struct' && severity === 'error');
  if (fault === undefined) return undefined;
  const { message, place, frame } = fault;
  const sentence = `${file} is not valid OpenAPI: ${message.replace(/\.?$/, '.')}`;
  const hint = `Fix this first. vouch lint ${file} lists all problems.`;
  return new VouchError('contract-unreadable', sentence, { place, frame, hint });
}
