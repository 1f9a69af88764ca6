import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { singularOf, plainName } from '../../contract/infer/infer-names.ts';
import type { Clearing, Operation, Parameter } from '../../contract/model.ts';
import {
  type Dependents,
  dependentsOf,
  endsParts,
  stateLeft,
} from '../../contract/words/read-dependents.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray } from '../../json/value.ts';
import { type Condition, type Query, type StoredRecord, whenReady } from '../../store/store.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Acting, Behaviour, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { clearReferences } from '../records/clear-references.ts';
import { among, recordsWhere } from '../records/collections-below.ts';
import { collectionName, isView } from '../records/collection-name.ts';
import {
  findRecord,
  notFound,
  oncePerPlan,
  removeChildren,
  collectionOf,
} from '../records/find-record.ts';
import { staleTag } from '../records/patch/stale-tag.ts';
import { parentTexts, parentConditions, wasMadeBelow } from '../records/parent-fields.ts';
import { readQuery } from '../records/read-query.ts';
import { showRecord } from '../records/show/present-record.ts';
import { parameterKey } from '../request/read-request.ts';
import { showMany } from './create-many.ts';

/**
 * Deletes a record and everything below it; if the contract documents a body, returns the deleted
 * record.
 */
export const remove: Behaviour = async (on) => {
  const { request, resource, store } = on;
  const found = await findRecord(on);
  if (found.kind === 'fault') return found;
  const stale = staleTag(request, resource, found.record);
  if (stale !== undefined) return stale;
  const kept = isForced(request) ? undefined : await keptByOthers(found, on);
  if (kept !== undefined) return kept;
  const reply = showRecord(request, found.record);
  if (reply.kind === 'fault') return reply;
  if (!(await store.delete(collectionOf(request, resource), found.id)))
    return notFound(resource, found.id);
  await removeChildren(request, found.id, store);
  await settleNaming(found, on);
  await clearReferences(found, on);
  const own = request.plan.role?.ownParts;
  if (own?.ends === true) await removeParts(found, own.field, on);
  return reply;
};

/** Whether a deletion takes along what would keep the record from being deleted. */
function isForced({ plan, parameters }: ValidRequest): boolean {
  const force = cascadeParameter(plan.operation);
  return force !== undefined && parameters.get(parameterKey(force)) === true;
}

/** The records elsewhere that name a deleted one: they end with it, or get the state that is told. */
const namingDeleted = oncePerPlan(({ operation, contract }, { collection }) =>
  contract.resources.flatMap((child) => {
    const key = child.foreignKeys.find(
      ({ resource, many }) => !many && resource.collection === collection,
    );
    if (key === undefined || isView(child)) return [];
    const ends = endsParts(operation, singularOf(lastWord(child.collectionPath)));
    const state = stateLeft(operation, child);
    return ends || state !== undefined ? [{ child, field: key.field, ends, state }] : [];
  }),
);

async function settleNaming(
  { id, record }: StoredRecord,
  { request, resource, store }: Acting,
): Promise<void> {
  const values = [record[resource.identifier.field] ?? id];
  for (const { child, field, ends, state } of namingDeleted(request.plan, resource)) {
    const collection = { session: request.session, name: child.collection };
    for (const part of await recordsWhere(store, collection, [among(field, values)]))
      if (ends) await store.delete(collection, part.id);
      else if (state !== undefined)
        await store.replace(collection, {
          id: part.id,
          record: { ...part.record, [state.field]: state.value },
        });
  }
}

/** Removes the records of the same kind that name a deleted one, and those that name these. */
async function removeParts({ id, record }: StoredRecord, field: string, on: Acting): Promise<void> {
  const { request, resource, store } = on;
  const collection = collectionOf(request, resource);
  const values = [record[resource.identifier.field] ?? id];
  for (const part of await recordsWhere(store, collection, [among(field, values)]))
    if (await store.delete(collection, part.id)) await removeParts(part, field, on);
}

/**
 * The refusal of a deletion by records that belong to the record, where the contract documents
 * that. Words that leave some of them out keep nothing, unless they name a state.
 */
