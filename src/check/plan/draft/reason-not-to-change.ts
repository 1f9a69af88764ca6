import type { Contract, Operation } from '../../../contract/model.ts';
import { roleOf } from '../../model/step.ts';
import { isSafe } from './is-safe.ts';
import { pathNames } from './path-names.ts';
import { isRestorable } from './restorable.ts';

const nobodysOwn =
  'it changes a record, and no operation of the contract creates one that the run might change';

/**
 * Why a run may not send an operation, in a clause: a replacement, update, deletion or action only
 * ever touches what the run created, or can put back. `given` has the path parameters for which the
 * user named a record to act on.
 */
export function reasonNotToChange(
  contract: Contract,
  operation: Operation,
  given: ReadonlySet<string>,
): string | undefined {
  if (isSafe(operation)) return undefined;
  const isPost = operation.method === 'POST';
  // What is created below a record leaves the record as it is.
  const touched = pathNames(contract, operation).filter(
    ({ below, parameter }) => !(isPost && (below !== undefined || given.has(parameter.name))),
  );
  if (touched.some(({ creatable }) => !creatable))
    return isPost
      ? `${nobodysOwn}; name one with targets.NAME.examples.${operation.id}.${touched[0]?.parameter.name ?? ''}`
      : nobodysOwn;
  const makesNew = isPost && roleOf(contract, operation)?.action !== 'update';
  if (touched.length > 0 || makesNew) return undefined;
  if (isRestorable(contract, operation)) return undefined;
  if (contract.inference.placementOf(operation)?.kind === 'bulk')
    return 'it changes many records at once, among them those of others';
  return roleOf(contract, operation)?.resource.kind === 'singleton'
    ? 'it changes the only record there is, and nothing in the contract could put it back'
    : nobodysOwn;
}
