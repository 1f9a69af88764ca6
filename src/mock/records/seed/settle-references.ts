import type { ForeignKey, Operation, Resource } from '../../../contract/model.ts';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import type { Collection, Store } from '../../../store/store.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { makeFault, type Fault } from '../../model/fault.ts';
import { getRecord, textOf } from '../find-record.ts';
import { withField } from '../parent-fields.ts';
import { givenMembers } from '../make/request-members.ts';

/** Where references are looked up. */
export interface ReferenceSource {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
  /** The record that is replaced or changed: what it referred to stays as it was. */
  readonly earlier?: JsonObject;
}

/** A record that refers to others as it should, or why it may not. */
export type Settled = { readonly kind: 'settled'; readonly record: JsonObject } | Fault;

/**
 * Looks at the fields that name other records: what the client gave must exist, where the operation
 * documents how it refuses; what the mock made up is made the identifier of a record that does.
 */
export async function settleReferences(
  record: JsonObject,
  source: ReferenceSource,
): Promise<Settled> {
  const { foreignKeys } = source.resource;
  if (foreignKeys.length === 0) return { kind: 'settled', record };
  const refusal = await judgeReferences(record, source);
  return refusal ?? { kind: 'settled', record: await pointReferences(record, source) };
}

/** Why what the client says of other records is refused; undefined where it is not. */
export async function judgeReferences(
  members: JsonObject,
  source: ReferenceSource,
): Promise<Fault | undefined> {
  for (const { key, value } of changedReferences(members, source)) {
    const refusal = isGiven(key, source) ? await judgeReference(value, key, source) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The record with what the mock made up of other records naming some that exist. */
export async function pointReferences(
  record: JsonObject,
  source: ReferenceSource,
): Promise<JsonObject> {
  let settled = record;
  for (const { key, value } of changedReferences(record, source))
    if (!isGiven(key, source)) settled = await pointSomewhere(settled, value, key, source);
  return settled;
}

function changedReferences(
  record: JsonObject,
  { resource, earlier = {} }: ReferenceSource,
): { readonly key: ForeignKey; readonly value: JsonValue }[] {
  return resource.foreignKeys.flatMap((key) => {
    const value = fieldValue(record, key.field);
    return value === undefined ||
      value === null ||
      equalJson(value, fieldValue(earlier, key.field) ?? null)
      ? []
      : [{ key, value }];
  });
}

function isGiven({ field }: ForeignKey, { request, resource }: ReferenceSource): boolean {
  // A patch by steps says what it changes in its own way; all that it changes is the client's.
  return (
    isJsonArray(request.body) || fieldValue(givenMembers(request, resource), field) !== undefined
  );
}

function collectionOfTarget({ request }: ReferenceSource, { resource }: ForeignKey): Collection {
  return { session: request.session, name: resource.collection };
}

async function exists(
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<boolean> {
  return (
    (await getRecord(collectionOfTarget(source, key), textOf(value), source.store)) !== undefined
  );
}

async function judgeReference(
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<Fault | undefined> {
  const { operation } = source.request.plan;
  if (!documentsRefusal(operation)) return undefined;
  for (const one of isJsonArray(value) ? value : [value]) {
    if (isShown(one, key, operation) || (await exists(one, key, source))) continue;
    const { name, identifier } = key.resource;
    const message =
      `${quoteExcerpt(key.field)} in the body must name a record of ${name}, ` +
      `and none has the ${identifier.field} ${quoteExcerpt(textOf(one))}.`;
    return makeFault('reference', 'invalid_reference', message, {
      issues: [{ place: 'body', name: key.field, rule: 'reference', message }],
    });
  }
  return undefined;
}

/** Statuses by which a service refuses a request that names a record which is not there. */
const refusals = new Set(['400', '404', '409', '422', '4XX', 'default']);

function documentsRefusal({ responses }: Operation): boolean {
  return responses.some(({ status }) => refusals.has(status));
}

/** What the contract shows as a good request is one, whatever records there are. */
function isShown(
  value: JsonValue,
  { field, resource }: ForeignKey,
  { requestBody }: Operation,
): boolean {
  const shown = (requestBody?.content ?? []).flatMap(({ schema, examples }) => {
    const [name = '', ...rest] = field.split('.');
    const place = schema?.flatten().properties.get(name);
    const flat =
      place === undefined || schema === undefined
        ? undefined
        : schema.flatten(place.node, place.pointer).node;
    const inner: readonly JsonValue[] =
      rest.length > 0 || flat === undefined ? [] : [flat.default ?? null, ...(flat.examples ?? [])];
    const whole = schema?.flatten().node;
    return [...examples.map((example) => example.value), ...(whole?.examples ?? [])]
      .flatMap((example) => (isJsonObject(example) ? (fieldValue(example, field) ?? []) : []))
      .concat(inner);
  });
  return (
    resource.kind === 'collection' &&
    shown.some((one) =>
      isJsonArray(one) ? one.some((item) => equalJson(item, value)) : equalJson(one, value),
    )
  );
}

async function pointSomewhere(
  record: JsonObject,
  value: JsonValue,
  key: ForeignKey,
  source: ReferenceSource,
): Promise<JsonObject> {
  const { resource, store } = source;
  // What was kept from an earlier record, or stands for a parent, is not the mock's to choose.
  if (
    resource.parents.some(({ field }) => field === key.field) ||
    key.many ||
    (await exists(value, key, source))
  )
    return record;
  const found = await store.query(collectionOfTarget(source, key), {
    where: [],
    order: [],
    offset: 0,
    limit: 1,
  });
  const target = found?.records[0]?.record[key.resource.identifier.field];
  if (target === undefined) return record;
  const pointed = withField(record, key.field.split('.'), target);
  return resource.record.validate(pointed, 'response').length > 0 ? record : pointed;
}
