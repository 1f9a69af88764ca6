import type { Resource } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Store } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../behaviour.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { storeFull } from '../errors/store-full.ts';
import { impossible } from '../generate-body.ts';
import { fillPath, removalOf } from '../lifecycle.ts';
import { proposeIdentifiers } from '../records/assign-identifier.ts';
import { shelfOf, textOf } from '../records/find-record.ts';
import { makeRecord } from '../records/make-record.ts';
import { givenMembers, requestFields } from '../records/request-members.ts';
import { judgeReferences, pointReferences } from '../records/settle-references.ts';
import { showRecord } from '../records/show-record.ts';
import type { Reply } from '../reply.ts';

/**
 * Adds a record under an identifier of the service's making, or the client's where the contract lets it choose. A choice that
 * is taken is a conflict where the client alone can name the record, or where the contract documents one; else the service
 * chooses.
 */
export const create: Behaviour = async (request, resource, store) => {
  const refusal = await judgeReferences(givenMembers(request, resource), { request, resource, store });
  if (refusal !== undefined) return refusal;
  const chosen = chosenIdentifier(request, resource);
  if (chosen !== undefined) {
    const reply = await add(chosen, request, resource, store);
    if (reply !== undefined) return reply;
    if (isClients(request, resource)) return taken(resource, chosen);
  }
  const need = { resource, store, shelf: shelfOf(request, resource), makeId: request.makeId };
  for await (const id of proposeIdentifiers(need)) {
    const reply = await add(id, request, resource, store);
    if (reply !== undefined) return reply;
  }
  return impossible(`no identifier is left that ${resource.identifier.field} may have`, 'Delete records, or reset the mock.');
};

/** The identifier of the body, where the operation declares that member and leaves it to the client. */
function chosenIdentifier(request: ValidRequest, resource: Resource): JsonValue | undefined {
  const { field } = resource.identifier;
  const declared = requestFields(request).get(field);
  const given = givenMembers(request, resource);
  return declared === undefined || declared.readOnly || !Object.hasOwn(given, field) ? undefined : given[field];
}

function isClients(request: ValidRequest, { identifier }: Resource): boolean {
  const required = requestFields(request).get(identifier.field)?.required === true;
  return required || request.plan.operation.responses.some(({ status }) => status === '409');
}

/** The answer, once the record is in; undefined where the identifier is taken. Nothing is kept that cannot be shown. */
async function add(id: JsonValue, request: ValidRequest, resource: Resource, store: Store): Promise<Reply | Fault | undefined> {
  const record = await pointReferences(makeRecord({ request, resource, id }), { request, resource, store });
  const reply = showRecord(request, record, { headers: locate(request, resource, id) });
  if (reply.kind === 'fault') return reply;
  const insertion = await store.insert(shelfOf(request, resource), { id: textOf(id), record });
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
  const filled = fillPath(itemPath, new Map([...path, [parameter, textOf(id)]]));
  return filled === undefined ? [] : [['Location', basePath + filled]];
}
