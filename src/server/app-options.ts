import { checkControlToken } from './control-token.ts';
import type { ExchangeRecord } from './journal.ts';
import { checkBodyLimit } from './limits.ts';

export interface AppOptions {
  /** What `Authorization: Bearer …` must carry under `/__vouch/`: see `makeControlToken`. */
  readonly controlToken: string;
  /** The largest request body in bytes, before and after decoding; 1 MiB unless told. */
  readonly bodyLimit?: number;
  /** The address that the server is bound to, by which the control API may be called too; `127.0.0.1` unless told. */
  readonly host?: string;
  /** What the control API calls the version that runs. */
  readonly version?: string;
  /** The scenario that is on for every request, by name. */
  readonly scenario?: string;
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
  readonly onExchange: (record: ExchangeRecord) => void;
  readonly onFault: (fault: unknown) => void;
}

/** Fills in defaults. Throws `config-invalid` for a limit or a token that cannot be used. */
export function completeAppOptions(options: AppOptions): CompleteAppOptions {
  return {
    controlToken: checkControlToken(options.controlToken),
    bodyLimit: checkBodyLimit(options.bodyLimit),
    host: options.host ?? '127.0.0.1',
    version: options.version,
    scenario: options.scenario,
    onExchange: options.onExchange ?? ignore,
    onFault: options.onFault ?? ignore,
  };
}

function ignore(): void {}
