import { flagsOf, kindsOf } from '../../contract/infer/infer-flags.ts';
import { inferList } from '../../contract/infer/infer-list.ts';
import { plainName } from '../../contract/infer/infer-names.ts';
import { openedOperation } from '../../contract/infer/open-envelopes.ts';
import { isDigits, recordFields } from '../../contract/infer/record-fields.ts';
import { groupsOf } from '../../contract/infer/record-view.ts';
import type { Filter, ListShape, Parameter, Resource } from '../../contract/model.ts';
import { type Unasked, isLowerBound } from '../../contract/model/resource.ts';
import { zeroIsDefault } from '../../contract/protocols/pages.ts';
import { sortsAmounts, statedOrder } from '../../contract/words/read-list.ts';
import { selectsAll } from '../../contract/words/read-range.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import type { Condition, Query, SortKey } from '../../store/store.ts';
import { valueFault } from '../errors/describe-issue.ts';
import type { ParameterValues, ValidRequest } from '../model/request.ts';
import type { Fault } from '../model/reply.ts';
import { parameterKey } from '../request/read-request.ts';
import { oncePerPlan } from './find-record.ts';
import { parentConditions } from './parent-fields.ts';
import { readExpressions, spellings } from './read-expression.ts';
import { looksLike } from '../../words-in.ts';

/** The store query for the requested part of a list. */
export function readQuery(request: ValidRequest, resource: Resource, shape: ListShape): Query {
  const { parameters } = request;
  const size = pageSize(parameters, shape, zeroIsDefault(resource));
  const text = shape.search && parameters.get(parameterKey(shape.search));
  return {
    where: [
      ...parentConditions(request, resource),
      ...leftOut(request),
      ...ofOneWhole(request),
      ...shape.filters.flatMap((filter) => readFilter(filter, parameters)),
      ...relationFilters(request.plan, resource).flatMap((one) => readFilter(one, parameters)),
      // A field that the list does not show filters it only on request.
      ...(shape.unshown ?? [])
        .filter(({ parameter }) => parameters.has(parameterKey(parameter)))
        .flatMap((filter) => readFilter(filter, parameters)),
      ...readRanges(shape, parameters),
      ...readSearches(shape, parameters),
      ...readFlags(resource, parameters),
      ...readExpressions(shape, parameters),
    ],
    ...(typeof text === 'string' && text !== '' ? { search: { text } } : {}),
    order: readOrder(shape, resource, parameters) ?? orderOfList(request.plan, resource),
    ...readBeginning(shape, parameters, size),
    ...(size === undefined ? {} : { limit: size }),
  };
}

/** The condition of a list without the parts of its records: `The comments without their replies`. */
function leftOut({ plan: { role } }: ValidRequest): Condition[] {
  const own = role?.action === 'list' ? role.ownParts : undefined;
  return own?.leavesOut === true ? [{ op: 'null', field: own.field }] : [];
}

/** The condition of a list of the parts of the record in the path, which are of its own kind. */
function ofOneWhole({ plan, parameters }: ValidRequest): Condition[] {
  const { partsOfOne, resource } = plan.role ?? {};
  const id = parameters.get(`path ${plan.recordParameter ?? ''}`);
  if (partsOfOne === undefined || resource === undefined || id === undefined) return [];
  const part: Condition = { op: 'in', field: partsOfOne.field, values: [id] };
  const whole: Condition = { op: 'in', field: resource.identifier.field, values: [id] };
  return [partsOfOne.showsWhole ? { op: 'any', of: [whole, part] } : part];
}

/** The text of each search in one of its fields, in upper or lower case as in any search. */
function readSearches({ searches = [] }: ListShape, parameters: ParameterValues): Condition[] {
  return searches.flatMap(({ parameter, fields, at }): Condition[] => {
    const text = parameters.get(parameterKey(parameter));
    if (typeof text !== 'string' || text === '') return [];
    const op = at === 'start' ? 'starts' : 'contains';
    const value = text.toLowerCase();
    return [{ op: 'any', of: fields.map((field) => ({ op, field, by: 'lower', value })) }];
  });
}

/** The maximum number of records on a page; undefined without a limit. */
export function pageSize(
  parameters: ParameterValues,
  { limit }: Pick<ListShape, 'limit'>,
  isZeroDefault: boolean,
): number | undefined {
  const given = limit && parameters.get(parameterKey(limit.parameter));
  const isGiven = typeof given === 'number' && (given !== 0 || !isZeroDefault);
  const size = isGiven ? given : limit?.default;
  return size === undefined ? undefined : Math.max(0, Math.floor(size));
}

/**
 * A filter with several values matches any of them; an omitted filter has the contract's default.
 */
