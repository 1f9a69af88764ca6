import type { JsonValue } from '../../json/value.ts';
import type { FilterLanguage, Operator } from './language.ts';
import {
  isFieldName,
  isWritable,
  readPlain,
  readTerms,
  swapOperators,
  writePlain,
} from './read-terms.ts';

const words: Readonly<Record<Operator, string>> = {
  has: ':',
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
const operators = swapOperators(words);

/**
 * The filter expressions of Google's API Improvement Proposals (AIP-160, "Filtering"):
 * `state = "ACTIVE" AND capacity > 10`. Operators are `=`, `!=`, `<`, `<=`, `>`, `>=`, and `:`,
 * which asks whether a list has an item (`tags:"new"`); what `:` means for a single value is the
 * service's own. Texts and moments stand in double quotes; enum values may have them too. `*` in a
 * text stands for any characters. `OR` binds more tightly than `AND`, so only comparisons that
 * `AND` alone joins are read.
 */
export const aip160: FilterLanguage = {
  id: 'aip-160',
  name: 'AIP-160',
  source: 'https://google.aip.dev/160',
  write({ field, op, value }) {
    const literal = typeof value === 'string' ? quote(value) : writePlain(value);
    return literal === undefined || !isFieldName(field)
      ? undefined
      : `${field}${op === 'has' ? ':' : ` ${words[op]} `}${literal}`;
  },
  both: (left, right) => `${left} AND ${right}`,
  read: (text) =>
    readTerms(text, {
      term,
      and: /^\s+AND\s+/,
      operators,
      readField: (field) => field,
      readValue,
    }),
  distinct: /[\s"']/,
  invalid: ['(((', '= 1', 'AND AND'],
};

const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const bare = String.raw`-?\w[\w.:+-]*`;
const term = new RegExp(
  String.raw`^(?<field>[A-Za-z_][\w.]*)\s*(?<op>!=|<=|>=|=|<|>|:)\s*` +
    `(?<value>${quoted}|${bare})`,
);

const keywords = new Set(['AND', 'OR', 'NOT']);

function readValue(literal: string): JsonValue | undefined {
  if (literal.includes('*')) return undefined;
  if (/^["']/.test(literal)) return literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  return readPlain(literal) ?? (keywords.has(literal) ? undefined : literal);
}

/** No text with `*`, which stands for any characters, or with what is escaped in many ways. */
function quote(text: string): string | undefined {
  return isWritable(text) && !/["\\*]/.test(text) ? `"${text}"` : undefined;
}
