import { isClosed } from '../contract/schema/object-members.ts';
import { gzipSync } from 'node:zlib';
import { isSecured } from '../contract/model/operation.ts';
import { selectResponse } from '../contract/select-response.ts';
import type { Contract, Operation, Resource } from '../contract/model.ts';
import { protocolsOf } from '../contract/protocols/read-protocols.ts';
import { readJson } from '../http/media-type.ts';
import {
  emptyBody,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  isSuccess,
} from '../http/message.ts';
import { splitPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, mapMembers } from '../json/value.ts';
import type { Respond, Service } from '../check/mutants/mutant.ts';
import { everyAnswer, type Variant } from './variant.ts';
import {
  dropHeader,
  editAnswers,
  editBodies,
  setHeader,
  withBytes,
  withJson,
} from '../check/mutants/edit-service.ts';
import { withKnownKey } from '../check/topics/credentials/authentication-mutants.ts';
import { habitVariants } from './habit-variants.ts';
import { pageVariants } from './page-variants.ts';
import { queryOf, withQuery } from '../check/mutants/list-place.ts';
import { editAt, fieldsOf } from '../check/mutants/places.ts';

const ignore = (): void => {};

function needsChallenge(operation: Operation | undefined, status: number): boolean {
  const documented = operation && selectResponse(operation, status);
  return (
    documented?.headers.some(
      ({ name, required }) => required && name.toLowerCase() === 'www-authenticate',
    ) === true
  );
}

/** The resources by the operations that list them. */
function listsIn({ contract }: Service): ReadonlyMap<Operation | undefined, Resource> {
  return new Map(contract.resources.map((resource) => [resource.operations.list, resource]));
}

/** Sends each request for a list with a changed query. */
function everyList(
  service: Service,
  edit: (request: HttpRequest, resource: Resource) => HttpRequest,
): Respond {
  const lists = listsIn(service);
  return (request) => {
    const resource = lists.get(service.operationOf(request));
    return service.respond(resource === undefined ? request : edit(request, resource));
  };
}

/** The same query with the page size limited; `$top` of OData bounds all pages together instead. */
function capped(
  request: HttpRequest,
  resource: Resource,
  max: number,
  contract: Contract,
): HttpRequest {
  const limit = resource.list?.limit;
  const isBound = protocolsOf(contract, resource).pages?.bound !== undefined;
  if (limit === undefined || isBound || (limit.minimum ?? 0) > max) return request;
  const { name } = limit.parameter;
  const asked = queryOf(request, name);
  const size = asked === undefined ? (limit.default ?? Infinity) : Number(asked);
  // An invalid query stays unchanged; one without a size is valid.
  const isInvalid = asked !== undefined && size > (limit.maximum ?? Infinity);
  if (Number.isNaN(size) || size <= max || isInvalid) return request;
  return withQuery(request, name, String(max));
}

/** Whether all objects of a response allow undeclared members. */
function isOpen(operation: Operation, status: number): boolean {
  const schema = selectResponse(operation, status)?.content.find(
    ({ schema: written }) => written !== undefined,
  )?.schema;
  if (schema === undefined) return false;
  const whole = schema.flatten();
  const { node } = whole;
  return (
    !isClosed(whole) &&
    node.oneOf === undefined &&
    node.anyOf === undefined &&
    !fieldsOf(schema).some(isClosed)
  );
}

function withExtra(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => (isJsonObject(item) ? withExtra(item) : item));
  return isJsonObject(value) ? { ...value, vouchVariant: 'seen', x_internal_revision: 3 } : value;
}

/** Creates or deletes a record like another client, between two requests of the run. */
function otherClients(service: Service, share: number): Respond {
  const samples = new Map<Operation, HttpRequest>();
  const own: HttpRequest[] = [];
  const creates = new Set(
    service.contract.resources.flatMap(({ operations }) => operations.create ?? []),
  );
  return async (request) => {
    if (samples.size > 0 && service.chance() < share) {
      const [sample] = [...samples.values()].slice(-1);
      const gone = service.chance() < 0.4 ? own.shift() : undefined;
      if (gone !== undefined) await service.respond(gone);
      else if (sample !== undefined) own.push(...(await createForeign(service, sample)));
    }
    const reply = await service.respond(request);
    const operation = service.operationOf(request);
    if (
      operation !== undefined &&
      creates.has(operation) &&
      reply.response !== undefined &&
      isSuccess(reply.response.status)
    )
      samples.set(operation, request);
    return reply;
  };
}

/** A body with other texts than those that the run made up. */
function renamedIn(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.includes('vouch-') ? 'Foreign' : value;
  if (isJsonArray(value)) return value.map(renamedIn);
  return isJsonObject(value) ? mapMembers(value, (member) => renamedIn(member)) : value;
}

