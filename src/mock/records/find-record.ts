import { pathKey } from '../../contract/infer/conventions/path-styles.ts';
import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import { oncePer } from '../../contract/lazy.ts';
import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { MaybePromise, Collection, Store, StoredRecord } from '../../store/store.ts';
import { whenReady } from '../../store/store.ts';
import type { Acting, Asking, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { keyOf } from './identifier/full-name.ts';
import { isBelow, parentTexts, withParentTexts } from './parent-fields.ts';
import { among, recordsWhere } from './collections-below.ts';
import { isView, otherSpellings, collectionName, parentCollection } from './collection-name.ts';

/** Memoises a function of an operation's plan and a resource. The plan holds the result. */
export function oncePerPlan<Made>(
  read: (plan: OperationPlan, resource: Resource) => Made,
): (plan: OperationPlan, resource: Resource) => Made {
  return oncePer(read);
}

/** The collection of a request's records: of its session, and of the parents in its path. */
export function collectionOf(request: ValidRequest, resource: Resource): Collection {
  return {
    session: request.session,
    name:
      resource.parents.length === 0
        ? resource.collection
        : collectionName(resource, parentTexts(request, resource)),
  };
}

/** The identifier in a request, as text for the store and as the value in the record. */
interface NamedRecord {
  readonly id: string;
  readonly value: JsonValue;
}

/**
 * The record that a request identifies: by its path, or by its body or query if the path is that of
 * the collection.
 */
export function namedRecord(request: ValidRequest, resource: Resource): NamedRecord {
  const { kind, identifier } = resource;
  if (kind === 'singleton') return { id: onlyRecord, value: onlyRecord };
  const { parameters, path, plan } = request;
  const name = plan.recordParameter;
  const value =
    (name === undefined
      ? valueNamed(request, identifier.field)
      : (parameters.get(`path ${name}`) ?? path.get(name))) ?? unnamed;
  return { id: name === undefined ? keyOf(resource, value) : textOf(value), value };
}

function valueNamed(
  { body, parameters, plan: { role } }: ValidRequest,
  field: string,
): JsonValue | undefined {
  const { in: location, name } = role?.by ?? { in: 'body', name: field };
  if (location === 'query') return parameters.get(`query ${name}`);
  if (!isJsonObject(body)) return undefined;
  if (Object.hasOwn(body, name)) return body[name];
  // The record may be in an envelope.
  const inside = Object.values(body).filter(
    (member) => isJsonObject(member) && Object.hasOwn(member, name),
  );
  return inside.length === 1 && isJsonObject(inside[0]) ? inside[0][name] : undefined;
}

/** The text if a request names no record. */
const unnamed = '';

function namesNothing(
  { plan: { role } }: ValidRequest,
  { identifier: { field }, name }: Resource,
): Fault {
  const { in: location, name: member } = role?.by ?? { in: 'body' as const, name: field };
  const what = location === 'body' ? 'property' : 'parameter';
  const message =
    `The ${location} must have the ${what} ${member}: nothing else says which ` +
    `record of ${name} is meant.`;
  return makeFault('body-value', 'missing_field', message, {
    issues: [{ location, name: member, rule: 'required', message }],
  });
}

/** The text of an identifier: an integer in decimal form with every digit. */
export function textOf(id: JsonValue): string {
  return typeof id === 'string' ? id : String(id);
}

/** The requested record, or the fault that it does not exist. */
type Found =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly value: JsonValue;
      readonly record: JsonObject;
    }
  | Fault;

/** Finds the requested record among those of its parents. */
export function findRecord({ request, resource, store }: Acting): MaybePromise<Found> {
  const { id, value } = namedRecord(request, resource);
  if (value === unnamed) return namesNothing(request, resource);
  const collection = collectionOf(request, resource);
  const { field, others = [] } = resource.identifier;
  const isSecondKey = resource.shows !== undefined && resource.shows.identifier.field !== field;
  const named = isSecondKey
    ? getByOther(collection, { others: [field, ...others], value }, store)
    : whenReady(
        getRecord(collection, id, store),
        (kept) => kept ?? getByOther(collection, { others, value }, store),
      );
  return whenReady(named, (kept) =>
    kept === undefined || !isBelow(kept.record, request, resource)
      ? notFound(resource, id)
      : { kind: 'found', value, ...kept },
  );
}

