import type { Operation } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { Mock } from '../mock/mock.ts';
import { mountedPaths } from '../mock/route/mounted-paths.ts';
import { tokenPrefix } from '../mock/tokens/token-verdict.ts';
import { type AppOptions, completeAppOptions, type CompleteAppOptions } from './app-options.ts';
import { Disturbance } from './console/disturbance.ts';
import { controlPrefix } from './control/control-parts.ts';
import { type Control, makeControl } from './control/control.ts';
import { SnapshotShelf } from './control/snapshot-shelf.ts';
import { Journal } from './journal/journal.ts';
import { journalLimits } from './limits.ts';

/** Everything that an exchange needs. */
export interface ServingParts {
  readonly mock: Mock;
  readonly control: Control;
  readonly journal: Journal;
  readonly options: CompleteAppOptions;
  readonly disturbance: Disturbance;
  /** Aborted when the server closes: what tells as it happens has an end then. */
  readonly ending: AbortController;
}

/** Puts together what serves a mock. Throws `config-invalid` for options that cannot be used. */
export function assembleParts(mock: Mock, given: AppOptions): ServingParts {
  const options = completeAppOptions(given);
  refuseShadow(mock, options.controlApart);
  const {
    controlToken: token,
    host,
    version,
    scenario,
    callbacks,
    controlApart: apart,
    console: outside,
  } = options;
  const disturbance = new Disturbance();
  const journal = options.journal ?? new Journal(journalLimits);
  const control = makeControl({
    mock,
    journal,
    disturbance,
    outside,
    apart,
    snapshots: new SnapshotShelf(),
    token,
    host,
    version,
    scenario,
    callbacks,
  });
  return { mock, journal, options, disturbance, control, ending: new AbortController() };
}

/**
 * The control API, and the endpoints at which clients log in, would take the requests of an
 * operation that stands under their prefix.
 */
function refuseShadow(
  { options: { contract, mounting }, tokens }: Mock,
  controlApart: boolean,
): void {
  const paths = mountedPaths(contract, mounting?.base);
  const logins =
    tokens === undefined ? undefined : paths.find(([path]) => isUnder(path, tokenPrefix));
  if (logins !== undefined)
    throw shadow(
      logins,
      'clients log in for tokens',
      'Give the contract a base path of its own: --base NAME=/api. As a library: ' +
        'tokens: false makes no tokens.',
    );
  const controlled = controlApart
    ? undefined
    : paths.find(([path]) => isUnder(path, controlPrefix));
  if (controlled !== undefined)
    throw shadow(
      controlled,
      'the control API stands',
      'Put the control API on a port of its own: --control-port 0 takes any that is free.',
    );
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function shadow(
  [path, { id }]: readonly [path: string, operation: Operation],
  what: string,
  hint: string,
): VouchError {
  return new VouchError(
    'config-invalid',
    `The contract has the operation ${id} at ${path}, where ${what}.`,
    { hint },
  );
}
