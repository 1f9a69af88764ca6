import { recordFields } from '../../../contract/infer/record-fields.ts';
import { isLowerBound } from '../../../contract/model/resource.ts';
import type { Filter, Parameter, RangeFilter } from '../../../contract/model.ts';
import { comparesWhole, selectsAll } from '../../../contract/words/read-range.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, hash, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { createWith, creationFor } from '../../plan/make-create.ts';
import { missingIdentifiers } from '../../plan/missing-identifiers.ts';
import { needsRecord, type PlanContext } from '../../plan/plan-context.ts';
import { isExact } from './filter-match.ts';
import type { Listing } from '../../plan/listing.ts';
import { askList, pageOfSize, sourced, valued, wholeList, widestPage } from '../../plan/listing.ts';

/** The most filters, and the most ranges, tested for one list. */
const max = 8;

/**
 * Tests the filters of a list. Each filtered page is between two of the whole list, so that changes
 * by other clients are visible; a page of one record is between two with the same filter, which
 * shows a limit that is applied before the filter.
 */
export function planFilters(listing: Listing, { seed }: PlanContext): Sequence[] {
  const { filters, ranges } = listing.shape;
  return [
    ...filters.slice(0, max).flatMap((filter) => filterSequences(listing, filter, seed)),
    ...twoFilters(listing),
    ...ranges.slice(0, max).flatMap((range) => rangeSequence(listing, range)),
    ...searchSequence(listing, seed),
    ...toldSearches(listing),
  ];
}

/** The maximum number of values per filter that are requested before the run creates anything. */
const maxEarly = 3;

/**
 * Each filter with listed values, and one that no record has, before the run creates a record: a
 * filtered list is most likely to be empty then.
 */
export function planEarlyFilters(listing: Listing, { mode, seed }: PlanContext): Sequence[] {
  // Without creates, the later requests find the same records.
  if (mode === 'read-only' || needsRecord(listing.draft)) return [];
  return listing.shape.filters
    .slice(0, max)
    .flatMap((filter) => earlyValues(listing, filter, seed));
}

function earlyValues(listing: Listing, filter: Filter, seed: string): Sequence[] {
  const listed = listedValues(filter).flatMap((value) => withValue(filter, value));
  return [...listed.slice(0, maxEarly), ...absentValue(filter, seed)].map((value) => {
    const words = `${value.words}, before any create`;
    // No later request can repeat it: by then the list has records.
    return makeSequence(
      filtered(listing, filter, { ...value, words }),
      filtered(listing, filter, { ...value, words: `${words}, once more` }),
    );
  });
}

function filterSequences(listing: Listing, filter: Filter, seed: string): Sequence[] {
  const rare = [
    ...severalValues(filter),
    ...absentValue(filter, seed),
    ...beginning(listing, filter),
  ];
  return [
    ...likelyValues(listing, filter).map((value) => bracketed(listing, filter, value)),
    ...(rare.length === 0
      ? []
      : [betweenLists(listing, ...rare.map((value) => filtered(listing, filter, value)))]),
    ...itemBehind(listing, filter),
    ...alternatives(listing, filter),
  ];
}

/**
 * The values of two records, where a filter takes a list, or a text of several with commas between
 * them; for one that selects the records which have all of them, two items.
 */
function alternatives(listing: Listing, filter: Filter): Sequence[] {
  const { parameter, field, member, isJoined } = filter;
  const { node, types, items } = parameter.schema.flatten();
  const isList = types.includes('array') && items !== undefined && (node.maxItems ?? 2) >= 2;
  const isListed = items !== undefined && parameter.schema.flatten(items).node.enum !== undefined;
  const one = { kind: 'field', resource: listing.resource.name, field } as const;
  const of = [one, { ...one, of: selectsAll(parameter) ? 'behind' : 'other' } as const];
  const joint = isList ? {} : { joint: ',' };
  const query = sourced(parameter, { kind: 'list', of, ...joint });
  const words = `${parameter.name} is what two records have${isList ? '' : ', with a comma'}`;
  // A schema that lists its values, or has a format, has no text of two of them.
  const isOpen = isList ? member === undefined && !isListed : isJoined === true && !isExact(filter);
  return isOpen
    ? [betweenLists(listing, filtered(listing, filter, { words, query, rigour: 'exotic' }))]
    : [];
}

