import type { Schema } from '../../../contract/model.ts';
import type { HeaderList } from '../../../http/message.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { generateBody } from '../../answer/generate-body.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import type { Fault } from '../../model/fault.ts';
import type { AnswerContent } from '../../model/operation-plan.ts';
import { makeReply, type Reply } from '../../model/reply.ts';
import { fitValue } from '../make/fit-value.ts';
import { fieldsOf, isOpen, isSameSchema, type SchemaField } from '../record-fields.ts';

/**
 * A record as an answer's schema wants to see it: as it is where the schema takes it, else with
 * what the schema does not name left out and what it requires added; wrapped where the schema has
 * it in one member. Undefined where none of it helps.
 */
export function presentRecord(
  schema: Schema,
  record: JsonObject,
  seed: string,
): JsonValue | undefined {
  const plain = [() => record, () => fitted(schema, record, seed)];
  const wrap = (): JsonObject | undefined => wrapped(schema, record, seed);
  // An open envelope takes any object, so what the names say counts before what the schema takes.
  // What a list shows in short, another answer has in full: what is known is completed, for it must
  // not be told otherwise.
  const ways = sharesNames(schema, record)
    ? [...plain, wrap, () => fitValue(schema, record, seed)]
    : [wrap];
  for (const present of ways) {
    const value = present();
    if (value !== undefined && schema.validate(value, 'response').length === 0) return value;
  }
  return undefined;
}

/**
 * Whether a record has a member that the schema names; an object without named members has room for
 * any.
 */
function sharesNames(schema: Schema, record: JsonObject): boolean {
  const fields = fieldsOf(schema);
  if (fields.size === 0) return true;
  // Asked of every record that is shown, and the first member will do: `for…in` makes no list of
  // them.
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
    // A member that has less of the record than what is around it holds something else.
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

/** How a record is shown where it is not the usual answer. */
interface Showing {
  readonly status?: number;
  readonly content?: AnswerContent | undefined;
  readonly headers?: HeaderList;
  /** A schema that the record is known to keep. */
  readonly kept?: Schema | undefined;
}

/**
 * Answers a record, in the form that the contract gives the answer; without a body where the
 * contract documents none.
 */
export function showRecord(
  request: ValidRequest,
  record: JsonObject,
  showing: Showing = {},
): Reply | Fault {
  const status = showing.status ?? request.plan.status;
  const content = 'content' in showing ? showing.content : request.content;
  const { headers = [] } = showing;
  const bytes =
    content?.form === 'json' && content.schema !== undefined && sharesNames(content.schema, record)
      ? bytesOf(content.schema, record, showing.kept)
      : undefined;
  if (bytes !== undefined) return { kind: 'reply', status, body: record, headers, bytes };
  const body = bodyOf(content, record, request);
  return body.kind === 'fault' ? body : makeReply(status, body.value, { headers, state: record });
}

/** What keeps a schema is not judged by it again. */
function bytesOf(
  schema: Schema,
  record: JsonObject,
  kept: Schema | undefined,
): Uint8Array | undefined {
  return kept !== undefined && isSameSchema(schema, kept)
    ? Buffer.from(stringifyJson(record))
    : recordBytes(schema, record);
}

function bodyOf(
  content: AnswerContent | undefined,
  record: JsonObject,
  request: ValidRequest,
): { readonly kind: 'body'; readonly value: JsonValue | undefined } | Fault {
  if (content === undefined) return { kind: 'body', value: undefined };
  if (content.schema === undefined) return { kind: 'body', value: record };
  const presented = presentRecord(content.schema, record, recordSeed(request, record));
  return presented === undefined
    ? generateBody(content, request, record)
    : { kind: 'body', value: presented };
}

/** A record is completed in the same way wherever it is shown. */
export function recordSeed({ seed, plan }: ValidRequest, record: JsonObject): string {
  const resource = plan.role?.resource;
  return resource === undefined
    ? seed
    : `${seed} ${resource.name} ${String(record[resource.identifier.field])}`;
}

type OfRecord<Made> = (schema: Schema, record: JsonObject) => Made | undefined;

/**
 * A record as JSON, where its schema takes it as it is; undefined where it does not. Records come
 * out of the store frozen, and the same one comes out again as long as nobody changes it: it is
 * judged and written once.
 */
export const recordText: OfRecord<string> = remembering((schema, record) =>
  schema.validate(record, 'response').length > 0 ? undefined : stringifyJson(record),
);

const encoder = new TextEncoder();

/** The same in UTF-8. */
const recordBytes: OfRecord<Uint8Array> = remembering((schema, record) => {
  const text = recordText(schema, record);
  if (text === undefined) return undefined;
  // A buffer takes a tenth of the time, out of a pool that lives as long as any part of it: not for
  // what is remembered.
  return Object.isFrozen(record) ? encoder.encode(text) : Buffer.from(text);
});

/**
 * Makes something of a record once for each schema. A record that may still change is not
 * remembered; one that nobody holds any more takes along what was made of it.
 */
function remembering<Made>(make: OfRecord<Made>): OfRecord<Made> {
  const memory = new WeakMap<Schema, WeakMap<JsonObject, Made>>();
  return (schema, record) => {
    if (!Object.isFrozen(record)) return make(schema, record);
    const known = memory.get(schema) ?? new WeakMap<JsonObject, Made>();
    const before = known.get(record);
    if (before !== undefined) return before;
    const made = make(schema, record);
    if (made !== undefined) memory.set(schema, known.set(record, made));
    return made;
  };
}
