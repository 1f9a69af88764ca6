import { wordsOf } from '../infer/infer-names.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import { saysDeleted } from '../words/names.ts';
import type { Protocol, Told } from './protocol.ts';

/** Records that are only marked when they are deleted, until they are restored or expire. */
export interface SoftDelete extends Told {
  readonly removal: Operation;
  /** The operation that restores a record, if the contract has one. */
  readonly restore?: Operation | undefined;
  /** The parameter with which the list shows deleted records too. */
  readonly shown?: Parameter | undefined;
  /** The same of the read: without it, a deleted record is not found. */
  readonly read?: Parameter | undefined;
}

/**
 * Soft deletion: a deleted record is in no plain list, but in one with `show_deleted`; a read shows
 * it with the moment of its deletion, and the custom method `:undelete` restores it (AIP-164).
 * Other APIs have a flag such as `includeDeleted`, in their reads as well.
 */
export const softDelete: Protocol<SoftDelete> = {
  read(resource: Resource, { operations, resources }: Contract) {
    const { read, list } = resource.operations;
    // A list below a parent may show the records that others delete.
    const same = resources.filter(({ collection }) => collection === resource.collection);
    const removal = [resource, ...same].find((one) => one.operations.delete)?.operations.delete;
    if (removal === undefined) return undefined;
    const path = read === undefined ? undefined : `${read.path}:undelete`;
    const restore = operations.find((one) => one.method === 'POST' && one.path === path);
    const shown = list?.parameters.find(showsDeleted);
    const flag = read?.parameters.find(showsDeleted);
    const showing = shown ?? flag;
    if (restore === undefined && showing === undefined) return undefined;
    const restoring = restore === undefined ? '' : `, ${restore.id} restores them`;
    const asking = showing === undefined ? '' : `, and ${showing.name} shows them`;
    const says = `${removal.id} keeps records${restoring}${asking} (AIP-164).`;
    return { removal, restore, shown, read: flag, says };
  },
};

/** Whether a flag of a query asks for deleted records too: `show_deleted`, `includeDeleted`. */
export function showsDeleted({ in: location, name, schema }: Parameter): boolean {
  const [first = '', ...rest] = wordsOf(name);
  return (
    location === 'query' &&
    ['show', 'include', 'with'].includes(first) &&
    rest.some(saysDeleted) &&
    schema.flatten().types.every((type) => type === 'boolean')
  );
}
