import { oncePer } from '../../contract/lazy.ts';
import type { ListShape, Schema } from '../../contract/model.ts';
import type { Pages } from '../../contract/protocols/pages.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { originOf } from '../../http/host.ts';
import { type HeaderList, headerValue } from '../../http/message.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject, stringifyJson } from '../../json/value.ts';
import type { Condition, MaybePromise, Query, QueryResult } from '../../store/store.ts';
import { whenReady } from '../../store/store.ts';
import type { Acting, Behaviour, Concern, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeReply, type Reply } from '../model/reply.ts';
import { collectionOf, oncePerPlan, textOf } from '../records/find-record.ts';
import { wasMadeBelow } from '../records/parent-fields.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { parameterKey } from '../request/read-request.ts';
import { strayExpression } from '../records/read-expression.ts';
import {
  cursorMark,
  hasForeignCursor,
  readQuery,
  strayCursor,
  strayOrder,
} from '../records/read-query.ts';
import { plainValue } from '../../values/plain-value.ts';
import {
  describePage,
  linkHeader,
  type ListPage,
  wrapList,
  withPair,
} from '../records/show/envelope.ts';
import { itemSchema, listedArray } from '../records/show/listed-item.ts';
import { presentRecord, recordSeed, recordText, visible } from '../records/show/present-record.ts';
import { writeTable } from '../../contract/content/write-content.ts';
import { inferListParameters } from '../../contract/infer/infer-list-parameters.ts';
import { numberAt } from '../../contract/infer/count-path.ts';
import { tableOf } from '../../contract/infer/table-path.ts';
import { alternatives, namePattern } from '../../contract/infer/infer-names.ts';

const bare: ListShape = {
  records: '',
  form: 'array',
  filters: [],
  ranges: [],
  paging: [],
  links: false,
};

/** Returns a page of the matching records, in insertion order unless the request sorts them. */
export const list: Behaviour = (on) =>
  whenReady(selectRecords(on), (selection) =>
    'kind' in selection ? selection : showPage(selection, { ...on, shape: shapeIn(on) }),
  );

/** Returns the number of records that the same request to a list selects, on all its pages. */
export const count: Behaviour = (on) =>
  whenReady(selectRecords(on), (selection) =>
    'kind' in selection
      ? selection
      : makeReply(on.request.plan.status, counted(on.request, selection.found.total)),
  );

/** A number as the answer to a request, or as its only member. */
function counted({ plan }: ValidRequest, total: number): JsonValue {
  const [name] = splitPointer(numberAt(plan.operation) ?? '');
  return name === undefined ? total : { [name]: total };
}

/** Returns the matching records as CSV: the names of the columns, and a row for each record. */
export const table: Behaviour = (on) => {
  const { plan } = on.request;
  const { resource, columns } = tableIn(plan, on.resource);
  return whenReady(selectRecords({ ...on, resource }), (selection) => {
    if ('kind' in selection) return selection;
    const records = selection.found.records.map(({ record }) => visible(record));
    return makeReply(plan.status, writeTable(records, columns));
  });
};

/** The columns of a table, and the resource with its parameters as those of its list. */
const tableIn = oncePerPlan(({ operation, contract }, resource) => {
  const parameters = inferListParameters(operation, resource.record);
  const shape: ListShape = { records: '', form: 'array', links: false, ...parameters };
  const { columns = [] } = tableOf(contract, operation) ?? {};
  const names = columns.length > 0 ? columns : [...fieldsOf(resource.record).keys()];
  return { resource: { ...resource, list: shape }, columns: names };
});

/** How a list answers a request: as it is, or in an envelope where only one for a page has it. */
function shapeIn({ request: { parameters }, resource }: Acting): ListShape {
  const { list: shape = bare } = resource;
  const { wrapped, limit, paging } = shape;
  const isPaged = [limit, ...paging].some(
    (one) => one !== undefined && parameters.has(parameterKey(one.parameter)),
  );
  return wrapped !== undefined && isPaged ? { ...shape, records: wrapped } : shape;
}

/** The records that a request for a list selects. */
interface Selection {
  readonly found: QueryResult;
  readonly query: Query;
  /** The target of the next page, where the service alone decides about pages. */
  readonly next: string | undefined;
}

