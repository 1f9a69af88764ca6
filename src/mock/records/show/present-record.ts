import { findRecord } from '../../../contract/infer/conventions/envelope-styles.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { oncePer } from '../../../contract/lazy.ts';
import type { Schema } from '../../../contract/model.ts';
import type { HeaderList } from '../../../http/message.ts';
import { type Pointer, splitPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, stringifyJson, memberOf } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { generateBody } from '../../answer/generate-body.ts';
import type { AnswerContent, OperationPlan, ValidRequest } from '../../model/request.ts';
import { type Fault, makeReply, type Reply } from '../../model/reply.ts';
import { fitValue } from '../make/fit-value.ts';
import { namingMembers } from './item-url.ts';
import { fieldsOf, isOpen, isSameSchema, type SchemaField } from '../record-fields.ts';

/**
 * Converts a record to a response schema: unchanged if it is valid, otherwise without undeclared
 * members and with required ones added; wrapped if the schema has it in one member. Undefined if no
 * conversion is valid.
 */
export function presentRecord(
  schema: Schema,
  record: JsonObject,
  seed: string,
  at: Pointer = '',
): JsonValue | undefined {
  if (Object.hasOwn(record, '')) return presentRecord(schema, visible(record), seed, at);
  if (at !== '') {
    const value = presentAt(schema, record, { seed, path: splitPointer(at) });
    if (value !== undefined && schema.validate(value, 'response').length === 0) return value;
  }
  const plain = [() => record, () => fitted(schema, record, seed)];
  const wrap = (): JsonObject | undefined => wrapped(schema, record, seed);
  // An open envelope allows any object, so names are compared first. Known values are completed
  // rather than generated, because a list may show a part of what another response shows in full.
  const ways = sharesNames(schema, record)
    ? [...plain, wrap, () => fitValue(schema, record, seed), () => salvage(schema, record, seed)]
    : [wrap];
  for (const present of ways) {
    const value = present();
    if (value !== undefined && schema.validate(value, 'response').length === 0) return value;
  }
  return undefined;
}

/** A record without its identifier if no response shows it: it is stored under the empty name. */
export function visible(record: JsonObject): JsonObject {
  if (!Object.hasOwn(record, '')) return record;
  const { '': _identifier, ...members } = record;
  return members;
}

/** The record in the envelope of a schema, with the required members of the envelope. */
function presentAt(
  schema: Schema,
  record: JsonObject,
  { seed, path: [name, ...rest] }: { readonly seed: string; readonly path: readonly string[] },
): JsonValue | undefined {
  if (name === undefined) return presentRecord(schema, record, seed);
  const { items, types } = schema.flatten();
  if (types.includes('array') && items !== undefined) {
    const item = schema.part(schema.follow(items));
    const inner = presentAt(item, record, { seed, path: rest });
    return inner === undefined ? undefined : [inner];
  }
  const fields = fieldsOf(schema);
  const field = fields.get(name);
  const inner = field && presentAt(field.schema, record, { seed, path: rest });
  if (field === undefined || inner === undefined) return undefined;
  const others = [...fields.values()].filter((other) => other.required && other !== field);
  return { ...makeMembers(others, seed), ...identifierLists(others, field, inner), [name]: inner };
}

/** `thing_ids` beside `thing` in an envelope hold the record's identifiers. */
function identifierLists(
  others: readonly SchemaField[],
  { normalised }: SchemaField,
  inner: JsonValue,
): JsonObject {
  const id = memberOf(inner, 'id');
  if (id === undefined) return {};
  return Object.fromEntries(
    others.flatMap((other): (readonly [string, JsonValue])[] => {
      if (other.normalised === `${normalised}id`) return [[other.name, id]];
      return other.normalised === `${normalised}ids` ? [[other.name, [id]]] : [];
    }),
  );
}

/**
 * The members of a record that a schema accepts, in a valid value: each valid member is the
 * record's, and the others are generated. Better a part of a record than none.
 */
function salvage(schema: Schema, record: JsonObject, seed: string): JsonObject | undefined {
  const made = plainValue(schema, { seed, direction: 'response', required: 'only' });
  if (!made.ok || !isJsonObject(made.value)) return undefined;
  const fields = fieldsOf(schema);
  let value: JsonObject = made.value;
  for (const [name, member] of Object.entries(record)) {
    const field = fields.get(name);
    if (field === undefined || field.writeOnly) continue;
    const fitting = [member, fitValue(field.schema, member, `${seed} ${name}`)].find(
      (candidate) =>
        candidate !== undefined &&
        schema.validate({ ...value, [name]: candidate }, 'response').length === 0,
    );
    if (fitting !== undefined) value = { ...value, [name]: fitting };
  }
  return value;
}

/**
 * Whether a record has a declared member of the schema; a schema without declared members matches
 * any record.
 */
function sharesNames(schema: Schema, record: JsonObject): boolean {
  const fields = fieldsOf(schema);
  if (fields.size === 0) return true;
  // `for…in` does not allocate a list of names; the first match is enough.
  for (const name in record) if (Object.hasOwn(record, name) && fields.has(name)) return true;
  return false;
}

function fitted(schema: Schema, record: JsonObject, seed: string): JsonObject | undefined {
  const fields = fieldsOf(schema);
  if (fields.size === 0 || !sharesNames(schema, record)) return undefined;
  const kept = Object.entries(record).filter(
    ([name]) => fields.get(name)?.writeOnly !== true && (fields.has(name) || isOpen(schema)),
  );
  const missing = [...fields.values()].filter(
    ({ name, required }) => required && !Object.hasOwn(record, name),
  );
  return { ...Object.fromEntries(kept), ...makeMembers(missing, seed) };
}

