import type { ListShape, Resource, Schema } from '../../contract/model.ts';
import { originOf } from '../../http/host.ts';
import type { HeaderList } from '../../http/message.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Query, type QueryResult, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { makeReply, type Reply } from '../model/reply.ts';
import type { ParameterValues } from '../model/request.ts';
import { collectionOf, textOf } from '../records/find-record.ts';
import { readQuery, strayCursor } from '../records/read-query.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { linkHeader, type ListFacts, type Page, wrapList } from '../records/show/envelope.ts';
import { presentRecord, recordSeed, recordText } from '../records/show/present-record.ts';

const bare: ListShape = {
  records: '',
  form: 'array',
  filters: [],
  ranges: [],
  paging: [],
  links: false,
};

/**
 * Answers the records that match, in the order in which they were added unless another is asked
 * for, a page of them.
 */
export const list: Behaviour = (request, resource, store) => {
  const shape = resource.list ?? bare;
  const query = queryOf(request, resource, shape);
  return whenReady(store.query(collectionOf(request, resource), query), (found) =>
    found === undefined
      ? strayCursor(request, shape)
      : showPage(found, query, { request, resource, shape }),
  );
};

function showPage(
  found: QueryResult,
  query: Query,
  { request, resource, shape }: Omit<Showing, 'page'>,
): Reply | Fault {
  const before = shown.get(query);
  const origin = originOf(request.request);
  if (
    before !== undefined &&
    before.content === request.content &&
    before.origin === origin &&
    before.seed === request.seed &&
    isSame(before.found, found)
  )
    return before.reply;
  const { total, offset } = found;
  const page: Page = { total, offset, size: query.limit, count: found.records.length };
  const reply = showList(
    found.records.map(({ record }) => record),
    { request, resource, shape, page },
  );
  shown.set(query, { found, reply, content: request.content, origin, seed: request.seed });
  return reply;
}

/**
 * The mock remembers requests, and with them their parameters: the same ones lead to the same
 * query.
 */
const queries = new WeakMap<ParameterValues, Query>();

function queryOf(request: ValidRequest, resource: Resource, shape: ListShape): Query {
  const known = queries.get(request.parameters) ?? readQuery(request, resource, shape);
  queries.set(request.parameters, known);
  return known;
}

/**
 * What a query was last answered with: valid again for the very same records, written in the same
 * form, with links to the same origin.
 */
interface ShownPage {
  readonly found: QueryResult;
  readonly reply: Reply;
  readonly content: ValidRequest['content'];
  readonly origin: string | undefined;
  readonly seed: string;
}

const shown = new WeakMap<Query, ShownPage>();

/** Records are frozen: one that was changed is another object. */
function isSame(before: QueryResult, now: QueryResult): boolean {
  return (
    before.total === now.total &&
    before.offset === now.offset &&
    before.records.length === now.records.length &&
    before.records.every(({ record }, index) => record === now.records[index]?.record)
  );
}

const encoder = new TextEncoder();

/** What showing records as a list takes. */
export interface Showing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly shape: ListShape;
  readonly page: Page;
}

/**
 * Answers records as a list. Most are shown as they are kept; only where the whole breaks the
 * contract is each of them made to fit.
 */
export function showList(records: readonly JsonObject[], showing: Showing): Reply {
  const { request, resource, shape, page } = showing;
  const { status } = request.plan;
  const more = { total: page.total, headers: linksOf(showing) };
  const schema = request.content?.schema;
  if (schema === undefined) return makeReply(status, records, more);
  const wrap = (items: JsonArray, careful = false): ReturnType<typeof wrapList> =>
    wrapList(schema, { ...factsOf(items, showing), careful }, request.requestSeed());
  const body = wrap(records);
  const text =
    shape.form === 'array' && request.content?.form === 'json'
      ? listWriter(schema, shape.records)(body, records)
      : undefined;
  if (text !== undefined) return { ...makeReply(status, body, more), bytes: encoder.encode(text) };
  if (schema.validate(body, 'response').length === 0) return makeReply(status, body, more);
  const form = itemSchema(schema, shape.records) ?? resource.record;
  return makeReply(
    status,
    wrap(
      records.map((record) => presentRecord(form, record, recordSeed(request, record)) ?? record),
      true,
    ),
    more,
  );
}

