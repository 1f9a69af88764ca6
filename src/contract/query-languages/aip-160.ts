import type { JsonValue } from '../../json/value.ts';
import { type Grammar, readCondition, writeCondition } from './grammar.ts';
import type { Comparison, FilterLanguage } from './language.ts';
import { isFieldName, isWritable, readPlain, swapOperators, writePlain } from './literals.ts';
import { readWildcard, writeWildcard } from './wildcards.ts';

const words = {
  has: ':',
  eq: '=',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
} as const;
const operators = swapOperators(words);

const quoted = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const bare = String.raw`-?\w[\w.:+-]*`;

const grammar: Grammar = {
  term: new RegExp(
    String.raw`^(?!NOT\s)(?<field>[A-Za-z_][\w.]*)\s*(?<op>!=|<=|>=|=|<|>|:)\s*` +
      `(?<value>${quoted}|${bare})`,
  ),
  readTerm({ field = '', op: word = '', value: literal = '' }) {
    const op = operators[word];
    const value = readValue(literal);
    if (op === undefined || value === undefined) return undefined;
    if (typeof value !== 'string' || !value.includes('*')) return { field, op, value };
    const part = op === 'eq' ? readWildcard(value) : undefined;
    return part && { field, ...part };
  },
  writeTerm(comparison) {
    const { field, op, value } = comparison;
    if (!isFieldName(field)) return undefined;
    const text = typeof value === 'string' ? quote(value) : writePlain(value);
    if (op === 'contains' || op === 'starts' || op === 'ends') return writePart(comparison);
    return text && `${field}${op === 'has' ? ':' : ` ${words[op]} `}${text}`;
  },
  joints: {
    all: { written: ' AND ', form: /^\s+AND\s+/ },
    any: { written: ' OR ', form: /^\s+OR\s+/ },
  },
  tighter: 'any',
  nots: [
    { written: 'NOT ', form: /^NOT\s+/, wraps: false },
    { written: '-', form: /^-/, wraps: false },
  ],
};

/**
 * The filter expressions of Google's API Improvement Proposals (AIP-160, "Filtering"):
 * `state = "ACTIVE" AND capacity > 10`. Operators are `=`, `!=`, `<`, `<=`, `>`, `>=`, and `:`,
 * which asks whether a list has an item (`tags:"new"`); what `:` means for a single value is the
 * service's own. Texts and moments stand in double quotes; enum values may have them too. `*` at
 * the end of a text stands for any characters. `OR` binds more tightly than `AND`, and `-` is the
 * same as `NOT`. A query outside of what a service documents must be refused ("Limitations").
 */
export const aip160: FilterLanguage = {
  id: 'aip-160',
  name: 'AIP-160',
  write: (condition) => writeCondition(condition, grammar),
  read: (text) => readCondition(text, grammar),
  tighter: grammar.tighter,
  nots: ['NOT', '-'],
  hasNull: false,
  parts: [],
  caseSensitive: [],
  refuses: ['field', 'literal', 'enum'],
  distinct: /[\s"']/,
  invalid: ['(((', '= 1', 'AND AND'],
};

const keywords = new Set(['AND', 'OR', 'NOT']);

function readValue(literal: string): JsonValue | undefined {
  if (/^["']/.test(literal)) return literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  return readPlain(literal) ?? (keywords.has(literal) ? undefined : literal);
}

function writePart({ field, op, value }: Comparison): string | undefined {
  const text = typeof value === 'string' && quote(value) !== undefined ? value : '';
  return text === '' ? undefined : `${field} = "${writeWildcard(op, text) ?? ''}"`;
}

/** No text with `*`, which stands for any characters, or with what is escaped in many ways. */
function quote(text: string): string | undefined {
  return isWritable(text) && !/["\\*]/.test(text) ? `"${text}"` : undefined;
}
