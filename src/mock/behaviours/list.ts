import type { ListShape, Resource, Schema } from '../../contract/model.ts';
import { originOf } from '../../http/host.ts';
import type { HeaderList } from '../../http/message.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../json/value.ts';
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

/** Answers a page of the matching records, in insertion order unless the request sorts them. */
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

/** Caches queries by request parameters, which the mock caches too. */
const queries = new WeakMap<ParameterValues, Query>();

function queryOf(request: ValidRequest, resource: Resource, shape: ListShape): Query {
  const known = queries.get(request.parameters) ?? readQuery(request, resource, shape);
  queries.set(request.parameters, known);
  return known;
}

/** The last response of a query: valid again for the same records, media type and origin. */
interface ShownPage {
  readonly found: QueryResult;
  readonly reply: Reply;
  readonly content: ValidRequest['content'];
  readonly origin: string | undefined;
  readonly seed: string;
}

const shown = new WeakMap<Query, ShownPage>();

/** Records are frozen: a changed record is another object. */
function isSame(before: QueryResult, now: QueryResult): boolean {
  return (
    before.total === now.total &&
    before.offset === now.offset &&
    before.records.length === now.records.length &&
    before.records.every(({ record }, index) => record === now.records[index]?.record)
  );
}

const encoder = new TextEncoder();

/** The facts for a list of records. */
export interface Showing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly shape: ListShape;
  readonly page: Page;
}

/**
 * Answers records as a list. Most are shown as stored; only if the list violates the contract, each
 * record is converted.
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

/** The schema of a record in this response: another media type can have another schema. */
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
 * Writes a list from the texts of its records; undefined if the list must be validated as a whole.
 */
type WriteList = (body: JsonValue, records: readonly JsonObject[]) => string | undefined;

const writers = new WeakMap<Schema, ReadonlyMap<Pointer, WriteList>>();
const never: WriteList = () => undefined;

/**
 * How to write the lists of a schema with records at `at`. If each rule of the schema concerns
 * either a record or the envelope, both are validated separately: each record once, and the
 * envelope with an empty list.
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
  /** The maximum number of records in the array. */
  readonly most: number;
}

/** Keywords that do not relate records to their envelope. */
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

/** Inserts the text of the records into the text of the body: the same bytes as for the whole. */
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
