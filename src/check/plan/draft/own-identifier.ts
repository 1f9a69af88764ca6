import type { IdentifierPath } from '../../model/request-template.ts';
import { createHash } from 'node:crypto';
import type { LocatedNode, Schema } from '../../../contract/model.ts';
import { joinPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/** Names of members by which services find a record again, besides its identifier. */
const keyNames =
  /^(tag|key|slug|code|handle|login|user_?name|email|ref|reference|symbol|sku|isbn|domain|host(name)?|path|zone)$/i;

/**
 * Whether a member may be the key of a record: a create that repeats the key of somebody's record
 * may overwrite it.
 */
export function isKeyLike(name: string): boolean {
  return keyNames.test(name);
}

/** Names under which a body tells which record it is about, where no resource says so. */
const identifierNames = ['id', '_id', 'uuid', 'guid'];

/**
 * Where a body names the record that it creates: the identifier of the resource, else a member that
 * is called like one, at the top or in an envelope; undefined where it names none.
 */
export function findIdentifier(
  body: JsonValue,
  field: string | undefined,
): IdentifierPath | undefined {
  if (!isJsonObject(body)) return undefined;
  const names = field === undefined ? identifierNames : [field];
  const own = names.find((name) => Object.hasOwn(body, name));
  if (own !== undefined) return [own];
  const [envelope, ...others] = Object.entries(body);
  if (envelope === undefined || others.length > 0 || !isJsonObject(envelope[1])) return undefined;
  const inner = names.find((name) => Object.hasOwn(envelope[1] as JsonObject, name));
  return inner === undefined ? undefined : [envelope[0], inner];
}

/** The identifier that a body names; undefined where it is absent, null or no scalar. */
export function identifierIn(body: JsonValue, path: IdentifierPath): JsonValue | undefined {
  const value = valueAt(body, joinPointer('', ...path));
  return typeof value === 'object' ? undefined : value;
}

/** Integers that no service counts up to; a double holds them exactly. */
const wide = { from: 4_503_599_627_370_496, size: 4_000_000_000_000_000 };
/** Integers for services that keep 32 bits. */
const narrow = { from: 1_200_000_000, size: 900_000_000 };

/**
 * The body with an identifier that this run makes up, from `salt`: the same salt gives the same
 * one. It keeps its type and the rules of the schema; the body comes back as it was where none
 * does.
 */
export function withOwnIdentifier(
  body: JsonValue,
  {
    path,
    schema,
    salt,
  }: { readonly path: IdentifierPath; readonly schema: Schema | undefined; readonly salt: string },
): JsonValue {
  const before = identifierIn(body, path);
  // A text that bears the salt is unique already.
  if (before === undefined || String(before).includes(salt)) return body;
  const isValid = schema === undefined || schema.accepts(body, 'request');
  for (const made of candidates(before, salt, isInt64(schema, path))) {
    const changed = placeIdentifier(body, path, made);
    if (!isValid || schema === undefined || schema.accepts(changed, 'request')) return changed;
  }
  return body;
}

function candidates(before: JsonValue, salt: string, int64: boolean): JsonValue[] {
  const digest = createHash('sha256').update(salt).digest('hex');
  if (typeof before === 'number' || typeof before === 'bigint') {
    const part = Number.parseInt(digest.slice(0, 13), 16);
    const make = ({ from, size }: typeof wide): number => from + (part % size);
    return int64 || isWide(before) ? [make(wide), make(narrow)] : [make(narrow)];
  }
  if (typeof before !== 'string') return [];
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  // The mark of a run tells people where the record comes from.
  const text = /^vouch-[\w-]+$/.test(salt) ? salt : `vouch-${digest.slice(0, 16)}`;
  return isUuid(before)
    ? [uuid, text, digest.slice(0, 32)]
    : [text, digest.slice(0, 16), digest.slice(0, 24), uuid];
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function isWide(value: number | bigint): boolean {
  return value >= wide.from && value < wide.from + wide.size;
}

function isInt64(schema: Schema | undefined, path: IdentifierPath): boolean {
  let at: LocatedNode | undefined = schema && schema.flatten();
  for (const name of path) {
    const place: LocatedNode | undefined =
      at && schema?.flatten(at.node, at.pointer).properties.get(name);
    at = place && schema?.flatten(place.node, place.pointer);
  }
  return typeof at?.node === 'object' && at.node.format === 'int64';
}

/** The body with another identifier. */
export function placeIdentifier(
  body: JsonValue,
  [name, ...rest]: IdentifierPath,
  value: JsonValue,
): JsonValue {
  if (name === undefined) return value;
  if (!isJsonObject(body)) return body;
  return { ...body, [name]: placeIdentifier(body[name] ?? null, rest, value) };
}
