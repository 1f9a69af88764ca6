import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { documentsRefusal } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { allowedStates } from '../../../contract/words/read-states.ts';
import { readJson } from '../../../http/media-type.ts';
import type { HttpRequest, HttpResponse } from '../../../http/message.ts';
import { isRefusal, isSuccess } from '../../../http/status.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant, Service } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';
import { succeeded } from '../../mutants/state-edits.ts';

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
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const [operation, path] = [service.operationOf(request), pathOf(request)];
    if (operation === create && reply.response !== undefined && succeeded(reply.response)) {
      const id = idIn(reply.response, child);
      if (id !== undefined) made.set(id, path);
    }
    const id = path.slice(path.lastIndexOf('/') + 1);
    const own = made.get(id);
    const isElsewhere = own !== undefined && path !== `${own}/${id}`;
    if (reply.response?.status !== 404 || !isElsewhere || !asked.has(operation)) return reply;
    fired();
    return service.respond({ ...request, target: `${own}/${id}` });
  };
}

/** The identifier of the record that an answer shows, as a text. */
function idIn(response: HttpResponse, { identifier }: Resource): string | undefined {
  const body = readJson(response);
  const shown = [body, ...(isJsonObject(body) ? Object.values(body) : [])].filter(isJsonObject);
  const id = shown.map((record) => record[identifier.field]).find((one) => one !== undefined);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Adds what the list below another parent shows, for which a record was made last. */
function listingAll({ child: { list }, create, operation }: NestedPlace): Plant {
  const at = splitPointer(list?.records ?? '');
  const itemsOf = (response: HttpResponse | undefined): readonly JsonValue[] => {
    const body = response && succeeded(response) ? readJson(response) : undefined;
    const items = body === undefined ? undefined : valueAt(body, list?.records ?? '');
    return items !== undefined && isJsonArray(items) ? items : [];
  };
  return (service, fired) => {
    // The paths below which records were made, the last one last.
    const made = new Set<string>();
    return async (request) => {
      const reply = await service.respond(request);
      const [own, path] = [service.operationOf(request), pathOf(request)];
      const { response } = reply;
      if (own === create && succeeded(response)) {
        made.delete(path);
        made.add(path);
      }
      const other = [...made].findLast((one) => one !== path);
      if (own !== operation || response === undefined || other === undefined) return reply;
      const further = itemsOf((await service.respond({ ...request, target: other })).response);
      const body = succeeded(response) ? readJson(response) : undefined;
      const edited =
        body === undefined || further.length === 0
          ? undefined
          : editAt(body, at, (items) => (isJsonArray(items) ? [...items, ...further] : undefined));
      if (edited === undefined) return reply;
      fired();
      return { ...reply, response: withJson(response, edited) };
    };
  };
}

/** Still shows a record, as it was read last, after the deletion of its parent. */
function keepingChildren({ operation, parent }: NestedPlace): Plant {
  const shown = new Map<string, HttpResponse>();
  const removed = new Set<string>();
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const { response } = reply;
    const [own, path] = [service.operationOf(request), pathOf(request)];
    if (own === parent.operations.delete && succeeded(response)) removed.add(path);
    if (own !== operation || response === undefined) return reply;
    if (isSuccess(response.status)) shown.set(path, response);
    const before = shown.get(path);
    const isOrphan = [...removed].some((above) => path.startsWith(`${above}/`));
    if (response.status !== 404 || before === undefined || !isOrphan) return reply;
    fired();
    return { ...reply, response: before };
  };
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
    return async (request) => {
      const reply = await service.respond(request);
      const body = readJson(request);
      const reference = isJsonObject(body) ? body[field] : undefined;
      if (!isJsonObject(body) || reference === undefined) return reply;
      if (succeeded(reply.response)) known = reference;
      const isRefused = isRefusal(reply.response?.status ?? 0) && typeof reference === typeof known;
      if (known === undefined || !isRefused) return reply;
      const other = await service.respond(withJson(request, { ...body, [field]: known }));
      if (!succeeded(other.response)) return reply;
      fired();
      return other;
    };
  };
}

/**
 * Mutations of records below others, and of references. Where no text says that a deletion ends
 * what is below the record, a check only doubts that it is still there.
 */
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
];
