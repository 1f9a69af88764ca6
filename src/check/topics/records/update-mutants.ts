import { splitTarget } from '../../../http/target.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { isJsonMediaType, readJson } from '../../../http/media-type.ts';
import { headerValue, type HttpRequest, type HttpResponse } from '../../../http/message.ts';
import { isJsonObject, membersWhere } from '../../../json/value.ts';
import { editJson, setHeader, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import {
  type ListPlace,
  editRecords,
  listsOf,
  pageSize,
  queryOf,
} from '../../mutants/list-place.ts';
import type { Mutator, Plant, ServiceReply } from '../../mutants/mutant.ts';
import { whyUnseen } from '../../mutants/places.ts';
import type { ActionPlace } from '../../mutants/state-edits.ts';
import {
  actions,
  isOfReadable,
  keepsReadable,
  losing,
  readFirst,
  recordAt,
  succeeded,
} from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

const updates = (contract: Contract): ActionPlace[] =>
  actions(contract, 'update').filter(isOfReadable);

/** Whether a body allows null for some member. */
function takesNull({ requestBody }: Operation): boolean {
  return (
    requestBody?.content.some(
      ({ mediaType, schema }) =>
        isJsonMediaType(mediaType) &&
        schema !== undefined &&
        [...schema.flatten().properties.values()].some((place) =>
          schema.flatten(place).types.includes('null'),
        ),
    ) === true
  );
}

/** Replaces the whole record by its required members and those of the update. */
function droppingRest({ resource }: ActionPlace): Plant {
  const { replace } = resource.operations;
  const media = replace?.requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const { required, properties } = media?.schema?.flatten() ?? {};
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const body = readJson(request);
    if (
      !succeeded(reply.response) ||
      !isJsonObject(body) ||
      replace === undefined ||
      media === undefined
    )
      return reply;
    const record = await recordAt(service, request);
    if (record === undefined) return reply;
    const known = membersWhere(record, (name) => properties?.has(name) === true);
    const kept = membersWhere(
      known,
      (name) => required?.has(name) === true || Object.hasOwn(body, name),
    );
    const bare = {
      ...request,
      method: replace.method,
      headers: request.headers.filter(([name]) => !/^(content-|if-)/i.test(name)),
    };
    const labelled = setHeader(setHeader(bare, 'Content-Type', media.mediaType), 'If-Match', '*');
    const dropped = await service.respond(withJson(labelled, kept));
    if (succeeded(dropped.response) && Object.keys(kept).length < Object.keys(known).length)
      fired();
    return reply;
  };
}

/** The read or the list that shows the records of a deletion. */
interface Deletion extends Place {
  readonly deletes: Operation;
}

/**
 * A service that deletes records, and whose read or list shows them as they were. `show` gets the
 * responses to reads of the deleted records, by their paths; undefined leaves a response unchanged.
 */
function showingDeleted(
  { deletes, operation }: Deletion,
  show: (
    gone: ReadonlyMap<string, HttpResponse>,
    request: HttpRequest,
    reply: ServiceReply,
  ) => HttpResponse | undefined,
): Plant {
  return (service, fired) => {
    const gone = new Map<string, HttpResponse>();
    return async (request) => {
      const requested = service.operationOf(request);
      const before = requested === deletes ? await readFirst(service, request) : undefined;
      const reply = await service.respond(request);
      if (before !== undefined && succeeded(reply.response))
        gone.set(splitTarget(request.target).path, before);
      const response = requested === operation ? show(gone, request, reply) : undefined;
      if (response === undefined) return reply;
      fired();
      return { ...reply, response };
    };
  };
}

/**
 * The list with the deleted records at its end, the last one first, if it has room for them and is
 * not filtered.
 */
function withDeleted(
  place: ListPlace,
  gone: ReadonlyMap<string, HttpResponse>,
  { request, response }: { readonly request: HttpRequest; readonly response: HttpResponse },
): HttpResponse | undefined {
  const isFiltered = place.list.filters.some(
    ({ parameter }) => queryOf(request, parameter.name) !== undefined,
  );
  const prefix = `${splitTarget(request.target).path}/`;
  const records = [...gone]
    .filter(([path]) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
    .flatMap(([, shown]) => readJson(shown) ?? [])
    .reverse();
  if (isFiltered || records.length === 0) return undefined;
  const size = pageSize(request, place.list);
  return editJson(response, (body) =>
    editRecords(body, place, (listed) =>
      listed.length < size ? [...listed, ...records].slice(0, size) : undefined,
    ),
  );
}

/** Mutations of partial updates (RFC 7396), and of what later requests show. */
export const updateMutators: readonly Mutator[] = [
  mutant('drops-rest', {
    rule: 'An update removes the fields that it does not name.',
    where: (contract) =>
      updates(contract).filter(({ resource }) => resource.operations.replace !== undefined),
    says: 'removes the fields that it does not name',
    act: droppingRest,
  }),
  mutant('keeps-nulled', {
    rule: 'An update that sets a field to null leaves it unchanged.',
    where: (contract) => updates(contract).filter(({ operation }) => takesNull(operation)),
    says: 'ignores fields that are set to null',
    request: (request) => {
      const type = headerValue(request.headers, 'content-type') ?? '';
      if (type.includes('json-patch')) return undefined;
      return editJson(request, (body) =>
        isJsonObject(body) && Object.values(body).includes(null)
          ? membersWhere(body, (_name, value) => value !== null)
          : undefined,
      );
    },
  }),
  mutant('reads-deleted', {
    rule: 'A deleted record can still be read, and is in no list.',
    where: (contract) =>
      deletions(contract)
        .filter(({ resource }) => !keepsReadable(contract, resource))
        .map(({ read, operation }) => ({ operation: read, deletes: operation })),
    says: 'shows deleted records',
    plant: (deletion) =>
      showingDeleted(deletion, (gone, request, { response }) =>
        response?.status === 404 ? gone.get(splitTarget(request.target).path) : undefined,
      ),
  }),
  mutant('lists-deleted', {
    rule: 'A deleted record is still in the list, and cannot be read.',
    where: (contract) =>
      deletions(contract).flatMap(({ resource, operation }) =>
        listsOf(contract)
          .filter((list) => list.resource === resource)
          .map((list) => ({ ...list, deletes: operation })),
      ),
    says: 'has deleted records',
    hidden: ({ operation, list }) => whyUnseen(operation, list, 'a deleted one is requested'),
    plant: (deletion) =>
      showingDeleted(deletion, (gone, request, { response }) =>
        response?.status === 200 ? withDeleted(deletion, gone, { request, response }) : undefined,
      ),
  }),
  mutant('loses-action', {
    rule: 'An action on a record reports the state that it sets, and the state is as before.',
    where: ({ inference }) =>
      inference.actions.filter(
        ({ sets, resource }) => sets !== undefined && resource.operations.read !== undefined,
      ),
    says: 'leaves the state as it was',
    plant: losing,
  }),
];

/** The deletions of records that the same path shows. */
function deletions(contract: Contract): (ActionPlace & { readonly read: Operation })[] {
  return actions(contract, 'delete').flatMap((place) => {
    const { read } = place.resource.operations;
    return read?.path === place.operation.path ? [{ ...place, read }] : [];
  });
}
