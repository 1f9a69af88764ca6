import type { JsonValue } from '../../json/value.ts';
import type { FilterLanguage } from './language.ts';
import {
  isFieldName,
  isWritable,
  type OperatorWords,
  readPlain,
  readTerms,
  swapOperators,
  writePlain,
} from './read-terms.ts';

const words: OperatorWords = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
};
const operators = swapOperators(words);

/** Formats of JSON Schema whose values OData writes without quotes. */
const bareFormats = new Set(['date', 'date-time', 'uuid']);
const time = String.raw`T\d{2}:\d{2}(:\d{2}(\.\d{1,12})?)?(Z|[+-]\d{2}:\d{2})`;
const uuid = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`;
const bareValue = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2}(${time})?|${uuid})$`, 'i');

/**
 * `$filter` of OData 4.01 (Part 2: URL Conventions, section 5.1.1): `state eq 'Active' and size gt
 * 10`. Texts stand in single quotes, of which one within the text is doubled (5.1.1.14.1); moments,
 * days and UUIDs stand without; a list is asked for an item by `any` (5.1.1.13.1); a nested field
 * is behind a slash (`owner/name`). Null equals null alone and is unequal to every value: a record
 * without the field may be among those that are unequal.
 */
export const odataFilter: FilterLanguage = {
  id: 'odata-filter',
  name: 'OData $filter',
  source:
    'https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part2-url-conventions.html' +
    '#sec_SystemQueryOptionfilter',
  write({ field, op, value, format = '' }) {
    const literal = typeof value === 'string' ? writeText(value, format) : writePlain(value);
    if (literal === undefined || !isFieldName(field)) return undefined;
    const path = field.replaceAll('.', '/');
    return op === 'has'
      ? `${path}/any(x:x eq ${literal})`
      : `${path} ${words[op] ?? ''} ${literal}`;
  },
  both: (left, right) => `${left} and ${right}`,
  read: (text) =>
    readTerms(text, {
      term,
      and: /^ and /,
      operators,
      readField: (field) => field.replaceAll('/', '.'),
      readValue,
    }),
  distinct: / (eq|ne|lt|le|gt|ge) |\/any\(/,
  invalid: ['(((', 'eq 1', 'and and'],
};

const fieldForm = String.raw`[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*`;
const literalForm = String.raw`'(?:[^']|'')*'|[\w.:+-]+`;
const term = new RegExp(
  `^(?<field>${fieldForm}) (?<op>eq|ne|lt|le|gt|ge) (?<value>${literalForm})|` +
    String.raw`^(?<list>${fieldForm})\/any\(\w+: ?\w+ eq (?<item>${literalForm})\)`,
);

function writeText(text: string, format: string): string | undefined {
  if (!isWritable(text)) return undefined;
  if (bareFormats.has(format)) return bareValue.test(text) ? text : undefined;
  return `'${text.replaceAll("'", "''")}'`;
}

function readValue(literal: string): JsonValue | undefined {
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'");
  return readPlain(literal) ?? (bareValue.test(literal) ? literal : undefined);
}
