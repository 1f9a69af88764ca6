import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { emptyBody, headerValue, withHeader } from '../../http/message.ts';
import { isSuccess } from '../../http/status.ts';
import { isJsonObject } from '../../json/value.ts';
import { forOperation, type Mutator, type Respond, type Service } from '../mutation.ts';
import { editRequests, readJson, withJson } from '../edit-service.ts';

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

/** Mutations of partial updates (RFC 7396). */
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
];
