import type { Parameter } from '../../contract/model.ts';
import { isTrialParameter } from '../../contract/protocols/trial.ts';
import { type Collection, type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { parameterKey } from '../request/read-request.ts';

/**
 * A change that a request may only validate: its answer is that of the change, and nothing is
 * stored (AIP-163).
 */
export function tried(behave: Behaviour): Behaviour {
  return (request, resource, store) =>
    behave(request, resource, isOnTrial(request) ? storingNothing(store) : store);
}

function isOnTrial({ plan, parameters }: ValidRequest): boolean {
  const flag = plan.derive(trialFlag);
  return flag !== undefined && parameters.get(parameterKey(flag)) === true;
}

function trialFlag({ operation }: OperationPlan): Parameter | undefined {
  return operation.parameters.find(isTrialParameter);
}

/** A store that is read; inserts, replacements and deletions succeed without an effect. */
export function storingNothing(store: Store): Store {
  const has = (collection: Collection, id: string): MaybePromise<boolean> =>
    whenReady(store.get(collection, id), (record) => record !== undefined);
  return {
    kind: store.kind,
    recordLimit: store.recordLimit,
    seed: (fixtures) => store.seed(fixtures),
    list: (collection) => store.list(collection),
    query: (collection, query) => store.query(collection, query),
    get: (collection, id) => store.get(collection, id),
    insert: (collection, { id }) =>
      whenReady(has(collection, id), (isTaken) => (isTaken ? 'taken' : 'inserted')),
    replace: (collection, { id }) => has(collection, id),
    delete: has,
    nextInteger: (collection) => store.nextInteger(collection),
    reset: (session) => store.reset(session),
    dump: (session) => store.dump(session),
    restore: (session, dump) => store.restore(session, dump),
    sessions: () => store.sessions(),
    close: () => store.close(),
  };
}
