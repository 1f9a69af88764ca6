import { protocolsOf } from '../contract/protocols/read-protocols.ts';
import { documentsRefusal, type Operation, type Resource } from '../contract/model.ts';
import { isJsonMediaType, readJson } from '../http/media-type.ts';
import {
  emptyBody,
  headerValue,
  type HttpRequest,
  type HttpResponse,
  isSuccess,
} from '../http/message.ts';
import { splitPointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, mapMembers, membersWhere } from '../json/value.ts';
import type { ServiceReply, Respond, Service } from '../check/mutants/mutant.ts';
import { everyAnswer, type Variant } from './variant.ts';
import { readValue, setHeader, withJson, withValue } from '../check/mutants/edit-service.ts';
import { editAt } from '../check/mutants/places.ts';

/** The resource of a request, if the request is for its operation of this action. */
function resourceOf(
  service: Service,
  request: HttpRequest,
  ...actions: readonly (keyof Resource['operations'])[]
): Resource | undefined {
  const operation = service.operationOf(request);
  return (
    operation &&
    service.contract.resources.find(({ operations }) =>
      actions.some((action) => operations[action] === operation),
    )
  );
}

/** The JSON of a success; undefined for other responses. */
function successOf({ response }: ServiceReply): JsonValue | undefined {
  return response !== undefined && isSuccess(response.status) ? readJson(response) : undefined;
}

/** Invalid requests get another status, if the contract documents none. */
function refusing(status: number): Variant {
  return {
    id: `refuses-with-${String(status)}`,
    rule: `Invalid requests get ${String(status)} if the contract documents no refusal.`,
    plant: (service) =>
      everyAnswer(service, (response, request) => {
        const operation = service.operationOf(request);
        return response.status === 400 && operation !== undefined && !documentsRefusal(operation)
          ? withStatus(response, status)
          : response;
      }),
  };
}

/** Changes the status of the response, and the status in its body. */
function withStatus(response: HttpResponse, status: number): HttpResponse {
  const value = readJson(response);
  const repeated = isJsonObject(value)
    ? Object.keys(value).filter(
        (name) => /^(status|statusCode)$/.test(name) && value[name] === response.status,
      )
    : [];
  const described =
    isJsonObject(value) && repeated.length > 0
      ? withJson(response, {
          ...value,
          ...Object.fromEntries(repeated.map((name) => [name, status])),
        })
      : response;
  return { ...described, status };
}

/** A list that shows a new record only some requests after its creation. */
function lagging(service: Service, lag: number): Respond {
  const made = new Map<string, number>();
  let count = 0;
  const isNew = (record: JsonValue, { identifier }: Resource): boolean =>
    isJsonObject(record) && (made.get(String(record[identifier.field])) ?? -lag) + lag >= count;
  return async (request) => {
    count += 1;
    const reply = await service.respond(request);
    const value = successOf(reply);
    if (value === undefined || reply.response === undefined) return reply;
    const created = resourceOf(service, request, 'create');
    if (created !== undefined && isJsonObject(value))
      made.set(String(value[created.identifier.field]), count);
    const listed = resourceOf(service, request, 'list');
    // A list with a total would have to delay the total too.
    if (listed?.list === undefined || listed.list.records !== '') return reply;
    return isJsonArray(value) && value.some((record) => isNew(record, listed))
      ? {
          ...reply,
          response: withJson(
            reply.response,
            value.filter((record) => !isNew(record, listed)),
          ),
        }
      : reply;
  };
}

/**
 * Repeating an identical create returns the previous response, until a record is changed or
 * deleted.
 */
function remembering(service: Service): Respond {
  const given = new Map<string, ServiceReply>();
  return async (request) => {
    const isCreate = resourceOf(service, request, 'create') !== undefined;
    const key =
      `${request.target} ${new TextDecoder().decode(request.body)} ` +
      JSON.stringify(
        request.headers.filter(([name]) =>
          /^(authorization|cookie|x-api-key|content-type)$/i.test(name),
        ),
      );
    const before = isCreate ? given.get(key) : undefined;
    if (before !== undefined) return before;
    const reply = await service.respond(request);
    if (isCreate && isSuccess(reply.response?.status ?? 0)) given.set(key, reply);
    else if (request.method !== 'GET' && request.method !== 'HEAD') given.clear();
    return reply;
  };
}

