import { VouchError } from '../errors.ts';
import type { Mock } from '../mock/mock.ts';
import { mountedPaths } from '../mock/mounted-paths.ts';
import { completeAppOptions, type AppOptions, type CompleteAppOptions } from './app-options.ts';
import { controlPrefix } from './control/control-parts.ts';
import { makeControl, type Control } from './control/control.ts';
import { SnapshotShelf } from './control/snapshot-shelf.ts';
import { Journal } from './journal/journal.ts';
import { journalLimits } from './limits.ts';

/** Everything that an exchange needs. */
export interface ServingParts {
  readonly mock: Mock;
  readonly control: Control;
  readonly journal: Journal;
  readonly options: CompleteAppOptions;
}

/** Puts together what serves a mock. Throws `config-invalid` for options that cannot be used. */
export function assembleParts(mock: Mock, given: AppOptions): ServingParts {
  const options = completeAppOptions(given);
  if (!options.controlApart) refuseShadow(mock);
  const { controlToken: token, host, version, scenario, callbacks } = options;
  const journal = options.journal ?? new Journal(journalLimits);
  return { mock, journal, options, control: makeControl({ mock, journal, snapshots: new SnapshotShelf(), token, host, version, scenario, callbacks }) };
}

/** The control API would take the requests of an operation that stands under its prefix. */
function refuseShadow({ options: { contract, mounting } }: Mock): void {
  const shadowed = mountedPaths(contract, mounting?.base).find(([path]) => path === controlPrefix || path.startsWith(`${controlPrefix}/`));
  if (shadowed === undefined) return;
  const [path, { id }] = shadowed;
  throw new VouchError('config-invalid', `The contract has the operation ${id} at ${path}, where the control API stands.`, {
    hint: 'Put the control API on a port of its own: --control-port 0 takes any that is free.',
  });
}
