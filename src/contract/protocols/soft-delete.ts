import { plainName } from '../infer/infer-names.ts';
import type { Contract, Operation, Parameter, Resource } from '../model.ts';
import type { Protocol, Told } from './protocol.ts';

/** Records that are only marked when they are deleted, until they are restored or expire. */
export interface SoftDelete extends Told {
  readonly removal: Operation;
  readonly restore: Operation;
  /** The parameter with which the list shows deleted records too. */
  readonly shown?: Parameter | undefined;
}

/**
 * Soft deletion: a deleted record is in no plain list, but in one with `show_deleted`; a read shows
 * it with the moment of its deletion, and the custom method `:undelete` restores it (AIP-164).
 */
export const softDelete: Protocol<SoftDelete> = {
  source: 'Google AIP-164',
  read({ operations: { read, list, delete: removal } }: Resource, { operations }: Contract) {
    const path = read === undefined ? undefined : `${read.path}:undelete`;
    const restore = operations.find((one) => one.method === 'POST' && one.path === path);
    if (restore === undefined || removal === undefined) return undefined;
    const shown = list?.parameters.find(isShowDeleted);
    const showing = shown === undefined ? '' : `, and ${shown.name} shows them`;
    const says = `${removal.id} keeps records, ${restore.id} restores them${showing} (AIP-164).`;
    return { removal, restore, shown, says };
  },
};

function isShowDeleted({ in: location, name, schema }: Parameter): boolean {
  const isFlag = schema.flatten().types.every((type) => type === 'boolean');
  return location === 'query' && plainName(name) === 'showdeleted' && isFlag;
}
