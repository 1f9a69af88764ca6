import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import { oncePerResource } from '../../contract/infer/record-fields.ts';
import { addressPath, readAddress } from '../../contract/infer/read-address.ts';
import { layoutOf, openRecord } from '../../contract/infer/record-view.ts';
import type { Identifier, Resource, Schema, Contract } from '../../contract/model.ts';
import { memberSchema } from '../../contract/schema/member-schema.ts';
import { shownBy } from '../../contract/schema/shown-values.ts';
import { equalJson } from '../../json/equal-json.ts';
import { splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../json/value.ts';
import { type Answer, isUnguessable, type Step, roleOf } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';

/**
 * The records in a list's response, each by its fields and under its identifier as paths write it;
 * undefined if its body does not have them where the contract declares them.
 */
export function listedRecords(
  resource: Resource,
  answer: Answer,
): readonly JsonObject[] | undefined {
  if (resource.list === undefined || answer.kind !== 'json') return undefined;
  const { records: bare, wrapped = bare, item } = resource.list;
  const listed = [bare, wrapped]
    .map((at) => valueAt(answer.value, at))
    .find((one) => isJsonArray(one));
  if (listed === undefined) return undefined;
  // Beside those that were asked for, a list may show the records that they name.
  const records =
    item === undefined
      ? listed
      : listed.map((one) => valueAt(one, item)).filter((one) => isOfKind(resource, one));
  const whole = records.every(isJsonObject) ? records : records.filter(isJsonObject);
  const isGrouped = layoutOf(resource.record) !== undefined;
  const shown = isGrouped ? whole.map((record) => opened(resource, record)) : whole;
  return shown.some((record) => asNamed(resource, record) !== record)
    ? shown.map((record) => asNamed(resource, record))
    : shown;
}

/** Whether a value has the members that all records of a resource have alike: `type` is `user`. */
function isOfKind(resource: Resource, value: JsonValue | undefined): value is JsonValue {
  if (!isJsonObject(value)) return false;
  return constantsOf(resource).every(
    ([name, one]) => value[name] === undefined || equalJson(value[name], one),
  );
}

const constantsOf = oncePerResource(({ record }): (readonly [string, JsonValue])[] =>
  [...record.flatten().properties].flatMap(([name, place]) => {
    const { node } = record.flatten(place);
    const [one, ...others] = node.const === undefined ? (node.enum ?? []) : [node.const];
    return one === undefined || others.length > 0 ? [] : [[name, one] as const];
  }),
);

/**
 * The same, also of a list that shows records by their names alone: as the members of an object, or
 * as texts.
 */
export function namedRecords(
  resource: Resource,
  answer: Answer,
): readonly JsonObject[] | undefined {
  const listed = listedRecords(resource, answer);
  if (listed !== undefined || answer.kind !== 'json') return listed;
  const { field } = resource.identifier;
  const places = [answer.value, valueAt(answer.value, resource.list?.records ?? '')];
  const members = Object.values(objectOf(answer.value));
  for (const shown of [...places, ...(members.length === 1 ? members : [])]) {
    if (isJsonArray(shown) && shown.length > 0 && shown.every((one) => typeof one === 'string'))
      return shown.map((text) => ({ [field]: text }));
    if (
      resource.list?.form === 'map' &&
      isJsonObject(shown) &&
      Object.values(shown).every(isJsonObject)
    )
      return Object.entries(shown).map(([name, record]) => ({
        ...objectOf(record),
        [field]: name,
      }));
  }
  return undefined;
}

/**
 * A record with its identifier as the paths of the contract write it: `a` for a record whose `name`
 * is `depots/a`, or which only its own link shows (`_links.self`, `@odata.id`). Any text that is an
 * address of such a record tells it; the name of the field does not matter.
 */
function asNamed(resource: Resource, record: JsonObject): JsonObject {
  const {
    identifier: { field },
  } = resource;
  const own = record[field];
  const isAddress = typeof own === 'string' && /[/(]/.test(own);
  const named = isAddress
    ? identifierAt(resource, own)
    : ownAddress(resource, record, own !== undefined);
  return named === undefined || String(named) === String(own)
    ? record
    : { ...record, [field]: named };
}

/** The identifier in a text that is the address of a record of a resource. */
export function identifierAt(resource: Resource, text: string): JsonValue | undefined {
  const path = addressPath(resource);
  if (path === undefined || !/[/(]/.test(text)) return undefined;
  const values = readAddress(path, text);
  const last = values?.get(Math.max(...values.keys()));
  return last === undefined ? undefined : typed(last, resource.identifier);
}

function typed(text: string, { type }: Identifier): JsonValue | undefined {
  if (type !== 'integer') return text;
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

/** How deep a record's own link stands: `/_links/self/href`. */
const deepest = 3;

interface OwnAddress {
  readonly way: readonly string[];
  readonly text: JsonValue | undefined;
  readonly identifier: JsonValue;
}

/** Whether the schema of a record shows this address as an example. */
function isExample(record: Schema, { way, text }: OwnAddress): boolean {
  const node = memberSchema(record, way)?.node;
  return node !== undefined && text !== undefined && shownBy(node).includes(text);
}

/**
 * The identifier in the address of a record that it calls its own: `self`, `@odata.id`. Unless
 * `isNamed`, in the only address of such a record that it shows. The contract's own example says
 * nothing of a named record: a service without a valid address for it may show that.
 */
function ownAddress(
  resource: Resource,
  record: JsonObject,
  isNamed: boolean,
): JsonValue | undefined {
  const found: OwnAddress[] = [];
  const search = (value: JsonObject, way: readonly string[]): void => {
    for (const [name, member] of Object.entries(value)) {
      const here = [...way, name];
      const identifier = typeof member === 'string' ? identifierAt(resource, member) : undefined;
      if (identifier !== undefined) found.push({ way: here, text: member, identifier });
      else if (isJsonObject(member) && way.length < deepest) search(member, here);
    }
  };
  search(record, []);
  const own = found.find(({ way }) => way.some((name) => ['self', '@odata.id'].includes(name)));
  if (isNamed) return own && isExample(resource.record, own) ? undefined : own?.identifier;
  if (own !== undefined) return own.identifier;
  const [only, ...others] = new Set(found.map(({ identifier }) => identifier));
  return others.length === 0 ? only : undefined;
}

/** The record that a step shows, of the resource of its operation. */
export function recordShown(contract: Contract, step: Step): JsonObject | undefined {
  const resource = roleOf(contract, step.case.operation)?.resource;
  return resource && shownRecord(resource, step.answer);
}

/**
 * The record that a response shows, by its fields and under its identifier as paths write it: the
 * body, or the one member of it that is the record, as in `{ "data": { … } }`.
 */
export function shownRecord(resource: Resource, answer: Answer): JsonObject | undefined {
  const body = jsonOf(answer);
  return isJsonObject(body) ? asNamed(resource, recordIn(resource, body)) : undefined;
}

/** A record by its fields, which a body may keep in a group. */
function opened({ record }: Resource, shown: JsonObject): JsonObject {
  const layout = layoutOf(record);
  return layout === undefined ? shown : openRecord(layout, shown);
}

/** The members of answers in which the contract has a record of a resource: `data`. */
const envelopesOf = oncePerResource(({ operations, record }): ReadonlySet<string> => {
  const { list: _several, ...single } = operations;
  const places = Object.values(single).flatMap((operation) => recordPlace(operation, record) ?? []);
  const whole = places.filter(({ conventions }) => !conventions.includes('envelope.list-of-one'));
  return new Set(whole.flatMap(({ at }) => splitPointer(at).slice(0, 1)));
});

function recordIn(resource: Resource, body: JsonObject): JsonObject {
  const { kind } = resource;
  const { field } = resource.identifier;
  const value = opened(resource, body);
  const isRecord = (shown: JsonObject): boolean =>
    kind === 'singleton' ? hasFieldsOf(resource, shown) : Object.hasOwn(shown, field);
  const envelopes = envelopesOf(resource);
  const members = Object.entries(body).flatMap(([name, member]) =>
    // A record may show another one of its kind, but not where the contract has the record itself.
    isJsonObject(member) && (!isRecord(value) || envelopes.has(name))
      ? [opened(resource, member)]
      : [],
  );
  const [inside, ...others] = members.filter(isRecord);
  // An envelope may use names of the record, such as `id` or `status`, for itself.
  return inside !== undefined &&
    others.length === 0 &&
    (!hasFieldsOf(resource, value) || fieldsIn(resource, inside) > fieldsIn(resource, value))
    ? inside
    : value;
}

function fieldsIn({ record }: Resource, value: JsonObject): number {
  const { properties } = record.flatten();
  return Object.keys(value).filter((name) => properties.has(name)).length;
}

/** Whether an object has a member that the contract declares for the records of a resource. */
export function hasFieldsOf({ record, identifier }: Resource, value: JsonObject): boolean {
  const { properties } = record.flatten();
  return (
    Object.hasOwn(value, identifier.field) ||
    Object.keys(value).some((name) => properties.has(name))
  );
}

/**
 * Whether a request has the record in a member that records do not have: what stands beside it,
 * such as a `status`, chooses how the record is changed.
 */
export function wrapsRecord(resource: Resource, body: JsonObject): boolean {
  const { properties } = resource.record.flatten();
  return Object.entries(body).some(
    ([name, value]) => !properties.has(name) && isJsonObject(value) && hasFieldsOf(resource, value),
  );
}

/** What no two records have: the mark of a run, or a moment to the millisecond. */
const marked = /vouch-[0-9a-f]{6}|T\d\d:\d\d:\d\d\.(?!000)\d{3}/;

/**
 * Whether two identities that read one identifier were shown the same record. If each client has
 * separate identifiers, another record may have the identifier: then its values differ.
 */
export function isSameRecord(
  { identifier: { field } }: Resource,
  one: JsonObject,
  other: JsonObject,
): boolean {
  const named = one[field];
  if (named === undefined || String(named) !== String(other[field])) return false;
  if (isUnguessable(named)) return true;
  const shared = Object.keys(one).filter((name) => name !== field && Object.hasOwn(other, name));
  const alike = shared.filter((name) => equalJson(one[name] ?? null, other[name] ?? null));
  const isMarked = alike.some((name) => {
    const value = one[name];
    return typeof value === 'string' && marked.test(value);
  });
  return isMarked || (alike.length > 0 && alike.length === shared.length);
}
