import type { SchemaObject } from '../model.ts';

/** A word for a success, as documents write it beside a code. */
const success = '(?:success(?:ful(?:ly)?)?|succeed(?:s|ed)?|ok(?:ay)?|no error|normal)';
const code = String.raw`['"\`]?(?<code>-?\d+|[A-Z][A-Z_]*)['"\`]?`;
const joint =
  String.raw`\s*(?:[:=–-]|means|is|on|for|when|if|indicates|stands for)?` +
  String.raw`\s*(?:an?\s+|the\s+)?`;

const forms = [
  new RegExp(String.raw`(?<![\w.])${code}${joint}${success}\b`, 'i'),
  new RegExp(
    String.raw`\b${success}\b\s*(?:[:=–-]|is|code is|is coded as|gives)\s*${code}(?![\w.])`,
    'i',
  ),
];

/**
 * The code of a success that the description of a member states: `0` of "0 on success, otherwise an
 * error code", `200` of "200: success". Undefined if it states none.
 */
export function statedSuccess({ description: text }: SchemaObject): string | undefined {
  if (typeof text !== 'string') return undefined;
  for (const form of forms) {
    const found = form.exec(text)?.groups?.['code'];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the value of a code says that all is well: `success`, `OK`, `0`, `200`. */
export function saysSuccess(value: string): boolean {
  return new RegExp(`^(?:${success}|0+|200)$`, 'i').test(value);
}