/** Selects the records that a request for a list means. */
function selectRecords(on: Acting): MaybePromise<Selection | Fault> {
  const { request, resource, store } = on;
  const shape = shapeIn(on);
  if (hasForeignCursor(request, resource, shape)) return strayCursor(request, shape);
  const { parameters } = request;
  const stray =
    strayExpression(request, resource, shape) ?? strayOrder(parameters, resource, shape);
  if (stray !== undefined) return stray;
  const whole = boundQuery(readQuery(request, resource, shape), request, shape);
  const pages = request.plan.derive(pagesIn);
  const driven = readDrivenPage(request, pages, whole);
  if (driven === 'stray') return strayCursor(request, shape, pages?.token);
  const all = driven?.query ?? whole;
  const own = resource.sharing === 'assumed' ? ownOf(on) : undefined;
  return whenReady(own, (conditions) => {
    const query = conditions === undefined ? all : { ...all, where: [...all.where, ...conditions] };
    return whenReady(store.query(collectionOf(request, resource), query), (found) =>
      found === undefined
        ? strayCursor(request, shape)
        : { found, query, next: driven?.next(found) },
    );
  });
}

function pagesIn({ role, contract }: OperationPlan): Pages | undefined {
  return role && protocolsOf(contract, role.resource).pages;
}

/**
 * Selects the records of a set that are shown below the parents in the path: those that were
 * created there, and those without a known parent.
 */
function ownOf({ request, resource, store }: Acting): MaybePromise<Condition[]> {
  const { field } = resource.identifier;
  return whenReady(store.list(collectionOf(request, resource)), (records) => [
    {
      op: 'in',
      field,
      values: records
        .filter(({ record }) => wasMadeBelow(record, request, resource) ?? true)
        .map(({ record }) => record[field] ?? null),
    },
  ]);
}

/** A page holds no more records than its schema allows. */
function boundQuery(query: Query, { content }: ValidRequest, { records }: ListShape): Query {
  const max = content?.schema && listedArray(content.schema, records)?.flatten().node.maxItems;
  return max === undefined || (query.limit ?? Infinity) <= max ? query : { ...query, limit: max };
}

/** The last page that an operation showed, and all that its response depends on. */
interface ShownPage {
  readonly found: QueryResult;
  readonly limit: number | undefined;
  readonly target: string;
  readonly origin: string | undefined;
  readonly content: ValidRequest['content'];
  readonly seed: string;
  readonly reply: Reply;
}

const newLast = (): { page: ShownPage | undefined } => ({ page: undefined });

/** The response of the last page is used again: clients that wait for a change repeat a request. */
function showPage(
  { found, next, query: { limit } }: Selection,
  { request, resource, shape }: Omit<ListFacts, 'page'>,
): Reply {
  const last = request.plan.derive(newLast);
  const { target } = request.request;
  const { content, seed } = request;
  const before = last.page;
  const origin = originOf(request.request);
  if (
    before?.target === target &&
    before.limit === limit &&
    before.origin === origin &&
    before.content === content &&
    before.seed === seed &&
    isSame(before.found, found)
  )
    return before.reply;
  const { total, offset, records } = found;
  const mark = cursorMark(request, resource, shape);
  const page: ListPage = { total, offset, size: limit, count: records.length, next, mark };
  const reply = showList(
    records.map(({ record }) => record),
    { request, resource, shape, page },
  );
  last.page = { found, limit, target, origin, content, seed, reply };
  return reply;
}

/** Records are frozen: a changed record is another object. */
function isSame(before: QueryResult, now: QueryResult): boolean {
  return (
    before.total === now.total &&
    before.offset === now.offset &&
    before.records.length === now.records.length &&
    before.records.every(({ record }, index) => record === now.records[index]?.record)
  );
}

export interface ListFacts extends Concern {
  readonly shape: ListShape;
  readonly page: ListPage;
}

/**
 * Returns records as a list. Most are shown as stored; only if the list violates the contract, each
 * record is converted.
 */
