import {
  type Contract,
  type Operation,
  type Resource,
  documentsRefusal,
} from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { allowedStates } from '../../../contract/words/read-states.ts';
import { readJson } from '../../../http/media-type.ts';
import {
  type HttpRequest,
  type HttpResponse,
  isRefusal,
  isSuccess,
} from '../../../http/message.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import type { JsonValue, JsonObject } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, arrayOf, memberOf, objectOf } from '../../../json/value.ts';
import { editAnswers, editJson, withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant, Service } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';
import { succeeded } from '../../mutants/state-edits.ts';
import { type OwnParts, ownPartsOf } from '../../../contract/infer/own-kind.ts';
import { endsParts, leavesOut } from '../../../contract/words/read-dependents.ts';

const mutant = mutantsOf('state');

/** Records below others, which clients create. */
interface NestedPlace extends Place {
  readonly child: Resource;
  readonly create: Operation;
  readonly parent: Resource;
}

function nested(contract: Contract, action: 'read' | 'list'): NestedPlace[] {
  return contract.resources.flatMap((child) => {
    const parent = child.parents.at(-1)?.resource;
    const { create, [action]: operation } = child.operations;
    const isMakeable = parent?.operations.create !== undefined && create !== undefined;
    return parent === undefined || !isMakeable || operation === undefined
      ? []
      : [{ child, parent, create, operation }];
  });
}

const pathOf = ({ target }: HttpRequest): string => target.split('?', 1)[0] ?? '';

/** Finds a record below any parent: where it was made, if it is not where it is asked for. */
function findingAnywhere({ child, create }: NestedPlace): Plant {
  const made = new Map<string, string>();
  const asked = new Set([child.operations.read, child.operations.update, child.operations.delete]);
  return (service, fired) =>
    editAnswers(service, fired, { status: 'any' }, async (response, request) => {
      const [operation, path] = [service.operationOf(request), pathOf(request)];
      if (operation === create && succeeded(response)) {
        const id = idIn(response, child);
        if (id !== undefined) made.set(id, path);
      }
      const id = path.slice(path.lastIndexOf('/') + 1);
      const own = made.get(id);
      const isElsewhere = own !== undefined && path !== `${own}/${id}`;
      if (response.status !== 404 || !isElsewhere || !asked.has(operation)) return undefined;
      return (await service.respond({ ...request, target: `${own}/${id}` })).response;
    });
}

