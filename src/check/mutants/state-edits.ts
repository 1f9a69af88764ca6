import type { Contract, Resource, Schema } from '../../contract/model.ts';
import { readJson } from '../../http/media-type.ts';
import { emptyBody, type HttpRequest, type HttpResponse, isSuccess } from '../../http/message.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { setHeader, withJson } from './edit-service.ts';
import type { Place } from './kind.ts';
import { bodyOf, fieldsIn, fieldsShown, openMedia } from './open-bodies.ts';
import type { Plant, ServiceReply, Service } from './mutant.ts';
import { collections } from './places.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import { saysDeleted } from '../../contract/words/names.ts';

/** What an operation does with the records of a resource. */
export type Action = keyof Resource['operations'];

export interface ActionPlace extends Place {
  readonly resource: Resource;
  /** The schema of the fields that clients set in its body. */
  readonly fields: Schema | undefined;
}

/** The operations of a contract that perform one of some actions on the records of a collection. */
export function actions(contract: Contract, ...expected: readonly Action[]): ActionPlace[] {
  return collections(contract).flatMap((resource) =>
    expected.flatMap((action) => {
      const operation = resource.operations[action];
      if (operation === undefined) return [];
      return [{ resource, operation, fields: openMedia(contract, operation)?.schema }];
    }),
  );
}

/** The same, if a read or a list shows the records. */
export function shownActions(contract: Contract, ...expected: readonly Action[]): ActionPlace[] {
  return actions(contract, ...expected).filter(
    ({ resource: { operations } }) =>
      operations.read !== undefined || operations.list !== undefined,
  );
}

/** Whether clients can create the records of a place, and read them. */
export const isOfReadable = ({ resource: { operations } }: ActionPlace): boolean =>
  operations.create !== undefined && operations.read !== undefined;

export const succeeded = (response: HttpResponse | undefined): boolean =>
  response !== undefined && isSuccess(response.status);

/** Whether a response refuses a request as invalid. */
export const isInvalid = (response: HttpResponse | undefined): boolean =>
  response?.status === 400 || response?.status === 422;

/** A valid request for what another one asks for; undefined if none can be made. */
export function soundLike(
  request: HttpRequest,
  { operation: { requestBody } }: Place,
): HttpRequest | undefined {
  const [media] = requestBody?.content ?? [];
  const made =
    media?.schema && plainValue(media.schema, { seed: 'left behind', direction: 'request' });
  return media === undefined || made?.ok !== true
    ? undefined
    : withJson(setHeader(request, 'Content-Type', media.mediaType), made.value);
}

/**
 * Reports success and restores the previous state. Other requests wait meanwhile, so that their
 * changes stay.
 */
export function losing({ operation }: Place): Plant {
  return (service, fired) => {
    let before: Promise<unknown> = Promise.resolve();
    return (request) => {
      const reply = before.then(() =>
        service.operationOf(request) === operation
          ? lose(service, request, fired)
          : service.respond(request),
      );
      before = reply.catch(() => {});
      return reply;
    };
  };
}

async function lose(
  { remember, respond }: Service,
  request: HttpRequest,
  fired: () => void,
): Promise<ServiceReply> {
  const bringBack = await remember();
  const reply = await respond(request);
  if (!succeeded(reply.response)) return reply;
  await bringBack();
  fired();
  return reply;
}

/** The successful response to a read of the path of a request; undefined without one. */
export async function readFirst(
  { respond }: Service,
  request: HttpRequest,
): Promise<HttpResponse | undefined> {
  const headers = request.headers.filter(([name]) => !/^(content-|if-)/i.test(name));
  const { response } = await respond({ ...request, method: 'GET', headers, body: emptyBody });
  return succeeded(response) ? response : undefined;
}

/** The fields of the record at the path of a request; undefined without one. */
export async function recordAt(
  service: Service,
  request: HttpRequest,
): Promise<JsonObject | undefined> {
  const body = await jsonAt(service, request);
  const read = service.operationOf({ ...request, method: 'GET' });
  const resource = service.contract.resources.find(({ operations }) => operations.read === read);
  if (read === undefined || resource === undefined) return isJsonObject(body) ? body : undefined;
  return fieldsShown(body, { operation: read, resource });
}

/** The JSON that a successful read of the path of a request shows; undefined without any. */
export async function jsonAt(
  service: Service,
  request: HttpRequest,
): Promise<JsonValue | undefined> {
  const response = await readFirst(service, request);
  return response && readJson(response);
}

/**
 * Stores other fields than those of the request, or the same if the others are refused. `edit` may
 * look at the stored record; undefined leaves a body unchanged.
 */
export function storing(
  edit: (
    body: JsonObject,
    request: HttpRequest,
    service: Service,
  ) => JsonObject | undefined | Promise<JsonObject | undefined>,
): Plant {
  return (service, fired) => async (request) => {
    const operation = service.operationOf(request);
    const media = operation && openMedia(service.contract, operation);
    const fields = fieldsIn(media, readJson(request));
    const edited = fields === undefined ? undefined : await edit(fields, request, service);
    if (edited === undefined) return service.respond(request);
    const reply = await service.respond(withJson(request, bodyOf(media, edited)));
    if (!succeeded(reply.response)) return service.respond(request);
    fired();
    return reply;
  };
}

/**
 * Whether a plain read of a deleted record shows it, with the moment of its deletion: records are
 * deleted softly, and no flag has to ask for them (AIP-164).
 */
export function keepsReadable(contract: Contract, resource: Resource): boolean {
  const { softDelete } = protocolsOf(contract, resource);
  return softDelete !== undefined && softDelete.read === undefined && hasMoment(resource);
}

/** Whether records have the moment of their deletion, such as `delete_time`. */
function hasMoment({ record }: Resource): boolean {
  return [...record.flatten().properties].some(
    ([name, place]) => saysDeleted(name) && record.flatten(place).node.format === 'date-time',
  );
}
