import { successSchema } from './conventions/envelope-styles.ts';
import { inferFilters, inferRanges } from './infer-filters.ts';
import { plainName } from './infer-names.ts';
import { inferExpressions, inferOrderLanguage } from './infer-languages.ts';
import type {
  Filter,
  Limit,
  ListShape,
  Operation,
  Paging,
  Parameter,
  Schema,
  Sort,
  TextSearch,
} from '../model.ts';
import { factIn, namesAny, parameterTexts } from '../words/facts.ts';
import { joinsAlternatives, reversesOrder } from '../words/read-list.ts';
import { toldSearch } from '../words/read-search.ts';
import { readUnasked } from '../words/read-unasked.ts';
import { objectMembers } from '../schema/object-members.ts';
import { recordFields } from './record-fields.ts';

/** What the query parameters of a list mean. */
export type ListParameters = Pick<
  ListShape,
  'filters' | 'ranges' | 'expressions' | 'search' | 'searches' | 'sort' | 'limit' | 'paging'
>;

/**
 * The meaning of a list's query parameters: page and order first, then filters, because a record
 * may have a field `page` too.
 */
export function inferListParameters(operation: Operation, record: Schema): ListParameters {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const limit = inferLimit(query, record);
  const paging = inferPaging(query, operation);
  const sort = inferSort(operation, query, record);
  const placed = new Set([
    limit?.parameter,
    sort?.by,
    sort?.direction,
    ...paging.map(({ parameter }) => parameter),
  ]);
  const open = query.filter((parameter) => !placed.has(parameter));
  const expressions = inferExpressions(open, query, record);
  const isSpoken = (own: Parameter): boolean =>
    expressions.some(({ parameter }) => parameter === own);
  const searches = open.flatMap((parameter): TextSearch[] => {
    const isText = isOf(parameter, 'string') && !isSpoken(parameter);
    const isNamed = searchNames.test(plainName(parameter.name));
    const told = isText
      ? toldSearch(parameter, record, isNamed ? operation : undefined)
      : undefined;
    return told !== undefined && (told.isExact || !isNamed) ? [told] : [];
  });
  const isTold = (own: Parameter): boolean => searches.some(({ parameter }) => parameter === own);
  const rest = open.filter((own) => !isSpoken(own) && !isTold(own));
  const filters = inferFilters(rest, record).map((filter): Filter => {
    const isJoined =
      isOf(filter.parameter, 'string') && joinsAlternatives(operation, filter.parameter);
    const unasked = readUnasked(operation, filter.parameter);
    const told = unasked === undefined ? filter : { ...filter, unasked };
    return isJoined ? { ...told, isJoined } : told;
  });
  const unfiltered = rest.filter(
    (parameter) => !filters.some((filter) => filter.parameter === parameter),
  );
  const ranges = inferRanges(unfiltered, record);
  const search = [...unfiltered, ...open.filter(isTold)].find(
    (parameter) => searchNames.test(plainName(parameter.name)) && isOf(parameter, 'string'),
  );
  const spoken = expressions.length === 0 ? undefined : expressions;
  return { filters, ranges, expressions: spoken, paging, search, searches, sort, limit };
}

const searchNames = /^(q|query|search|searchterm|searchtext|searchquery|keywords?|term|fulltext)$/;
const limitNames =
  /^(limit|pagesize|perpage|size|count|take|top|maxresults|maxitems|first|pagelimit)$/;

function inferLimit(query: readonly Parameter[], record: Schema): Limit | undefined {
  const fields = new Set(objectMembers(record).properties.keys());
  const sizes = query.filter(
    (parameter) =>
      limitNames.test(plainName(parameter.name)) && isOf(parameter, 'integer', 'number'),
  );
  // A record field `size` makes this parameter a filter, if another parameter is the page size.
  const parameter = sizes.find(({ name }) => !fields.has(name)) ?? sizes[0];
  if (parameter === undefined) return undefined;
  const { node } = parameter.schema.flatten();
  return {
    parameter,
    ...(node.minimum === undefined ? {} : { minimum: Number(node.minimum) }),
    ...(node.maximum === undefined ? {} : { maximum: Number(node.maximum) }),
    ...(typeof node.default === 'number' ? { default: node.default } : {}),
  };
}

type PagingNames = readonly [kind: Paging['kind'], names: RegExp, type: string];

