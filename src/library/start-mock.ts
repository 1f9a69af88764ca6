import type { Express } from 'express';
import type { Contract } from '../contract/model.ts';
import { makeControlToken } from '../server/control-token.ts';
import { createApp } from '../server/create-app.ts';
import type { ExchangeRecord } from '../server/journal.ts';
import { listen } from '../server/listen.ts';
import { readVersion } from './version.ts';
import { prepareMock, type MockChoice, type PreparedMock } from './prepare-mock.ts';

/** How the mock is to be served. */
export interface StartMockOptions extends MockChoice {
  /** The first port to try; the next free one is taken. Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** The largest request body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Told of each exchange, once it is answered. */
  readonly onExchange?: (exchange: ExchangeRecord) => void;
  /** Told of every fault of vouch's own; the client learns no more than the status 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** A mock that is listening. */
export interface RunningMock {
  /** The base URL of the contract's first server, as the mock serves it: `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  /** Scheme, host and port alone: `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly port: number;
  /** The port that was asked for; another than `port` where it was taken. */
  readonly requestedPort: number;
  readonly contract: Contract;
  readonly keys: readonly string[];
  /** Opens the control API under `/__vouch/`. */
  readonly controlToken: string;
  readonly prepared: PreparedMock;
  /** Back to the fixtures, and every scenario to its first step. */
  reset(): Promise<void>;
  /** Stops listening once what is in flight has been answered. */
  close(): Promise<void>;
}

/**
 * Starts a stateful mock of a contract: the bundled one unless another is named. Throws a VouchError for a contract,
 * fixture or scenario that cannot be used, and where no port is free.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  const prepared = await prepareMock(options);
  const controlToken = makeControlToken();
  const app = createApp(prepared.mock, appOptions(options, controlToken));
  const listening = await listen(app, { port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const { contract, keys, mock } = prepared;
  return {
    url: `${listening.url}${contract.servers[0]?.basePath ?? ''}`,
    origin: listening.url,
    port: listening.port,
    requestedPort: listening.requestedPort,
    contract,
    keys,
    controlToken,
    prepared,
    reset: () => mock.reset(),
    close: () => listening.close(),
  };
}

/** The same mock as an Express application that listens nowhere: for supertest, or to mount in a server of your own. */
export async function createMockApp(options: Omit<StartMockOptions, 'port' | 'host'> = {}): Promise<Express> {
  const { mock } = await prepareMock(options);
  return createApp(mock, appOptions(options, makeControlToken()));
}

function appOptions(options: StartMockOptions, controlToken: string): Parameters<typeof createApp>[1] {
  return {
    controlToken,
    version: readVersion(),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    ...(options.onExchange === undefined ? {} : { onExchange: options.onExchange }),
    ...(options.onFault === undefined ? {} : { onFault: options.onFault }),
  };
}