function readFilter(
  { parameter, field, member, any = [], isJoined, unasked }: Filter,
  parameters: ParameterValues,
): Condition[] {
  const given = parameters.get(parameterKey(parameter)) ?? defaultOf(parameter);
  const value =
    member === undefined || given === undefined
      ? given
      : isJsonObject(given) && Object.hasOwn(given, member)
        ? given[member]
        : undefined;
  if (value === undefined) return unasked === undefined ? [] : unaskedOnes(field, unasked);
  const values = [value]
    .flat()
    .flatMap((one: JsonValue): readonly JsonValue[] =>
      isJoined === true ? String(one).split(',') : [one],
    );
  if (values.some((one) => any.includes(one))) return [];
  const groups = selectsAll(parameter) ? values.map((one) => [one]) : [values];
  return groups.map((group) => ({ op: 'in', field, values: group.flatMap(spellings) }));
}

function unaskedOnes(field: string, { shows, value }: Unasked): Condition[] {
  const those: Condition = { op: 'in', field, values: [value] };
  return [shows === 'only' ? those : { op: 'none', of: [those] }];
}

/** The filters by what relationships name, of records that keep their fields in a group. */
const relationFilters = oncePerPlan(({ operation }, { record }): readonly Filter[] => {
  const relations = groupsOf(record)?.relations;
  if (relations === undefined) return [];
  const { filters } = inferList(openedOperation(operation))?.shape ?? { filters: [] };
  return filters
    .filter(({ field }) => Object.hasOwn(relations.types, field))
    .map((filter) => ({ ...filter, field: `${relations.member}.${filter.field}.data.id` }));
});

function readRanges({ ranges }: ListShape, parameters: ParameterValues): Condition[] {
  return ranges.flatMap(({ parameter, field, op: usual, inclusive }) => {
    const value = parameters.get(parameterKey(parameter));
    const isIn =
      inclusive && (parameters.get(parameterKey(inclusive)) ?? defaultOf(inclusive) ?? false);
    const side = isLowerBound({ op: usual }) ? 'g' : 'l';
    const op = isIn === undefined ? usual : (`${side}t${isIn === true ? 'e' : ''}` as const);
    return value === undefined ? [] : [{ op, field, value }];
  });
}

/**
 * The requested order: `name`, `-name`, `name:desc`, `name,desc`, several separated by commas;
 * otherwise the default of the contract. Undefined if there is none.
 */
function readOrder(
  { sort }: ListShape,
  { record }: Resource,
  parameters: ParameterValues,
): SortKey[] | undefined {
  const order = sort && (parameters.get(parameterKey(sort.by)) ?? defaultOf(sort.by));
  if (sort === undefined || order === undefined) return undefined;
  const way =
    sort.direction && (parameters.get(parameterKey(sort.direction)) ?? defaultOf(sort.direction));
  const descends = way !== undefined && isDescending(String(way));
  return orderTexts(order)
    .map((text) => readKey(text, descends))
    .map(({ field: word, descending }) => {
      const field = resolveField(word, sort.fields);
      const isNullLowest = sort.standard?.isNullLowest === true;
      const { flat } = recordFields(record).find(({ name }) => name === field) ?? {};
      const isAmount = sortsAmounts(sort, field) || (flat !== undefined && isDigits(flat));
      return { field, descending, isNullLowest, isAmount };
    });
}

function orderTexts(order: JsonValue): string[] {
  return [order]
    .flat()
    .map(String)
    .flatMap((text) => text.replaceAll(/, *(?=(?:asc|desc) *(?:,|$))/gi, ' ').split(','))
    .map((text) => text.trim());
}

/** The fault for an order by what is no field, where the standard of the list has it refused. */
export function strayOrder(
  parameters: ParameterValues,
  { record }: Pick<Resource, 'record'>,
  { sort }: ListShape,
): Fault | undefined {
  const order = sort && parameters.get(parameterKey(sort.by));
  if (order === undefined || sort?.standard?.refusesUnknown !== true) return undefined;
  const known = new Set(recordFields(record).map(({ name }) => name));
  const stray = orderTexts(order)
    .map((text) => resolveField(readKey(text, false).field, sort.fields))
    .find((field) => field !== '' && !known.has(field));
  if (stray === undefined) return undefined;
  const why = `sorts by ${quoteExcerpt(stray)}, which is no field of a record`;
  return valueFault(sort.by.name, 'order', why);
}

/** The order that the description of the list states: `Sorted by name`. */
const orderOfList = oncePerPlan(({ operation }, { record }): readonly SortKey[] => {
  const stated = statedOrder(operation, record);
  return stated === undefined ? [] : [{ field: stated.field, descending: stated.descending }];
});

function defaultOf({ schema }: Parameter): JsonValue | undefined {
  return schema.flatten().node.default;
}

function readKey(text: string, descends: boolean): SortKey {
  const [, sign = '', field = '', word = ''] =
    /^([-+]?)(.*?)(?:[:. _]+(asc|desc|ascending|descending))?$/i.exec(text) ?? [];
  return {
    field,
    descending: (sign === '-' || isDescending(word)) !== (sign === '' && word === '' && descends),
  };
}