const cursorNames: PagingNames = [
  'cursor',
  new RegExp(
    '^(cursor|after|startingafter|startafter|nexttoken|continuationtoken|continue|marker|' +
      'page(token|cursor|info))$',
  ),
  'string',
];

const pagingNames: readonly PagingNames[] = [
  ['offset', /^(offset|skip|startindex|from|start)$/, 'integer'],
  ['page', /^(page|pagenumber|pagenum|pageindex|pageno|currentpage|current)$/, 'integer'],
  cursorNames,
];

/** Whether a parameter takes the cursor of a page, which only an earlier answer can give. */
export function isCursor(parameter: Parameter): boolean {
  return pages(parameter, cursorNames);
}

/** The cursor of a list: by its name, or because a page has a text of that name beside its records. */
export function cursorOf(
  query: readonly Parameter[],
  operation: Pick<Operation, 'responses'>,
): Parameter | undefined {
  const answer = successSchema(operation);
  const shown = answer?.flatten().properties;
  const isShown = ({ name, schema }: Parameter): boolean => {
    const place = shown?.get(name);
    const types = place && answer?.flatten(place).types;
    return types?.includes('string') === true && schema.flatten().types.includes('string');
  };
  return query.find(isCursor) ?? query.find(isShown);
}

function pages({ name, schema }: Parameter, [, names, type]: PagingNames): boolean {
  const isFitting = (own: string): boolean =>
    own === type || (own === 'number' && type === 'integer');
  return names.test(plainName(name)) && schema.flatten().types.some(isFitting);
}

function inferPaging(query: readonly Parameter[], operation: Operation): Paging[] {
  return pagingNames.flatMap((one) => {
    const [kind] = one;
    const parameter =
      kind === 'cursor'
        ? cursorOf(query, operation)
        : query.find((candidate) => pages(candidate, one));
    return parameter === undefined
      ? []
      : [{ kind, parameter, first: kind === 'page' ? firstPage(parameter, operation) : 0 }];
  });
}

/** Pages are counted from 1, unless the contract allows 0, or the list is a `Page` of Spring. */
function firstPage({ schema }: Parameter, operation: Operation): number {
  const { minimum, default: usual } = schema.flatten().node;
  if (minimum !== undefined || usual !== undefined) return minimum === 0 || usual === 0 ? 0 : 1;
  const shown = successSchema(operation)?.flatten().properties;
  return pageMembers.every((name) => shown?.has(name) === true) ? 0 : 1;
}

/** Members with which Spring Data tells about a page, whose `number` counts from 0. */
const pageMembers = ['number', 'totalPages', 'first', 'last'] as const;

function inferSort(
  operation: Operation,
  query: readonly Parameter[],
  record: Schema,
): Sort | undefined {
  const named = (names: RegExp): Parameter | undefined =>
    query.find((parameter) => names.test(plainName(parameter.name)));
  const direction =
    named(/^(direction|dir|sortorder|sortdir|sort0?direction|orderdirection|orderdir)$/) ??
    query.find(reversesOrder);
  const order = named(/^order$/);
  const by =
    named(/^(sort|sortby|orderby|sort0?field|sortkey|ordering|sorting|sortedby)$/) ??
    (order !== undefined && !saysDirection(order) ? order : undefined);
  if (by === undefined) return undefined;
  const way = direction ?? (order === by ? undefined : order);
  const single = recordFields(record)
    .toReversed()
    .filter(({ many }) => !many);
  // A record that keeps its fields in a group is sorted by their own names (JSON:API 1.1, 6.5).
  const fields = new Map(single.map(({ plain, name }) => [plain, name] as const));
  const sort = { by, fields, direction: way, told: toldFields(by, [...fields.values()]) };
  return { ...sort, ...inferOrderLanguage(sort, operation) };
}

/** The fields that the words of a parameter name, if they show no other form of its values. */
function toldFields(by: Parameter, fields: readonly string[]): readonly string[] {
  const texts = parameterTexts(by);
  return factIn(texts, 'writes-orders') === undefined
    ? fields.filter((field) => namesAny(texts, field))
    : [];
}

/** Whether a parameter can only mean ascending or descending. */
function saysDirection({ schema }: Parameter): boolean {
  const values = schema.flatten().node.enum ?? [];
  return values.length > 0 && values.every((value) => /^(asc|desc)/i.test(String(value)));
}

function isOf({ schema }: Parameter, ...expected: readonly string[]): boolean {
  const { types } = schema.flatten();
  return types.length <= 2 && types.some((type) => expected.includes(type));
}
