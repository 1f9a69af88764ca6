import type { RedisClientOptions } from 'redis';
import { codeOf, VouchError } from '../../errors.ts';
import type { RedisAddress } from './redis-address.ts';
import type { RedisScript } from './redis-scripts.ts';

/** What Redis answers to a command or a script. */
export type RedisReply = string | number | null | readonly RedisReply[];

/**
 * A connection to Redis that reconnects by itself. Every method throws a VouchError
 * ('store-unavailable').
 */
export interface RedisLink {
  command(args: readonly string[]): Promise<RedisReply>;
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<RedisReply>;
  close(): Promise<void>;
}

/** As much of the package's client as is used here. */
interface Client {
  readonly isReady: boolean;
  sendCommand(args: readonly string[]): Promise<unknown>;
  connect(): Promise<unknown>;
  close(): Promise<void>;
  destroy(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const maxAttempts = 4;

/**
 * Connects to Redis. Throws a VouchError ('store-unusable') if the package is not installed, or if
 * Redis is unreachable or refuses the login.
 */
export async function connectRedis(address: RedisAddress, patienceMs = 5000): Promise<RedisLink> {
  const { createClient } = await loadRedis();
  let isConnected = false;
  const reconnectStrategy = (retries: number, cause: Error): number | Error =>
    isConnected || retries < maxAttempts ? Math.min(2000, 50 * 2 ** retries) : cause;
  // The package types its client by all of its commands; only these few are called.
  const client: Client = createClient(clientOptions(address, reconnectStrategy, patienceMs));
  // Without a listener an error would end the process. Commands report the error to their callers.
  client.on('error', () => undefined);
  try {
    await withinTime(client.connect(), patienceMs);
    isConnected = true;
    await checkVersion(client, address);
  } catch (error) {
    client.destroy();
    throw error instanceof VouchError
      ? error
      : new VouchError(
          'store-unusable',
          `There is no store at ${address.shown}: ${reasonOf(error)}.`,
          { hint: 'Start Redis there, or give its URL: --store redis://user:password@host:6379' },
        );
  }
  return linkOf(client, address, patienceMs);
}

async function loadRedis(): Promise<typeof import('redis')> {
  try {
    return await import('redis');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new VouchError(
      'store-unusable',
      'The package for Redis is not installed: vouch does not bring it along.',
      { hint: 'npm install --save-dev redis@6.3.1', cause: error },
    );
  }
}

function clientOptions(
  { place, username, password, database }: RedisAddress,
  reconnectStrategy: (retries: number, cause: Error) => number | Error,
  connectTimeout: number,
): RedisClientOptions {
  const common = { reconnectStrategy, connectTimeout };
  const socket =
    place.kind === 'socket'
      ? { ...common, path: place.path, tls: false as const }
      : place.kind === 'tls'
        ? { ...common, host: place.host, port: place.port, tls: true as const }
        : { ...common, host: place.host, port: place.port };
  return {
    socket,
    database,
    // What cannot be sent now is refused now: a request must not wait for a server that may never
    // come back.
    disableOfflineQueue: true,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
}

/** Scripts that read the time and then write require Redis 5. */
async function checkVersion(client: Client, { shown }: RedisAddress): Promise<void> {
  // A user without permission for this command may have all others.
  const info = await client.sendCommand(['INFO', 'server']).catch(() => '');
  const version = /redis_version:(\d+)[^\r\n]*/.exec(String(info));
  if (version === null || Number(version[1]) >= 5) return;
  throw new VouchError(
    'store-unusable',
    `The Redis at ${shown} is too old: ${version[0].slice('redis_version:'.length)}.`,
    { hint: 'vouch needs Redis 5 or newer.' },
  );
}

function linkOf(client: Client, address: RedisAddress, patienceMs: number): RedisLink {
  const command = async (args: readonly string[]): Promise<RedisReply> => {
    try {
      // Commands return only these types; other replies of the client are not used.
      return (await withinTime(client.sendCommand(args), patienceMs)) as RedisReply;
    } catch (error) {
      if (isMissingScript(error)) throw error;
      throw new VouchError(
        'store-unavailable',
        `The store at ${address.shown} does not answer: ${reasonOf(error)}.`,
        { hint: 'Look after Redis; the mock finds it again by itself.', cause: error },
      );
    }
  };
  return {
    command,
    async run(script, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await command(['EVALSHA', script.sha, ...rest]);
      } catch (error) {
        if (!isMissingScript(error)) throw error;
        return command(['EVAL', script.text, ...rest]);
      }
    },
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}

async function withinTime<Result>(work: Promise<Result>, patienceMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`there was no answer within ${String(patienceMs / 1000)} seconds`)),
      patienceMs,
    );
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isMissingScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/**
 * Redis and Node never put a password into a message; the package's wrappers keep what happened as
 * a cause.
 */
function reasonOf(error: unknown): string {
  const inner =
    error instanceof Error && error.message === '' && 'code' in error
      ? String(error.code)
      : error instanceof Error
        ? error.message
        : String(error);
  return inner.replace(/\.$/, '');
}