/** An item that stands behind another one in a record, if the field of a filter holds a list. */
function itemBehind(listing: Listing, filter: Filter): Sequence[] {
  const { parameter, field, member } = filter;
  const { resource } = listing;
  const place = recordFields(resource.record).find(({ name }) => name === field);
  if (place?.many !== true || member !== undefined) return [];
  const query = sourced(parameter, { kind: 'field', resource: resource.name, field, of: 'behind' });
  const words = `${parameter.name} is the last of several items that a record has`;
  return [betweenLists(listing, filtered(listing, filter, { words, query, rigour: 'exotic' }))];
}

/** Cases between two requests of the whole list. */
export function betweenLists(listing: Listing, ...cases: readonly Case[]): Sequence {
  return makeSequence(
    wholeList(listing),
    ...cases,
    wholeList(listing, 'the list is asked for again'),
  );
}

/** Filtered, one record of the filtered, filtered again: all between whole lists. */
function bracketed(listing: Listing, filter: Filter, value: FilterValue): Sequence {
  const page = filtered(listing, filter, value);
  const one = pageOfSize(listing, 1);
  if (one.length === 0) return betweenLists(listing, page);
  const limit = listing.shape.limit?.parameter.name ?? '';
  const single = {
    ...value,
    words: `${value.words} and ${limit} is 1`,
    query: [...value.query, ...one],
    isSized: true,
  };
  return betweenLists(
    listing,
    page,
    filtered(listing, filter, single),
    filtered(listing, filter, { ...value, words: `${value.words} once more` }),
  );
}

function filtered(
  listing: Listing,
  { parameter }: Filter,
  { words, query, rigour, isSized = false }: FilterValue & { readonly isSized?: boolean },
): Case {
  const flat = parameter.schema.flatten();
  const { enum: values, anyOf, oneOf } = flat.node;
  const isListed = values !== undefined && anyOf === undefined && oneOf === undefined;
  const at = isListed ? joinPointer(flat.pointer, 'enum') : parameter.pointer;
  const page = isSized ? [] : widestPage(listing);
  return askList(listing, { title: words, query: [...query, ...page], at, rigour });
}

/** Two filters at once, with the values of one record. */
function twoFilters(listing: Listing): Sequence[] {
  const [first, second] = listing.shape.filters.filter(
    ({ member, any }) => member === undefined && any === undefined,
  );
  if (first === undefined || second === undefined || first.parameter === second.parameter)
    return [];
  const query: Argument[] = [first, second].flatMap(({ parameter, field }) =>
    sourced(parameter, { kind: 'field', resource: listing.resource.name, field }),
  );
  return [
    betweenLists(
      listing,
      askList(listing, {
        title: `${first.parameter.name} and ${second.parameter.name} are what a record has`,
        query: [...query, ...widestPage(listing)],
        at: second.parameter.pointer,
      }),
    ),
  ];
}

/** A bound that hardly any record meets, and one that is the value of a record. */
function rangeSequence(listing: Listing, range: RangeFilter): Sequence[] {
  const { parameter, field } = range;
  const ask = (title: string, query: readonly Argument[]): Case =>
    askList(listing, {
      title,
      query: [...query, ...widestPage(listing)],
      at: parameter.pointer,
      rigour: 'exotic',
    });
  const bounds = isLowerBound(range) ? highBounds : lowBounds;
  const bound = bounds.find((value) => valued(parameter, value).length > 0);
  const beyond = bound === undefined ? [] : valued(parameter, bound);
  const resource = listing.resource.name;
  const middle = { kind: 'field', resource, field, of: 'middle' } as const;
  const seen = sourced(parameter, isDay(parameter) ? { ...middle, day: true } : middle);
  // Where moments are compared as texts, others are on the wrong side of the bound.
  const offset = isLowerBound(range) ? 14 : -12;
  const isMoment = parameter.schema.flatten().node.format === 'date-time';
  const elsewhere = isMoment ? sourced(parameter, { ...middle, offset }) : [];
  return [
    ...(beyond.length === 0
      ? []
      : [makeSequence(ask(`${parameter.name} is ${String(bound)}, beyond most records`, beyond))]),
    betweenLists(
      listing,
      ask(`${parameter.name} is what a record has`, seen),
      ...elsewhere.map((one) => ({
        ...ask(`${parameter.name} is that moment with another offset from UTC`, [one]),
        optional: true as const,
      })),
    ),
  ];
}

