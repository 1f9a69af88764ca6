import type { Resource } from '../contract/model.ts';
import { type MaybePromise, type Store, whenReady } from '../store/store.ts';
import type { Acting, Asking, Behaviour, OperationPlan } from './model/request.ts';
import type { Fault, Reply } from './model/reply.ts';

/** What one convention does in the phases of a request, which run in this order. */
export interface Hook<On extends Asking = Acting> {
  /** Refuses or answers a request before anything changes, or hands on another one. */
  readonly before?: Before<On>;
  /** The store as the change alone sees it. */
  readonly select?: (on: On) => Store;
  /** Does what the operation does, in place of its action. */
  readonly change?: Behaviour<On>;
  /** Changes, after a success, what depends on it. */
  readonly after?: Then<On>;
  /** Edits a success as the client sees it. */
  readonly show?: Then<On>;
}

type Before<On> = (on: On) => MaybePromise<On | Early>;
type Early = Reply | Fault | undefined;
type Then<On> = (reply: Reply, on: On) => MaybePromise<Early>;

/** Reads once for an operation what a convention needs; undefined if it does not concern it. */
export type Convention<On extends Asking = Acting> = (
  plan: OperationPlan,
  ...of: On extends Acting ? [resource: Resource] : []
) => Hook<On> | undefined;

/** A behaviour with the hooks of its operation: in each phase, they run in their order. */
export function inPhases<On extends Asking>(
  hooks: readonly Hook<On>[],
  act: Behaviour<On>,
): Behaviour<On> {
  if (hooks.length === 0) return act;
  const before = hooks.flatMap((hook) => hook.before ?? []);
  const views = hooks.flatMap((hook) => hook.select ?? []);
  const [change = act] = hooks.flatMap((hook) => hook.change ?? []);
  const show = hooks.flatMap((hook) => hook.show ?? []);
  const then = [...hooks.flatMap((hook) => hook.after ?? []), ...show];
  return (given) => {
    let on = given;
    const ask = (hook: Before<On>): MaybePromise<Early> =>
      whenReady(hook(on), (next) => {
        if (next === undefined || 'kind' in next) return next;
        on = next;
        return undefined;
      });
    const early = inTurn<Before<On>, Early>(before, undefined, (made, hook) => made ?? ask(hook));
    return whenReady(early, (made) => {
      if (made !== undefined) return edited(made, show, on);
      const store = views.reduce((seen, view) => view({ ...on, store: seen }), on.store);
      const changed = change(store === on.store ? on : { ...on, store });
      return whenReady(changed, (reply) => edited(reply, then, on));
    });
  };
}

function edited<On>(made: Reply | Fault, hooks: readonly Then<On>[], on: On) {
  return inTurn(hooks, made, (reply, hook) =>
    reply.kind === 'fault' ? reply : whenReady(hook(reply, on), (next) => next ?? reply),
  );
}

/** Goes through the items in turn, synchronously as long as no step needs a promise. */
export function inTurn<Item, State>(
  items: readonly Item[],
  first: State,
  step: (state: State, item: Item) => MaybePromise<State>,
): MaybePromise<State> {
  let state = first;
  let done = 0;
  for (const item of items) {
    const next = step(state, item);
    done += 1;
    if (next instanceof Promise)
      return next.then((later) => inTurn(items.slice(done), later, step));
    state = next;
  }
  return state;
}