async function keptByOthers(
  { id, record }: StoredRecord,
  { request, resource: { collection, identifier, name, parents }, store }: Acting,
): Promise<Fault | undefined> {
  const { session, plan } = request;
  for (const { child, only, isOpen } of plan.derive(dependentsIn)) {
    if (isOpen || (isView(child) && child.foreignKeys.length === 0)) continue;
    // What stands below the record belongs to it, whatever else it refers to.
    const isBelow = !isView(child) && child.parents.at(-1)?.resource?.collection === collection;
    const key = child.foreignKeys.find(
      ({ resource }) => !isBelow && resource.collection === collection,
    );
    const texts = [...parentTexts(request, { parents }), id];
    const where: Condition[] = [
      ...(only === undefined ? [] : [among(only.field, only.values)]),
      ...(key === undefined ? [] : [among(key.field, [record[identifier.field] ?? id])]),
    ];
    const within = key === undefined ? collectionName(child, texts) : child.collection;
    const [found] = await recordsWhere(store, { session, name: within }, where, 1);
    if (found !== undefined)
      return makeFault(
        'state',
        'conflict',
        `The record of ${name} has ${child.name}. Delete those first.`,
      );
  }
  return undefined;
}

/** What keeps the records of an operation from being deleted. */
function dependentsIn({ operation, role, contract }: OperationPlan): readonly Dependents[] {
  return role ? dependentsOf(operation, role.resource, contract.resources) : [];
}

/** Returns a record; what the contract describes, if clients cannot learn which there are. */
export const read: Behaviour = (on) =>
  whenReady(findRecord(on), (found) => {
    if (found.kind === 'found') return showRecord(on.request, found.record);
    return hidesIdentifiers(on.resource) ? answerFromContract(on.request) : found;
  });

/**
 * Removes the records of a collection that query and body select, by default all, with the records
 * below them.
 */
export const clear: Behaviour = async ({ request, resource, store }) => {
  const clearing = request.plan.derive(clearingIn);
  const query = clearing && chosenBy(request, clearing);
  if (clearing === undefined || query === undefined) return answerFromContract(request);
  const collection = collectionOf(request, resource);
  const found = (await store.query(collection, query))?.records ?? [];
  // What other parents show too is not removed below one of them.
  const records =
    resource.sharing === 'assumed'
      ? found.filter(({ record }) => wasMadeBelow(record, request, resource) === true)
      : found;
  const asked = clearing.named && request.parameters.get(parameterKey(clearing.named));
  const isMissing = asked !== undefined && isJsonArray(asked) && records.length < asked.length;
  if (
    ((records.length === 0 && choosesSome(query, request, clearing)) || isMissing) &&
    request.plan.operation.responses.some(({ status }) => status === '404')
  ) {
    return makeFault(
      'not-found',
      'not_found',
      `${records.length > 0 ? 'Not every named' : 'No'} record of ${resource.name} matches, ` +
        'so that none was removed.',
    );
  }
  const reply = showMany(
    records.map(({ record }) => record),
    { request, resource, shows: clearing.shows },
  );
  if (reply.kind === 'fault') return reply;
  for (const { id } of records)
    if (await store.delete(collection, id)) await removeChildren(request, id, store);
  return reply;
};

/** Which records an operation removes at once. */
function clearingIn({ operation, contract }: OperationPlan): Clearing | undefined {
  const placement = contract.inference.placementOf(operation);
  const action = placement?.kind === 'bulk' ? placement.action : undefined;
  return action?.does === 'clear' ? action : undefined;
}

/** The records to remove; undefined if the request has a condition with an unknown meaning. */
function chosenBy(
  request: ValidRequest,
  { shape, unread, identifiers, resource }: Clearing,
): Query | undefined {
  const { parameters, body } = request;
  if (unread.some((parameter) => parameters.has(parameterKey(parameter)))) return undefined;
  const query = readQuery(request, resource, shape);
  if (body === undefined) return query;
  const values = identifiers === undefined ? undefined : valueAt(body, identifiers);
  return isJsonArray(values)
    ? { ...query, where: [...query.where, among(resource.identifier.field, values)] }
    : undefined;
}

/** Whether the request has a condition besides its path. */
function choosesSome(
  { where, search }: Query,
  request: ValidRequest,
  { resource }: Clearing,
): boolean {
  return search !== undefined || where.length > parentConditions(request, resource).length;
}

/**
 * The boolean query parameter `force` of a deletion: with it, the records below go too, which
 * keep the record from being deleted without it (Google AIP-135, "Cascading delete").
 */
function cascadeParameter({ method, parameters }: Operation): Parameter | undefined {
  if (method !== 'DELETE') return undefined;
  return parameters.find(
    ({ in: location, name, schema }) =>
      location === 'query' &&
      plainName(name) === 'force' &&
      schema.flatten().types.every((type) => type === 'boolean'),
  );
}
