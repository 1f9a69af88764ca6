import type { Resource } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Behaviour, ValidRequest } from '../behaviour.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { storeFull } from '../errors/store-full.ts';
import { impossible } from '../answer/generate-body.ts';
import { preparePath, removalOf, type FillPath } from '../plan/lifecycle.ts';
import type { OperationPlan } from '../plan/operation-plan.ts';
import { firstIdentifier, otherIdentifiers, type IdentifierNeed } from '../records/assign-identifier.ts';
import { shelfOf, textOf } from '../records/find-record.ts';
import { identifierRules, isReachable } from '../records/identifier-rules.ts';
import { makeRecord } from '../records/make-record.ts';
import { mendRecord } from '../records/mend-record.ts';
import { givenMembers, requestFields } from '../records/request-members.ts';
import { judgeReferences, pointReferences } from '../records/settle-references.ts';
import { showRecord } from '../records/show-record.ts';
import type { Reply } from '../answer/reply.ts';

/**
 * Adds a record under an identifier of the service's making, or the client's where the contract lets it choose. A choice that
 * is taken is a conflict where the client alone can name the record, or where the contract documents one; else the service
 * chooses.
 */
export const create: Behaviour = async (request, resource, store) => {
  const given = givenMembers(request, resource);
  const refusal = resource.foreignKeys.length === 0 ? undefined : await judgeReferences(given, { request, resource, store });
  if (refusal !== undefined) return refusal;
  const creation: Creation = { request, resource, store, shelf: shelfOf(request, resource), given, makeId: request.makeId };
  const chosen = chosenIdentifier(creation);
  if (chosen !== undefined) {
    const reply = await add(chosen, creation);
    if (reply !== undefined) return reply;
    if (isClients(request, resource)) return taken(resource, chosen);
  }
  const first = await firstIdentifier(creation);
  return (first === undefined ? undefined : await add(first, creation)) ?? addSomehow(creation);
};

/** What adding a record takes. */
interface Creation extends IdentifierNeed {
  readonly request: ValidRequest;
  /** The members of the body that the record keeps. */
  readonly given: JsonObject;
}

/** Adds the record under any identifier that is free. */
async function addSomehow(creation: Creation): Promise<Reply | Fault> {
  for await (const id of otherIdentifiers(creation)) {
    const reply = await add(id, creation);
    if (reply !== undefined) return reply;
  }
  return impossible(`no identifier is left that ${creation.resource.identifier.field} may have`, 'Delete records, or reset the mock.');
}

/** The identifier of the body, where the operation declares that member and leaves it to the client. */
function chosenIdentifier({ request, resource, given }: Creation): JsonValue | undefined {
  const { field } = resource.identifier;
  const declared = requestFields(request).get(field);
  if (declared === undefined || declared.readOnly || !Object.hasOwn(given, field)) return undefined;
  // What no path can carry could never be read: the service chooses, where it may.
  const chosen = given[field];
  return chosen !== undefined && (isReachable(identifierRules(resource), chosen) || isClients(request, resource)) ? chosen : undefined;
}

function isClients(request: ValidRequest, { identifier }: Resource): boolean {
  const required = requestFields(request).get(identifier.field)?.required === true;
  return required || request.plan.operation.responses.some(({ status }) => status === '409');
}

/** The answer, once the record is in; undefined where the identifier is taken. Nothing is kept that cannot be shown. */
async function add(id: JsonValue, { request, resource, store, shelf, given }: Creation): Promise<Reply | Fault | undefined> {
  const made = mendRecord(makeRecord({ request, resource, id, given }), { request, resource });
  const record = resource.foreignKeys.length === 0 ? made : await pointReferences(made, { request, resource, store });
  const reply = showRecord(request, record, { headers: locate(request, resource, id) });
  if (reply.kind === 'fault') return reply;
  const insertion = await store.insert(shelf, { id: textOf(id), record });
  if (insertion === 'full') return storeFull(resource);
  return insertion === 'inserted' ? reply : undefined;
}

function taken({ identifier, name }: Resource, id: JsonValue): Fault {
  return makeFault('conflict', 'conflict', `A record of ${name} has the ${identifier.field} ${textOf(id)} already. Choose another.`);
}

/** Where the record can be read (RFC 9110, section 15.3.2), as long as it can be. */
function locate({ plan, basePath, path, now }: ValidRequest, { operations, identifier, itemPath }: Resource, id: JsonValue): HeaderList {
  const reader = operations.read;
  const removed = reader && removalOf(reader);
  if (plan.status !== 201 || reader === undefined || itemPath === undefined || (removed !== undefined && now >= removed)) return [];
  const parameter = identifier.parameter ?? identifier.field;
  const filled = itemPathOf(plan, itemPath)((name) => (name === parameter ? textOf(id) : path.get(name)));
  return filled === undefined ? [] : [['Location', basePath + filled]];
}

const itemPaths = new WeakMap<OperationPlan, FillPath>();

function itemPathOf(plan: OperationPlan, itemPath: string): FillPath {
  const known = itemPaths.get(plan);
  if (known !== undefined) return known;
  const prepared = preparePath(itemPath);
  itemPaths.set(plan, prepared);
  return prepared;
}
