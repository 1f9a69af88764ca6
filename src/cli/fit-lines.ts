import { columnsOf, hangText } from '../text/wrap-text.ts';
import type { Io } from './io.ts';

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
