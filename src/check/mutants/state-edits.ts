import type { Contract, Operation, Resource } from '../../contract/model.ts';
import {
  emptyBody,
  type HttpRequest,
  type HttpResponse,
  withoutHeader,
} from '../../http/message.ts';
import { isSuccess } from '../../http/status.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  type Mutation,
  forOperation,
  type Mutator,
  type Reply,
  type Respond,
  type Service,
} from './mutant.ts';
import { readJson, withJson } from './edit-service.ts';

/** The number of places of one kind that get a mutation. */
export const maxOfKind = 3;

/** What an operation does with the records of a resource. */
export type Action = keyof Resource['operations'];

/** An operation and its resource. */
export interface ActionPlace {
  readonly resource: Resource;
  readonly operation: Operation;
}

/** The operations of a contract that perform one of some actions on the records of a collection. */
export function actions({ resources }: Contract, ...wanted: readonly Action[]): ActionPlace[] {
  return resources
    .filter(({ kind }) => kind === 'collection')
    .flatMap((resource) =>
      wanted.flatMap((action) =>
        resource.operations[action] === undefined
          ? []
          : [{ resource, operation: resource.operations[action] }],
      ),
    );
}

const readable = ({ resource }: ActionPlace): boolean =>
  resource.operations.read !== undefined || resource.operations.list !== undefined;
/** Whether a response is a success. */
export const succeeded = (response: HttpResponse | undefined): boolean =>
  response !== undefined && isSuccess(response.status);

/**
 * Reports success and restores the previous state. Other requests wait meanwhile, so that their
 * changes stay.
 */
export function losing(mutator: string, place: ActionPlace, words: string): Mutation {
  return {
    ...forOperation(mutator, place, words, ({ respond }) => respond),
    plant: (service, fired) => {
      let before: Promise<unknown> = Promise.resolve();
      return (request) => {
        const reply = before.then(() =>
          service.operationOf(request) === place.operation
            ? lose(service, request, fired)
            : service.respond(request),
        );
        before = reply.catch(() => {});
        return reply;
      };
    },
  };
}

async function lose(
  { remember, respond }: Service,
  request: HttpRequest,
  fired: () => void,
): Promise<Reply> {
  const bringBack = await remember();
  const reply = await respond(request);
  if (!succeeded(reply.response)) return reply;
  await bringBack();
  fired();
  return reply;
}

/** Applies the request, and returns the previous record. */
export function answeringBefore(service: Service, fired: () => void): Respond {
  return async (request) => {
    const before = await service.respond({
      ...request,
      method: 'GET',
      headers: withoutHeader(request.headers, 'content-type'),
      body: emptyBody,
    });
    const reply = await service.respond(request);
    const [old, now] = [before, reply].map(({ response }) =>
      response !== undefined && succeeded(response) ? readJson(response) : undefined,
    );
    if (
      reply.response === undefined ||
      old === undefined ||
      now === undefined ||
      equalJson(old, now)
    )
      return reply;
    fired();
    return { ...reply, response: withJson(reply.response, old) };
  };
}

type BodyEdit = (body: JsonObject) => JsonObject | undefined;

/** Stores a value that differs from the request. */
export function mangling(edit: BodyEdit): (service: Service, fired: () => void) => Respond {
  return (service, fired) => async (request) => {
    const body = readJson(request);
    const edited = isJsonObject(body) ? edit(body) : undefined;
    if (edited === undefined) return service.respond(request);
    const reply = await service.respond(withJson(request, edited));
    if (!succeeded(reply.response)) return service.respond(request);
    fired();
    return reply;
  };
}

/** Changes every unconstrained text of a body. */
export function eachText(body: JsonObject, edit: (text: string) => string): JsonObject | undefined {
  const changed = Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, JsonValue] => [
      name,
      typeof value === 'string' ? edit(value) : value,
    ]),
  );
  return Object.keys(changed).some((name) => changed[name] !== body[name]) ? changed : undefined;
}

/** A value with its large integers rounded to doubles. */
export function rounded(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return BigInt(Number(value));
  if (isJsonArray(value)) return value.map(rounded);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
    : value;
}

/** Whether a value contains an integer that a double cannot hold. */
export function holdsLarge(value: JsonValue): boolean {
  if (typeof value === 'bigint') return BigInt(Number(value)) !== value;
  if (isJsonArray(value)) return value.some(holdsLarge);
  return isJsonObject(value) && Object.values(value).some(holdsLarge);
}

/** A mutator that changes the first operations which perform one of some actions. */
export function forActions(
  id: string,
  rule: string,
  wanted: readonly Action[],
  find: (place: ActionPlace) => Mutation,
): Mutator {
  return {
    id,
    family: 'state',
    rule,
    find: (contract) =>
      actions(contract, ...wanted)
        .filter(readable)
        .slice(0, maxOfKind)
        .map(find),
  };
}

/** Optional members of a request that a service may forget to store. */
export function optionalOf({ operation }: ActionPlace): string[] {
  const schema = operation.requestBody?.content[0]?.schema?.flatten();
  return schema === undefined
    ? []
    : [...schema.properties.keys()].filter((name) => !schema.required.has(name));
}
