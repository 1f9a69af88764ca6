import { evaluate } from '../../../contract/query-languages/conditions.ts';
import type { Comparison, FilterLanguage } from '../../../contract/query-languages/language.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Expression, Filter, Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { countWords } from '../../model/step.ts';
import type { Violation } from '../../model/knowledge.ts';
import { fieldOf } from '../../reading/compare-records.ts';
import type { ListPage } from '../../reading/list-page.ts';
import { type AskedExpression, rangeOf } from '../../reading/list-query.ts';
import {
  isCertainMatch,
  isExactType,
  isInside,
  isOutside,
  matchesFilter,
  resembles,
} from './filter-match.ts';

/** Records of a page that the expression of its request certainly excludes. */
export function excludedByCondition(
  { records, resource }: ListPage,
  { expression, text, condition }: AskedExpression,
): Violation | undefined {
  if (condition === undefined) return undefined;
  const holds = holdsIn(resource.record, expression);
  const others = records.filter(
    (record) => evaluate(condition, (leaf) => holds(record, leaf)) === false,
  );
  const [example] = others;
  if (example === undefined) return undefined;
  const { field } = resource.identifier;
  const { name, pointer } = expression.parameter;
  return {
    at: pointer,
    message:
      `The list filtered by ${name}=${text} holds ` +
      `${countWords(others.length, 'record')} that the expression excludes, such as the one ` +
      `whose ${field} is ${String(example[field])}.`,
    expected: `only records that ${name}=${text} selects`,
    actual: `${String(others.length)} of ${countWords(records.length, 'record')} are others`,
  };
}

/** Whether the expression of a request certainly selects a record. */
export function isSelected(
  schema: Schema,
  { expression, condition }: AskedExpression,
): (record: JsonObject) => boolean {
  const holds = holdsIn(schema, expression);
  return (record) =>
    condition !== undefined && evaluate(condition, (leaf) => holds(record, leaf)) === true;
}

type Holds = (record: JsonObject, comparison: Comparison) => boolean | undefined;

/** Whether a comparison certainly holds for a record; undefined if that is open. */
function holdsIn(schema: Schema, { language, parameter }: Expression): Holds {
  const exact = new Set(
    recordFields(schema).flatMap(({ name, flat }) => (isExactType(flat) ? [name] : [])),
  );
  return (record, comparison) => {
    const { field, op, value: expected } = comparison;
    const value = fieldOf(record, field);
    if (value === undefined) return undefined;
    if (value === null || expected === null) return holdsOfNull(language, value, comparison);
    switch (op) {
      case 'eq':
      case 'has':
        return isEqual(record, { parameter, field }, { expected, isExact: exact.has(field) });
      case 'ne': {
        const same = isEqual(record, { parameter, field }, { expected, isExact: exact.has(field) });
        return same === undefined ? undefined : !same;
      }
      case 'contains':
      case 'starts':
      case 'ends':
        return holdsPart(language, value, comparison);
      default: {
        const { range, bound } = rangeOf(parameter, { ...comparison, op });
        if (isInside(record, range, bound)) return true;
        return isOutside(record, range, bound) === true ? false : undefined;
      }
    }
  };
}

function holdsOfNull(
  { hasNull }: FilterLanguage,
  value: JsonValue,
  { op, value: expected }: Comparison,
): boolean | undefined {
  if (!hasNull) return undefined;
  if (op === 'eq') return value === expected;
  if (op === 'ne') return value !== expected;
  // A bound excludes null; a function of null is null.
  return op === 'lt' || op === 'le' || op === 'gt' || op === 'ge' ? false : undefined;
}

function isEqual(
  record: JsonObject,
  filter: Filter,
  { expected, isExact }: { readonly expected: JsonValue; readonly isExact: boolean },
): boolean | undefined {
  if (isCertainMatch(record, filter, expected)) return true;
  const value = fieldOf(record, filter.field) ?? null;
  const isSame = matchesFilter(record, filter, expected);
  if (isSame !== false) return Array.isArray(value) && value.length === 0 ? false : undefined;
  const isAlike = [value].flat().some((one: JsonValue) => resembles(one, expected));
  return isExact || !isAlike ? false : undefined;
}

const partTests = {
  contains: (text: string, part: string) => text.includes(part),
  starts: (text: string, part: string) => text.startsWith(part),
  ends: (text: string, part: string) => text.endsWith(part),
};

function holdsPart(
  { caseSensitive }: FilterLanguage,
  value: JsonValue,
  { op, value: expected }: Comparison,
): boolean | undefined {
  if (op !== 'contains' && op !== 'starts' && op !== 'ends') return undefined;
  if (typeof value !== 'string' || typeof expected !== 'string') return undefined;
  if (partTests[op](value, expected)) return true;
  const isOpen = !caseSensitive.includes(op) && resembles(value, expected);
  return isOpen ? undefined : false;
}
