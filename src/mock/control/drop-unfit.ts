import type { Contract, Resource } from '../../contract/model.ts';
import type { Store, StoredRecord } from '../../store/store.ts';
import { isMark, shelfOwner } from '../records/shelf-name.ts';

/** How many records the sessions see, and how many of them the contract no longer allowed. */
export interface Sweep {
  readonly kept: number;
  readonly dropped: number;
}

/** Removes every record that a contract does not allow, from every session that has changed something: after the contract has changed. */
export async function dropUnfit(store: Store, { resources }: Pick<Contract, 'resources'>): Promise<Sweep> {
  const known = new Map(resources.map((resource) => [resource.name, resource]));
  let [kept, dropped] = [0, 0];
  for (const session of await store.sessions()) {
    const { collections } = await store.dump(session);
    for (const [collection, { records }] of Object.entries(collections).filter(([name]) => !isMark(name))) {
      const unfit = records.filter((stored) => !isFit(stored, known.get(shelfOwner(collection))));
      for (const { id } of unfit) await store.delete({ session, collection }, id);
      kept += records.length - unfit.length;
      dropped += unfit.length;
    }
  }
  return { kept, dropped };
}

function isFit({ id, record }: StoredRecord, resource: Resource | undefined): boolean {
  if (resource === undefined) return false;
  const isNamed = resource.kind === 'singleton' || String(record[resource.identifier.field]) === id;
  return isNamed && resource.record.validate(record, 'response').length === 0;
}
