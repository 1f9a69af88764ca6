import type { JsonValue } from '../../json/value.ts';
import { type Grammar, readCondition, writeCondition } from './grammar.ts';
import type { Comparison, FilterLanguage, TextFunction } from './language.ts';
import { isFieldName, isWritable, readPlain, swapOperators, writePlain } from './literals.ts';

const words = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
} as const;
const operators = swapOperators(words);
const functions = { contains: 'contains', starts: 'startswith', ends: 'endswith' } as const;
const calls = swapOperators(functions);

/** The functions of one text (OData 4.01, Part 2, sections 5.1.1.5 and 5.1.1.7). */
const textFunctions = { lower: 'tolower', upper: 'toupper', length: 'length' } as const;
const textCalls: Readonly<Record<string, TextFunction>> = {
  tolower: 'lower',
  toupper: 'upper',
  length: 'length',
};

/** Formats of JSON Schema whose values OData writes without quotes. */
const bareFormats = new Set(['date', 'date-time', 'uuid']);
const time = String.raw`T\d{2}:\d{2}(:\d{2}(\.\d{1,12})?)?(Z|[+-]\d{2}:\d{2})`;
const uuid = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`;
const bareValue = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2}(${time})?|${uuid})$`, 'i');

const fieldForm = String.raw`[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*`;
const operandForm = String.raw`(?:(?:tolower|toupper|length)\(${fieldForm}\)|${fieldForm})`;
const literalForm = String.raw`'(?:[^']|'')*'|[\w.:+-]+`;

const negation = /^not +(?=\(|(?:contains|startswith|endswith)\(|[\w/]+\/any\()/;

const grammar: Grammar = {
  term: new RegExp(
    `^(?<operand>${operandForm}) +(?<op>eq|ne|lt|le|gt|ge) +(?<value>${literalForm})|` +
      String.raw`^(?<list>${fieldForm})\/any\(\w+: ?\w+ eq (?<item>${literalForm})\)|` +
      String.raw`^(?<call>contains|startswith|endswith)\((?<of>${operandForm}), ?` +
      `(?<part>'(?:[^']|'')*')\\)`,
  ),
  readTerm({ operand, op: word = '', value: literal, list, item, call = '', of, part }) {
    const op = list === undefined ? (operators[word] ?? calls[call]) : 'has';
    const value = readValue(literal ?? item ?? part ?? '');
    const isNull = value === null && op !== 'eq' && op !== 'ne';
    return op === undefined || value === undefined || isNull
      ? undefined
      : { ...readOperand(operand ?? list ?? of ?? ''), op, value };
  },
  writeTerm({ field, by, op, value, format = '' }) {
    const isNull = value === null && (op === 'eq' || op === 'ne');
    const literal = isNull
      ? 'null'
      : typeof value === 'string'
        ? writeText(value, format)
        : writePlain(value);
    if (literal === undefined || !isFieldName(field)) return undefined;
    const plain = field.replaceAll('.', '/');
    const path = by === undefined ? plain : `${textFunctions[by]}(${plain})`;
    if (op === 'has') return `${path}/any(x:x eq ${literal})`;
    if (op === 'contains' || op === 'starts' || op === 'ends')
      return literal.startsWith("'") ? `${functions[op]}(${path},${literal})` : undefined;
    return `${path} ${words[op]} ${literal}`;
  },
  joints: {
    all: { written: ' and ', form: /^ +and +/ },
    any: { written: ' or ', form: /^ +or +/ },
  },
  tighter: 'all',
  // It binds more tightly than a comparison.
  nots: [{ written: 'not ', form: negation, wraps: true }],
};

/**
 * `$filter` of OData 4.01 (Part 2: URL Conventions, section 5.1.1): `state eq 'Active' and size gt
 * 10`, where `and` binds more tightly than `or` (5.1.1.16). Texts stand in single quotes, of which
 * one within the text is doubled (5.1.1.14.1); moments, days and UUIDs stand without; a list is
 * asked for an item by `any` (5.1.1.13.1); a nested field is behind a slash (`owner/name`). Null
 * equals null alone and is unequal to every value (5.1.1.1). The functions of parts of texts
 * distinguish upper and lower case (5.1.1.5), and a text may be compared in one case (5.1.1.7).
 * What a service does not support it must refuse (Part 1, section 12.1.1).
 */
export const odataFilter: FilterLanguage = {
  id: 'odata-filter',
  name: 'OData $filter',
  write: (condition) => writeCondition(condition, grammar),
  read: (text) => readCondition(text, grammar),
  tighter: grammar.tighter,
  nots: ['not'],
  hasNull: true,
  parts: ['contains', 'starts', 'ends'],
  caseSensitive: ['contains', 'starts', 'ends'],
  refuses: ['field', 'literal'],
  distinct: / (eq|ne|lt|le|gt|ge) |\/any\(|^(contains|startswith|endswith)\(/,
  invalid: ['(((', 'eq 1', 'and and'],
};

/** A field, or a function of one: `tolower(owner/name)`. */
function readOperand(text: string): Pick<Comparison, 'field' | 'by'> {
  const [, call = '', inner = text] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  const by = textCalls[call];
  return { field: inner.replaceAll('/', '.'), ...(by === undefined ? {} : { by }) };
}

function writeText(text: string, format: string): string | undefined {
  if (!isWritable(text)) return undefined;
  if (bareFormats.has(format)) return bareValue.test(text) ? text : undefined;
  return `'${text.replaceAll("'", "''")}'`;
}

function readValue(literal: string): JsonValue | undefined {
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'");
  if (literal === 'null') return null;
  return readPlain(literal) ?? (bareValue.test(literal) ? literal : undefined);
}
