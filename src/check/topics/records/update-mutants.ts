import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import {
  emptyBody,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  withHeader,
} from '../../../http/message.ts';
import { isSuccess } from '../../../http/status.ts';
import { defined, isJsonObject } from '../../../json/value.ts';
import {
  forOperation,
  type Mutation,
  type Mutator,
  type Reply,
  type Respond,
  type Service,
} from '../../mutants/mutant.ts';
import { editRequests, readJson, withJson } from '../../mutants/edit-service.ts';
import { whyUnseen } from '../../mutants/places.ts';
import {
  editRecords,
  type ListPlace,
  listsOf,
  pageSize,
  queryOf,
} from '../../mutants/list-place.ts';
import { type ActionPlace, actions, losing, succeeded } from '../../mutants/state-edits.ts';

const maxOfKind = 3;

interface Updatable {
  readonly resource: Resource;
  readonly update: Operation;
}

function updatable({ resources }: Contract): Updatable[] {
  return resources.flatMap((resource) => {
    const { create, read, update } = resource.operations;
    return resource.kind !== 'collection' ||
      create === undefined ||
      read === undefined ||
      update === undefined
      ? []
      : [{ resource, update }];
  });
}

/** Whether a body allows null for some member. */
function takesNull({ requestBody }: Operation): boolean {
  return (
    requestBody?.content.some(
      ({ mediaType, schema }) =>
        isJsonMediaType(mediaType) &&
        schema !== undefined &&
        [...schema.flatten().properties.values()].some(({ node, pointer }) =>
          schema.flatten(node, pointer).types.includes('null'),
        ),
    ) === true
  );
}

/** Replaces the whole record by its required members and those of the update. */
function droppingRest({
  operations: { read, replace },
}: Resource): (service: Service, fired: () => void) => Respond {
  const media = replace?.requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const required = media?.schema?.flatten().required ?? new Set<string>();
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const body = readJson(request);
    if (
      reply.response === undefined ||
      !isSuccess(reply.response.status) ||
      !isJsonObject(body) ||
      read === undefined ||
      replace === undefined ||
      media === undefined
    )
      return reply;
    const bare = request.headers.filter(([name]) => !/^(content-|if-)/i.test(name));
    const before = await service.respond({
      ...request,
      method: read.method,
      headers: bare,
      body: emptyBody,
    });
    const record = before.response === undefined ? undefined : readJson(before.response);
    const known = media.schema?.flatten().properties;
    if (!isJsonObject(record)) return reply;
    const kept = Object.fromEntries(
      Object.entries(record)
        .filter(([name]) => required.has(name) || Object.hasOwn(body, name))
        .filter(([name]) => known?.has(name) === true),
    );
    const dropped = await service.respond(
      withJson(
        {
          ...request,
          method: replace.method,
          headers: withHeader(withHeader(bare, 'Content-Type', media.mediaType), 'If-Match', '*'),
        },
        kept,
      ),
    );
    if (
      isSuccess(dropped.response?.status ?? 0) &&
      Object.keys(record).some((name) => known?.has(name) === true && !Object.hasOwn(kept, name))
    )
      fired();
    return reply;
  };
}

/** A deletion of the records of a resource, which a read or a list shows. */
interface Deletion extends ActionPlace {
  readonly shows: Operation;
}

/**
 * A service that deletes records, and whose read or list shows them as they were. `show` gets the
 * responses to reads of the deleted records, by their paths; undefined leaves a response unchanged.
 */
function showingDeleted(
  mutator: string,
  { resource, operation, shows }: Deletion,
  words: string,
  show: (gone: ReadonlyMap<string, HttpResponse>, request: HttpRequest, reply: Reply) => Reply,
): Mutation {
  const plant: Mutation['plant'] = (service, fired) => {
    const gone = new Map<string, HttpResponse>();
    return async (request) => {
      const requested = service.operationOf(request);
      if (requested === operation) return remember(service, request, gone);
      const reply = await service.respond(request);
      const shown = requested === shows ? show(gone, request, reply) : reply;
      if (shown !== reply) fired();
      return shown;
    };
  };
  return {
    ...forOperation(mutator, { operation: shows }, words, ({ respond }) => respond),
    ...defined({ hidden: whyHidden(resource, shows) }),
    plant,
  };
}

function whyHidden({ operations, list }: Resource, shows: Operation): string | undefined {
  return shows === operations.list && list !== undefined
    ? whyUnseen(shows, list, 'a deleted one is requested')
    : undefined;
}

/** Sends a deletion, and keeps the response to a read before it. */
async function remember(
  service: Service,
  request: HttpRequest,
  gone: Map<string, HttpResponse>,
): Promise<Reply> {
  const headers = request.headers.filter(([name]) => !/^(content-|if-)/i.test(name));
  const before = await service.respond({ ...request, method: 'GET', headers, body: emptyBody });
  const reply = await service.respond(request);
  if (before.response !== undefined && succeeded(before.response) && succeeded(reply.response))
    gone.set(pathOf(request), before.response);
  return reply;
}

