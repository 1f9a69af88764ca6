import { readJson } from '../../../http/media-type.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import type { Schema } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere } from '../../../json/value.ts';
import { editBodies, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { collections, editAt } from '../../mutants/places.ts';
import { bodyOf, fieldsIn, openMedia } from '../../mutants/open-bodies.ts';
import {
  type ActionPlace,
  actions,
  isInvalid,
  isOfReadable,
  recordAt,
  soundLike,
  succeeded,
} from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

/**
 * The members of a refused body that a service stores if it stores field by field: those that keep
 * a valid body valid.
 */
function soundPart(schema: Schema | undefined, base: JsonObject, expected: JsonObject): JsonObject {
  const isSound = (name: string, value: JsonValue): boolean => {
    const place = schema?.flatten().properties.get(name);
    return place === undefined || schema?.part(place).accepts(value, 'request') === true;
  };
  const least = { ...base, ...requiredOf(schema, membersWhere(expected, isSound)) };
  return Object.entries(expected).reduce<JsonObject>((taken, [name, value]) => {
    const more = { ...least, ...taken, [name]: value };
    return schema?.validate(more, 'request').length === 0 ? more : taken;
  }, base);
}

/** The members of a body that clients set. */
function settable(schema: Schema): string[] {
  return [...schema.flatten().properties].flatMap(([name, place]) =>
    schema.part(place).flatten().node.readOnly === true ? [] : [name],
  );
}

/** The members of a body that it must have. */
function requiredOf(schema: Schema | undefined, body: JsonObject): JsonObject {
  const required = schema?.flatten().required;
  return membersWhere(body, (name) => required?.has(name) === true);
}

/** Stores the valid members of a body, and refuses the request. */
function changingFirst({ operation, fields }: ActionPlace): Plant {
  return (service, fired) => {
    let sound: JsonObject = {};
    return async (request) => {
      const media = openMedia(service.contract, operation);
      const [reply, body] = [await service.respond(request), fieldsIn(media, readJson(request))];
      if (body === undefined) return reply;
      if (succeeded(reply.response))
        sound = operation.method === 'PUT' ? body : requiredOf(fields, body);
      else if (
        isInvalid(reply.response) ||
        (reply.response?.status === 409 && fields?.validate(body, 'request').length !== 0)
      ) {
        const kept = soundPart(fields, sound, body);
        if (
          Object.keys(kept).length > 0 &&
          succeeded((await service.respond(withJson(request, bodyOf(media, kept)))).response)
        )
          fired();
      }
      return reply;
    };
  };
}

/** Creates an additional record, and refuses the request. */
function creatingAnother(place: Place): Plant {
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const other = isInvalid(reply.response) ? soundLike(request, place) : undefined;
    if (other !== undefined && succeeded((await service.respond(other)).response)) fired();
    return reply;
  };
}

/** Refused requests that change something. */
export const refusalMutants: readonly Mutator[] = [
  mutant('keeps-refused-change', {
    rule: 'The valid fields of a refused change are stored.',
    where: (contract) => actions(contract, 'replace', 'update').filter(isOfReadable),
    says: 'changes the record when it refuses',
    hidden: ({ fields }) =>
      fields !== undefined &&
      settable(fields).length < 2 &&
      fields.flatten().node.additionalProperties !== false
        ? 'clients set one field alone, so a refused change has no valid part'
        : undefined,
    act: changingFirst,
  }),
  mutant('counts-refused', {
    rule: 'A refused create stores a record without the values of the request.',
    where: (contract) =>
      actions(contract, 'create').filter(({ resource }) => documentsTotal(resource)),
    says: 'stores another record when it refuses',
    act: creatingAnother,
  }),
];

/** Changes that touch more, or less, than they say. */
export const replacementMutants: readonly Mutator[] = [
  mutant('merges-replacement', {
    rule: 'A replacement keeps the fields that it leaves out, although the contract has an update.',
    where: (contract) =>
      actions(contract, 'replace')
        .filter(isOfReadable)
        .filter(({ resource }) => resource.operations.update !== undefined),
    says: 'keeps the fields that a replacement leaves out',
    act:
      ({ operation }) =>
      (service, fired) =>
      async (request) => {
        const body = readJson(request);
        const known = operation.requestBody?.content[0]?.schema;
        if (!isJsonObject(body) || known?.validate(body, 'request').length !== 0)
          return service.respond(request);
        const kept = membersWhere(
          (await recordAt(service, request)) ?? {},
          (name) => known.flatten().properties.has(name) && !Object.hasOwn(body, name),
        );
        if (Object.keys(kept).length > 0) fired();
        return service.respond(withJson(request, { ...kept, ...body }));
      },
  }),
  mutantsOf('list')('empties-list', {
    rule: 'One list in ten is empty.',
    where: (contract) =>
      collections(contract).flatMap(({ operations, list }) =>
        operations.list === undefined || list === undefined
          ? []
          : [{ operation: operations.list, records: list.records }],
      ),
    max: 1,
    says: 'is empty in one of ten responses',
    act:
      ({ records }) =>
      (service, fired) => {
        let requests = 0;
        return editBodies(service, fired, {}, (body) => {
          requests += 1;
          return requests % 10 === 0
            ? editAt(body, splitPointer(records), (shown) =>
                isJsonArray(shown) && shown.length > 0 ? [] : undefined,
              )
            : undefined;
        });
      },
  }),
];