/** The identifier of the record that an answer shows, as a text. */
function idIn(response: HttpResponse, { identifier }: Resource): string | undefined {
  const body = readJson(response);
  const shown = [body, ...Object.values(objectOf(body))].filter(isJsonObject);
  const id = shown.map((record) => record[identifier.field]).find((one) => one !== undefined);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Adds what the list below another parent shows, for which a record was made last. */
function listingAll({ child: { list }, create, operation }: NestedPlace): Plant {
  const at = splitPointer(list?.records ?? '');
  const itemsOf = (response: HttpResponse | undefined): readonly JsonValue[] => {
    const body = response && succeeded(response) ? readJson(response) : undefined;
    const items = body === undefined ? undefined : valueAt(body, list?.records ?? '');
    return arrayOf(items);
  };
  return (service, fired) => {
    // The paths below which records were made, the last one last.
    const made = new Set<string>();
    return editAnswers(service, fired, {}, async (response, request) => {
      const [own, path] = [service.operationOf(request), pathOf(request)];
      if (own === create) {
        made.delete(path);
        made.add(path);
      }
      const other = [...made].findLast((one) => one !== path);
      if (own !== operation || other === undefined) return undefined;
      const further = itemsOf((await service.respond({ ...request, target: other })).response);
      if (further.length === 0) return undefined;
      return editJson(response, (body) =>
        editAt(body, at, (items) => (isJsonArray(items) ? [...items, ...further] : undefined)),
      );
    });
  };
}

/** Still shows a record, as it was read last, after the deletion of its parent. */
function keepingChildren({ operation, parent }: NestedPlace): Plant {
  const shown = new Map<string, HttpResponse>();
  const removed = new Set<string>();
  return (service, fired) =>
    editAnswers(service, fired, { status: 'any' }, (response, request) => {
      const [own, path] = [service.operationOf(request), pathOf(request)];
      if (own === parent.operations.delete && succeeded(response)) removed.add(path);
      if (own !== operation) return undefined;
      if (succeeded(response)) shown.set(path, response);
      const isOrphan = [...removed].some((above) => path.startsWith(`${above}/`));
      return response.status === 404 && isOrphan ? shown.get(path) : undefined;
    });
}

interface ReferencePlace extends Place {
  readonly field: string;
}

/** Creates that refuse a reference to a record that does not exist. */
function referring({ resources }: Contract): ReferencePlace[] {
  return resources.flatMap(({ operations: { create }, foreignKeys }) =>
    create === undefined || !documentsRefusal(create, ['404', '409', '422'])
      ? []
      : foreignKeys
          .filter(({ many, field, resource }) => {
            const isSent = bodySchema(create)?.flatten().properties.has(field) === true;
            return !many && isSent && resource.operations.create !== undefined;
          })
          .map(({ field }) => ({ operation: create, field })),
  );
}

/** Accepts a reference to nothing: as one that was accepted before. */
function takingAnyReference({ field }: ReferencePlace): Plant {
  return (service: Service, fired) => {
    let known: JsonValue | undefined;
    return editAnswers(service, fired, { status: 'any' }, async ({ status }, request) => {
      const body = readJson(request);
      const reference = memberOf(body, field);
      if (!isJsonObject(body) || reference === undefined) return undefined;
      if (isSuccess(status)) known = reference;
      const isRefused = isRefusal(status) && typeof reference === typeof known;
      if (known === undefined || !isRefused) return undefined;
      const changed = withJson(request, { ...body, [field]: known });
      const { response: other } = await service.respond(changed);
      return succeeded(other) ? other : undefined;
    });
  };
}

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
    return editAnswers(service, fired, {}, (response, request) =>
      editJson(response, (body) => {
        const own = service.operationOf(request);
        if (own === operations.create && isJsonObject(body) && isPart(body, parts)) made.push(body);
        if (own !== operation) return undefined;
        return editAt(body, splitPointer(at), (items) => {
          if (!isJsonArray(items)) return undefined;
          const shown = new Set(items.filter(isJsonObject).map((item) => item[identifier.field]));
          const others = choose(made, place).filter((item) => !shown.has(item[identifier.field]));
          return others.length === 0 ? undefined : [...items, ...others];
        });
      }),
    );
  };
}

function isPart(record: JsonObject, { field }: OwnParts): boolean {
  return (record[field] ?? null) !== null;
}

/** Still shows a part, as it was read last, until it is deleted itself. */
function keepingParts({ operation, resource, parts }: OwnPlace): Plant {
  return (service, fired) => {
    const shown = new Map<string, HttpResponse>();
    return editAnswers(service, fired, { status: 'any' }, (response, request) => {
      const own = service.operationOf(request);
      if (own === operation && succeeded(response)) shown.delete(request.target);
      if (own !== resource.operations.read) return undefined;
      const body = succeeded(response) ? readJson(response) : undefined;
      if (isJsonObject(body) && isPart(body, parts)) shown.set(request.target, response);
      return response.status === 404 ? shown.get(request.target) : undefined;
    });
  };
}

/** Mutations of records that name others, of another kind or of their own. */
export const parentMutants: readonly Mutator[] = [
  mutant('finds-below-any-parent', {
    rule: 'A record is found below another one than that for which it was made.',
    where: (contract) => nested(contract, 'read'),
    says: 'finds a record below any other',
    plant: findingAnywhere,
  }),
  mutant('lists-below-any-parent', {
    rule: 'A list below one record shows what belongs to another one.',
    where: (contract) =>
      nested(contract, 'list').filter(({ child }) => child.list?.form === 'array'),
    says: 'shows what belongs to another record',
    plant: listingAll,
  }),
  mutant('keeps-children', {
    rule: 'A record is still there after the one below which it stands was deleted.',
    killedBy: 'warning',
    where: (contract) =>
      nested(contract, 'read').filter(({ parent }) => parent.operations.delete !== undefined),
    says: 'shows a record whose parent was deleted',
    hidden: ({ parent }) =>
      parent.operations.delete && allowedStates(parent.operations.delete, parent)
        ? `${parent.name} can be deleted in some states alone`
        : undefined,
    plant: keepingChildren,
  }),
  mutant('takes-any-reference', {
    rule: 'A create accepts a reference to a record that does not exist.',
    where: referring,
    says: ({ field }) => `accepts a ${field} that names no record`,
    act: takingAnyReference,
  }),
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
