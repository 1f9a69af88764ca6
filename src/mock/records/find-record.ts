import type { Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Shelf, Store } from '../../store/store.ts';
import type { ValidRequest } from '../behaviour.ts';
import { makeFault, type Fault } from '../errors/fault.ts';

/** The shelf on which a resource's records stand, for the session of a request. */
export function shelfOf({ session }: ValidRequest, { name }: Resource): Shelf {
  return { session, collection: name };
}

/** The identifier that the path names, as records are found by it, and as the record holds it. */
export interface NamedRecord {
  readonly id: string;
  readonly value: JsonValue;
}

/** The record that a request's path names. */
export function namedRecord({ parameters, path }: ValidRequest, { identifier, itemPath }: Resource): NamedRecord {
  const name = identifier.parameter ?? /\{([^{}/]+)\}$/.exec(itemPath ?? '')?.[1] ?? identifier.field;
  const value = parameters.get(`path ${name}`) ?? path.get(name) ?? '';
  return { id: textOf(value), value };
}

/** The text of an identifier: that of an integer is its decimal form, every digit of it. */
export function textOf(id: JsonValue): string {
  return typeof id === 'string' ? id : String(id);
}

/** The record that a path names, or the fault that there is none. */
export type Found = { readonly kind: 'found'; readonly id: string; readonly value: JsonValue; readonly record: JsonObject } | Fault;

/** Finds the record that a request's path names. */
export async function findRecord(request: ValidRequest, resource: Resource, store: Store): Promise<Found> {
  const { id, value } = namedRecord(request, resource);
  const record = await store.get(shelfOf(request, resource), id);
  return record === undefined ? notFound(resource, id) : { kind: 'found', id, value, record };
}

/** Says that no record has an identifier. */
export function notFound({ identifier, name }: Resource, id: string): Fault {
  return makeFault('not-found', 'not_found', `No record of ${name} has the ${identifier.field} ${quoteExcerpt(id)}.`);
}
