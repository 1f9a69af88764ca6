import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Filter, ListShape, Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { fieldOf } from '../../reading/compare-records.ts';
import type { ListPage } from '../../reading/list-page.ts';
import {
  type AskedFilter,
  type AskedRange,
  type AskedSearch,
  isSelectionKnown,
  expressionsIn,
  requestedFilters,
  requestedRanges,
  requestedSearches,
  requestsFirstPage,
} from '../../reading/list-query.ts';
import { countWords, showValue, type Step } from '../../model/step.ts';
import type { Violation } from '../../model/knowledge.ts';
import { isSelected } from './condition-match.ts';
import { isCertainMatch, isExact, isExactType, isFound, isInside } from './filter-match.ts';

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
export function excludedOnes({ records }: ListPage, asked: AskedFilter): Violation | undefined {
  const { filter, expected } = asked;
  const { field, parameter } = filter;
  const same = records.filter(
    (record) => isSharp(record, asked) && isCertainMatch(record, filter, expected),
  );
  if (same.length === 0) return undefined;
  return {
    at: parameter.pointer,
    message:
      `The list filtered by ${wordsOfFilter(asked)} holds ` +
      `${countWords(same.length, 'record')} whose ${field} is ${showValue(expected)}.`,
    expected: `only records whose ${field} is not ${showValue(expected)}`,
    actual:
      `${field} is ${showValue(expected)} in ${String(same.length)} of ` +
      countWords(records.length, 'record'),
  };
}

/** Records in which a search did not find its text. */
export function unfound({ records }: ListPage, asked: AskedSearch): Violation | undefined {
  const { search, text } = asked;
  const others = records.filter((record) => isFound(record, asked) === false);
  const [example] = others;
  if (example === undefined) return undefined;
  const names = search.fields.join(' or ');
  const shown = search.fields.map((field) => showValue(fieldOf(example, field))).join(', ');
  return {
    at: search.parameter.pointer,
    message:
      `The list searched by ${search.parameter.name}=${text} holds ` +
      `${countWords(others.length, 'record')} without it, such as one ` +
      `whose ${names} is ${shown}.`,
    expected: `only records with ${showValue(text)} in ${names}`,
    actual: `${String(others.length)} of ${countWords(records.length, 'record')} are others`,
  };
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
  const searches = requestedSearches(shape, step);
  const spoken = expressionsIn(shape, step).all;
  const written = [
    ...filters.map((asked) => ({ parameter: asked.filter.parameter, words: wordsOfFilter(asked) })),
    ...bounds.map((asked) => ({ parameter: asked.range.parameter, words: wordsOfRange(asked) })),
    ...searches.map(({ search: { parameter }, text }) => ({
      parameter,
      words: `${parameter.name}=${text}`,
    })),
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
      searches.every((asked) => isFound(record, asked) === true) &&
      selects.every((isOne) => isOne(record)),
  };
}

/** Fewer records in the same order may be in it by chance. */
const fewestInOrder = 10;

/**
 * How many records of the whole list a page has passed that is the beginning of the filtered one:
 * those before its last one, if its records are in the same order.
 */
export function reachOf(
  { identifiers: whole = [] }: ListPage,
  { step, page }: { readonly step: Step; readonly page: ListPage },
): number {
  const {
    resource: { list },
    identifiers = [],
  } = page;
  const places = identifiers.map((id) => whole.indexOf(id)).filter((place) => place >= 0);
  const isInOrder = places.every((place, index) => place > (places[index - 1] ?? -1));
  const isFirst =
    list !== undefined &&
    requestsFirstPage(list, step) &&
    (list.sort === undefined || !step.sent.arguments.has(list.sort.by));
  return isFirst && isInOrder && places.length >= fewestInOrder ? (places.at(-1) ?? 0) : 0;
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
