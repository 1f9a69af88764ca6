import type { Contract, Operation } from '../../contract/model.ts';
import { formatPlace, VouchError } from '../../errors.ts';
import { mountedPaths } from '../arrival/mounted-paths.ts';

/** A contract among others on one port. */
export interface NamedContract {
  /** The word for it in messages, and before what two contracts call the same. Unique. */
  readonly name: string;
  readonly contract: Contract;
  /** The base path in the place of the document's own. */
  readonly base?: string;
}

/**
 * Throws `config-invalid` where two contracts have one method on one path: nobody could say which
 * of them is meant.
 */
export function refuseOverlap(documents: readonly NamedContract[]): void {
  const taken = new Map<string, { readonly owner: NamedContract; readonly operation: Operation }>();
  for (const owner of documents) {
    for (const [path, operation] of mountedPaths(owner.contract, owner.base)) {
      // Two templates are one path when they differ only in what they call their parameters
      // (OpenAPI 3.1, section 4.8.8).
      const key = `${operation.method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
      const before = taken.get(key);
      if (before !== undefined && before.owner !== owner)
        throw overlap(`${operation.method} ${path}`, [before, { owner, operation }]);
      taken.set(key, { owner, operation });
    }
  }
}

type Taken = { readonly owner: NamedContract; readonly operation: Operation };

function overlap(line: string, [first, second]: readonly [Taken, Taken]): VouchError {
  const [here, there] = [first, second].map(({ owner, operation }) =>
    owner.contract.locate(operation.pointer),
  );
  if (here === undefined || there === undefined)
    throw new VouchError('internal', 'An operation has no place.');
  return new VouchError(
    'config-invalid',
    `${first.owner.name} and ${second.owner.name} both have ${line}: at ${formatPlace(here)} and at ${formatPlace(there)}.`,
    {
      hint: `Give one of them a base path of its own: --base ${second.owner.name}=/${second.owner.name}, or base in documents of vouch.config.yaml.`,
      place: there,
      frame: second.owner.contract.frame(second.operation.pointer),
    },
  );
}
