import type { Contract, Operation, Parameter, Resource } from '../model.ts';

/** What a contract shows of a protocol, and one sentence that says it to people. */
export interface Told {
  readonly says: string;
}

/** What a contract shows several times: for a list and for a read, or for each change. */
export interface ToldOf<One> extends Told {
  readonly of: readonly One[];
}

/**
 * A convention that runs across the operations of an API, and that a public text defines. A
 * contract shows it by signs that the text fixes together: names of parameters and members with
 * their types and their company, never one word of English.
 */
export interface Protocol<Facts extends Told> {
  /** What a resource shows of it; undefined where its signs do not stand. */
  read(resource: Resource, contract: Contract): Facts | undefined;
  /**
   * Whether the protocol fixes the values of a parameter, so that a made-up one is no valid
   * request.
   */
  governs?(operation: Operation, parameter: Parameter): boolean;
}

/**
 * Reads what a parameter asks of some operations of a resource; `says` is told by the first and by
 * the ids of all.
 */
export function askedOf<
  One extends { readonly operation: Operation; readonly parameter: Parameter },
>(
  find: (resource: Resource, resources: readonly Resource[]) => readonly One[],
  says: (first: One, ids: string) => string,
): Protocol<ToldOf<One>>['read'] {
  return (resource, { resources }) => {
    const of = find(resource, resources);
    const [first] = of;
    const ids = of.map(({ operation }) => operation.id).join(' and ');
    return first && { of, says: says(first, ids) };
  };
}