/** The same with the record that the request names, as it is before it is changed. */
export function withEarlier(on: Acting): MaybePromise<Acting> {
  if (on.earlier !== undefined || on.request.plan.recordParameter === undefined) return on;
  return whenReady(findRecord(on), (found) =>
    found.kind === 'found' ? { ...on, earlier: found.record } : on,
  );
}

/** A value that a path holds, and the fields of which one may have it. */
interface OtherKey {
  readonly others: readonly string[];
  readonly value: JsonValue;
}

/** The record by another field, if a path may hold more than the identifier. */
export function getByOther(
  collection: Collection,
  { others: [field, ...others], value }: OtherKey,
  store: Store,
): MaybePromise<StoredRecord | undefined> {
  if (field === undefined) return undefined;
  const found = recordsWhere(store, collection, [among(field, [value])], 1);
  return whenReady(found, ([record]) => record ?? getByOther(collection, { others, value }, store));
}

/** The record of a collection that a value names, by its identifier or another of its keys. */
export function recordCalled(
  resource: Resource,
  { collection, value }: { readonly collection: Collection; readonly value: JsonValue },
  store: Store,
): MaybePromise<StoredRecord | undefined> {
  const { others = [] } = resource.identifier;
  return whenReady(
    getRecord(collection, keyOf(resource, value), store),
    (record) => record ?? getByOther(collection, { others, value }, store),
  );
}

/**
 * The record with an identifier in any spelling, and its stored identifier; undefined if there is
 * none.
 */
export function getRecord(
  collection: Collection,
  id: string,
  store: Store,
): MaybePromise<StoredRecord | undefined> {
  return whenReady(store.get(collection, id), (record) =>
    record === undefined ? getOther(collection, otherSpellings(id), store) : { id, record },
  );
}

function getOther(
  collection: Collection,
  [id, ...others]: readonly string[],
  store: Store,
): MaybePromise<StoredRecord | undefined> {
  if (id === undefined) return undefined;
  return whenReady(store.get(collection, id), (record) =>
    record === undefined ? getOther(collection, others, store) : { id, record },
  );
}

/** The record below which the path of an operation that belongs to no resource stands. */
export function recordAbove({
  request,
  store,
}: Asking): MaybePromise<(StoredRecord & { readonly collection: Collection }) | undefined> {
  const { above } = request.plan;
  const texts = parentTexts(request, { parents: above });
  const [resource, named] = [above.at(-1)?.resource, texts.at(-1)];
  if (resource === undefined || named === undefined) return undefined;
  const name = collectionName(resource, texts.slice(0, -1));
  const collection = { session: request.session, name };
  const kept = recordCalled(resource, { collection, value: named }, store);
  return whenReady(kept, (found) => found && { collection, id: found.id, record: found.record });
}

/** The operation that makes the records of a role, which may stand below their parents. */
export function creationIn({ role, contract }: OperationPlan): Operation | undefined {
  const { resource } = role ?? {};
  if (resource === undefined || resource.operations.create !== undefined)
    return resource?.operations.create;
  const same = contract.resources.filter(({ collection }) => collection === resource.collection);
  return same.find(({ operations }) => operations.create !== undefined)?.operations.create;
}

/** The fault for an identifier without a record. */
export function notFound(resource: Resource, id: string): Fault {
  const { kind, identifier, name } = resource;
  const message =
    kind === 'singleton'
      ? `There is no ${name}.`
      : `No record of ${name} has the ${identifier.field} ${quoteExcerpt(id)}.`;
  return makeFault('not-found', 'not_found', message, { missing: resource });
}

/** The key of the record of a singleton, which has no identifier. */
export const onlyRecord = 'only';

