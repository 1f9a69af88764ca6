import { changedOperation } from '../../contract/calls/changed-operation.ts';
import { mayBeCalls, openCalls } from '../../contract/calls/open-calls.ts';
import { withRefusals } from '../../contract/calls/success.ts';
import { withOperations } from '../../contract/infer/override-resources.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { defined } from '../../json/value.ts';

/**
 * The contract by which the mock behaves: calls such as `POST /things.rename` stand on the ordinary
 * paths that the check reads them as, and the refusals that a status of success carries are told
 * from the successes. The same contract if it has neither.
 */
export function servedContract(contract: Contract): Contract {
  const known = served.get(contract);
  if (known !== undefined) return known;
  const made = serve(contract);
  served.set(contract, made).set(made, made);
  return made;
}

const served = new WeakMap<Contract, Contract>();

function serve(contract: Contract): Contract {
  const { operations } = contract;
  if (!mayBeCalls(operations)) return contract;
  const read = withRefusals(openCalls(operations, contract.effects));
  const told = withOthers(contract, (one, index) => toldRefusals(one, read[index] ?? one));
  const opened = withOthers(told, (one, index) => {
    const call = read[index] ?? one;
    return call.wire === undefined ? one : changedOperation(call, { responses: one.responses });
  });
  // Where identifiers are members of bodies, the document as it is may say more.
  return placed(opened) >= placed(told) ? opened : told;
}

function withOthers(
  contract: Contract,
  change: (operation: Operation, index: number) => Operation,
): Contract {
  const others = contract.operations.map(change);
  const isSame = others.every((one, index) => one === contract.operations[index]);
  return isSame ? contract : withOperations(contract, others);
}

/** The operation with the refusals that a success status carries, where the document shows them. */
function toldRefusals(documented: Operation, { responses, verdict, sign }: Operation): Operation {
  const isShown = responses.some(({ sentAs }) => sentAs !== undefined);
  return isShown || sign !== undefined
    ? changedOperation(documented, { responses, ...defined({ verdict }) })
    : documented;
}

/** How many operations have a role for a kind of record. */
function placed({ operations, inference }: Contract): number {
  return operations.filter((operation) => inference.placementOf(operation) !== undefined).length;
}
