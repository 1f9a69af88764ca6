import { planFinding } from './finding-stories.ts';
import { planEarlyFilters, planSetFilters, planFilters } from './filter-sequences.ts';
import { planExpressions } from './expression-sequences.ts';
import type { ListShape } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isLowerBound } from '../../../contract/model/resource.ts';
import {
  excludedOnes,
  comparesExactly,
  reachOf,
  selectionOf,
  unfound,
  wordsOfFilter,
  wordsOfRange,
} from './asked-match.ts';
import { excludedByCondition } from './condition-match.ts';
import { isOutside, matchesFilter, resembles } from './filter-match.ts';
import type { ListPage } from '../../reading/list-page.ts';
import { isAllThereIs, limitOf, pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { leadsOn } from '../../reading/next-page.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { madeIdentifier, notRefused } from '../../reading/related.ts';
import {
  type AskedFilter,
  type AskedRange,
  isFiltered,
  expressionsIn,
  requestedFilters,
  requestedOthers,
  requestedRanges,
  requestedSearches,
  isSameRequestAs,
  requestedParameters,
  requestedSet,
} from '../../reading/list-query.ts';
import {
  countEach,
  countWords,
  hasSuccess,
  roleOf,
  showValue,
  type Step,
} from '../../model/step.ts';
import { fieldOf } from '../../reading/compare-records.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { boundLacking, notAsDefault, notJoined, notOfKind } from './flag-faults.ts';
import { planFlags } from './plan-flags.ts';

/** A filtered list has the records that match, and no others. */
export const filterHolds = check({
  id: 'filter-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A list that is filtered by a value, a bound, an expression or a search word has only ' +
    'matching records, and all of them if it is complete.',
  reason:
    'A filter that is ignored shows users records that they excluded, and clients do not ' +
    'filter again.',
  example: ['> GET /items?status=sold', '< [{"id": 7, "status": "available"}]'],
  traits: ['lists'],
  explains: [
    {
      // A filter by the record above lists what belongs to others.
      findings: ['parent-holds'],
      leads: ({ parameter }) => parameter !== undefined,
      explains: ({ operation }, other) => other.operation === operation,
    },
  ],
  plan: [
    { at: 'first lists', listing: planEarlyFilters },
    { at: 'stories', listing: planSetFilters },
    { at: 'stories', listing: planFinding },
    { at: 'lists', list: planFilters },
    { at: 'lists', list: planExpressions },
    { at: 'lists', listing: planFlags },
  ],
  needs: ['largestPages'],
  intents: ['valid', 'relation'],
  actions: ['list'],
  mutants: [
    async () => (await import('./list-mutants.ts')).filterMutants,
    async () => (await import('./expression-mutants.ts')).expressionMutants,
    async () => (await import('./list-mutants.ts')).flagMutants,
    async () => (await import('./page-mutants.ts')).combinedMutants,
  ],
  relations: {
    listed: notListed,
    unlisted: stillListed,
    'no-expression': notRefused,
    'bound-included': boundLacking,
    'kind-of': notOfKind,
    'kinds-joined': notJoined,
    'as-default': notAsDefault,
  },
  inspect(subject) {
    const page = pageOf(subject, subject);
    const shape = page?.resource.list;
    if (page === undefined || shape === undefined) return undefined;
    const filters = requestedFilters(shape, subject);
    const unequal = requestedOthers(shape, subject);
    const ranges = requestedRanges(shape, subject);
    const bracket = bracketOf(subject, shape);
    const compound = expressionsIn(shape, subject).compound;
    const searches = requestedSearches(shape, subject);
    const asked = [filters, unequal, ranges, compound, searches].flat().length;
    const unwanted = unaskedOne(page, shape, subject);
    if (asked === 0 && bracket === undefined && unwanted === undefined) return undefined;
    return [
      unwanted,
      ...filters.map((one) => strangers(page, one) ?? withoutField(subject, page, one)),
      ...unequal.map((one) => excludedOnes(page, one)),
      ...compound.map((one) => excludedByCondition(page, one)),
      ...searches.map((one) => unfound(page, one)),
      ...ranges.map((one) => outsiders(page, one)),
      bracket && (lost(subject, page, bracket) ?? notSearched(page, bracket)),
    ].filter((fault) => fault !== undefined);
  },
});

/** A record that the words of a list leave out where its filter is not asked for. */
function unaskedOne(page: ListPage, shape: ListShape, { sent }: Step): Violation | undefined {
  for (const { parameter, field, unasked } of shape.filters) {
    if (unasked === undefined || sent.arguments.has(parameter)) continue;
    const { shows, value } = unasked;
    const isShown = (record: JsonObject): boolean =>
      record[field] === undefined || equalJson(record[field], value) === (shows === 'only');
    const other = page.records.find((record) => !isShown(record));
    if (other === undefined) continue;
    const got = `${field} ${showValue(other[field])}`;
    return {
      at: parameter.pointer,
      message: `The list without ${parameter.name} holds a record with ${got}.`,
      expected: `${shows === 'only' ? 'only' : 'no'} records with ${field} ${showValue(value)}`,
      actual: `a record with ${got}`,
      cause: 'unasked',
      momentary: true,
    };
  }
  return undefined;
}

/** The position of the created record in the list of a step; -1 if it is not there. */
function placeIn({ subject, of: [created] }: Related, step: Step): number | undefined {
  const role = roleOf(subject.contract, step.case.operation);
  const isShown = role?.action === 'list' && hasSuccess(step);
  const records = isShown ? listedRecords(role.resource, step.answer) : undefined;
  const id = created && madeIdentifier(subject, created);
  return id === undefined
    ? undefined
    : records?.findIndex((one) => sameIdentifier(one[role?.resource.identifier.field ?? ''], id));
}

/** A list that lacks a record which another request of the same list has shown. */
function notListed(related: Related): RelationFaults {
  const { subject, resource } = related;
  const place = placeIn(related, subject);
  const records = resource && listedRecords(resource, subject.answer);
  if (place === undefined || resource === undefined || records === undefined) return undefined;
  if (place >= 0) return [];
  const size = limitOf(resource, subject)?.value ?? Infinity;
  const isFound = subject.earlier.some(
    (step) => step.case.operation === subject.operation && (placeIn(related, step) ?? -1) >= 0,
  );
  if (!isFound || records.length >= size || leadsOn(subject, subject)) return undefined;
  const expected = 'a list with that record, which another request of the list shows';
  const actual = countWords(records.length, 'other record');
  return listFault(related, 'does not show', { expected, actual });
}

function stillListed(related: Related): RelationFaults {
  const place = placeIn(related, related.subject);
  if (place === undefined || place < 0) return place === undefined ? undefined : [];
  const sides = { expected: 'a list without that record', actual: 'a list with it' };
  return listFault(related, 'shows', sides);
}

function listFault(
  { subject, intent: { field = '' }, of: [created] }: Related,
  shows: string,
  sides: Pick<RelationFault, 'expected' | 'actual'>,
): RelationFault {
  const role = created && roleOf(subject.contract, created.case.operation);
  const record = role && shownRecord(role.resource, created?.answer);
  return {
    message:
      `The server ${shows} a record whose ${field} is ` +
      `${showValue(record && fieldOf(record, field))} in ` +
      `${subject.case.title} (${queryOf(subject)}).`,
    ...sides,
    momentary: true,
  };
}

function queryOf({ exchange: { request } }: CheckInput): string {
  return (request.target.split('?')[1] ?? '').slice(0, 120);
}

/**
 * Records of a filtered page that do not match. A record without the field, or with a value that
 * the schema rejects, proves nothing.
 */
function strangers({ records, resource }: ListPage, asked: AskedFilter): Violation | undefined {
  const { filter, expected } = asked;
  const declared = resource.record.flatten().properties.get(filter.field);
  const others = records
    .filter((record) => matchesFilter(record, filter, expected) === false)
    .map((record) => fieldOf(record, filter.field) ?? null);
  const shown = others.filter(
    (value) =>
      declared === undefined ||
      resource.record.part(declared).validate(value, 'response').length === 0,
  );
  const [stranger] = shown;
  if (stranger === undefined) return undefined;
  // A value of nothing but spaces may be no filter.
  const exact = String(expected).trim() !== '' && comparesExactly(resource.record, asked);
  // A search may match similar values. Nothing is similar to a made-up word.
  if (
    !exact &&
    shown.every((value) => [value].flat().some((one: JsonValue) => resembles(one, expected)))
  )
    return undefined;
  return {
    at: filter.parameter.pointer,
    message:
      `The list filtered by ${wordsOfFilter(asked)} holds ` +
      `${countWords(shown.length, 'record')} with another ${filter.field}, ` +
      `such as ${showValue(stranger)}.`,
    expected: `only records whose ${filter.field} is ${showValue(expected)}`,
    actual: `${filter.field} is ${countEach(shown, countWords(records.length, 'record'))}`,
    ...(exact || shown.length === records.length ? {} : { severity: 'warning' }),
  };
}

/**
 * Records of a filtered page that lack the field by which it is filtered, where the list shows it
 * for others. A field with a default may be left out, and so may false, 0 and empty texts.
 */
function withoutField(
  subject: CheckInput,
  page: ListPage,
  asked: AskedFilter,
): Violation | undefined {
  const { records, resource } = page;
  const {
    filter: { field, parameter },
    expected,
  } = asked;
  const declared = resource.record.flatten().properties.get(field);
  const isOpen =
    declared === undefined ||
    resource.record.flatten(declared).node.default !== undefined ||
    ![expected].flat().every((one: JsonValue) => saysSomething(one)) ||
    !comparesExactly(resource.record, asked);
  if (isOpen) return undefined;
  const has = (record: JsonObject): boolean => (fieldOf(record, field) ?? null) !== null;
  const pages = [page, ...subject.earlier.flatMap((step) => pageOf(subject, step) ?? [])];
  const shown = pages.flatMap((other) => other.records.filter(has));
  const { field: key } = resource.identifier;
  // A record that is shown with the field at other times has it.
  const lacking = records.filter(
    (record) => !has(record) && !shown.some((other) => sameIdentifier(other[key], record[key])),
  );
  if (lacking.length === 0 || shown.length === 0) return undefined;
  return {
    at: parameter.pointer,
    message:
      `The list filtered by ${wordsOfFilter(asked)} holds ` +
      `${countWords(lacking.length, 'record')} without ${field}.`,
    expected: `only records whose ${field} is ${showValue(expected)}`,
    actual: `no ${field} in ${String(lacking.length)} of ${countWords(records.length, 'record')}`,
  };
}

function outsiders({ records }: ListPage, asked: AskedRange): Violation | undefined {
  const { range, bound } = asked;
  const { parameter, field } = range;
  const outside = records.filter((record) => isOutside(record, range, bound) === true);
  const [first] = outside;
  if (first === undefined) return undefined;
  const side = sideOf(asked);
  return {
    at: parameter.pointer,
    message:
      `The list bounded by ${wordsOfRange(asked)} holds ` +
      `${countWords(outside.length, 'record')} outside the bound, such as one ` +
      `whose ${field} is ${showValue(fieldOf(first, field))}.`,
    expected: `only records whose ${field} is ${side} ${showValue(bound)}`,
    actual: `${field} is ${countEach(
      outside.map((record) => fieldOf(record, field) ?? null),
      countWords(records.length, 'record'),
    )}`,
  };
}

/** On which side of a bound a record is, as a clause before the bound. */
function sideOf({ range, expression }: AskedRange): string {
  if (expression !== undefined && range.op === 'gt') return 'greater than';
  if (expression !== undefined && range.op === 'lt') return 'less than';
  return isLowerBound(range) ? 'at least' : 'at most';
}

/** The whole list before and after the filtered pages. */
interface Bracket {
  readonly before: ListPage;
  readonly between: readonly { readonly step: Step; readonly page: ListPage }[];
}

function bracketOf(subject: CheckInput, shape: ListShape): Bracket | undefined {
  if (subject.earlier.length < 2) return undefined;
  const asked = (step: Step): boolean =>
    isFiltered(shape, step) ||
    (shape.search !== undefined && step.sent.arguments.has(shape.search));
  if (asked(subject)) return undefined;
  const start = subject.earlier.findIndex(isSameRequestAs(subject));
  const first = subject.earlier[start];
  const before = first && pageOf(subject, first);
  if (before === undefined) return undefined;
  const between = subject.earlier.slice(start + 1).flatMap((step) => {
    const page = asked(step) ? pageOf(subject, step) : undefined;
    return page === undefined ? [] : [{ step, page }];
  });
  return between.length === 0 ? undefined : { before, between };
}

/**
 * Records that match, are unchanged in the list before and after, and are missing in every complete
 * filtered page.
 */
function lost(
  subject: CheckInput,
  after: ListPage,
  { before, between }: Bracket,
): Violation | undefined {
  const { field } = after.resource.identifier;
  const shape = after.resource.list;
  const steady = before.records.filter(
    (record, index) => record[field] !== undefined && holdsRecord(after, record, index),
  );
  // The number of a record may count within another field of it.
  const isUnique = new Set(identifiersOf(before, field)).size === before.records.length;
  const isSearch = (step: Step): boolean =>
    shape !== undefined && requestedSearches(shape, step).length > 0;
  for (const { step, page } of shape === undefined ? [] : between) {
    const selection = shape === undefined ? undefined : selectionOf(page, shape, step);
    if (selection === undefined || steady.length === 0) continue;
    const { parameter, words, isMatching } = selection;
    const same = between.filter(
      (other) => requestedParameters(other.step) === requestedParameters(step),
    );
    const held = new Set(same.flatMap((other) => identifiersOf(other.page, field)));
    const reach = Math.min(
      ...same.map((other) =>
        isAllThereIs(subject, other.page, other.step) ? Infinity : reachOf(before, other),
      ),
    );
    const missing = before.records
      .slice(0, reach)
      .filter(
        (record) =>
          steady.includes(record) &&
          isMatching(record) &&
          !(isUnique
            ? held.has(String(record[field]))
            : same.some((other) => holdsRecord(other.page, record, 0))),
      );
    const [example] = missing;
    // A search may find new records later: one that finds nothing at all proves nothing.
    const isIdle = isSearch(step) && between.every((other) => other.page.records.length === 0);
    if (example === undefined || isIdle || isCutEarly(between, { step, page })) continue;
    return {
      at: parameter.pointer,
      message:
        `The list filtered by ${words} lacks ` +
        `${countWords(missing.length, 'record')} that the whole list shows to ` +
        `match, such as the one whose ${field} is ${showValue(example[field])}.`,
      expected: `all ${String(steady.filter(isMatching).length)} records that match`,
      actual: countWords(page.records.length, 'record'),
      cause: 'lacks',
      momentary: true,
    };
  }
  return undefined;
}

function identifiersOf({ identifiers, records }: ListPage, field: string): readonly string[] {
  return identifiers ?? records.map((entry) => String(entry[field]));
}

/** Whether a page has exactly this record, most likely at the same position. */
function holdsRecord({ records }: ListPage, record: JsonObject, index: number): boolean {
  const likely = records[index];
  return (
    (likely !== undefined && equalJson(likely, record)) ||
    records.some((other) => equalJson(other, record))
  );
}

/** An empty page with the same filters and a smaller limit: `limit-holds` reports it. */
function isCutEarly(
  between: Bracket['between'],
  { step, page }: Bracket['between'][number],
): boolean {
  const shape = page.resource.list;
  return (
    shape !== undefined &&
    page.records.length > 0 &&
    between.some(
      (other) =>
        other.step !== step &&
        other.page.records.length === 0 &&
        requestedSet(shape, other.step) === requestedSet(shape, step),
    )
  );
}

/** A search for a made-up word that returns the same records as the whole list. */
function notSearched(after: ListPage, { before, between }: Bracket): Violation | undefined {
  const search = after.resource.list?.search;
  if (search === undefined) return undefined;
  const whole = after.identifiers?.join(' ');
  if (whole === undefined || after.records.length === 0 || before.identifiers?.join(' ') !== whole)
    return undefined;
  const ignored = between.find(
    ({ step, page }) =>
      /^zq[0-9a-f]{10}$/.test(String(step.sent.arguments.get(search))) &&
      page.identifiers?.join(' ') === whole,
  );
  if (ignored === undefined) return undefined;
  return {
    at: search.pointer,
    message:
      'Searching the list for ' +
      `${String(ignored.step.sent.arguments.get(search))}, a made-up word, ` +
      `returns the same ${countWords(after.records.length, 'record')} as the ` +
      'list without a search.',
    expected: 'no records, or other ones',
    actual: `the same ${countWords(after.records.length, 'record')}`,
    // What a search returns without a match is not specified.
    severity: 'warning',
    cause: 'searched',
    momentary: true,
  };
}
