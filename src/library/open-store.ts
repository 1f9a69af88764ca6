import type { Config } from '../config/config.ts';
import { usage } from '../errors.ts';
import { makeMemoryStore } from '../store/local-store.ts';
import { recordLimitFor, type Store, type StoreLimits } from '../store/store.ts';

/** The storage of the records. Default: memory, until the mock ends. */
export interface StoreChoice {
  /** A file that keeps changes across restarts; created if it does not exist. */
  readonly persist?: string | undefined;
  /**
   * The URL of a Redis that several mocks share: `redis://user:password@host:6379`, or `env:NAME`
   * for an environment variable. `memory` keeps no change, also if the configuration names a store.
   */
  readonly store?: string | undefined;
  /** The maximum number of added records in all sessions. Default 1,000,000. */
  readonly maxRecords?: number | undefined;
  /** The approximate maximum memory of added and changed records, in bytes. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum size of a request body, in bytes. It also limits the size of a record. */
  readonly bodyLimit?: number;
}

/**
 * An open store with its location for messages, without secrets; `place` is undefined for memory.
 */
export interface OpenStore {
  readonly store: Store;
  readonly place: string | undefined;
}

/**
 * Opens the given store, otherwise the configured one. `realm` separates contracts that share a
 * Redis. Throws a VouchError ('usage', 'store-unusable') if the store cannot be used.
 */
export async function openStore(
  choice: StoreChoice,
  { mock }: Pick<Config, 'mock'>,
  realm: string,
): Promise<OpenStore> {
  const limits = limitsOf({
    records: choice.maxRecords ?? mock.maxRecords,
    bytes: choice.maxBytes ?? mock.maxBytes,
    bodyLimit: choice.bodyLimit,
  });
  const chosen = choice.persist === undefined && choice.store === undefined ? mock : choice;
  const { persist, store } = chosen;
  if (store === 'memory' && persist === undefined)
    return { store: makeMemoryStore(limits), place: undefined };
  if (persist !== undefined && store !== undefined)
    throw usage('Records can be kept in a file or in Redis, but not in both.', {
      hint: 'Leave out persist or store.',
    });
  if (persist !== undefined) return openFile(persist, limits);
  return store === undefined
    ? { store: makeMemoryStore(limits), place: undefined }
    : openShared(store, realm, limits);
}

interface GivenLimits {
  readonly records: number | undefined;
  readonly bytes: number | undefined;
  readonly bodyLimit: number | undefined;
}

function limitsOf({ records, bytes, bodyLimit }: GivenLimits): StoreLimits {
  return {
    ...(records === undefined
      ? {}
      : { records: wholeNumber(records, 'records that may be added') }),
    ...(bytes === undefined ? {} : { bytes: wholeNumber(bytes, 'bytes that records may take') }),
    ...(bodyLimit === undefined ? {} : { record: recordLimitFor(bodyLimit) }),
  };
}

function wholeNumber(given: number, what: string): number {
  if (Number.isSafeInteger(given) && given >= 0) return given;
  throw usage(`The most ${what} must be a whole number, and not ${String(given)}.`, {
    hint: 'Give 0 or more.',
  });
}

/** Loaded on demand: the mock starts without SQLite and without the package for Redis. */
async function openFile(file: string, limits: StoreLimits): Promise<OpenStore> {
  const { openSqliteStore } = await import('../store/sqlite-store.ts');
  return { store: openSqliteStore(file, limits), place: file };
}

async function openShared(written: string, realm: string, limits: StoreLimits): Promise<OpenStore> {
  const [{ openRedisStore }, { readRedisAddress }] = await Promise.all([
    import('../store/redis-store.ts'),
    import('../store/redis/redis-address.ts'),
  ]);
  const address = readRedisAddress(
    written.startsWith('env:') ? readVariable(written.slice(4)) : written,
  );
  return { store: await openRedisStore({ ...limits, address, realm }), place: address.shown };
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw usage(
    `The URL of the store should be in the environment variable ${name}, which is not set.`,
    { hint: `Set it: export ${name}=redis://user:password@host:6379` },
  );
}
