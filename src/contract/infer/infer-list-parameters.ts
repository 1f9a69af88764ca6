import { speaksJsonApi, successSchema } from './conventions/envelope-styles.ts';
import { inferFilters, inferRanges } from './infer-filters.ts';
import { plainName } from './infer-names.ts';
import type {
  Expression,
  Filter,
  FlatSchema,
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
import { joinsAlternatives, ordersBySigns, reversesOrder, toldSearch } from '../words/read-list.ts';
import { readUnasked } from '../words/read-unasked.ts';
import { objectMembers } from '../schema/object-members.ts';
import { type RecordField, recordFields } from './record-fields.ts';
import { shownValues } from '../model/operation.ts';
import { filterLanguage, filterLanguages, orderLanguages } from '../query-languages/index.ts';
import { leavesOf } from '../query-languages/conditions.ts';
import type {
  Comparison,
  FilterLanguage,
  Operator,
  OrderLanguage,
  OrderStandard,
} from '../query-languages/language.ts';
import { orderStandards, signOrder, wordOrder } from '../query-languages/orders.ts';
import { codeIn, languageNamed } from '../words/argument-codes.ts';

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

/**
 * The parameters that take expressions over the fields of a record, each with its language: by its
 * name where a standard fixes that, by a text that the contract shows for it, by the standard that
 * its description names, or by the other parameters of the query.
 */
function inferExpressions(
  candidates: readonly Parameter[],
  query: readonly Parameter[],
  record: Schema,
): Expression[] {
  const fields = recordFields(record);
  return candidates.filter(isFreeText).flatMap((parameter) => {
    const shown = shownTexts(parameter);
    const language =
      fixedLanguage(parameter) ??
      shownLanguage(shown, fields) ??
      besideLanguage(parameter, { query, fields });
    if (language === undefined || fields.length === 0) return [];
    const lists = new Set(fields.flatMap(({ name, many }) => (many ? [name] : [])));
    const compared = fieldsOf(language, { shown, fields });
    return {
      parameter,
      language,
      fields: compared.filter((name) => !lists.has(name)),
      lists: compared.filter((name) => lists.has(name)),
      parts: partsOf(language, shown),
    };
  });
}

/** A parameter whose schema says nothing of its value but that it is a text. */
function isFreeText({ schema }: Parameter): boolean {
  const { node, types } = schema.flatten();
  return (
    types.includes('string') &&
    types.length <= 2 &&
    node.enum === undefined &&
    node.const === undefined &&
    node.format === undefined
  );
}

/** OData 4.01, Part 2: URL Conventions, section 5.1: names of query options begin with a dollar. */
function fixedLanguage({ name }: Parameter): FilterLanguage | undefined {
  return name === '$filter' ? filterLanguage('odata-filter') : undefined;
}

function shownTexts(parameter: Parameter): string[] {
  return [
    ...shownValues(parameter).flatMap((value) => {
      const words = [value].flat().filter((word) => typeof word === 'string');
      return words.length === 0 ? [] : [words.join(',')];
    }),
    ...codeIn(parameter),
  ];
}

/** The language that understands the most of some texts, each with fields of the record. */
function shownLanguage(
  shown: readonly string[],
  fields: readonly RecordField[],
): FilterLanguage | undefined {
  const [best] = filterLanguages
    .map((language) => ({ language, count: comparedIn(language, { shown, fields }).length }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count);
  return best?.language;
}

/** The operators for parts of texts that a language defines, or that texts of it show. */
function partsOf({ parts, read, distinct }: FilterLanguage, shown: readonly string[]): Operator[] {
  const used = shown.flatMap((text) => {
    const condition = distinct.test(text) ? read(text) : undefined;
    return condition === undefined ? [] : leavesOf(condition).map(({ op }) => op);
  });
  const all = new Set<Operator>(['contains', 'starts', 'ends']);
  return [...all].filter((op) => parts.includes(op) || used.includes(op));
}

interface Shown {
  readonly shown: readonly string[];
  readonly fields: readonly RecordField[];
}

/** The fields of a record that understood texts compare. */
function comparedIn({ read, distinct }: FilterLanguage, { shown, fields }: Shown): string[] {
  const isKnown = ({ field, op }: Comparison): boolean =>
    fields.some(({ name, many }) => name === field && many === (op === 'has'));
  return shown.flatMap((text) => {
    const condition = distinct.test(text) ? read(text) : undefined;
    const compared = condition === undefined ? [] : leavesOf(condition);
    return compared.every(isKnown) ? compared.map(({ field }) => field) : [];
  });
}

/**
 * The language whose standard a description names, or AIP-160 of a `filter` beside `order_by` or
 * `page_token` (AIP-132, AIP-158), unless it has an example in another language.
 */
function besideLanguage(
  parameter: Parameter,
  { query, fields }: { readonly query: readonly Parameter[]; readonly fields: Shown['fields'] },
): FilterLanguage | undefined {
  const name = plainName(parameter.name);
  const named = filterNames.test(name) ? languageNamed(parameter) : undefined;
  if (named !== undefined) return filterLanguage(named);
  const isField = fields.some(({ plain }) => plain === 'filter');
  const isAmong = query.some((other) => /^(order_?by|page_?token)$/i.test(other.name));
  const isShown = shownValues(parameter).length > 0;
  return name === 'filter' && isAmong && !isField && !isShown
    ? filterLanguage('aip-160')
    : undefined;
}

const filterNames = /^(q|query|search|where|rsql|fiql|criteria|conditions?|.*filters?)$/;

/**
 * The fields that expressions may compare, those of understood texts first. Where the description
 * marks fields as code, no others.
 */
function fieldsOf(language: FilterLanguage, { shown, fields }: Shown): string[] {
  const names = fields.map(({ name }) => name);
  const compared = comparedIn(language, { shown, fields });
  const marked = names.filter((name) => shown.includes(name));
  return [...new Set([...compared, ...(marked.length > 0 ? marked : names)])];
}

/** The parameters of an operation that may show which style it follows. */
type Style = Pick<Operation, 'parameters' | 'responses' | 'general'>;

/**
 * The language of an order: OData's by its name, that of a text with a descending field, or that
 * of the style which the operation shows. Undefined if the contract lists the words.
 */
function inferOrderLanguage(
  { by, direction, fields, told }: Omit<Sort, 'language' | 'shown' | 'standard'>,
  operation: Style,
): Pick<Sort, 'language' | 'shown' | 'standard'> {
  const { types } = by.schema.flatten();
  const style = styleOf(by, operation);
  if ((by.schema.flatten().node.enum ?? itemsOf(by.schema)?.node.enum) !== undefined)
    // What the contract lists is not refused, whatever fields its records have.
    return style === undefined ? {} : { standard: { ...style.standard, refusesUnknown: false } };
  const standard = style && { standard: style.standard };
  if (direction !== undefined || !isTextOrList(by, types)) return { ...standard };
  const language = style?.language;
  const names = new Set(fields.values());
  const [shown] = orderLanguages.flatMap((one) => {
    const orders = shownTexts(by).flatMap((text) => {
      // An order may write the name in small letters: `-createdat`.
      const keys = (one.read(text) ?? []).map(({ field, ...key }) => ({
        ...key,
        field: names.has(field) ? field : (fields.get(plainName(field)) ?? ''),
      }));
      return keys.every(({ field }) => field !== '') ? keys : [];
    });
    const descends = orders.some(({ descending }) => descending);
    return descends ? [{ language: one, shown: orders.map(({ field }) => field) }] : [];
  });
  if (shown === undefined && language === undefined && ordersBySigns(operation, by))
    return { language: signOrder, shown: told };
  return {
    ...(shown === undefined || shown.language === language ? { language } : shown),
    ...standard,
  };
}

function isTextOrList({ schema }: Parameter, types: readonly string[]): boolean {
  return (types.includes('array') ? itemsOf(schema)?.types : types)?.includes('string') === true;
}

function itemsOf(schema: Schema): FlatSchema | undefined {
  const { items } = schema.flatten();
  return items && schema.flatten(items);
}

/** A language of orders, and the standard by which it is known. */
interface OrderStyle {
  readonly language: OrderLanguage;
  readonly standard: OrderStandard;
}

/**
 * `$orderby` of OData, `order_by` beside `filter` or `page_token` (AIP-132), and `sort` of
 * JSON:API, by its media type or its families of parameters (`page[number]`, `fields[type]`;
 * JSON:API 1.1, section 8).
 */
function styleOf(by: Parameter, { parameters, responses }: Style): OrderStyle | undefined {
  if (by.name === '$orderby') return { language: wordOrder, standard: orderStandards.odata };
  const names = parameters.map(({ name }) => name);
  if (/^order_?by$/i.test(by.name))
    return names.some((name) => /^(filter|page_?token)$/i.test(name))
      ? { language: wordOrder, standard: orderStandards.aip }
      : undefined;
  const isJsonApi =
    names.some((name) => /^(page|fields)\[\w*\]$/.test(name)) || speaksJsonApi({ responses });
  return by.name === 'sort' && isJsonApi
    ? { language: signOrder, standard: orderStandards.jsonApi }
    : undefined;
}
