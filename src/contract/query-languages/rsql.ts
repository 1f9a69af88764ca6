import { type Grammar, readCondition, writeCondition } from './grammar.ts';
import type { FilterLanguage } from './language.ts';
import { isFieldName, isWritable, readPlain, swapOperators, writePlain } from './literals.ts';
import { readWildcard, writeWildcard } from './wildcards.ts';

const words = {
  eq: '==',
  ne: '!=',
  lt: '=lt=',
  le: '=le=',
  gt: '=gt=',
  ge: '=ge=',
} as const;
const operators = swapOperators(words);

const quoted = String.raw`"[^"\\]*"|'[^'\\]*'`;
const bare = String.raw`[^"'();,=!~<>\s]+`;
const reserved = /["'();,=!~<>\s]/;

const grammar: Grammar = {
  term: new RegExp(
    String.raw`^(?<field>[A-Za-z_][\w.]*)(?<op>==|!=|=lt=|=le=|=gt=|=ge=)` +
      `(?<value>${quoted}|${bare})`,
  ),
  readTerm({ field = '', op: word = '', value: literal = '' }) {
    const op = operators[word];
    if (op === undefined) return undefined;
    const text = /^["']/.test(literal) ? literal.slice(1, -1) : literal;
    const value = text === literal ? (readPlain(literal) ?? literal) : text;
    if (typeof value !== 'string' || !value.includes('*')) return { field, op, value };
    const part = op === 'eq' ? readWildcard(value) : undefined;
    return part && { field, ...part };
  },
  writeTerm({ field, op, value }) {
    if (!isFieldName(field) || op === 'has') return undefined;
    if (typeof value === 'string' && (!isWritable(value) || /["\\*]/.test(value))) return undefined;
    if (op === 'contains' || op === 'starts' || op === 'ends') {
      const text = typeof value === 'string' ? writeWildcard(op, value) : undefined;
      return text && `${field}==${writeText(text)}`;
    }
    const literal = typeof value === 'string' ? writeText(value) : writePlain(value);
    return literal && field + words[op] + literal;
  },
  joints: { all: { written: ';', form: /^;/ }, any: { written: ',', form: /^,/ } },
  tighter: 'all',
  nots: [],
};

/**
 * RSQL, and FIQL, of which it is a superset (draft-nottingham-atompub-fiql-00, section 3.2):
 * `state==active;size=gt=10`. A semicolon joins what must hold together, a comma alternatives,
 * which bind less tightly. A text stands as it is if it has none of the reserved characters,
 * otherwise in quotes, which FIQL does not have; `*` at the ends of a text stands for any
 * characters, and there is no word for "not".
 */
export const rsql: FilterLanguage = {
  id: 'rsql',
  name: 'RSQL',
  write: (condition) => writeCondition(condition, grammar),
  read: (text) => readCondition(text, grammar),
  tighter: grammar.tighter,
  nots: [],
  hasNull: false,
  parts: [],
  caseSensitive: [],
  refuses: [],
  distinct: /==|=(lt|le|gt|ge)=/,
  invalid: ['(((', '==1', ';;'],
};

function writeText(text: string): string {
  return reserved.test(text) ? `"${text}"` : text;
}
