import type { FileWriter } from '../files/file-writer.ts';
import { columnsOf, hangText } from '../text/wrap-text.ts';

/** Everything that a command may touch of the world around it. */
export interface Io {
  /** Data: goes to stdout. */
  out(text: string): void;
  /** People: goes to stderr. */
  err(text: string): void;
  /** How a person starts vouch here: `npx vouch`; `vouch` unless told. */
  readonly program?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => Date;
  /** Whether a person reads stdout, and stderr. */
  readonly isTTY: { readonly out: boolean; readonly err: boolean };
  /** Columns of the terminal; 80 where there is none. */
  readonly width: number;
  /** Tells that a text is a credential, which no message of an error may show. */
  readonly keepSecret?: (value: string) => void;
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second one: there is a moment for last words, and no more. */
  readonly hurry?: AbortSignal;
  /** Where a person can press keys; undefined in scripts, pipes and CI. */
  readonly keyboard?: Keyboard | undefined;
  /** Opens a page in the user's browser; false where there is none. */
  openUrl?(url: string): Promise<boolean>;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, text: string): Promise<void>;
  /** Opens a file that is written piece by piece; see `openFileWriter`. */
  openFile(path: string): FileWriter;
  /** Opens a file whose content stays; text is added behind it. */
  appendFile(path: string): FileWriter;
}

/** A keyboard that is read key by key. */
export interface Keyboard {
  /**
   * Hands over each key as it is pressed: its character, or `enter`, `escape`, `backspace`. Answers
   * how to stop listening, which leaves the terminal as it was found.
   */
  listen(onKey: (key: string) => void): () => void;
}

/**
 * Whether to colour a stream: FORCE_COLOR and NO_COLOR decide, else whether a person reads it
 * (no-color.org).
 */
export function wantsColor(io: Io, stream: 'out' | 'err'): boolean {
  const forced = io.env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (io.env['NO_COLOR'] !== undefined && io.env['NO_COLOR'] !== '') return false;
  return io.isTTY[stream] && io.env['TERM'] !== 'dumb';
}

/**
 * Prose for a stream: where a person reads it, lines that are longer than the terminal is wide are
 * broken between words, two columns further in.
 */
export function fitLines(
  text: string,
  { isTTY, width }: Pick<Io, 'isTTY' | 'width'>,
  stream: 'out' | 'err',
): string {
  if (!isTTY[stream]) return text;
  return text
    .split('\n')
    .flatMap((line) => (columnsOf(line) <= width ? [line] : breakLine(line, width)))
    .join('\n');
}

function breakLine(line: string, width: number): string[] {
  const prose = line.trimStart();
  const indent = ' '.repeat(line.length - prose.length);
  const [first = '', ...rest] = hangText(`${indent}  `, prose, width);
  return [first.slice(2), ...rest];
}

/** Whether a job runs this: nearly every CI service sets CI. */
export function isContinuousIntegration({
  CI: ci,
}: Readonly<Record<string, string | undefined>>): boolean {
  return ci !== undefined && ci !== '' && ci !== '0' && ci !== 'false';
}
