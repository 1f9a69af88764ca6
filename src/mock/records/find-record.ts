import { pathKey } from '../../contract/infer/path-groups.ts';
import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import type { Contract, Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  type MaybePromise,
  type Collection,
  type Store,
  type StoredRecord,
  whenReady,
} from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { RecordFamily } from '../model/operation-plan.ts';
import { isBelow, parentTexts } from './parent-fields.ts';
import { isView, otherSpellings, collectionName } from './collection-name.ts';

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

/** The record in a request's path, or in its body if the path is that of the collection. */
export function namedRecord(request: ValidRequest, { kind, identifier }: Resource): NamedRecord {
  if (kind === 'singleton') return { id: onlyRecord, value: onlyRecord };
  const { parameters, path, plan, body } = request;
  const name = plan.recordParameter;
  const inBody =
    name === undefined && isJsonObject(body) && Object.hasOwn(body, identifier.field)
      ? body[identifier.field]
      : undefined;
  const value =
    (name === undefined ? inBody : (parameters.get(`path ${name}`) ?? path.get(name))) ?? unnamed;
  return { id: textOf(value), value };
}

/** The text if a request names no record. */
const unnamed = '';

function namesNothing({ identifier: { field }, name }: Resource): Fault {
  const message =
    `The body must have the property ${field}: nothing else says which ` +
    `record of ${name} is meant.`;
  return makeFault('body-value', 'missing_field', message, {
    issues: [{ place: 'body', name: field, rule: 'required', message }],
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
export function findRecord(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<Found> {
  const { id, value } = namedRecord(request, resource);
  if (value === unnamed) return namesNothing(resource);
  return whenReady(getRecord(collectionOf(request, resource), id, store), (kept) =>
    kept === undefined || !isBelow(kept.record, request, resource)
      ? notFound(resource, id)
      : { kind: 'found', value, ...kept },
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

/** The fault for an identifier without a record. */
export function notFound({ kind, identifier, name }: Resource, id: string): Fault {
  const message =
    kind === 'singleton'
      ? `There is no ${name} any more: it was deleted.`
      : `No record of ${name} has the ${identifier.field} ${quoteExcerpt(id)}.`;
  return makeFault('not-found', 'not_found', message);
}

/** The key of the record of a singleton, which has no identifier. */
export const onlyRecord = 'only';

/** A deleted record: its session, and the identifiers of its parents and itself. */
interface RemovedRecord {
  readonly session: string;
  readonly texts: readonly string[];
}

/**
 * Removes everything below a deleted record, so that a later record with its identifier starts
 * empty. Records that are only shown there stay in their own collection.
 */
export async function removeBelow(
  { session, texts }: RemovedRecord,
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
  const under = operations.filter(({ path }) => pathKey(path).startsWith(`${pathKey(itemPath)}/`));
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
 * The fault for a path below a missing record. Undefined if all parents exist, or if the contract
 * does not determine them.
 */
export async function findMissingParent(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): Promise<Fault | undefined> {
  return resource.parents.length === 0
    ? undefined
    : missingAmong(parentTexts(request, resource), resource, { session: request.session, store });
}

/**
 * The missing parent of a resource, of those given outermost first; undefined if none is missing.
 */
export async function missingAmong(
  texts: readonly string[],
  resource: Pick<Resource, 'parents'>,
  { session, store }: { readonly session: string; readonly store: Store },
): Promise<Fault | undefined> {
  for (const [index, { resource: parent }] of resource.parents.entries()) {
    const id = texts[index];
    if (id === undefined || parent === undefined || !hasKnownRecords(parent)) continue;
    const collection = collectionName(parent, texts.slice(0, index));
    if ((await getRecord({ session, name: collection }, id, store)) === undefined)
      return notFound(parent, id);
  }
  return undefined;
}