/** Creates a record as another client would, and returns the request that deletes it. */
async function createForeign(service: Service, sample: HttpRequest): Promise<HttpRequest[]> {
  const operation = service.operationOf(sample);
  const resource = service.contract.resources.find(
    ({ operations }) => operations.create === operation,
  );
  const body = readJson(sample);
  const renamed = isJsonObject(body) ? withJson(sample, renamedIn(body)) : sample;
  const { response } = await service.respond(renamed);
  const record = response === undefined ? undefined : readJson(response);
  const { delete: remove } = resource?.operations ?? {};
  const id =
    isJsonObject(record) && resource !== undefined ? record[resource.identifier.field] : undefined;
  if (remove === undefined || id === undefined) return [];
  const [path = ''] = sample.target.split('?');
  return [
    {
      method: remove.method,
      target: `${path}/${encodeURIComponent(String(id))}`,
      headers: sample.headers.filter(([name]) => !/^content-/i.test(name)),
      body: emptyBody,
    },
  ];
}

/** Whether a request holds characters that keyboards do not have. */
function isExotic({ target, body }: HttpRequest): boolean {
  const text = `${target} ${new TextDecoder().decode(body)}`;
  return (
    /[\u0300-\u036f\u{10000}-\u{10ffff}\u0000-\u0008\u0590-\u06ff]/u.test(text) ||
    /%F0|%CC|%D7/i.test(target) ||
    text.length > 5_000
  );
}

function refusalOf(operation: Operation): number | undefined {
  return [400, 422].find((status) =>
    operation.responses.some((response) => response.status === String(status)),
  );
}

/** Variations that every contract allows; each leaves unchanged what a contract restricts. */
export const variants: readonly Variant[] = [
  ...habitVariants,
  ...pageVariants,
  {
    id: 'no-challenge',
    rule: 'A 401 has no WWW-Authenticate unless the contract requires it.',
    plant: (service) =>
      everyAnswer(service, (response, request) =>
        needsChallenge(service.operationOf(request), response.status)
          ? response
          : dropHeader(response, 'www-authenticate'),
      ),
  },
  {
    id: 'extra-fields',
    rule: 'Responses have undocumented fields where the contract allows them.',
    plant: (service) =>
      everyAnswer(service, (response, request) => {
        const operation = service.operationOf(request);
        const value = isSuccess(response.status) ? readJson(response) : undefined;
        return operation !== undefined && value !== undefined && isOpen(operation, response.status)
          ? withJson(response, withExtra(value))
          : response;
      }),
  },
  {
    id: 'caps-pages',
    rule: 'A page has at most five records, regardless of the limit.',
    plant: (service) =>
      everyList(service, (request, resource) => capped(request, resource, 5, service.contract)),
  },
  {
    id: 'newest-first',
    rule: 'A list without a sort parameter begins with its newest record.',
    plant: (service) => reordered(service, (records) => records.toReversed()),
  },
  {
    id: 'random-order',
    rule: 'A list without a sort parameter has another order each time.',
    plant: (service) =>
      reordered(service, (records) =>
        records
          .map((record) => ({ record, at: service.chance() }))
          .sort((left, right) => left.at - right.at)
          .map(({ record }) => record),
      ),
  },
  {
    id: 'gzip',
    rule: 'Responses are compressed.',
    plant: (service) =>
      everyAnswer(service, (response) =>
        response.body.length === 0
          ? response
          : setHeader(
              withBytes(dropHeader(response, 'content-length'), gzipSync(response.body)),
              'Content-Encoding',
              'gzip',
            ),
      ),
  },
  {
    id: 'charset',
    rule: 'The media type has parameters, and is written in another case.',
    plant: (service) =>
      everyAnswer(service, (response) => {
        const type = headerValue(response.headers, 'content-type');
        return type === undefined
          ? response
          : setHeader(
              response,
              'content-TYPE',
              `${type.replace(/^application\/json$/, 'Application/JSON')}; charset=UTF-8`,
            );
      }),
  },
  {
    id: 'lower-case-headers',
    rule: 'Names of header fields are in lower case.',
    plant: (service) =>
      everyAnswer(service, (response) => ({
        ...response,
        headers: response.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
      })),
  },
  {
    id: 'slow',
    rule: 'Every response takes 300 ms.',
    plant: (service) => async (request) => ({ ...(await service.respond(request)), delayMs: 300 }),
  },
  {
    id: 'rate-limited',
    rule: 'Every tenth request gets 429 with Retry-After.',
    plant: (service) => {
      let count = 0;
      return async (request) => {
        count += 1;
        return count % 10 === 0
          ? {
              response: {
                status: 429,
                headers: [
                  ['Retry-After', '0'],
                  ['Content-Type', 'application/json'],
                ],
                body: new TextEncoder().encode('{"error":"slow down"}'),
              },
            }
          : service.respond(request);
      };
    },
  },
  {
    id: 'unavailable-now-and-then',
    rule: 'Sometimes the service returns 503 with Retry-After.',
    plant: (service) => async (request) =>
      service.chance() < 0.05
        ? { response: { status: 503, headers: [['Retry-After', '0']], body: emptyBody } }
        : service.respond(request),
  },
  {
    id: 'busy',
    rule: 'Other clients create and delete records meanwhile.',
    plant: (service) => otherClients(service, 0.15),
  },
  {
    id: 'very-busy',
    rule: 'Other clients change records between any two requests.',
    plant: (service) => otherClients(service, 0.7),
  },
  {
    id: 'refuses-exotic',
    rule: 'Unusual texts are refused with a documented status.',
    plant: (service) => async (request) => {
      const operation = service.operationOf(request);
      const status =
        operation === undefined || !isExotic(request) ? undefined : refusalOf(operation);
      // The refusal of an invalid request, so that it has the contract's own form.
      return status === undefined
        ? service.respond(request)
        : service.respond({
            ...request,
            body: request.body.length === 0 ? request.body : new TextEncoder().encode('{'),
            ...(request.body.length === 0
              ? { target: `${request.target}${request.target.includes('?') ? '&' : '?'}` }
              : {}),
          });
    },
  },
  {
    id: 'validates-first',
    rule: 'An invalid request is refused before its credential is checked.',
    plant: (service) => insteadOf401(service, 400, isSecured),
  },
  {
    id: 'hides-records',
    rule: 'A request without access gets 404.',
    plant: (service) =>
      insteadOf401(service, 404, ({ responses }) =>
        responses.some(({ status }) => status === '404'),
      ),
  },
  {
    id: 'fills-in-defaults',
    rule: 'A create fills optional fields with default values.',
    plant: (service) => async (request) => {
      const operation = service.operationOf(request);
      const resource = service.contract.resources.find(
        ({ operations }) => operations.create === operation,
      );
      const body = readJson(request);
      if (resource === undefined || !isJsonObject(body)) return service.respond(request);
      const filled = withDefaults(body, operation);
      return service.respond(filled === undefined ? request : withJson(request, filled));
    },
  },
  {
    id: 'no-content-length',
    rule: 'Responses have no Content-Length.',
    plant: (service) => everyAnswer(service, (response) => dropHeader(response, 'content-length')),
  },
  {
    id: 'chatty-headers',
    rule: 'Responses have header fields of proxies and frameworks, some of them twice.',
    plant: (service) =>
      everyAnswer(service, (response) => ({
        ...response,
        headers: [
          ...response.headers,
          ['Via', '1.1 edge'],
          ['Set-Cookie', 'a=1; Path=/'],
          ['Set-Cookie', 'b=2; Path=/'],
          ['X-Request-Id', 'r-1'],
          ['Vary', 'Accept'],
          ['Vary', 'Origin'],
        ],
      })),
  },
  {
    id: 'allows-trailing-newline',
    rule: 'JSON ends with a line break and is indented.',
    plant: (service) =>
      editAnswers(service, ignore, {}, (response) => {
        const value = readJson(response);
        return value === undefined
          ? undefined
          : withBytes(response, new TextEncoder().encode(`${indent(response)}\n`));
      }),
  },
];

