import { documentsTotal } from '../../reading/list-total.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { withHeader } from '../../../http/message.ts';
import { isSuccess } from '../../../http/status.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import {
  type Mutation,
  forOperation,
  type Mutator,
  type Respond,
  type Service,
} from '../../mutants/mutant.ts';
import { editBodies, readJson, withJson } from '../../mutants/edit-service.ts';
import { collections, editAt } from '../../mutants/places.ts';

export const maxOfKind = 3;

/**
 * The members of a refused body that a service stores if it stores field by field: those that keep
 * a valid body valid.
 */
function soundPart(operation: Operation, base: JsonObject, wanted: JsonObject): JsonObject {
  const schema = operation.requestBody?.content[0]?.schema;
  return Object.entries(wanted).reduce<JsonObject>((taken, [name, value]) => {
    const more = { ...taken, [name]: value };
    return schema?.validate(more, 'request').length === 0 ? more : taken;
  }, base);
}

/** Stores the valid members of a body, and refuses the request. */
function changingFirst(operation: Operation): (service: Service, fired: () => void) => Respond {
  return (service, fired) => {
    let sound: JsonObject = {};
    return async (request) => {
      const [reply, body] = [await service.respond(request), readJson(request)];
      if (!isJsonObject(body) || reply.response === undefined) return reply;
      if (isSuccess(reply.response.status)) sound = operation.method === 'PUT' ? body : sound;
      else if (reply.response.status === 400) {
        const kept = soundPart(operation, sound, body);
        if (
          Object.keys(kept).length > 0 &&
          isSuccess((await service.respond(withJson(request, kept))).response?.status ?? 0)
        )
          fired();
      }
      return reply;
    };
  };
}

/** Creates an additional record, and refuses the request. */
function creatingAnother({
  requestBody,
}: Operation): (service: Service, fired: () => void) => Respond {
  const [media] = requestBody?.content ?? [];
  const blank =
    media?.schema && plainValue(media.schema, { seed: 'left behind', direction: 'request' });
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    if (blank?.ok !== true || media === undefined || reply.response?.status !== 400) return reply;
    const other = {
      ...request,
      headers: withHeader(request.headers, 'Content-Type', media.mediaType),
    };
    if (isSuccess((await service.respond(withJson(other, blank.value))).response?.status ?? 0))
      fired();
    return reply;
  };
}

/** Shows no records in one of ten responses. */
function emptying(mutator: string, list: Operation, records: string): Mutation {
  let requests = 0;
  return {
    mutator,
    title: `${list.id} is empty in one of ten responses`,
    operation: list.id,
    plant: (service, fired) =>
      editBodies(service, fired, { operation: list }, (body) => {
        requests += 1;
        const shown = valueAt(body, records);
        return requests % 10 === 0 && isJsonArray(shown) && shown.length > 0
          ? editAt(body, splitPointer(records), () => [])
          : undefined;
      }),
  };
}

/** Keeps the members that a replacement leaves out. */
function merging({
  operations: { read },
}: Resource): (service: Service, fired: () => void) => Respond {
  return (service, fired) => async (request) => {
    const [before, body] = [
      read === undefined
        ? undefined
        : await service.respond({
            ...request,
            method: read.method,
            body: new Uint8Array(),
            headers: request.headers.filter(([name]) => !/^content-/i.test(name)),
          }),
      readJson(request),
    ];
    const record =
      before?.response === undefined || !isSuccess(before.response.status)
        ? undefined
        : readJson(before.response);
    const known = service.operationOf(request)?.requestBody?.content[0]?.schema;
    if (
      !isJsonObject(record) ||
      !isJsonObject(body) ||
      known?.validate(body, 'request').length !== 0
    )
      return service.respond(request);
    const kept = Object.fromEntries(
      Object.entries(record).filter(
        ([name]) => known.flatten().properties.has(name) && !Object.hasOwn(body, name),
      ),
    );
    if (Object.keys(kept).length > 0) fired();
    return service.respond(withJson(request, { ...kept, ...body }));
  };
}

/** Refused requests that change something. */
export const refusalMutants: readonly Mutator[] = [
  {
    id: 'keeps-refused-change',
    family: 'state',
    rule: 'The valid fields of a refused change are stored.',
    find: (contract) =>
      collections(contract)
        .filter(({ operations: { create, read } }) => create !== undefined && read !== undefined)
        .flatMap(({ operations: { replace, update } }) =>
          [replace, update].filter((operation) => operation !== undefined),
        )
        .slice(0, maxOfKind)
        .map((operation) =>
          forOperation(
            'keeps-refused-change',
            { operation },
            'changes the record when it refuses',
            changingFirst(operation),
          ),
        ),
  },
  {
    id: 'counts-refused',
    family: 'state',
    rule: 'A refused create stores a record without the values of the request.',
    find: (contract) =>
      collections(contract)
        .filter(documentsTotal)
        .flatMap(({ operations: { create } }) => create ?? [])
        .slice(0, maxOfKind)
        .map((operation) =>
          forOperation(
            'counts-refused',
            { operation },
            'stores another record when it refuses',
            creatingAnother(operation),
          ),
        ),
  },
];

/** Changes that touch more, or less, than they say. */
export const replacementMutants: readonly Mutator[] = [
  {
    id: 'merges-replacement',
    family: 'state',
    rule: 'A replacement keeps the fields that it leaves out, although the contract has an update.',
    find: (contract) =>
      collections(contract)
        .filter(
          ({ operations: { create, read, update } }) =>
            create !== undefined && read !== undefined && update !== undefined,
        )
        .flatMap((resource) =>
          resource.operations.replace === undefined
            ? []
            : [
                forOperation(
                  'merges-replacement',
                  { operation: resource.operations.replace },
                  'keeps the fields that a replacement leaves out',
                  merging(resource),
                ),
              ],
        )
        .slice(0, maxOfKind),
  },
  {
    id: 'empties-list',
    family: 'list',
    rule: 'One list in ten is empty.',
    find: (contract) =>
      collections(contract)
        .flatMap(({ operations, list }) =>
          operations.list === undefined || list === undefined
            ? []
            : [emptying('empties-list', operations.list, list.records)],
        )
        .slice(0, 1),
  },
];
