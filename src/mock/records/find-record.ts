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

/**
 * The collection in which the records of a request stand: those of its session, and of the parents
 * that its path names.
 */
export function collectionOf(request: ValidRequest, resource: Resource): Collection {
  return {
    session: request.session,
    name:
      resource.parents.length === 0
        ? resource.collection
        : collectionName(resource, parentTexts(request, resource)),
  };
}

/** The identifier that a request names, as records are found by it, and as the record holds it. */
interface NamedRecord {
  readonly id: string;
  readonly value: JsonValue;
}

/** The record that a request's path names, or its body where the path is that of the collection. */
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

/** What a request names that names no record. */
const unnamed = '';

function namesNothing({ identifier: { field }, name }: Resource): Fault {
  const message =
    `The body must have the property ${field}: nothing else says which ` +
    `record of ${name} is meant.`;
  return makeFault('body-value', 'missing_field', message, {
    issues: [{ place: 'body', name: field, rule: 'required', message }],
  });
}

/** The text of an identifier: that of an integer is its decimal form, every digit of it. */
export function textOf(id: JsonValue): string {
  return typeof id === 'string' ? id : String(id);
}

/** The record that a path names, or the fault that there is none. */
type Found =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly value: JsonValue;
      readonly record: JsonObject;
    }
  | Fault;

/** Finds the record that a request names, among those of its parents. */
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
 * The record of an identifier, however that is spelt, and the identifier as it is kept; undefined
 * where there is none.
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

/** Says that no record has an identifier. */
export function notFound({ kind, identifier, name }: Resource, id: string): Fault {
  const message =
    kind === 'singleton'
      ? `There is no ${name} any more: it was deleted.`
      : `No record of ${name} has the ${identifier.field} ${quoteExcerpt(id)}.`;
  return makeFault('not-found', 'not_found', message);
}

/**
 * The one record of a singleton has no identifier of its own; this is the one by which it is kept.
 */
export const onlyRecord = 'only';

/**
 * A record that is gone: its session, and the texts of what it stood below with its own at the end.
 */
interface RemovedRecord {
  readonly session: string;
  readonly texts: readonly string[];
}

/**
 * Removes what stood below a record that is gone, at any depth: a record that is given its
 * identifier later starts with nothing below it. Records that are only shown there are kept
 * elsewhere, and stay.
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

/**
 * The family of a resource, found by its paths: resources elsewhere in the contract are not looked
 * at.
 */
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
 * Why there is nothing at a path below a record: that record does not exist, or one above it.
 * Undefined where all do, or where the contract does not let anybody know which there are.
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
 * Which of the records that are named as parents of a resource, outermost first, does not exist;
 * undefined where all do, or may.
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