const isDescending = looksLike(/^(?:desc|true$)/i);

/** `created` usually means `createdAt`. An unknown field does not change the order. */
function resolveField(word: string, fields: ReadonlyMap<string, string>): string {
  const plain = plainName(word);
  return (
    ['', 'at', 'on', 'date', 'time'].flatMap((ending) => fields.get(plain + ending) ?? [])[0] ??
    word
  );
}

const ownCursor = /^offset-(\d{1,15})(?:-([0-9a-z]{1,7}))?$/;

/** The cursor for the next page; with the mark of the request that it holds for, if it has one. */
export function makeCursor(offset: number, mark?: string): string {
  return `offset-${String(offset)}${mark === undefined ? '' : `-${mark}`}`;
}

/**
 * What the cursors of a request are marked with: the same for requests that differ in their pages
 * alone. Undefined where cursors hold beside any parameters, as elsewhere than in AIP-158.
 */
export function cursorMark(
  { parameters }: Pick<ValidRequest, 'parameters'>,
  resource: Resource,
  { limit, paging }: ListShape,
): string | undefined {
  if (!zeroIsDefault(resource)) return undefined;
  const paged = new Set(
    [limit, ...paging].flatMap((one) => (one === undefined ? [] : parameterKey(one.parameter))),
  );
  const others = [...parameters].filter(([key]) => !paged.has(key));
  const text = others.map(([key, value]) => `${key} ${stringifyJson(value)}`).toSorted();
  // FNV-1a, in 32 bits.
  let sum = 0x811c9dc5;
  for (const letter of text.join('\n'))
    sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0).toString(36);
}

/** Whether a request has a cursor that another one was given. */
export function hasForeignCursor(
  request: ValidRequest,
  resource: Resource,
  shape: ListShape,
): boolean {
  const cursor = shape.paging.find(({ kind }) => kind === 'cursor')?.parameter;
  const value = cursor && request.parameters.get(parameterKey(cursor));
  if (typeof value !== 'string' || value === '') return false;
  const mark = cursorMark(request, resource, shape);
  return mark !== undefined && ownCursor.exec(value)?.[2] !== mark;
}

/** A larger offset than 2^53 is also beyond the end. */
const furthest = Number.MAX_SAFE_INTEGER;

function within(offset: number): number {
  return Math.min(furthest, Math.max(0, offset));
}

/** The start of the page: an offset, a page number, a cursor, or the record after an identifier. */
export function readBeginning(
  { paging }: Pick<ListShape, 'paging'>,
  parameters: ParameterValues,
  size: number | undefined,
): Pick<Query, 'after' | 'offset'> {
  for (const { kind, parameter, first } of paging) {
    const value = parameters.get(parameterKey(parameter));
    if (kind === 'cursor') {
      if (typeof value !== 'string' || value === '') continue;
      const own = ownCursor.exec(value)?.[1];
      return own === undefined ? { after: value, offset: 0 } : { offset: Number(own) };
    }
    if (typeof value !== 'number' && typeof value !== 'bigint') continue;
    const number = Math.floor(Number(value));
    if (kind === 'offset') return { offset: within(number) };
    if (size !== undefined) return { offset: within((number - first) * size) };
    // Without a page size, the first page contains everything.
    if (number > first) return { offset: furthest };
  }
  return { offset: 0 };
}

/** The fault for an invalid cursor. */
export function strayCursor(
  { parameters }: ValidRequest,
  { paging }: Pick<ListShape, 'paging'>,
  cursor = paging.find(({ kind }) => kind === 'cursor')?.parameter,
): Fault {
  const value = cursor && parameters.get(parameterKey(cursor));
  const why = `must be one that this list gave, but is ${quoteExcerpt(String(value))}`;
  return valueFault(cursor?.name ?? 'cursor', 'cursor', why);
}

/** What the flags of a request leave out, and the kinds of records that it asks for. */
function readFlags(resource: Resource, parameters: ParameterValues): Condition[] {
  const flags = flagsOf(resource).flatMap(({ parameter, field, hides }): Condition[] => {
    const isSet = parameters.get(parameterKey(parameter)) === true;
    return isSet ? [{ op: 'not in', field, values: [hides] }] : [];
  });
  const kinds = kindsOf(resource).flatMap(({ parameter, usual, told }): Condition[] => {
    const given = parameters.get(parameterKey(parameter)) ?? usual;
    if (!Array.isArray(given) || told === undefined) return [];
    const asked = (given as readonly JsonValue[]).map((kind) => told.by.get(String(kind)));
    const values = asked.filter((value) => value !== undefined);
    return values.length === asked.length ? [{ op: 'in', field: told.field, values }] : [];
  });
  return [...flags, ...kinds];
}
