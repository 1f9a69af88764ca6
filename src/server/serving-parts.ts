import { type ControlParts, SavedSnapshots } from './control/control-parts.ts';
import type { Operation } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { Mock } from '../mock/mock.ts';
import { mountedPaths } from '../mock/route/mounted-paths.ts';
import { tokenPrefix } from '../mock/tokens/token-verdict.ts';
import type { CallbackSender } from './callbacks/send-callbacks.ts';
import { Browsers } from './browsers.ts';
import { Disturbance } from './disturbance.ts';
import type { ConsoleServices } from './console/console-services.ts';
import { ConsoleLogin } from './control/console-login.ts';
import { checkControlToken } from './control/control-token.ts';
import { controlPrefix } from './control/control-prefix.ts';
import { type Control, makeControl } from './control/control.ts';
import { type CorsChoice, readCorsPolicy } from './cors/cors.ts';
import { type ExchangeRecord, Journal } from './journal/journal.ts';
import { type Redact, redactFor } from './journal/redact.ts';
import { checkBodyLimit, journalLimits } from './limits.ts';

/** The dependencies of an exchange. */
export interface ServingParts extends Pick<
  ControlParts,
  'mock' | 'login' | 'journal' | 'disturbance' | 'browsers'
> {
  readonly control: Control;
  readonly options: ReturnType<typeof completeAppOptions>;
  /** Redacts the exchanges that are logged. */
  readonly redact: Redact;
  /** Aborted when the server closes, to end streamed responses. */
  readonly ending: AbortController;
}

/** Assembles the parts of a served mock. Throws `config-invalid` for invalid options. */
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
  const browsers = new Browsers();
  const journal = options.journal ?? new Journal(journalLimits);
  const login = new ConsoleLogin();
  const control = makeControl({
    mock,
    login,
    journal,
    disturbance,
    browsers,
    services,
    apart,
    snapshots: new SavedSnapshots(),
    scenarioDrafts: new WeakMap(),
    token,
    host,
    version,
    scenario,
    callbacks,
  });
  const redact = redactFor(mock.options);
  const ending = new AbortController();
  return { mock, journal, options, disturbance, browsers, control, login, redact, ending };
}

/**
 * Refuses contracts with operations below the prefixes of the control API and the token endpoints,
 * which would shadow them.
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
      'Give the contract another base path: --base NAME=/api. As a library: ' +
        'tokens: false makes no tokens.',
    );
  const controlled = controlApart
    ? undefined
    : paths.find(([path]) => isUnder(path, controlPrefix));
  if (controlled !== undefined)
    throw shadow(
      controlled,
      'the control API stands',
      'Put the control API on a separate port: --control-port 0 uses any free one.',
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

/** The options of an application besides its mock. */
export interface AppOptions {
  /** The bearer token of `/__vouch/`: see `makeControlToken`. */
  readonly controlToken: string;
  /** The maximum size of a request body in bytes, before and after decoding. Default 1 MiB. */
  readonly bodyLimit?: number | undefined;
  /** The bound address, under which the control API is also available. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** The version that the control API reports. */
  readonly version?: string;
  /** The name of the scenario that is active for every request. */
  readonly scenario?: string;
  /** Whether the control API has its own port; its prefix then belongs to the contract. */
  readonly controlApart?: boolean;
  /** The origins whose pages may read responses: `true` for all. Default: none. */
  readonly cors?: CorsChoice | undefined;
  /**
   * Whether client certificates are requested; the result of TLS verification applies to mutual
   * TLS in the contract.
   */
  readonly clientCertificates?: boolean;
  /** The journal. Default: a new one. */
  readonly journal?: Journal;
  /** Sends callbacks of the contract, and webhooks on demand; without it nothing is sent. */
  readonly callbacks?: CallbackSender;
  /** The services of the console besides the mock. Default: none. */
  readonly console?: ConsoleServices;
  /** Called after every exchange with the mock, including refused ones. */
  readonly onExchange?: ((record: ExchangeRecord) => void) | undefined;
  /** Called for every internal error. The client only gets status 500. */
  readonly onFault?: ((fault: unknown) => void) | undefined;
}

/**
 * Fills in defaults. Throws `config-invalid` for an invalid limit or token, and `usage` for an
 * invalid origin.
 */
function completeAppOptions(options: AppOptions) {
  return {
    ...options,
    controlToken: checkControlToken(options.controlToken),
    bodyLimit: checkBodyLimit(options.bodyLimit),
    host: options.host ?? '127.0.0.1',
    controlApart: options.controlApart ?? false,
    cors: readCorsPolicy(options.cors),
    clientCertificates: options.clientCertificates ?? false,
    console: options.console ?? {},
    onFault: options.onFault ?? ignore,
  };
}

function ignore(): void {}