export function showList(records: readonly JsonObject[], showing: ListFacts): Reply {
  const { request, resource, shape, page } = showing;
  const { status } = request.plan;
  const more = { total: page.total, headers: linksOf(showing) };
  const whole = request.content?.schema;
  if (whole === undefined) return makeReply(status, records, more);
  const schema = formAt(whole, shape);
  const max = listedArray(schema, shape.records)?.flatten().node.maxItems ?? Infinity;
  const fitting = records.length > max ? records.slice(0, max) : records;
  const { field } = resource.identifier;
  const wrap = (items: JsonArray, careful = false): JsonValue => {
    const listed =
      shape.form === 'array'
        ? items
        : Object.fromEntries(
            fitting.map((record, index) => [textOf(record[field] ?? ''), items[index] ?? null]),
          );
    const facts = { items: listed, page, request: request.request, shape, careful };
    return wrapList(schema, facts, request.requestSeed);
  };
  // Hidden members are stored with the record but never shown.
  const plain = fitting.map(visible);
  const body = wrap(plain);
  const isBare = shape.item === undefined;
  const isPlain = shape.form === 'array' && isBare;
  const text =
    isPlain && request.content?.form === 'json'
      ? listWriter(schema, shape.records)(body, plain)
      : undefined;
  if (text !== undefined) return { ...makeReply(status, body, more), bytes: Buffer.from(text) };
  if (isBare && schema.validate(body, 'response').length === 0)
    return makeReply(status, body, more);
  const form = itemSchema(schema, shape) ?? resource.record;
  const items = fitting.map(
    (record) =>
      presentRecord(form, record, recordSeed(request, record), shape.item) ?? visible(record),
  );
  return makeReply(status, wrap(fillUp(items, schema, showing), true), more);
}

/** The form of an answer that has its records where a list shows them, where there are several. */
function formAt(schema: Schema, { records, wrapped }: ListShape): Schema {
  const [name = ''] = splitPointer(records);
  const forms = schema.flatten().branches.map((form) => schema.part(schema.follow(form)));
  const isOfTwo = wrapped !== undefined && records === wrapped;
  return (isOfTwo ? forms.find((form) => fieldsOf(form).has(name)) : undefined) ?? schema;
}

/** If a list must hold more records than there are, adds generated ones, which are not stored. */
function fillUp(items: JsonArray, schema: Schema, { request, shape }: ListFacts): JsonArray {
  const least = listedArray(schema, shape.records)?.flatten().node.minItems ?? 0;
  const form = itemSchema(schema, shape);
  if (items.length >= least || form === undefined) return items;
  const made = Array.from({ length: Math.min(least, 100) - items.length }, (_, index) =>
    plainValue(form, { seed: `${request.requestSeed()} ${String(index)}`, direction: 'response' }),
  );
  return [...items, ...made.flatMap((one) => (one.ok ? [one.value] : []))];
}

function linksOf(showing: ListFacts): HeaderList {
  const { request, shape, page } = showing;
  const link = shape.links ? linkHeader(page, { request: request.request, shape }) : undefined;
  return [...(link === undefined ? [] : [['Link', link] as const]), ...pageHeaders(showing)];
}

/** Headers that describe the page as an object, which services write as JSON: `X-Pagination`. */
function pageHeaders({ request, shape, page }: ListFacts): HeaderList {
  const { headers } = request.plan.answerPlan(request.plan.status);
  return headers.flatMap(({ name, schema }) => {
    const facts = { items: [], page, request: request.request, shape };
    const described = describePage(schema, facts);
    return described === undefined ? [] : [[name, stringifyJson(described)] as const];
  });
}

/**
 * Writes a list from the texts of its records; undefined if the list must be validated as a whole.
 */
type WriteList = (body: JsonValue, records: readonly JsonObject[]) => string | undefined;

const never: WriteList = () => undefined;

/**
 * How to write the lists of a schema with records at `at`. If each rule of the schema concerns
 * either a record or the envelope, both are validated separately: each record once, and the
 * envelope with an empty list.
 */
export const listWriter = oncePer(
  (schema: Schema, at: Pointer): WriteList => makeWriter(schema, splitPointer(at)) ?? never,
);

