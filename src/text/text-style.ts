import { styleText } from 'node:util';

const formats = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;
type Format = (typeof formats)[number];

/** Functions that style a text; without color each returns the text unchanged. */
export type TextStyle = { readonly [format in Format]: (text: string) => string };

/** Makes the styles; the caller decides whether the output has colors. */
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

export function severityColor(
  severity: 'error' | 'warning' | 'note',
  style: TextStyle,
): (text: string) => string {
  if (severity === 'error') return style.red;
  return severity === 'warning' ? style.yellow : style.cyan;
}
