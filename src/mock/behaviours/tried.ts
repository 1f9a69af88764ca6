import { isTrialParameter } from '../../contract/protocols/trial.ts';
import { StoreView } from '../../store/store-view.ts';
import { type Store, whenReady } from '../../store/store.ts';
import type { Convention } from '../phases.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A change that a request may only validate: its answer is that of the change, and nothing is
 * stored (AIP-163).
 */
export const tried: Convention = ({ operation }) => {
  const flag = operation.parameters.find(isTrialParameter);
  if (flag === undefined) return undefined;
  return {
    before: (on) =>
      on.request.parameters.get(parameterKey(flag)) === true
        ? { ...on, store: readAs(on.store) }
        : undefined,
  };
};

/** A store that is read, in another way if need be; changes succeed without an effect. */
export function readAs(store: Store, reading: Partial<Pick<Store, 'get' | 'query'>> = {}): Store {
  const has: Store['delete'] = (collection, id) =>
    whenReady(store.get(collection, id), (record) => record !== undefined);
  const changes: Pick<Store, 'insert' | 'replace' | 'delete'> = {
    insert: (collection, { id }) =>
      whenReady(has(collection, id), (isTaken) => (isTaken ? 'taken' : 'inserted')),
    replace: (collection, { id }) => has(collection, id),
    delete: has,
  };
  return Object.assign(new StoreView(store), changes, reading);
}