function makeWriter(schema: Schema, path: readonly string[]): WriteList | undefined {
  const array = findArray(schema, path);
  if (array === undefined) return undefined;
  const { record, max } = array;
  // Records of the store are frozen, and shared by many lists until they change.
  const known = new WeakMap<JsonObject, string>();
  const textOfRecord = (one: JsonObject): string | undefined => {
    const before = known.get(one);
    if (before !== undefined) return before;
    const text = recordText(record, one);
    if (text !== undefined && Object.isFrozen(one)) known.set(one, text);
    return text;
  };
  return (body, records) => {
    if (
      records.length > max ||
      (path.length > 0 && schema.validate(withValue(body, path, []), 'response').length > 0)
    )
      return undefined;
    const texts: string[] = [];
    for (const each of records) {
      const text = textOfRecord(each);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return writeAround(body, path, `[${texts.join(',')}]`);
  };
}

interface ArrayPlace {
  readonly record: Schema;
  /** The maximum number of records in the array. */
  readonly max: number;
}

/** Keywords that do not relate records to their envelope. */
const separableNames = alternatives(
  'type properties required additionalProperties items maxItems title description example',
  'examples default deprecated readOnly externalDocs xml x-.*',
);
const separable = namePattern(`^(${separableNames})$`);

function findArray(schema: Schema, path: readonly string[]): ArrayPlace | undefined {
  let place = schema.follow(schema);
  for (const name of path) {
    const { node, pointer } = place;
    const member =
      typeof node === 'object' && Object.keys(node).every((keyword) => separable.test(keyword))
        ? node.properties?.[name]
        : undefined;
    if (member === undefined) return undefined;
    place = schema.follow({ node: member, pointer: joinPointer(pointer, 'properties', name) });
  }
  const { node, pointer } = place;
  if (
    typeof node !== 'object' ||
    node.items === undefined ||
    !Object.keys(node).every((keyword) => separable.test(keyword))
  )
    return undefined;
  return {
    record: schema.part({ node: node.items, pointer: joinPointer(pointer, 'items') }),
    max: node.maxItems ?? Infinity,
  };
}

function withValue(
  body: JsonValue,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (name === undefined || !isJsonObject(body)) return value;
  return { ...body, [name]: withValue(body[name] ?? null, rest, value) };
}

/** Inserts the text of the records into the text of the body: the same bytes as for the whole. */
function writeAround(
  body: JsonValue,
  [name, ...rest]: readonly string[],
  listText: string,
): string {
  if (name === undefined || !isJsonObject(body)) return listText;
  const members = Object.entries(body).map(([key, value]) => {
    const text = key === name ? writeAround(value, rest, listText) : stringifyJson(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/**
 * Pages that a service divides a list into as it likes, or as a client prefers, and that lead to
 * each other by addresses: OData 4.01, protocol, sections 8.2.8.5 and 11.2.6.7. A list may be
 * bounded besides: `$skip` and `$top` concern all pages together.
 */
interface DrivenPage {
  /** The part of the list on this page. */
  readonly query: Query;
  /** The target of the next page; undefined for the last one. */
  next(found: QueryResult): string | undefined;
}

const ownToken = /^next-page-(\d{1,9})$/;

/**
 * The page that a request asks for; undefined for a list without such pages, and `stray` for a
 * token that no page gave.
 */
function readDrivenPage(
  request: ValidRequest,
  pages: Pages | undefined,
  whole: Query,
): DrivenPage | 'stray' | undefined {
  const { token, size, style } = pages ?? {};
  if (style !== 'OData' || token === undefined || size?.by !== 'preference') return undefined;
  const given = request.parameters.get(parameterKey(token));
  const begin = given === undefined || given === '' ? 0 : beginOf(String(given));
  if (begin === undefined) return 'stray';
  const { offset, limit = Infinity } = whole;
  const most = Math.min(preferredSize(request) ?? Infinity, Math.max(0, limit - begin));
  const { limit: _whole, ...others } = whole;
  const query = { ...others, offset: offset + begin };
  return {
    query: most === Infinity ? query : { ...query, limit: most },
    next: ({ records, total }) => {
      const end = begin + records.length;
      const isMore = records.length > 0 && end < Math.min(limit, total - offset);
      return isMore
        ? withPair(request.request.target, token.name, `next-page-${String(end)}`)
        : undefined;
    },
  };
}

function beginOf(token: string): number | undefined {
  const own = ownToken.exec(token)?.[1];
  return own === undefined ? undefined : Number(own);
}

/** `Prefer: odata.maxpagesize=5`, or `maxpagesize=5`; undefined without a size of one or more. */
function preferredSize({ request }: ValidRequest): number | undefined {
  const prefer = headerValue(request.headers, 'prefer') ?? '';
  const [, size] = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})/i.exec(prefer) ?? [];
  return size === undefined || Number(size) < 1 ? undefined : Number(size);
}
