import { lastWord } from '../infer/conventions/path-styles.ts';
import { wordsOf } from '../infer/infer-names.ts';
import { describesSame } from '../infer/record-fields.ts';
import type { Contract, Operation, Resource } from '../model.ts';
import { codeInContract } from '../words/argument-codes.ts';
import type { Protocol, Told } from './protocol.ts';

/** A member of `_embedded` in a record, and the records below it that it holds. */
export interface Embedded {
  readonly relation: string;
  readonly child: Resource;
}

/** A relation of the links of a record, and the operation to which it leads. */
export interface LinkedOperation {
  readonly relation: string;
  readonly operation: Operation;
}

/** Links and embedded records of a resource, in the members that HAL reserves. */
export interface Hal extends Told {
  readonly embedded: readonly Embedded[];
  /** The operations on a record to which its links lead while they can be used. */
  readonly linked: readonly LinkedOperation[];
}

/**
 * HAL: a record has its links in `_links`, by their relations, and records that it embeds in
 * `_embedded` (draft-kelly-json-hal, sections 4.1.1 and 4.1.2).
 */
export const hal: Protocol<Hal> = {
  read(resource, contract: Contract) {
    const { resources, operations } = contract;
    const { properties } = resource.record.flatten();
    if (!properties.has('_links')) return undefined;
    const says = `Records of ${resource.name} have links in _links (HAL).`;
    const linked = linkedIn(resource, operations, codeInContract(contract));
    return { embedded: embeddedIn(resource, resources), linked, says };
  },
};

/**
 * The operations on a record for which the contract names a relation, as a member of `_links` or
 * between backticks: `edit` (RFC 5023), the last word of a path, or the name of the operation.
 */
function linkedIn(
  { itemPath, record }: Resource,
  operations: readonly Operation[],
  named: readonly string[],
): LinkedOperation[] {
  const place = record.flatten().properties.get('_links');
  if (itemPath === undefined || place === undefined) return [];
  const told = new Set([...record.flatten(place).properties.keys(), ...named]);
  return operations.flatMap((operation) => {
    const relation = relationNames(operation, itemPath).find((name) => told.has(name));
    return relation === undefined ? [] : [{ relation, operation }];
  });
}

function relationNames({ method, path, id }: Operation, itemPath: string): string[] {
  if (path === itemPath) return method === 'PATCH' || method === 'PUT' ? ['edit'] : [];
  const isBelow = path.startsWith(`${itemPath}/`) && !path.slice(itemPath.length).includes('{');
  return isBelow && method === 'POST' ? [lastWord(path), wordsOf(id).join('-')] : [];
}

function embeddedIn(resource: Resource, resources: readonly Resource[]): Embedded[] {
  const { record } = resource;
  const place = record.flatten().properties.get('_embedded');
  if (place === undefined) return [];
  const members = record.flatten(place).properties;
  return [...members].flatMap(([relation, member]) => {
    const { items } = record.flatten(member);
    if (items === undefined || typeof items.node === 'boolean') return [];
    const shown = record.part(items);
    const child = resources.find(
      (one) => one.parents.at(-1)?.resource === resource && describesSame(shown, one.record),
    );
    return child === undefined ? [] : [{ relation, child }];
  });
}
