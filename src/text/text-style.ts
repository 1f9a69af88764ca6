import { styleText } from 'node:util';

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
type Format = (typeof formats)[number];

/** Ways to mark a text; without colour each returns it as it is. */
export type TextStyle = { readonly [format in Format]: (text: string) => string };

/**
 * A style that does not ask the process whether its output is a terminal: who calls has decided.
 */
export function makeTextStyle(color: boolean): TextStyle {
  const paint = (format: Format) => (text: string) =>
    color ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}
