import { type OwnParts, ownPartsOf } from '../../../contract/infer/own-kind.ts';
import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { endsParts, leavesOut } from '../../../contract/words/read-dependents.ts';
import { readJson } from '../../../http/media-type.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';
import { succeeded } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

interface OwnPlace extends Place {
  readonly resource: Resource;
  readonly parts: OwnParts;
  /** Where the operation shows a list. */
  readonly at: string;
}

/** The resources whose records are parts of others of their kind, each at one of its operations. */
function wholes(
  { resources }: Contract,
  choose: (resource: Resource, parts: OwnParts) => Operation | undefined,
  shower: (resource: Resource, parts: OwnParts) => Resource = (resource) => resource,
): OwnPlace[] {
  return resources.flatMap((resource) => {
    const parts = ownPartsOf(resource, { resources });
    const operation = parts && choose(resource, parts);
    if (parts === undefined || operation === undefined) return [];
    return [{ operation, resource, parts, at: shower(resource, parts).list?.records ?? '' }];
  });
}

/** The parts of the record that the last part names. */
function ofLastWhole(made: readonly JsonObject[], { parts: { field } }: OwnPlace): JsonObject[] {
  return made.filter((part) => part[field] === made.at(-1)?.[field]);
}

/** Adds to a list some of the parts that were made before, and that it does not show. */
function showing(
  place: OwnPlace,
  choose: (made: readonly JsonObject[], place: OwnPlace) => readonly JsonObject[],
): Plant {
  const { operation, resource, parts, at } = place;
  const { identifier, operations } = resource;
  return (service, fired) => {
    const made: JsonObject[] = [];
    return async (request) => {
      const reply = await service.respond(request);
      const [own, { response }] = [service.operationOf(request), reply];
      if (response === undefined || !succeeded(response)) return reply;
      const body = readJson(response);
      if (body === undefined) return reply;
      if (own === operations.create && isJsonObject(body) && isPart(body, parts)) made.push(body);
      if (own !== operation) return reply;
      const edited = editAt(body, splitPointer(at), (items) => {
        if (!isJsonArray(items)) return undefined;
        const shown = new Set(items.filter(isJsonObject).map((item) => item[identifier.field]));
        const others = choose(made, place).filter((item) => !shown.has(item[identifier.field]));
        return others.length === 0 ? undefined : [...items, ...others];
      });
      if (edited === undefined) return reply;
      fired();
      return { ...reply, response: withJson(response, edited) };
    };
  };
}

function isPart(record: JsonObject, { field }: OwnParts): boolean {
  return (record[field] ?? null) !== null;
}

/** Still shows a part, as it was read last, until it is deleted itself. */
function keepingParts({ operation, resource, parts }: OwnPlace): Plant {
  return (service, fired) => {
    const shown = new Map<string, HttpResponse>();
    return async (request) => {
      const reply = await service.respond(request);
      const [own, { response }] = [service.operationOf(request), reply];
      if (own === operation && succeeded(response)) shown.delete(request.target);
      if (own !== resource.operations.read || response === undefined) return reply;
      const body = succeeded(response) ? readJson(response) : undefined;
      if (body !== undefined && isJsonObject(body) && isPart(body, parts))
        shown.set(request.target, response);
      const before = shown.get(request.target);
      if (response.status !== 404 || before === undefined) return reply;
      fired();
      return { ...reply, response: before };
    };
  };
}

/** Mutations of records that name others of their own kind. */
export const ownKindMutants: readonly Mutator[] = [
  mutant('lists-parts-of-any', {
    rule: 'A list of the parts of one record shows those of another one of its kind.',
    where: (contract) =>
      wholes(
        contract,
        (_, { list }) => list.operations.list,
        (_, { list }) => list,
      ),
    says: ({ parts }) => `shows each ${parts.noun} below any record`,
    plant: (place) => showing(place, ofLastWhole),
  }),
  mutant('lists-parts-among-all', {
    rule: 'A list shows the parts that it says to leave out.',
    where: (contract) =>
      wholes(contract, ({ operations: { list } }, { noun }) =>
        list !== undefined && leavesOut(list, noun) ? list : undefined,
      ),
    says: ({ parts }) => `shows each ${parts.noun}`,
    plant: (place) => showing(place, (made) => made),
  }),
  mutant('keeps-own-parts', {
    rule: 'A part is still there after the record of its kind that it names was deleted.',
    where: (contract) =>
      wholes(contract, ({ operations: { delete: remove, read } }, { noun }) =>
        remove !== undefined && read !== undefined && endsParts(remove, noun) ? remove : undefined,
      ),
    says: ({ parts }) => `keeps each ${parts.noun}`,
    plant: keepingParts,
  }),
];
