import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Filter, ListShape, Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { fieldOf } from '../../reading/compare-records.ts';
import type { ListPage } from '../../reading/list-page.ts';
import {
  type AskedFilter,
  type AskedRange,
  isSelectionKnown,
  requestedExpressions,
  requestedFilters,
  requestedRanges,
} from '../../reading/list-query.ts';
import { countWords, showValue } from '../../model/phrases.ts';
import type { Step } from '../../model/step.ts';
import type { Violation } from '../../model/knowledge.ts';
import { isSelected } from './condition-match.ts';
import { isCertainMatch, isExact, isExactType, isInside } from './filter-match.ts';

/** How a request writes a filter: `status=sold`, or the expression that it is part of. */
export function wordsOfFilter({ filter, expected, expression }: AskedFilter): string {
  return `${nameOf(filter)}=${expression ?? wordsOf(expected)}`;
}

/** The same of a bound. */
export function wordsOfRange({ range: { parameter }, bound, expression }: AskedRange): string {
  return `${parameter.name}=${expression ?? wordsOf(bound)}`;
}

function nameOf({ parameter, member }: Filter): string {
  return member === undefined ? parameter.name : `${parameter.name}[${member}]`;
}

function wordsOf(value: JsonValue): string {
  return [value].flat().map(String).join(',');
}

/**
 * Whether a filter compares rather than searches: by the schema of its parameter, or by that of the
 * field which an expression compares.
 */
export function comparesExactly(record: Schema, { filter, expression }: AskedFilter): boolean {
  if (expression === undefined) return isExact(filter);
  const field = recordFields(record).find(({ name }) => name === filter.field);
  return field !== undefined && isExactType(field.flat);
}

/** Records that have the value which an expression calls unequal. */
export function excludedOnes({ records }: ListPage, asked: AskedFilter): Violation[] {
  const { filter, expected } = asked;
  const { field, parameter } = filter;
  const same = records.filter(
    (record) => isSharp(record, asked) && isCertainMatch(record, filter, expected),
  );
  if (same.length === 0) return [];
  return [
    {
      at: parameter.pointer,
      message:
        `The list filtered by ${wordsOfFilter(asked)} holds ` +
        `${countWords(same.length, 'record')} whose ${field} is ${showValue(expected)}.`,
      expected: `only records whose ${field} is not ${showValue(expected)}`,
      actual:
        `${field} is ${showValue(expected)} in ${String(same.length)} of ` +
        countWords(records.length, 'record'),
    },
  ];
}

/** What a request selects by. */
export interface AskedSelection {
  /** The filters and the expressions as the request writes them: `kind=axe&state=new`. */
  readonly words: string;
  readonly parameter: Filter['parameter'];
  /** Whether a record certainly is among the selected ones. */
  isMatching(record: JsonObject): boolean;
}

/** What a step selects by, if it has a filter or an expression, and everything is understood. */
export function selectionOf(
  { resource, records }: ListPage,
  shape: ListShape,
  step: Step,
): AskedSelection | undefined {
  const filters = requestedFilters(shape, step).filter(isOwn);
  const bounds = requestedRanges(shape, step).filter(isOwn);
  const spoken = requestedExpressions(shape, step);
  const written = [
    ...filters.map((asked) => ({ parameter: asked.filter.parameter, words: wordsOfFilter(asked) })),
    ...spoken.map(({ expression: { parameter }, text }) => ({
      parameter,
      words: `${parameter.name}=${text}`,
    })),
  ];
  const [first] = written;
  if (first === undefined || !isSelectionKnown(shape, step)) return undefined;
  const selects = spoken.map((asked) => isSelected(resource.record, asked));
  return {
    parameter: first.parameter,
    words: [...new Set(written.map(({ words }) => words))].join('&'),
    isMatching: (record) =>
      filters.every(
        (asked) =>
          (isSharp(record, asked) || looksIntoLists(records, asked)) &&
          isCertainMatch(record, asked.filter, asked.expected),
      ) &&
      bounds.every(({ range, bound }) => isInside(record, range, bound)) &&
      selects.every((isOne) => isOne(record)),
  };
}

/** Whether a filter by one value has found a record that has the value and others in its list. */
function looksIntoLists(records: ListPage['records'], { filter, expected }: AskedFilter): boolean {
  return (
    !Array.isArray(expected) &&
    records.some((record) => {
      const value = fieldOf(record, filter.field);
      return Array.isArray(value) && value.length > 1 && isCertainMatch(record, filter, expected);
    })
  );
}

/** Whether a filter or a bound has a parameter of its own. */
function isOwn({ expression }: AskedFilter | AskedRange): boolean {
  return expression === undefined;
}

/**
 * Whether it is certain what a filter means for a record. One by a list of values may mean records
 * that have all of them, or those that have one; an expression asks a list for one item.
 */
function isSharp(record: JsonObject, { filter: { field }, expression }: AskedFilter): boolean {
  const value = fieldOf(record, field);
  const isOne = !Array.isArray(value) || expression !== undefined;
  return value !== undefined && value !== null && isOne;
}