function wrapped(schema: Schema, record: JsonObject, seed: string): JsonObject | undefined {
  const fields = [...fieldsOf(schema).values()];
  for (const field of fields) {
    // A member with fewer fields of the record than its parent contains something else.
    if (
      fieldsOf(field.schema).size === 0 ||
      sharedNames(field.schema, record) < sharedNames(schema, record)
    )
      continue;
    const inner = [record, fitted(field.schema, record, seed)].find(
      (value) => value !== undefined && field.schema.validate(value, 'response').length === 0,
    );
    if (inner === undefined) continue;
    const others = fields.filter(({ name, required }) => required && name !== field.name);
    return { [field.name]: inner, ...makeMembers(others, seed) };
  }
  return undefined;
}

function sharedNames(schema: Schema, record: JsonObject): number {
  const fields = fieldsOf(schema);
  return Object.keys(record).filter((name) => fields.has(name)).length;
}

function makeMembers(fields: readonly SchemaField[], seed: string): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, schema }) => {
      const made = plainValue(schema, {
        seed: `${seed} ${name}`,
        direction: 'response',
        required: 'only',
      });
      return made.ok ? [[name, made.value] as const] : [];
    }),
  );
}

/** How to show a record outside its usual response. */
interface Showing {
  readonly status?: number;
  readonly content?: AnswerContent | undefined;
  readonly headers?: HeaderList;
  /** A schema under which the record is known to be valid. */
  readonly kept?: Schema | undefined;
}

/** Returns a record as the contract declares it; without a body if none is documented. */
export function showRecord(
  request: ValidRequest,
  record: JsonObject,
  showing: Showing = {},
): Reply | Fault {
  const status = showing.status ?? request.plan.status;
  const content = 'content' in showing ? showing.content : request.content;
  const { headers = [] } = showing;
  const at = content === undefined ? '' : placeOf(request.plan, content);
  const bytes =
    content?.form === 'json' &&
    content.schema !== undefined &&
    at === '' &&
    !Object.hasOwn(record, '') &&
    sharesNames(content.schema, record)
      ? bytesOf(content.schema, record, showing.kept)
      : undefined;
  if (bytes !== undefined) return { kind: 'reply', status, body: record, headers, bytes };
  const body = bodyOf(content, record, { request, at });
  return body.kind === 'fault' ? body : makeReply(status, body.value, { headers, state: record });
}

/** A value that is known to be valid is not validated again. */
function bytesOf(
  schema: Schema,
  record: JsonObject,
  kept: Schema | undefined,
): Uint8Array | undefined {
  const isKept = kept !== undefined && isSameSchema(schema, kept);
  const text = isKept ? stringifyJson(record) : recordText(schema, record);
  return text === undefined ? undefined : Buffer.from(text);
}

function bodyOf(
  content: AnswerContent | undefined,
  record: JsonObject,
  { request, at }: { readonly request: ValidRequest; readonly at: Pointer },
): { readonly kind: 'body'; readonly value: JsonValue | undefined } | Fault {
  if (content === undefined) return { kind: 'body', value: undefined };
  if (content.schema === undefined) return { kind: 'body', value: visible(record) };
  const presented = presentRecord(content.schema, record, recordSeed(request, record), at);
  return presented === undefined
    ? generateBody(content, request, { ...namesOf(content.schema, record, request), ...record })
    : { kind: 'body', value: namedAround(content.schema, presented, record, { request, at }) };
}

/**
 * A body whose members beside the record name it, and those above it, as the request does: `shelf`
 * and `code` beside `book`. Others stay as they are.
 */
function namedAround(
  schema: Schema,
  body: JsonValue,
  record: JsonObject,
  { request, at }: { readonly request: ValidRequest; readonly at: Pointer },
): JsonValue {
  const { parameters, plan } = request;
  const identifier = plan.role?.resource.identifier.field ?? '';
  if (!isJsonObject(body)) return body;
  const named = Object.keys(body).flatMap((name): (readonly [string, JsonValue])[] => {
    const isOwn = at === '' ? Object.hasOwn(record, name) : at.startsWith(`/${name}`);
    const value = at !== '' && name === identifier ? record[name] : parameters.get(`path ${name}`);
    return isOwn || value === undefined ? [] : [[name, value]];
  });
  if (named.length === 0) return body;
  const told = { ...body, ...Object.fromEntries(named) };
  return schema.validate(told, 'response').length === 0 ? told : body;
}

/** The part of a record in a response that does not show it: its link, or its identifier. */
function namesOf(schema: Schema, record: JsonObject, request: ValidRequest): JsonObject {
  const resource = request.plan.role?.resource;
  return resource?.kind === 'collection'
    ? namingMembers(schema, record[resource.identifier.field], { request, resource })
    : {};
}

/** The place of the record in a response: `''`, or a member of an envelope. */
const placeOf = oncePer((plan: OperationPlan, content: AnswerContent): Pointer => {
  const resource = plan.role?.resource;
  if (content.schema === undefined || resource === undefined || resource.kind === 'singleton')
    return '';
  const word = lastWord(resource.collectionPath);
  return findRecord(content.schema, { word, known: resource.record })?.at ?? '';
});

/** The seed makes the added members of a record equal in all responses. */
export function recordSeed({ seed, plan }: ValidRequest, record: JsonObject): string {
  const resource = plan.role?.resource;
  return resource === undefined
    ? seed
    : `${seed} ${resource.name} ${String(record[resource.identifier.field])}`;
}

/** The JSON of a record that is valid under a schema; undefined if it is not. */
export function recordText(schema: Schema, record: JsonObject): string | undefined {
  return schema.validate(record, 'response').length > 0 ? undefined : stringifyJson(record);
}
