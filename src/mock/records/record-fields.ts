import { recordPlace, successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { once } from '../../contract/lazy.ts';
import { epochUnit } from '../../contract/words/epoch-unit.ts';
import { namesChange, namesCreation } from '../../contract/words/names.ts';
import { plainName } from '../../contract/infer/infer-names.ts';
import type { FlatSchema, LocatedNode, Operation, Resource, Schema } from '../../contract/model.ts';
import { oncePerResource } from '../../contract/infer/record-fields.ts';
import { objectMembers, type ObjectMembers } from '../../contract/schema/object-members.ts';
import { fromInteger } from '../../json/decimal.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import { hashText } from '../../values/random.ts';

/** A property of an object schema. */
export interface SchemaField {
  readonly name: string;
  /** The name in lower case, letters and digits only, for the tables of names. */
  readonly normalised: string;
  readonly schema: Schema;
  readonly flat: FlatSchema;
  readonly required: boolean;
  /** Whether every form of the object has it. */
  readonly common: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly moment: MomentKind;
}

/** Whether a field holds the time of creation or of the last change; undefined if neither. */
export type MomentKind = 'creation' | 'change' | undefined;

/** Fields by name, in the order of the contract. */
export type SchemaFields = ReadonlyMap<string, SchemaField>;

/** The properties of an object schema by name, in the order of the contract. */
export const fieldsOf = once((schema: Schema): SchemaFields => {
  const { properties, required, common } = objectMembers(schema);
  return new Map(
    [...properties, ...undeclared(schema, { properties, required })].map(([name, place]) => [
      name,
      readField(schema.part(place), {
        name,
        required: required.has(name),
        common: common.has(name),
      }),
    ]),
  );
});

/** Required members without an entry in `properties`: any value is valid. */
function undeclared(
  schema: Schema,
  { properties, required }: Pick<ObjectMembers, 'properties' | 'required'>,
): [string, LocatedNode][] {
  const { node, pointer } = schema.flatten();
  if (!isOpen(schema)) return [];
  const others = node.additionalProperties;
  return [...required]
    .filter((name) => !properties.has(name))
    .map((name) => [
      name,
      { node: others ?? true, pointer: joinPointer(pointer, 'additionalProperties') },
    ]);
}

function readField(
  schema: Schema,
  { name, required, common }: Pick<SchemaField, 'name' | 'required' | 'common'>,
): SchemaField {
  const flat = schema.flatten();
  const normalised = plainName(name);
  return {
    name,
    normalised,
    schema,
    flat,
    required,
    common,
    readOnly: flat.node.readOnly === true,
    writeOnly: flat.node.writeOnly === true,
    moment: readMoment(normalised, schema),
  };
}

/** Whether an object may have undeclared members. */
export function isOpen(schema: Schema): boolean {
  const { additionalProperties, unevaluatedProperties } = schema.flatten().node;
  return additionalProperties !== false && unevaluatedProperties !== false;
}

/** The shape of a resource's records in all responses. */
interface RecordShape {
  /** The forms in responses, fullest first. A stored record must satisfy all of them. */
  readonly forms: readonly Schema[];
  /** Its fields by name: those of the fullest form, then those of other forms. */
  readonly fields: ReadonlyMap<string, SchemaField>;
  /** Whether it may have undeclared members. */
  readonly open: boolean;
}

/** The forms in which a resource's operations show one record, wrapped or not. */
export const shapeOf = oncePerResource(readShape);

function readShape(resource: Resource): RecordShape {
  const { list, delete: _deletion, ...others } = resource.operations;
  const shown = Object.values(others).flatMap((operation) => findForm(operation, resource) ?? []);
  const byPlace = new Map([resource.record, ...shown].map((schema) => [placeOf(schema), schema]));
  const forms = [...byPlace.values()].sort(
    (left, right) => fieldsOf(right).size - fieldsOf(left).size,
  );
  // In reverse, so that the fullest form overrides the others.
  const all = new Map(forms.toReversed().flatMap((form) => [...fieldsOf(form)]));
  const around = membersAround([...Object.values(others), list], resource.record);
  const fields = [...fieldsOf(forms[0] ?? resource.record), ...all];
  return {
    forms,
    fields: new Map(fields.filter(([name]) => !around.has(name))),
    open: forms.some(isOpen),
  };
}

/** The members that stand beside a record in its answers, and never in it: `{ "result": "ok" }`. */
function membersAround(
  operations: readonly (Operation | undefined)[],
  record: Schema,
): ReadonlySet<string> {
  const own = fieldsOf(record);
  const beside = operations.flatMap((operation) => {
    const place = operation && recordPlace(operation, record);
    const schema = operation && successSchema(operation);
    return place === undefined || place.at === '' || schema === undefined
      ? []
      : [...fieldsOf(schema).keys()];
  });
  return new Set(beside.filter((name) => !own.has(name)));
}

/** The location of a schema after its references are followed. */
const placeOf = once((schema: Schema): Pointer => {
  return schema.follow(schema).pointer;
});

/** Whether two schemas of one document are the same after references are followed. */
export function isSameSchema(left: Schema, right: Schema): boolean {
  return left === right || placeOf(left) === placeOf(right);
}

/**
 * The form in which a response shows a record: one that has its identifier, or only members that
 * the record has too.
 */
function findForm(
  operation: Operation,
  { kind, identifier, record }: Resource,
): Schema | undefined {
  const schema = successSchema(operation);
  if (schema === undefined) return undefined;
  const place = recordPlace(operation, record)?.schema;
  if (kind === 'singleton') {
    const form = place ?? schema;
    return fieldsOf(form).size > 0 ? form : undefined;
  }
  const fields = place === undefined ? undefined : fieldsOf(place);
  if (fields?.has(identifier.field) === true) return place;
  const inside = [...fieldsOf(schema).values()].find((field) =>
    fieldsOf(field.schema).has(identifier.field),
  )?.schema;
  if (inside !== undefined) return inside;
  const own = fieldsOf(record);
  const names = [...(fields?.keys() ?? [])];
  return names.length > 0 && names.every((name) => own.has(name)) ? place : undefined;
}

/** The only possible value of a field: a constant, or an enumeration of one. */
export function onlyValue({ flat }: SchemaField): JsonValue | undefined {
  const { node } = flat;
  if (node.const !== undefined) return node.const;
  return node.enum?.length === 1 ? node.enum[0] : undefined;
}

function readMoment(normalised: string, schema: Schema): MomentKind {
  const flat = schema.flatten();
  const { format } = flat.node;
  const isNumber = flat.types.includes('integer') && unitOf(flat) !== undefined;
  if (!(isNumber || flat.types.includes('string')) || flat.node.enum !== undefined)
    return undefined;
  if (!isNumber && format !== undefined && format !== 'date-time' && format !== 'date')
    return undefined;
  // Without a format, a name such as `added` may hold anything, unless it ends in a preposition or
  // a noun of time.
  const isTelling = isNumber || /(at|on|date|time|timestamp)$/.test(normalised);
  if (format === undefined && !isTelling && writtenForm(schema) === undefined) return undefined;
  if (namesCreation(normalised)) return 'creation';
  return namesChange(normalised) ? 'change' : undefined;
}

/** The unit of a number that counts the time since 1970. */
function unitOf(flat: FlatSchema): ReturnType<typeof epochUnit> {
  return flat.node.format === 'unix-time' ? 'seconds' : epochUnit(flat);
}

/** The time in the format of the field: in UTC (RFC 3339), or as a number since 1970. */
export function writeMoment({ flat, schema }: SchemaField, now: Date): string | number {
  const unit = flat.types.includes('integer') ? unitOf(flat) : undefined;
  if (unit !== undefined) return Math.floor(now.getTime() / (unit === 'seconds' ? 1000 : 1));
  const form = flat.node.format === 'date' ? forms[1] : (writtenForm(schema) ?? forms[0]);
  return form(now.toISOString());
}

/** How texts write a moment, of which one is in the form of RFC 3339. */
const forms = [
  (iso: string) => iso,
  (iso: string) => iso.slice(0, 10),
  (iso: string) => `${iso.slice(0, 19)}Z`,
  (iso: string) => iso.slice(0, 19),
  (iso: string) => iso.slice(0, 19).replace('T', ' '),
] as const;

/** The form in which a text without a format writes moments, by its pattern; undefined for others. */
const writtenForm = once((schema: Schema): ((iso: string) => string) | undefined => {
  const { node, types } = schema.flatten();
  const isFree = node.pattern === undefined || node.enum !== undefined || node.format !== undefined;
  if (isFree || !types.includes('string') || schema.accepts('a1', 'response')) return undefined;
  return forms.find((form) => schema.accepts(form('2001-02-03T04:05:06.789Z'), 'response'));
});

/** Whether a field is a time or a date. */
export function isMoment({ flat: { node, types }, schema }: SchemaField): boolean {
  const isTold = node.format === 'date-time' || node.format === 'date';
  return types.includes('string') && (isTold || writtenForm(schema) !== undefined);
}

/** Whether a field is the identifier of its object, by its name. */
export function isIdentifierName({ normalised }: SchemaField): boolean {
  return /^(id|uuid|guid)$/.test(normalised);
}

const counted = /^(version|versionnumber|lockversion|revision|revisionnumber|rev)$/;

const tagged = /^(etag|entitytag|rev|revision)$/;

/** The first revision of a record, if the service counts revisions in this field. */
export function firstRevision({ normalised, flat, schema }: SchemaField): JsonValue | undefined {
  if (!counted.test(normalised) || flat.node.enum !== undefined) return undefined;
  const { minimum = 1, pattern } = flat.node;
  const first = minimum > 1 ? minimum : 1;
  // A text without a pattern may name a version in any other way.
  const texts = pattern === undefined ? [] : [String(first)];
  return [first, ...texts].find((one) => schema.accepts(one, 'response'));
}

/**
 * The value of a version field after a change; undefined if the field is not one, or cannot hold
 * it.
 */
export function nextRevision(
  field: SchemaField,
  before: JsonValue,
  change: string,
): JsonValue | undefined {
  return field.readOnly ? nextTag(field, before, change) : undefined;
}

/** The same for an entity tag, which clients send back. */
export function nextTag(
  field: SchemaField,
  before: JsonValue,
  change: string,
): JsonValue | undefined {
  const next = successor(field, before, change);
  return next === undefined || field.schema.validate(next, 'response').length > 0
    ? undefined
    : next;
}

function successor(field: SchemaField, before: JsonValue, change: string): JsonValue | undefined {
  if (typeof before === 'string') {
    if (isTagged(field)) return tagLike(before, change);
    const isNumber = counted.test(field.normalised) && /^\d{1,15}$/.test(before);
    return isNumber ? String(Number(before) + 1) : undefined;
  }
  const isWhole = typeof before === 'bigint' || Number.isSafeInteger(before);
  // `isSafeInteger` does not narrow the type to a number.
  return isWhole && isCounted(field)
    ? fromInteger(BigInt(before as number | bigint) + 1n)
    : undefined;
}

function isCounted({ normalised, flat: { types, node } }: SchemaField): boolean {
  const isFree = node.enum === undefined && node.const === undefined;
  return isFree && counted.test(normalised) && types.includes('integer');
}

function isTagged({ normalised, flat: { types, node } }: SchemaField): boolean {
  const isFree = node.enum === undefined && node.format === undefined;
  return isFree && tagged.test(normalised) && types.includes('string');
}

/** A new tag in the form of the previous one: in quotes, weak, or plain. */
function tagLike(before: string, change: string): string {
  const tag = entityTag(`${before} ${change}`);
  return before.startsWith('W/"') ? `W/"${tag}"` : before.startsWith('"') ? `"${tag}"` : tag;
}

/** The opaque part of an entity tag (RFC 9110, section 8.8.3): equal for equal states only. */
export function entityTag(state: JsonValue): string {
  return hashText(stringifyJson(state))
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 16);
}
