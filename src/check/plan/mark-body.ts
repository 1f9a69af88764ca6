import type { Schema } from '../../contract/model.ts';
import { splitPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { countBroken } from '../../values/broken-rules.ts';
import { hash } from '../model/case.ts';
import type { DraftBody } from './draft/draft-body.ts';
import { isKeyLike, withOwnIdentifier } from './draft/own-identifier.ts';

const likely = [/name|title|label/i, /subject|description|message|comment|note|text/i];

/**
 * Enough for a name, a blank and the mark: in the first there is for any, in the second for most.
 */
const rooms = [80, 40];

/**
 * A body to mark: what it is for, and the place in it that is put to the test and so stays as it
 * is.
 */
export interface Marking {
  readonly runId: string;
  readonly label: string;
  readonly at?: Pointer;
}

/**
 * Writes the run's name into a free text of a body, so that what the run leaves behind can be told
 * by people, and so that no two bodies are the same; into its addresses of mail too, which many a
 * service lets nobody else have. What the mark would change from valid to invalid stays as it is.
 */
export function markBody(
  body: DraftBody,
  value: JsonValue,
  { runId, label, at }: Marking,
): JsonValue {
  if (!isJsonObject(value)) return value;
  const mark = `${runId}-${hash(label).slice(0, hashLength)}`;
  const tested = splitPointer(at ?? '')[0];
  const text = freeText(body);
  const write = (before: string): string => `${before} ${mark}`.trimStart();
  const marked = [...(text === undefined ? [] : [text]), ...keysOf(body)].filter(
    (field) => field !== tested,
  );
  const named = [...new Set(marked)].reduce(
    (whole, field) => withText(body, whole, { field, write }),
    value,
  );
  // An address that the contract shows may be one that the service knows, unless a record is made
  // of it.
  const fields =
    body.shown && body.makesRecord !== true
      ? []
      : addressesOf(body).filter((field) => field !== tested);
  const owned: JsonValue =
    body.identifier === undefined || body.namedBy !== undefined || body.identifier[0] === tested
      ? named
      : withOwnIdentifier(named, { path: body.identifier, schema: body.schema, salt: mark });
  if (!isJsonObject(owned)) return owned;
  return fields.reduce(
    (marked, field) =>
      withText(body, marked, {
        field,
        write: (before) => before.replace(/^([^@"]{1,40})@/, `$1.${mark}@`),
      }),
    owned,
  );
}

/**
 * The body of a create with texts in its keys that nobody else has: some requests send it as it stands,
 * such as one under a wrong media type.
 */
export function withOwnKeys(body: DraftBody, salt: string): DraftBody {
  const { value } = body;
  if (!isJsonObject(value)) return body;
  const write = (before: string): string => `${before} vouch-${hash(salt)}`.trimStart();
  const own = keysOf(body).reduce((whole, field) => withText(body, whole, { field, write }), value);
  return { ...body, value: own };
}

function withText(
  { schema }: DraftBody,
  value: JsonObject,
  { field, write }: { readonly field: string; readonly write: (before: string) => string },
): JsonObject {
  const before = Object.hasOwn(value, field) ? value[field] : undefined;
  if (typeof before !== 'string') return value;
  const marked = { ...value, [field]: write(before) };
  return schema === undefined || breaksAsMany(schema, value, marked) ? marked : value;
}

/** Whether a changed value breaks as many rules of a schema as it did. */
function breaksAsMany(schema: Schema, value: JsonValue, changed: JsonValue): boolean {
  const count = countBroken(schema, value);
  return count === 0
    ? schema.accepts(changed, 'request')
    : schema.validate(changed, 'request').length === count;
}

/** How much of a label's hash a mark bears. */
const hashLength = 6;

/**
 * The mark of one body in a text, which begins with the run's name and a hyphen; undefined where it
 * bears none.
 */
export function markIn(text: string, prefix: string): string | undefined {
  const start = text.indexOf(prefix);
  return start === -1 ? undefined : text.slice(start, start + prefix.length + hashLength);
}

/** The field of a body that bears a name and takes any text. */
function freeText({ schema }: DraftBody): string | undefined {
  if (schema === undefined) return undefined;
  if (!texts.has(schema)) texts.set(schema, findFreeText(schema));
  return texts.get(schema);
}

const texts = new WeakMap<Schema, string | undefined>();

/** The free texts by which a service may find a record again. */
function keysOf({ schema }: DraftBody): readonly string[] {
  if (schema === undefined) return [];
  const known =
    keys.get(schema) ?? freeTexts(schema).flatMap(({ name }) => (isKeyLike(name) ? [name] : []));
  keys.set(schema, known);
  return known;
}

const keys = new WeakMap<Schema, readonly string[]>();

function addressesOf({ schema }: DraftBody): readonly string[] {
  if (schema === undefined) return [];
  const known =
    addresses.get(schema) ??
    [...schema.flatten().properties].flatMap(([name, place]) =>
      schema.flatten(place.node, place.pointer).node.format === 'email' ? [name] : [],
    );
  addresses.set(schema, known);
  return known;
}

const addresses = new WeakMap<Schema, readonly string[]>();

function findFreeText(schema: Schema): string | undefined {
  const free = freeTexts(schema);
  return rooms.flatMap((least) =>
    likely.flatMap((pattern) =>
      free.filter(({ name, room }) => room >= least && pattern.test(name)),
    ),
  )[0]?.name;
}

/** The fields that take any text, each with the length that it may have. */
function freeTexts(schema: Schema): { readonly name: string; readonly room: number }[] {
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place.node, place.pointer);
    const bound =
      node.enum !== undefined ||
      node.const !== undefined ||
      node.format !== undefined ||
      node.pattern !== undefined ||
      node.readOnly === true;
    return types.includes('string') && types.length <= 2 && !bound
      ? [{ name, room: node.maxLength ?? Infinity }]
      : [];
  });
}
