import type { RunEffects } from '../model/event.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { roleOf } from '../model/role.ts';
import { operationFor } from '../plan/draft/operation-for.ts';
import type { EffectRules } from './effect-rules.ts';

/** What a run may leave behind, by the operations that get requests. */
export function readRunEffects(
  contract: Contract,
  rules: EffectRules,
  operations: ReadonlySet<Operation>,
): RunEffects {
  const of = (wanted: string): Operation[] =>
    [...operations].filter((operation) => rules.effects.get(operation)?.effect === wanted);
  const creates = of('creates one');
  const isDeletable = (operation: Operation): boolean => {
    const role = roleOf(contract, operation);
    const remove =
      role?.action === 'create' ? operationFor(contract, role.resource, 'delete') : undefined;
    return remove !== undefined && operations.has(remove);
  };
  return {
    creates: creates.map(nameOf),
    undeletable: creates.filter((operation) => !isDeletable(operation)).map(nameOf),
    acts: of('acts').map(nameOf),
  };
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
