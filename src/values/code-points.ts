/** Surrogates: without any, code points and code units are the same number. */
const paired = /[\ud800-\udfff]/;

/**
 * The length of a text in code points, as JSON Schema counts it (JSON Schema Validation 2020-12,
 * section 6.3.1).
 */
export function lengthOf(text: string): number {
  if (!paired.test(text)) return text.length;
  let length = 0;
  for (const _point of text) length += 1;
  return length;
}

/** The first `length` code points of a text. */
export function cutTo(text: string, length: number): string {
  if (!paired.test(text)) return text.slice(0, length);
  let end = 0;
  for (let points = 0; points < length && end < text.length; points += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** The text cut or repeated to a length from `min` to `max`; it never ends with a blank. */
export function fitLength(text: string, min: number, max: number): string {
  const length = lengthOf(text);
  if (length >= min && length <= max) return text;
  const fitted = length > max ? cutTo(text, max) : extend(text, min);
  return fitted.replace(/\s+$/, (blank) => 'x'.repeat(blank.length));
}

function extend(text: string, length: number): string {
  if (text === '') return 'a'.repeat(length);
  const unit = ` ${text}`;
  const missing = length - lengthOf(text);
  return cutTo(text + unit.repeat(Math.ceil(missing / lengthOf(unit))), length);
}
