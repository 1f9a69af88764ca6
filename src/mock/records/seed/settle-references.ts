import { documentsRefusal, type ForeignKey, type Resource } from '../../../contract/model.ts';
import { oncePerResource, ownName, recordFields } from '../../../contract/infer/record-fields.ts';
import { sharedReferences } from '../../../contract/infer/shared-identifiers.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue, fieldValues } from '../../../store/field-values.ts';
import type { Collection } from '../../../store/store.ts';
import type { Acting, OperationPlan } from '../../model/request.ts';
import { type Fault, makeFault } from '../../model/reply.ts';
import { recordsWhere } from '../collections-below.ts';
import { oncePerPlan, recordCalled, textOf } from '../find-record.ts';
import { withField } from '../parent-fields.ts';
import { isShownInBody, placeInBody } from '../make/body-fields.ts';
import { givenMembers, toldMembers } from '../make/request-members.ts';
import { settleCopies } from './settle-copies.ts';

/** Where referenced records are looked up; references that a change leaves are not checked. */
interface ReferenceSource extends Acting {
  /** A new record as the mock made it up: what has other values since was decided. */
  readonly madeUp?: JsonObject;
}

/** A record with valid references, or why it is refused. */
export type Settled = { readonly kind: 'settled'; readonly record: JsonObject } | Fault;

/**
 * Checks the fields that refer to other records: a reference from the client must exist if the
 * operation documents an error for it; a generated reference is replaced by the identifier of an
 * existing record.
 */
export async function settleReferences(
  record: JsonObject,
  source: ReferenceSource,
): Promise<Settled> {
  if (!hasReferences(source.resource, source.request.plan)) return { kind: 'settled', record };
  const refusal = await judgeReferences(record, source);
  return refusal ?? { kind: 'settled', record: await pointReferences(record, source) };
}

/** Whether the records of a resource refer to others, or show copies of them. */
export function hasReferences(resource: Resource, plan: OperationPlan): boolean {
  const { foreignKeys, copies } = resource;
  return foreignKeys.length > 0 || copies.length > 0 || sharedIn(plan, resource).length > 0;
}

/** The fields that refer to records by the schema of their identifiers alone. */
const sharedIn = oncePerPlan(({ contract }, resource) =>
  sharedReferences(resource, contract.resources),
);