const modulus = 2_147_483_647n;
const factor = 48_271n;
/** The inverse of the factor modulo the prime. */
const inverse = power(factor, modulus - 2n);

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function scatter(value: JsonValue, by: bigint): JsonValue {
  if ((typeof value !== 'number' || !Number.isSafeInteger(value)) && typeof value !== 'bigint')
    return value;
  const integer = BigInt(value);
  return integer <= 0n || integer >= modulus ? value : Number((integer * by) % modulus);
}

/** Identifiers without an order: each number is mapped to another one. */
function scattered(service: Service): Respond {
  const { resources } = service.contract;
  // For nested records, and for records that are sorted by number, more than the identifiers would
  // have to change.
  const fitting = resources.filter(
    ({ kind, identifier, operations, list }) =>
      kind === 'collection' &&
      identifier.type === 'integer' &&
      list?.sort === undefined &&
      resources.every(
        (other) =>
          other.kind !== 'collection' ||
          (other.operations.list ?? operations.list)?.path.includes('{') === false,
      ),
  );
  return async (request) => {
    const operation = service.operationOf(request);
    // An action on a record (`POST /tickets/{id}/close`) names it by its number too.
    const action = service.contract.inference.actions.find((one) => one.operation === operation);
    const resource =
      operation &&
      fitting.find(
        ({ operations, collection }) =>
          Object.values(operations).includes(operation) ||
          collection === action?.resource.collection,
      );
    if (resource === undefined) return service.respond(request);
    const { field } = resource.identifier;
    const renumber = (value: JsonValue, by: bigint): JsonValue =>
      isJsonObject(value) && Object.hasOwn(value, field)
        ? { ...value, [field]: scatter(value[field] ?? null, by) }
        : value;
    const target =
      operation?.path.includes('{') === true
        ? request.target.replace(
            /\/(\d{1,10})(?=$|[/?])/,
            (_whole, digits: string) => `/${String(scatter(Number(digits), inverse))}`,
          )
        : request.target;
    const sent = readJson(request);
    const reply = await service.respond({
      ...(sent === undefined ? request : withJson(request, renumber(sent, inverse))),
      target,
    });
    const { response } = reply;
    const got =
      response !== undefined && isSuccess(response.status)
        ? readValue(response, operation)
        : undefined;
    if (got === undefined || response === undefined) return reply;
    const { list } = resource;
    const body =
      operation === resource.operations.list && list !== undefined
        ? editAt(got, splitPointer(list.records), (records) =>
            isJsonArray(records) ? records.map((record) => renumber(record, factor)) : records,
          )
        : renumber(got, factor);
    const edited = withValue(response, operation, body ?? got) ?? response;
    return { ...reply, response: withLocation(edited) };
  };
}

/** Updates the number at the end of `Location` to that of the body. */
function withLocation(response: HttpResponse): HttpResponse {
  return {
    ...response,
    headers: response.headers.map(([name, value]) =>
      name.toLowerCase() === 'location'
        ? ([
            name,
            value.replace(
              /\/(\d{1,10})$/,
              (_whole, digits: string) => `/${String(scatter(Number(digits), factor))}`,
            ),
          ] as const)
        : ([name, value] as const),
    ),
  };
}

/** Changes the JSON object in a write, if the contract allows the result. */
function rewriting(
  service: Service,
  actions: readonly ('create' | 'replace' | 'update')[],
  edit: (body: JsonObject, operation: Operation) => JsonObject,
): Respond {
  return async (request) => {
    const operation = service.operationOf(request);
    const body =
      resourceOf(service, request, ...actions) === undefined ? undefined : readJson(request);
    const schema = operation?.requestBody?.content.find(({ mediaType }) =>
      isJsonMediaType(mediaType),
    )?.schema;
    if (
      operation === undefined ||
      !isJsonObject(body) ||
      schema === undefined ||
      schema.validate(body, 'request').length > 0
    )
      return service.respond(request);
    return service.respond(withJson(request, edit(body, operation)));
  };
}

