import type { Operation } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { Mock } from '../mock/mock.ts';
import { mountedPaths } from '../mock/route/mounted-paths.ts';
import { tokenPrefix } from '../mock/tokens/token-verdict.ts';
import type { CallbackSender } from './callbacks/send-callbacks.ts';
import { Disturbance } from './console/disturbance.ts';
import type { ConsoleServices } from './console/console-services.ts';
import { checkControlToken } from './control/control-access.ts';
import { controlPrefix, SavedSnapshots } from './control/control-parts.ts';
import { type Control, makeControl } from './control/control.ts';
import { type CorsChoice, type CorsPolicy, readCorsPolicy } from './cors/cors.ts';
import { type ExchangeRecord, Journal } from './journal/journal.ts';
import { checkBodyLimit, journalLimits } from './limits.ts';

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
    console: services,
  } = options;
  const disturbance = new Disturbance();
  const journal = options.journal ?? new Journal(journalLimits);
  const control = makeControl({
    mock,
    journal,
    disturbance,
    services,
    apart,
    snapshots: new SavedSnapshots(),
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

/** What an application may be told, apart from its mock. */
export interface AppOptions {
  /** What `Authorization: Bearer …` must carry under `/__vouch/`: see `makeControlToken`. */
  readonly controlToken: string;
  /** The largest request body in bytes, before and after decoding; 1 MiB unless told. */
  readonly bodyLimit?: number;
  /**
   * The address that the server is bound to, by which the control API may be called too;
   * `127.0.0.1` unless told.
   */
  readonly host?: string;
  /** What the control API calls the version that runs. */
  readonly version?: string;
  /** The scenario that is on for every request, by name. */
  readonly scenario?: string;
  /** The control API stands on a port of its own, and its prefix is the contract's here. */
  readonly controlApart?: boolean;
  /** Pages of which origins may read answers: `true` for all; none unless told. */
  readonly cors?: CorsChoice;
  /**
   * Clients are asked for certificates, and what TLS finds out about them decides where a contract
   * asks for mutual TLS.
   */
  readonly clientCertificates?: boolean;
  /** Where exchanges are kept; a journal of its own unless told. */
  readonly journal?: Journal;
  /**
   * Sends what the contract declares as callbacks, and webhooks on demand; without it nothing is
   * sent.
   */
  readonly callbacks?: CallbackSender;
  /** What the console can do beyond the mock; nothing unless told. */
  readonly console?: ConsoleServices;
  /** Told of every exchange with the mock, refused ones too, once it is answered. */
  readonly onExchange?: (record: ExchangeRecord) => void;
  /** Told of every fault of vouch's own. The client learns no more than the status 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** The options with their defaults. */
interface CompleteAppOptions {
  readonly controlToken: string;
  readonly bodyLimit: number;
  readonly host: string;
  readonly version: string | undefined;
  readonly scenario: string | undefined;
  readonly callbacks: CallbackSender | undefined;
  readonly controlApart: boolean;
  readonly cors: CorsPolicy | undefined;
  readonly clientCertificates: boolean;
  readonly journal: Journal | undefined;
  readonly console: ConsoleServices;
  readonly onExchange: ((record: ExchangeRecord) => void) | undefined;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Fills in defaults. Throws `config-invalid` for a limit or a token that cannot be used, and
 * `usage` for an origin that is none.
 */
function completeAppOptions(options: AppOptions): CompleteAppOptions {
  return {
    controlToken: checkControlToken(options.controlToken),
    bodyLimit: checkBodyLimit(options.bodyLimit),
    host: options.host ?? '127.0.0.1',
    version: options.version,
    scenario: options.scenario,
    callbacks: options.callbacks,
    controlApart: options.controlApart ?? false,
    cors: readCorsPolicy(options.cors),
    clientCertificates: options.clientCertificates ?? false,
    journal: options.journal,
    console: options.console ?? {},
    onExchange: options.onExchange,
    onFault: options.onFault ?? ignore,
  };
}

function ignore(): void {}