function pathOf({ target }: HttpRequest): string {
  return target.split('?')[0] ?? target;
}

/** The list with the deleted records at its end, if it has room for them and is not filtered. */
function withDeleted(
  place: ListPlace,
  gone: ReadonlyMap<string, HttpResponse>,
  { request, reply }: { readonly request: HttpRequest; readonly reply: Reply },
): Reply {
  const { response } = reply;
  const body = response?.status === 200 ? readJson(response) : undefined;
  const isFiltered = place.list.filters.some(
    ({ parameter }) => queryOf(request, parameter.name) !== undefined,
  );
  const prefix = `${pathOf(request)}/`;
  const records = [...gone]
    .filter(([path]) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
    .flatMap(([, shown]) => readJson(shown) ?? []);
  if (response === undefined || body === undefined || isFiltered || records.length === 0)
    return reply;
  const size = pageSize(request, place.list);
  const edited = editRecords(body, place, (listed) =>
    listed.length < size ? [...listed, ...records].slice(0, size) : undefined,
  );
  return edited === undefined ? reply : { ...reply, response: withJson(response, edited) };
}

/** Mutations of what later requests show: deletions, and actions that set a state. */
const laterMutators: readonly Mutator[] = [
  {
    id: 'reads-deleted',
    family: 'state',
    rule: 'A deleted record can still be read, and is in no list.',
    find: (contract) =>
      actions(contract, 'delete')
        .flatMap((place) => {
          const { read } = place.resource.operations;
          return read?.path === place.operation.path ? [{ ...place, shows: read }] : [];
        })
        .slice(0, maxOfKind)
        .map((deletion) =>
          showingDeleted(
            'reads-deleted',
            deletion,
            'shows deleted records',
            (gone, request, reply) => {
              const shown = reply.response?.status === 404 ? gone.get(pathOf(request)) : undefined;
              return shown === undefined ? reply : { ...reply, response: shown };
            },
          ),
        ),
  },
  {
    id: 'lists-deleted',
    family: 'state',
    rule: 'A deleted record is still in the list, and cannot be read.',
    find: (contract) =>
      actions(contract, 'delete')
        .flatMap((place) => {
          const list = listsOf(contract).find(({ resource }) => resource === place.resource);
          const { read } = place.resource.operations;
          return list === undefined || read?.path !== place.operation.path
            ? []
            : [{ deletion: { ...place, shows: list.operation }, list }];
        })
        .slice(0, maxOfKind)
        .map(({ deletion, list }) =>
          showingDeleted('lists-deleted', deletion, 'has deleted records', (gone, request, reply) =>
            withDeleted(list, gone, { request, reply }),
          ),
        ),
  },
  {
    id: 'loses-action',
    family: 'state',
    rule: 'An action on a record reports the state that it sets, and the state is as before.',
    find: ({ inference }) =>
      inference.actions
        .filter(
          ({ sets, resource }) => sets !== undefined && resource.operations.read !== undefined,
        )
        .slice(0, maxOfKind)
        .map((place) => losing('loses-action', place, 'leaves the state as it was')),
  },
];

/** Mutations of partial updates (RFC 7396), and of what later requests show. */
export const updateMutators: readonly Mutator[] = [
  {
    id: 'drops-rest',
    family: 'state',
    rule: 'An update removes the fields that it does not name.',
    find: (contract) =>
      updatable(contract)
        .filter(({ resource: { operations } }) => operations.replace !== undefined)
        .slice(0, maxOfKind)
        .map(({ resource, update }) =>
          forOperation(
            'drops-rest',
            { operation: update },
            'removes the fields that it does not name',
            droppingRest(resource),
          ),
        ),
  },
  {
    id: 'keeps-nulled',
    family: 'state',
    rule: 'An update that sets a field to null leaves it unchanged.',
    find: (contract) =>
      updatable(contract)
        .filter(({ update }) => takesNull(update))
        .slice(0, maxOfKind)
        .map(({ update }) =>
          forOperation(
            'keeps-nulled',
            { operation: update },
            'ignores fields that are set to null',
            (service, fired) =>
              editRequests(service, fired, update, (request) => {
                const body = (headerValue(request.headers, 'content-type') ?? '').includes(
                  'json-patch',
                )
                  ? undefined
                  : readJson(request);
                if (!isJsonObject(body)) return undefined;
                const kept = Object.entries(body).filter(([, value]) => value !== null);
                return kept.length === Object.keys(body).length
                  ? undefined
                  : withJson(request, Object.fromEntries(kept));
              }),
          ),
        ),
  },
  ...laterMutators,
];
