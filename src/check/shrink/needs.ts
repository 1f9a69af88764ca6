import type { Contract, Resource } from '../../contract/model.ts';
import type { Case, Sequence } from '../model/case.ts';

/** Whether a sequence itself makes a record of a resource. */
export function createsFor({ cases }: Sequence, { operations }: Resource): boolean {
  return cases.some(({ operation }) => operation === operations.create);
}

/**
 * Whether a later case takes something out of the answer of the case at an index, and no other
 * earlier one could give it.
 */
export function isNeeded({ cases }: Sequence, index: number, { resources }: Contract): boolean {
  const giver = cases[index];
  if (giver === undefined) return false;
  const others = cases.filter((_tried, at) => at !== index);
  return cases
    .slice(index + 1)
    .some(
      (taker) =>
        takes(taker, giver, resources) &&
        !others.slice(0, index).some((other) => other.operation === giver.operation),
    );
}

function takes({ request }: Case, { operation }: Case, resources: readonly Resource[]): boolean {
  return request.arguments.some(({ source }) => {
    if (source.kind === 'link') return source.operation === operation.id;
    if (
      source.kind !== 'created' &&
      source.kind !== 'listed' &&
      source.kind !== 'field' &&
      source.kind !== 'absent'
    )
      return false;
    const { operations } = resources.find(({ name }) => name === source.resource) ?? {};
    if (source.kind === 'absent') return operation === operations?.read;
    return operation === operations?.create || operation === operations?.list;
  });
}