/** Why a reference of the client is refused; undefined if it is valid. */
export async function judgeReferences(
  members: JsonObject,
  source: ReferenceSource,
): Promise<Fault | undefined> {
  const { request, resource } = source;
  const given = changedReferences(members, resource.foreignKeys, source).filter(({ key }) =>
    isGiven(key, source),
  );
  // What is never shown is not stored, and names a record all the same.
  const hidden = resource.foreignKeys.filter((key) => isHidden(key, source));
  const told = changedReferences(toldMembers(request, resource), hidden, source);
  for (const { key, value } of [...given, ...told]) {
    const refusal = await judgeReference(value, key, source);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Replaces generated references by those of existing records, and copies by what those show. */
export async function pointReferences(
  record: JsonObject,
  source: ReferenceSource,
): Promise<JsonObject> {
  const { resource, request } = source;
  const keys = [...resource.foreignKeys, ...sharedIn(request.plan, resource)];
  let settled = record;
  for (const { key, value } of changedReferences(record, keys, source))
    if (!isGiven(key, source)) settled = await pointSomewhere(settled, value, key, source);
  for (const twins of twinsOf(resource)) settled = await followTwin(settled, twins, source);
  return settleCopies(settled, source);
}

/** Two fields that name one record by different keys. */
interface Twins {
  readonly key: ForeignKey;
  readonly twin: ForeignKey;
}

const twinsOf = oncePerResource(({ foreignKeys }): readonly Twins[] => {
  const single = foreignKeys.filter(({ many }) => !many);
  return single.flatMap((key) =>
    single
      .filter((other) => other.resource === key.resource && other.by !== key.by)
      .map((twin) => ({ key, twin })),
  );
});

/** The record with a field that follows its twin: `currency_id` the `currency_code` sent alone. */
async function followTwin(
  record: JsonObject,
  { key, twin }: Twins,
  source: ReferenceSource,
): Promise<JsonObject> {
  const { resource, store } = source;
  const value = isGiven(twin, source) && !isGiven(key, source) ? valueOf(record, twin) : null;
  if (value === undefined || value === null) return record;
  const place = { collection: collectionOfTarget(source, key), value };
  const target = await recordCalled(key.resource, place, store);
  const held = target && fieldValue(target.record, key.by);
  return held === undefined ? record : pointTo(record, held, key, resource);
}

function changedReferences(
  record: JsonObject,
  keys: readonly ForeignKey[],
  { earlier = {} }: ReferenceSource,
): { readonly key: ForeignKey; readonly value: JsonValue }[] {
  return keys.flatMap((key) => {
    const value = valueOf(record, key);
    return value === undefined || value === null || equalJson(value, valueOf(earlier, key) ?? null)
      ? []
      : [{ key, value }];
  });
}

/** What a record names: one identifier, or a list of them, which may stand in objects of a list. */
function valueOf(record: JsonObject, { field, many }: ForeignKey): JsonValue | undefined {
  const value = fieldValue(record, field);
  if (value !== undefined || !many) return value;
  const inside = fieldValues(record, field);
  return inside.length === 0 ? undefined : inside;
}

function isHidden({ field }: ForeignKey, { resource }: ReferenceSource): boolean {
  const found = recordFields(resource.record).find(({ name }) => name === field);
  return found?.flat.node.writeOnly === true;
}

function isGiven(key: ForeignKey, { request, resource }: ReferenceSource): boolean {
  // All changes of a JSON Patch are the client's.
  return isJsonArray(request.body) || valueOf(givenMembers(request, resource), key) !== undefined;
}

function collectionOfTarget({ request }: ReferenceSource, { resource }: ForeignKey): Collection {
  return { session: request.session, name: resource.collection };
}

async function exists(
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<boolean> {
  const named = { collection: collectionOfTarget(source, key), value };
  return (await recordCalled(key.resource, named, source.store)) !== undefined;
}

async function judgeReference(
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<Fault | undefined> {
  const { operation } = source.request.plan;
  if (!documentsRefusal(operation, ['404', '409']) || hasNameOfKey(key)) return undefined;
  for (const one of isJsonArray(value) ? value : [value]) {
    // An example of the contract is a valid request, regardless of the stored records.
    const isValid =
      namesItself(one, key, source) ||
      (await exists(one, key, source)) ||
      (key.resource.kind === 'collection' && isShownInBody(one, key.field, source));
    if (isValid) continue;
    const name = placeInBody(key.field, source);
    const { resource, by } = key;
    const message =
      `${quoteExcerpt(name)} in the body must name a record of ${resource.name}, ` +
      `and none has the ${ownName(resource.record, by)} ${quoteExcerpt(textOf(one))}.`;
    return makeFault('reference', 'invalid_reference', message, {
      issues: [{ location: 'body', name, rule: 'reference', message }],
    });
  }
  return undefined;
}

/** A member with the very name of a key may hold what is no key of a record: nothing is certain. */
function hasNameOfKey({ field, by }: ForeignKey): boolean {
  return field === by && !/^_?id$/i.test(by);
}

/** Whether a reference names the record that the request makes, by a key that it gives. */
function namesItself(
  value: JsonValue,
  { resource, by }: ForeignKey,
  { request, resource: own }: ReferenceSource,
): boolean {
  const key = fieldValue(givenMembers(request, own), by);
  return resource.collection === own.collection && key !== undefined && equalJson(key, value);
}

async function pointSomewhere(
  record: JsonObject,
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<JsonObject> {
  const { resource, store } = source;
  // References of the previous record and to parents are not changed.
  if (
    resource.parents.some(({ field }) => field === key.field) ||
    key.many ||
    (!isMadeUp(value, key, source) && (await exists(value, key, source)))
  )
    return record;
  const [first] = await recordsWhere(store, collectionOfTarget(source, key), [], 1);
  const target = first && fieldValue(first.record, key.by);
  return target === undefined ? record : pointTo(record, target, key, resource);
}

/** Whether the mock made up a value, which names a record by chance only, or none. */
function isMadeUp(
  value: JsonValue,
  key: ForeignKey,
  { resource, madeUp }: ReferenceSource,
): boolean {
  const node = memberSchema(resource.record, key.field.split('.'))?.node;
  const isShown = node !== undefined && shownBy(node).some((one) => equalJson(one, value));
  return !isShown && madeUp !== undefined && equalJson(valueOf(madeUp, key) ?? null, value);
}

/** The record with a reference, where its schema allows it. */
function pointTo(
  record: JsonObject,
  target: JsonValue,
  { field }: ForeignKey,
  resource: Resource,
): JsonObject {
  const pointed = withField(record, field.split('.'), target);
  return resource.record.validate(pointed, 'response').length > 0 ? record : pointed;
}
