import { lazy } from '../../contract/lazy.ts';
import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { formatPlace, VouchError } from '../../errors.ts';
import { remember } from '../../remember.ts';
import type { CollectionNames } from '../../store/store-part.ts';
import { mountedPaths } from '../route/mounted-paths.ts';

/**
 * Joins several contracts into one, for lookups of operations, records and credentials by name. Its
 * title, document and locations are those of the first contract.
 */
export function joinContracts(
  documents: readonly NamedContract[],
  names: readonly JoinedNames[],
): Contract {
  const [first] = documents;
  if (first === undefined) throw new VouchError('internal', 'There is no contract to join.');
  const each = documents.map(({ contract }, index) => ({ contract, name: names[index] }));
  const joined: Partial<{ readonly [member in keyof Contract]: () => Contract[member] }> = {
    title: () => documents.map(({ contract }) => contract.title).join(', '),
    files: () => documents.flatMap(({ contract }) => contract.files),
    operations: () =>
      each.flatMap(({ contract, name }) =>
        contract.operations.map((operation) =>
          renameOperation(operation, name?.operation(operation.id)),
        ),
      ),
    resources: () =>
      each.flatMap(({ contract, name }) =>
        contract.resources.map((resource) => renameResource(resource, name)),
      ),
    unplaced: () => documents.flatMap(({ contract }) => contract.unplaced),
    gaps: () => documents.flatMap(({ contract }) => contract.gaps),
    webhooks: () => documents.flatMap(({ contract }) => contract.webhooks),
    servers: () => documents.flatMap(({ contract }) => contract.servers),
    securitySchemes: () =>
      new Map(documents.flatMap(({ contract }) => [...contract.securitySchemes])),
  };
  const known = new Map<PropertyKey, unknown>();
  // A contract reads its parts lazily; the joined one does too, and caches them.
  return new Proxy(first.contract, {
    get(target, key) {
      const make: unknown = Object.hasOwn(joined, key) ? Reflect.get(joined, key) : undefined;
      if (typeof make !== 'function') return Reflect.get(target, key, target) as unknown;
      return remember(known, key, make as () => unknown);
    },
  });
}

function renameOperation(operation: Operation, id: string | undefined): Operation {
  return id === undefined || id === operation.id
    ? operation
    : replaceMembers<Operation>(operation, { id });
}

function renameResource(resource: Resource, names: JoinedNames | undefined): Resource {
  const name = names?.toShared(resource.name) ?? resource.name;
  return name === resource.name
    ? resource
    : replaceMembers(resource, {
        name,
        collection: names?.toShared(resource.collection) ?? resource.collection,
      });
}

/** Overrides members of an object; the others are still read lazily. */
function replaceMembers<Whole extends object>(whole: Whole, members: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (target, key) =>
      Reflect.get(Object.hasOwn(members, key) ? members : target, key) as unknown,
  });
}

/** One of several contracts on one port. */
export interface NamedContract {
  /** The name in messages, and the prefix of names that two contracts share. Unique. */
  readonly name: string;
  readonly contract: Contract;
  /** The base path that replaces the document's. */
  readonly base?: string | undefined;
}

/** Throws `config-invalid` if two contracts have the same method and path. */
export function refuseOverlap(documents: readonly NamedContract[]): void {
  const taken = new Map<string, { readonly owner: NamedContract; readonly operation: Operation }>();
  for (const owner of documents) {
    for (const [path, operation] of mountedPaths(owner.contract, owner.base)) {
      // Templates that differ only in parameter names are the same path (OpenAPI 3.1, section
      // 4.8.8).
      const key = `${operation.method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
      const before = taken.get(key);
      if (before !== undefined && before.owner !== owner)
        throw overlap(`${operation.method} ${path}`, [before, { owner, operation }]);
      taken.set(key, { owner, operation });
    }
  }
}

type Taken = { readonly owner: NamedContract; readonly operation: Operation };

function overlap(line: string, [first, second]: readonly [Taken, Taken]): VouchError {
  const [here, there] = [first, second].map(({ owner, operation }) =>
    owner.contract.locate(operation.pointer),
  );
  if (here === undefined || there === undefined)
    throw new VouchError('internal', 'An operation has no place.');
  return new VouchError(
    'config-invalid',
    `${first.owner.name} and ${second.owner.name} both have ${line}: at ` +
      `${formatPlace(here)} and at ${formatPlace(there)}.`,
    {
      hint:
        'Give one of them another base path: --base ' +
        `${second.owner.name}=/${second.owner.name}, or base in documents of ` +
        'vouch.config.yaml.',
      place: there,
      frame: second.owner.contract.frame(second.operation.pointer),
    },
  );
}

/** Maps the names of operations and records between one contract and all of them. */
export interface JoinedNames extends CollectionNames {
  operation(own: string): string;
}

/**
 * Prefixes names that two contracts share with the contract's name: `orders:createItem`. Resources
 * are inferred on first use.
 */
export function joinNames(documents: readonly NamedContract[]): JoinedNames[] {
  const operations = lazy(() =>
    sharedBy(documents.map(({ contract }) => contract.operations.map(({ id }) => id))),
  );
  const resources = lazy(() =>
    sharedBy(documents.map(({ contract }) => contract.resources.map(({ name }) => name))),
  );
  return documents.map(({ name: document, contract }) => {
    const rename = (own: string, ambiguous: ReadonlySet<string>): string =>
      ambiguous.has(own) ? `${document}:${own}` : own;
    const toShared = (own: string): string => renameHead(own, (head) => rename(head, resources()));
    const back = lazy(() => new Map(contract.resources.map(({ name }) => [toShared(name), name])));
    return {
      operation: (own) => rename(own, operations()),
      toShared,
      toOwn: (shared) => renameHead(shared, (head) => back().get(head)),
    };
  });
}

/**
 * The name of a collection starts with that of its resource, followed by its parents after a slash.
 */
function renameHead<Name extends string | undefined>(
  collection: string,
  name: (head: string) => Name,
): Name | string {
  const [head = '', ...rest] = collection.split('/');
  const renamed = name(head);
  return renamed === undefined || rest.length === 0 ? renamed : [renamed, ...rest].join('/');
}

/** The names that occur in several lists. */
function sharedBy(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const list of lists) {
    for (const name of new Set(list)) (seen.has(name) ? twice : seen).add(name);
  }
  return twice;
}
