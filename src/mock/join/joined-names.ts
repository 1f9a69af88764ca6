import { whenAsked } from '../../contract/when-asked.ts';
import type { CollectionNames } from '../../store/store-part.ts';
import type { NamedContract } from './join-contracts.ts';

/** What the operations and records of one contract are called where there are several, and back. */
export interface JoinedNames extends CollectionNames {
  operation(own: string): string;
}

/**
 * A name that two contracts have is told apart by the contract's: `orders:createItem`. Resources
 * are inferred when first asked for.
 */
export function joinNames(documents: readonly NamedContract[]): JoinedNames[] {
  const operations = whenAsked(() =>
    sharedBy(documents.map(({ contract }) => contract.operations.map(({ id }) => id))),
  );
  const resources = whenAsked(() =>
    sharedBy(documents.map(({ contract }) => contract.resources.map(({ name }) => name))),
  );
  return documents.map(({ name: document, contract }) => {
    const rename = (own: string, ambiguous: ReadonlySet<string>): string =>
      ambiguous.has(own) ? `${document}:${own}` : own;
    const toShared = (own: string): string => renameHead(own, (head) => rename(head, resources()));
    const back = whenAsked(
      () => new Map(contract.resources.map(({ name }) => [toShared(name), name])),
    );
    return {
      operation: (own) => rename(own, operations()),
      toShared,
      toOwn: (shared) => renameHead(shared, (head) => back().get(head)),
    };
  });
}

/**
 * The name of a shelf begins with that of its resource; behind the first slash come its parents.
 */
function renameHead<Name extends string | undefined>(
  shelf: string,
  name: (head: string) => Name,
): Name | string {
  const [head = '', ...rest] = shelf.split('/');
  const renamed = name(head);
  return renamed === undefined || rest.length === 0 ? renamed : [renamed, ...rest].join('/');
}

/** The names that more than one list has. */
function sharedBy(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const list of lists) {
    for (const name of new Set(list)) (seen.has(name) ? twice : seen).add(name);
  }
  return twice;
}