/** Removes everything below a deleted record of the resource that a request changes. */
export async function removeChildren(
  request: ValidRequest,
  id: string,
  store: Store,
): Promise<void> {
  const family = request.plan.derive(familyIn);
  if (family === undefined) return;
  const texts = [...parentTexts(request, family.keeper), id];
  await removeBelow({ session: request.session, texts }, family, store);
}

function familyIn({ role, contract }: OperationPlan): RecordFamily | undefined {
  return role && familyOf(role.resource, contract);
}

/** The resource that stores the records, and the resources below it. */
export interface RecordFamily {
  readonly keeper: Resource;
  readonly others: readonly Resource[];
}

/**
 * Removes everything below a deleted record, so that a later record with its identifier starts
 * empty. Records that are only shown there stay in their own collection.
 */
export async function removeBelow(
  { session, texts }: { readonly session: string; readonly texts: readonly string[] },
  { keeper, others }: RecordFamily,
  store: Store,
): Promise<void> {
  for (const below of others) {
    if (isView(below) || below.parents.at(-1)?.resource?.name !== keeper.name) continue;
    const collection = { session, name: collectionName(below, texts) };
    for (const { id } of await store.list(collection)) {
      await store.delete(collection, id);
      await removeBelow({ session, texts: [...texts, id] }, { keeper: below, others }, store);
    }
  }
}

/** The family of a resource by its paths, without reading other parts of the contract. */
export function familyOf(
  resource: Resource,
  { operations, inference }: Pick<Contract, 'operations' | 'inference'>,
): RecordFamily {
  const keeper = isView(resource) ? (inference.named(resource.collection) ?? resource) : resource;
  const { itemPath } = keeper;
  if (itemPath === undefined) return { keeper, others: [] };
  const under = operations.filter((operation) =>
    pathKey(inference.pathOf(operation)).startsWith(`${pathKey(itemPath)}/`),
  );
  const placements = under.map((operation) => inference.placementOf(operation));
  return {
    keeper,
    others: [
      ...new Set(
        placements.flatMap((placement) =>
          placement?.kind === 'resource' ? [placement.resource] : [],
        ),
      ),
    ],
  };
}

/**
 * The request with its parents as their parts name them, whichever key the path has for them; the
 * fault if one of them is missing. Parents that the contract does not determine stay.
 */
export async function belowKnown(on: Acting): Promise<Acting | Fault> {
  const { request, resource, store } = on;
  const given = parentTexts(request, resource);
  const texts = await knownParents(given, resource, { session: request.session, store });
  return isFault(texts) ? texts : { ...on, request: withParentTexts(request, resource, texts) };
}

/** Where parents are looked for. */
interface ParentSource {
  readonly session: string;
  readonly store: Store;
}

/**
 * The missing parent of a resource, of those given outermost first; undefined if none is missing.
 */
export async function missingAmong(
  texts: readonly string[],
  resource: Pick<Resource, 'parents'>,
  source: ParentSource,
): Promise<Fault | undefined> {
  const known = await knownParents(texts, { ...resource, foreignKeys: [] }, source);
  return isFault(known) ? known : undefined;
}

async function knownParents(
  given: readonly string[],
  { parents, foreignKeys }: Pick<Resource, 'parents' | 'foreignKeys'>,
  { session, store }: ParentSource,
): Promise<readonly string[] | Fault> {
  const texts = [...given];
  for (const [index, { resource: parent, field }] of parents.entries()) {
    const text = texts[index];
    const name = parentCollection(parents, index, texts);
    if (text === undefined || !name || !parent || !hasKnownRecords(parent)) continue;
    const collection = { session, name };
    const { identifier } = parent;
    const others = { others: identifier.others ?? [], value: text };
    const found = await getRecord(collection, text, store);
    const named = found ?? (await getByOther(collection, others, store));
    if (named === undefined) return notFound(parent, text);
    const by = foreignKeys.find((key) => key.field === field)?.by ?? identifier.field;
    const held = by === identifier.field ? named.id : fieldValue(named.record, by);
    if ((found === undefined || by !== identifier.field) && held !== undefined)
      texts[index] = textOf(held);
  }
  return texts;
}

function isFault(value: readonly string[] | Fault): value is Fault {
  return 'kind' in value;
}
