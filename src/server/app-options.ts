import type { CallbackSender } from './callbacks/send-callbacks.ts';
import type { ConsoleOutside } from './console/outside.ts';
import { checkControlToken } from './control/control-token.ts';
import { readCorsPolicy, type CorsChoice, type CorsPolicy } from './cors/cors-policy.ts';
import type { ExchangeRecord, Journal } from './journal/journal.ts';
import { checkBodyLimit } from './limits.ts';

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
  readonly console?: ConsoleOutside;
  /** Told of every exchange with the mock, refused ones too, once it is answered. */
  readonly onExchange?: (record: ExchangeRecord) => void;
  /** Told of every fault of vouch's own. The client learns no more than the status 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** The options with their defaults. */
export interface CompleteAppOptions {
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
  readonly console: ConsoleOutside;
  readonly onExchange: ((record: ExchangeRecord) => void) | undefined;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Fills in defaults. Throws `config-invalid` for a limit or a token that cannot be used, and
 * `usage` for an origin that is none.
 */
export function completeAppOptions(options: AppOptions): CompleteAppOptions {
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