/** A read without access gets the refusal that it gets with access, if that has this status. */
function insteadOf401(
  service: Service,
  status: number,
  concerns: (operation: Operation) => boolean,
): Respond {
  return async (request) => {
    const operation = service.operationOf(request);
    const reply = await service.respond(request);
    if (operation?.method !== 'GET' || reply.response?.status !== 401 || !concerns(operation))
      return reply;
    const inside = await service.respond(withKnownKey(request, operation));
    return inside.response?.status === status ? inside : reply;
  };
}

/** Whitespace where JSON allows it, so that numbers keep their digits. */
function indent({ body }: HttpResponse): string {
  return new TextDecoder()
    .decode(body)
    .replace(/^([[{])/, '$1\n  ')
    .replace(/([\]}])$/, '\n$1');
}

function withDefaults(body: JsonObject, operation: Operation | undefined): JsonObject | undefined {
  const schema = operation?.requestBody?.content[0]?.schema;
  const flat = schema?.flatten();
  if (schema === undefined || flat === undefined) return undefined;
  const missing = [...flat.properties].filter(
    ([name]) => !flat.required.has(name) && !Object.hasOwn(body, name),
  );
  const filled = missing.flatMap(([name, place]): [string, JsonValue][] => {
    const last = schema.flatten(place).node.enum?.at(-1);
    return last === undefined || last === null ? [] : [[name, last]];
  });
  const whole = { ...body, ...Object.fromEntries(filled) };
  return filled.length === 0 ||
    schema.validate(whole, 'request').length > 0 ||
    schema.validate(body, 'request').length > 0
    ? undefined
    : whole;
}

function reordered(
  service: Service,
  order: (records: readonly JsonValue[]) => readonly JsonValue[],
): Respond {
  const lists = listsIn(service);
  return async (request) => {
    const resource = lists.get(service.operationOf(request));
    const by = resource?.list?.sort?.by.name;
    const sorted = by !== undefined && queryOf(request, by) !== undefined;
    // Pages with a changing order need not be consistent, so they stay unchanged.
    if (resource?.list === undefined || sorted || resource.list.paging.length > 0)
      return service.respond(request);
    const way = splitPointer(resource.list.records);
    return editBodies(service, ignore, {}, (body) =>
      editAt(body, way, (records) => (isJsonArray(records) ? order(records) : undefined)),
    )(request);
  };
}