/**
 * What this answer's own schema says of a record in it: another media type may show records in
 * another form.
 */
function itemSchema(schema: Schema, at: Pointer): Schema | undefined {
  const records = splitPointer(at).reduce<Schema | undefined>(
    (around, name) => around && fieldsOf(around).get(name)?.schema,
    schema,
  );
  const { node, pointer } = records?.flatten() ?? {};
  return node?.items === undefined || records === undefined
    ? undefined
    : records.part({ node: node.items, pointer: joinPointer(pointer ?? '', 'items') });
}

function factsOf(items: JsonArray, { request, resource, shape, page }: Showing): ListFacts {
  const byId = (): JsonObject =>
    Object.fromEntries(
      (items as readonly JsonObject[]).map((record) => [
        textOf(record[resource.identifier.field] ?? ''),
        record,
      ]),
    );
  return { items: shape.form === 'map' ? byId() : items, page, request: request.request, shape };
}

function linksOf({ request, shape, page }: Showing): HeaderList {
  const link = shape.links ? linkHeader(page, { request: request.request, shape }) : undefined;
  return link === undefined ? [] : [['Link', link]];
}

/**
 * Writes a list out of the texts of its records; undefined where it can only be judged and written
 * as a whole.
 */
type WriteList = (body: JsonValue, records: readonly JsonObject[]) => string | undefined;

const writers = new WeakMap<Schema, ReadonlyMap<Pointer, WriteList>>();
const never: WriteList = () => undefined;

/**
 * How the lists of a schema are written, with the records at `at`. Where each rule of the schema is
 * about either a record or what is around the records, each is judged by itself: the records once
 * for as long as they live, the rest with no records in it.
 */
export function listWriter(schema: Schema, at: Pointer): WriteList {
  const known = writers.get(schema)?.get(at);
  if (known !== undefined) return known;
  const made = makeWriter(schema, splitPointer(at)) ?? never;
  writers.set(schema, new Map([...(writers.get(schema) ?? []), [at, made]]));
  return made;
}

function makeWriter(schema: Schema, path: readonly string[]): WriteList | undefined {
  const array = findArray(schema, path);
  if (array === undefined) return undefined;
  const { record, most } = array;
  return (body, records) => {
    if (
      records.length > most ||
      (path.length > 0 && schema.validate(withValue(body, path, []), 'response').length > 0)
    )
      return undefined;
    const texts: string[] = [];
    for (const each of records) {
      const text = recordText(record, each);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return writeAround(body, path, `[${texts.join(',')}]`);
  };
}

interface ArrayPlace {
  readonly record: Schema;
  /** The most records that the array may hold. */
  readonly most: number;
}

/** Keywords that say nothing of the records and their surroundings together. */
const separable =
  /^(type|properties|required|additionalProperties|items|maxItems|title|description|example|examples|default|deprecated|readOnly|externalDocs|xml|x-.*)$/;

function findArray(schema: Schema, path: readonly string[]): ArrayPlace | undefined {
  let place = schema.follow(schema.node, schema.pointer);
  for (const name of path) {
    const { node, pointer } = place;
    const member =
      typeof node === 'object' && Object.keys(node).every((keyword) => separable.test(keyword))
        ? node.properties?.[name]
        : undefined;
    if (member === undefined) return undefined;
    place = schema.follow(member, joinPointer(pointer, 'properties', name));
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
    most: node.maxItems ?? Infinity,
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

/** The text of a body, with that of its records put in: the same bytes as those of the whole. */
function writeAround(
  body: JsonValue,
  [name, ...rest]: readonly string[],
  listText: string,
): string {
  if (name === undefined || !isJsonObject(body)) return listText;
  const members = Object.entries(body).map(
    ([key, value]) =>
      `${JSON.stringify(key)}:${key === name ? writeAround(value, rest, listText) : stringifyJson(value)}`,
  );
  return `{${members.join(',')}}`;
}
