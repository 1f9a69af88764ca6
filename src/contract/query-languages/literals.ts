import { looksLike, wordsIn } from '../../words-in.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Operator } from './language.ts';

/** The word of each operator that a language has. */
type OperatorWords = Readonly<Partial<Record<Operator, string>>>;

export function swapOperators(words: OperatorWords): Readonly<Record<string, Operator>> {
  return Object.fromEntries(
    operators.flatMap((op) => {
      const word = words[op];
      return word === undefined ? [] : [[word, op] as const];
    }),
  );
}

export const operators: readonly Operator[] = wordsIn('eq ne lt le gt ge has contains starts ends');

/** A number or a boolean as every language writes it; undefined for texts and all others. */
export function writePlain(value: JsonValue): string | undefined {
  if (typeof value === 'boolean') return String(value);
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && isFinite(value));
  const text = isNumber ? String(value) : '';
  return numberForm.test(text) ? text : undefined;
}

/** The number or the boolean that a text without quotes is; undefined if it is neither. */
export function readPlain(text: string): JsonValue | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (!numberForm.test(text)) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

const numberForm = /^-?\d{1,19}(\.\d{1,17})?$/;

/** Whether a field is a name, or names with dots between. */
export const isFieldName = looksLike(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/);

/** Whether a text has no control characters, and a length that a URL can carry. */
export function isWritable(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/[\u0000-\u001f\u007f]/.test(text);
}
