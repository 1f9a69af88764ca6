import { usage } from '../../errors.ts';
import type { StoreChoice } from '../../library/open-store.ts';
import type { AuthenticationMode, ValidationMode } from '../../mock/model/reply.ts';
import type { TlsChoice } from '../../server/tls/tls-settings.ts';
import type { ContractFlags } from '../find-contract.ts';
import type { Io } from '../io.ts';

/** The flags of `mock` and `start`. */
export interface ServeOptions extends ContractFlags {
  readonly port?: number;
  readonly host: string;
  readonly prism?: boolean;
  readonly auth: AuthenticationMode;
  readonly scenario?: readonly string[];
  readonly handlers?: string;
  readonly dynamic?: boolean;
  readonly validate?: ValidationMode;
  readonly clock?: string;
  readonly seed?: string;
  readonly records?: number;
  readonly persist?: string;
  readonly store?: string;
  readonly quiet?: boolean;
  readonly watch?: boolean;
  /** Base paths by document name. */
  readonly base?: Readonly<Record<string, string>>;
  readonly allowCallbackHost?: readonly string[];
  readonly controlPort?: number;
  readonly cors?: true | readonly string[];
  readonly tls?: boolean;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
}

const defaultPort = 4010;

/** The first port to try without a flag: `VOUCH_PORT`, otherwise 4010. */
export function portOf(io: Io): number {
  const port = Number(io.env['VOUCH_PORT'] ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw usage(`VOUCH_PORT is ${String(io.env['VOUCH_PORT'])}, which is not a port number.`, {
      hint: 'Set it to an integer from 0 to 65535.',
    });
  return port;
}

type TlsFlags = Pick<ServeOptions, 'tls' | 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsClientCa'>;

/**
 * The TLS settings of the flags; empty if none is given. Throws `usage` if a required flag is
 * missing.
 */
export function readTlsFlags({ tls, tlsCa, tlsCert, tlsKey, tlsClientCa }: TlsFlags): {
  readonly tls?: TlsChoice;
} {
  if (tls !== true && [tlsCa, tlsCert, tlsKey, tlsClientCa].every((word) => word === undefined))
    return {};
  if (tlsCert !== undefined && tlsKey === undefined)
    throw usage('--tls-cert needs --tls-key.', { hint: 'Add --tls-key FILE.' });
  if (tlsKey !== undefined && tlsCert === undefined)
    throw usage('--tls-key needs --tls-cert.', { hint: 'Add --tls-cert FILE.' });
  return {
    tls: {
      ...(tlsCert === undefined || tlsKey === undefined
        ? {}
        : { certificate: { cert: tlsCert, key: tlsKey } }),
      caFile: tlsCa,
      clientCa: tlsClientCa,
    },
  };
}

/** Where to keep records: the flags, otherwise `VOUCH_PERSIST` or `VOUCH_STORE`. */
export function readStoreFlags({ persist, store }: StoreChoice, env: Io['env']): StoreChoice {
  return persist === undefined && store === undefined
    ? { persist: env['VOUCH_PERSIST'], store: env['VOUCH_STORE'] }
    : { persist, store };
}