function lowerAddresses(body: JsonObject, operation: Operation): JsonObject {
  const schema = operation.requestBody?.content[0]?.schema;
  const flat = schema?.flatten();
  return mapMembers(body, (value, name) => {
    const place = flat?.properties.get(name);
    const isAddress = place !== undefined && schema?.flatten(place).node.format === 'email';
    return isAddress && typeof value === 'string' ? value.toLowerCase() : value;
  });
}

function onlyKnown(body: JsonObject, operation: Operation): JsonObject {
  const known = operation.requestBody?.content[0]?.schema?.flatten().properties;
  return membersWhere(body, (name) => known?.has(name) !== false);
}

/** Weak entity tags, as many frameworks make them (RFC 9110, section 8.8.3.2). */
function weakening(service: Service): Respond {
  return async (request) => {
    const ifMatch = headerValue(request.headers, 'if-match');
    const reply = await service.respond(
      ifMatch?.startsWith('W/') === true
        ? setHeader(request, 'If-Match', '"of no state"')
        : request,
    );
    const tag = reply.response && headerValue(reply.response.headers, 'etag');
    return reply.response === undefined || tag === undefined || tag.startsWith('W/')
      ? reply
      : { ...reply, response: setHeader(reply.response, 'ETag', `W/${tag}`) };
  };
}

/** Common behaviour of conforming services: how they refuse, count, cache and clean up. */
export const habitVariants: readonly Variant[] = [
  refusing(422),
  refusing(415),
  refusing(404),
  {
    id: 'empty-store',
    rule: 'There are no records when the run begins.',
    seedRecords: 0,
    plant: (service) => service.respond,
  },
  {
    id: 'keeps-clients-apart',
    rule: 'Another client has its own records, under the identifiers of those of the run.',
    second: true,
    plant: (service) => service.respond,
  },
  {
    id: 'scattered-identifiers',
    rule: 'The numbers of records follow no order.',
    plant: scattered,
  },
  {
    id: 'eventually-consistent',
    rule: 'A list shows a new record only some requests later.',
    plant: (service) => lagging(service, 2),
  },
  {
    id: 'remembers-creates',
    rule: 'Repeating an identical create returns the previous response.',
    plant: remembering,
  },
  {
    id: 'etags',
    rule:
      'Responses have Cache-Control, and conditional requests are ignored if the ' +
      'contract does not declare them.',
    plant: (service) =>
      everyAnswer(service, (response, request) => {
        const isPromised =
          service
            .operationOf(request)
            ?.responses.some(
              ({ status, headers }) =>
                status === '304' ||
                status === '412' ||
                headers.some(({ name }) => name.toLowerCase() === 'etag'),
            ) === true;
        if (!isSuccess(response.status) || isPromised) return response;
        const headers = [
          ...response.headers,
          ['ETag', `W/"${String(response.body.length)}"`],
          ['Cache-Control', 'no-cache'],
          ['Last-Modified', 'Wed, 21 Oct 2015 07:28:00 GMT'],
        ] as const;
        return { ...response, headers };
      }),
  },
  {
    id: 'weak-tags',
    rule: 'Every ETag is weak, and never matches If-Match.',
    plant: weakening,
  },
  {
    id: 'deletes-again',
    rule: 'Deleting a deleted record is a success.',
    plant: (service) => {
      const gone = new Set<string>();
      return async (request) => {
        const reply = await service.respond(request);
        const resource = resourceOf(service, request, 'delete');
        // What can be restored is deleted once (AIP-164).
        const soft = resource && protocolsOf(service.contract, resource).softDelete;
        if (resource === undefined || soft?.restore !== undefined) return reply;
        if (isSuccess(reply.response?.status ?? 0)) gone.add(request.target);
        return reply.response?.status === 404 && gone.has(request.target)
          ? { response: { status: 204, headers: [], body: emptyBody } }
          : reply;
      };
    },
  },
  {
    id: 'lower-case-addresses',
    rule: 'Email addresses are stored in lower case.',
    plant: (service) => rewriting(service, ['create', 'replace', 'update'], lowerAddresses),
  },
  {
    id: 'passes-over-unknown',
    rule: 'A change ignores unknown fields.',
    plant: (service) => rewriting(service, ['replace', 'update'], onlyKnown),
  },
];