const highBounds: readonly JsonValue[] = [
  '2999-01-01T00:00:00Z',
  '2999-01-01',
  1_000_000_000,
  1_000_000,
  10_000,
  1000,
  100,
  50,
  10,
  5,
];
const lowBounds: readonly JsonValue[] = ['1970-01-02T00:00:00Z', '1970-01-02', 0, 1];

/** A word that no record contains, and half of a pattern: services that search by one fail on it. */
function searchSequence(listing: Listing, seed: string): Sequence[] {
  const { search } = listing.shape;
  if (search === undefined) return [];
  const ask = (text: string, what: string): Case[] => {
    const query = [...valued(search, text), ...widestPage(listing)];
    const title = `${search.name} is ${what}`;
    const isTaken = search.schema.accepts(text, 'request');
    return isTaken
      ? [askList(listing, { title, query, at: search.pointer, rigour: 'exotic' })]
      : [];
  };
  const words = ask(`zq${hash(`${seed} search nobody`)}`, 'a word that no record holds');
  const halves = words.length === 0 ? [] : ask('[(*', 'half of a pattern');
  return [
    ...halves.map((half) => makeSequence(half)),
    ...words.map((word) => betweenLists(listing, word)),
  ];
}

/** A text, and parts of it, where the contract says that they find the record; maybe in any case. */
function toldSearches(listing: Listing): Sequence[] {
  const { resource, shape } = listing;
  return (shape.searches ?? []).flatMap(({ parameter, fields, at, ignoresCase, ...search }) => {
    const of = at === 'start' ? 'beginning' : 'part';
    const ask = (field: string, words: string, more: object): Case =>
      askList(listing, {
        title: `${parameter.name} is ${words} of a record`,
        query: [
          ...sourced(parameter, { kind: 'field', resource: resource.name, field, ...more }),
          ...widestPage(listing),
        ],
        at: parameter.pointer,
        rigour: 'exotic',
      });
    const asked = fields
      .slice(0, 3)
      .flatMap((field) => [
        ask(field, `the ${field}`, {}),
        ask(field, `a part of the ${field}`, { of }),
        ...(ignoresCase
          ? [ask(field, `in the other case, a part of the ${field}`, { of, swapped: true })]
          : []),
      ])
      .map((one): Case => ({ ...one, optional: true }));
    return search.isExact ? [betweenLists(listing, ...asked)] : [];
  });
}

/** A value of a filter. */
interface FilterValue {
  /** `status is sold`. */
  readonly words: string;
  readonly query: readonly Argument[];
  readonly rigour?: 'invented' | 'exotic';
}

/** The most values tested for one filter. */
const maxValues = 6;

/** Values that records probably have: the listed ones, true and false, or one of a record. */
function likelyValues({ resource }: Listing, filter: Filter): FilterValue[] {
  const { parameter, member } = filter;
  const listed = listedValues(filter);
  if (listed.length > 0)
    return listed.slice(0, maxValues).flatMap((value) => withValue(filter, value));
  // The value of a single member of a parameter cannot be taken from a response.
  if (member !== undefined) return [];
  return [
    {
      words: `${parameter.name} is what a record has`,
      query: sourced(parameter, { kind: 'field', resource: resource.name, field: filter.field }),
    },
  ];
}

function listedValues(filter: Filter): JsonValue[] {
  const { any = [] } = filter;
  const { node, types } = partOf(filter).flatten();
  const values = node.enum ?? (types.includes('boolean') && types.length <= 2 ? [true, false] : []);
  return values.filter((value) => value !== null && !any.includes(value));
}

/** Two listed values at once, in either order, if the filter takes an array. */
function severalValues(filter: Filter): FilterValue[] {
  const schema = partOf(filter);
  const { types, items } = schema.flatten();
  const isList = items !== undefined && types.includes('array');
  const [first, second] = (isList && schema.flatten(items).node.enum) || [];
  return first === undefined || second === undefined
    ? []
    : [
        [first, second],
        [second, first],
      ].flatMap((both) => withValue(filter, both));
}

/**
 * Filters that select the records which have all of several values, by three records: one has both
 * values and the others one of them; the list is requested with both values in either order.
 */
export function planSetFilters(listing: Listing, context: PlanContext): Sequence[] {
  return listing.shape.filters.flatMap((filter) => setFilterSequence(context, listing, filter));
}

function isDay({ schema }: Parameter): boolean {
  return schema.flatten().node.format === 'date';
}

function setFilterSequence(context: PlanContext, listing: Listing, filter: Filter): Sequence[] {
  const { parameter, field, member } = filter;
  const create = creationFor(context, listing.resource);
  if (create === undefined || member !== undefined || !selectsAll(parameter)) return [];
  const [one, other] = twoItems(filter);
  const { value, schema } = create.body;
  if (one === undefined || other === undefined || !isJsonObject(value)) return [];
  const kept: JsonValue[][] = [[one, other], [one], [other]];
  const bodies = kept.map((items) => ({ ...value, [field]: items }));
  if (schema === undefined || !bodies.every((body) => schema.accepts(body, 'request'))) return [];
  const creates = bodies.map((body, index) =>
    createWith(context, create, {
      title: `a record is created with ${field} ${kept[index]?.map(String).join(' and ') ?? ''}`,
      value: body,
    }),
  );
  const asked = [
    [one, other],
    [other, one],
  ].flatMap((pair) => withValue(filter, pair));
  return [makeSequence(...creates, ...asked.map((each) => filtered(listing, filter, each)))];
}

/** Two values that the items of a filter may have: listed ones that are far apart, or words. */
function twoItems({ parameter }: Filter): JsonValue[] {
  const { items: place } = parameter.schema.flatten();
  if (place === undefined) return [];
  const { enum: listed } = parameter.schema.flatten(place).node;
  const values =
    listed === undefined ? ['amber', 'basalt'] : [listed[0] ?? null, listed.at(-1) ?? null];
  const items = parameter.schema.part(place);
  return values.every((item) => item !== null && items.accepts(item, 'request')) ? values : [];
}

/** A value that no record has. If it refers to another record, a server may refuse it. */
function absentValue(filter: Filter, seed: string): FilterValue[] {
  const { parameter } = filter;
  const schema = partOf(filter);
  const { node, types } = schema.flatten();
  const isBound = node.enum !== undefined || node.const !== undefined;
  if (isBound || !['string', 'integer'].some((type) => types.includes(type))) return [];
  const word = `zq${hash(`${seed} ${parameter.name} nobody`)}`;
  const texts = types.includes('string') ? [word, word.slice(0, 8)] : [];
  const identifiers = missingIdentifiers({ ...parameter, schema }, `${seed} ${parameter.name}`);
  return [...texts, ...identifiers.map(({ value }) => value)]
    .flatMap((value) => withValue(filter, value))
    .slice(0, 1)
    .map((value) => ({
      ...value,
      words: `${value.words}, which no record has`,
      rigour: 'exotic' as const,
    }));
}

/** The beginning of a text, where the contract says that a filter compares the whole of it. */
function beginning({ resource }: Listing, { parameter, field, member }: Filter): FilterValue[] {
  if (member !== undefined || !comparesWhole(parameter)) return [];
  const from = { kind: 'field', resource: resource.name, field, of: 'beginning' } as const;
  const words = `${parameter.name} is the beginning of what a record has`;
  return [{ words, query: sourced(parameter, from), rigour: 'exotic' }];
}

/** The schema of a filter: that of its member, if it is one. */
function partOf({ parameter, member }: Filter): Parameter['schema'] {
  const place =
    member === undefined ? undefined : parameter.schema.flatten().properties.get(member);
  return place === undefined ? parameter.schema : parameter.schema.part(place);
}

/** The argument of a filter with a value, as a member if the filter is one. */
function withValue(filter: Filter, value: JsonValue): FilterValue[] {
  const { parameter, member } = filter;
  const name = member === undefined ? parameter.name : `${parameter.name}[${member}]`;
  const isList = partOf(filter).flatten().types.includes('array') && !Array.isArray(value);
  const one: JsonValue = isList ? [value] : value;
  const query = valued(parameter, member === undefined ? one : { [member]: one });
  const words = `${name} is ${[value].flat().map(String).join(' or ')}`;
  return query.length === 0 ? [] : [{ words, query }];
}
