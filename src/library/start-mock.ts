import type { Express } from 'express';
import type { Contract } from '../contract/model.ts';
import { defined } from '../json/defined.ts';
import type { Mock } from '../mock/mock.ts';
import {
  type CallbackReport,
  type CallbackSender,
  makeCallbackSender,
} from '../server/callbacks/send-callbacks.ts';
import { makeControlToken } from '../server/control/control-access.ts';
import type { CorsChoice } from '../server/cors/cors.ts';
import { createApp } from '../server/create-app.ts';
import type { ExchangeRecord } from '../server/journal/journal.ts';
import type { TlsSettings } from '../server/tls/tls-settings.ts';
import { makeConsoleServices } from './console-services.ts';
import { handleOf, type MockHandle } from './mock-handle.ts';
import {
  type MockChoice,
  type PreparedDocument,
  type PreparedMock,
  prepareMock,
} from './prepare-mock.ts';
import { type ServedMock, serveMock, type ServingChoice } from './serve-mock.ts';
import { readVersion } from './package-files.ts';
import type { MockWatcher, MockWatcherOptions, ReloadEvent } from './watch/watch-mock.ts';

export type { CallbackReport } from '../server/callbacks/send-callbacks.ts';
export type { ReloadEvent } from './watch/watch-mock.ts';

/** How the mock is to answer over HTTP, wherever it stands. */
export interface MockAppOptions extends MockChoice {
  /** The largest request body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Pages of which origins may read answers: `true` for all; none unless told. */
  readonly cors?: CorsChoice;
  /**
   * Hosts that callbacks and webhooks may be sent to beside this machine: names, with a port or
   * without; `*` is every host.
   */
  readonly allowCallbackHosts?: readonly string[];
  /**
   * Where a Prism of the same contract runs now; undefined where none does. The console asks it
   * too.
   */
  readonly prismUrl?: () => string | undefined;
  /** Told of each exchange, once it is answered. */
  readonly onExchange?: (exchange: ExchangeRecord) => void;
  /** Told of each attempt to send a callback or a webhook. */
  readonly onCallback?: (report: CallbackReport) => void;
  /** Told of every fault of vouch's own; the client learns no more than the status 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** How the mock is to be served. */
export interface StartMockOptions
  extends MockAppOptions, Partial<Pick<ServingChoice, 'tls' | 'controlPort'>> {
  /** The first port to try; the next free one is taken. Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Follows contract, fixtures, scenarios and configuration as they are edited. */
  readonly watch?: boolean;
  /** Told what came of each edit. */
  readonly onReload?: (event: ReloadEvent) => void;
}

/** A mock that is listening. What an edit can change is read anew each time it is asked for. */
export interface RunningMock extends MockHandle {
  /**
   * The base URL of the contract's first server, as the mock serves it: `http://127.0.0.1:4010/v1`.
   */
  readonly url: string;
  /** Scheme, host and port alone: `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly port: number;
  /** The port that was asked for; another than `port` where it was taken. */
  readonly requestedPort: number;
  /** The first contract, where there are several. */
  readonly contract: Contract;
  /** Every contract by its name, with its base URL. */
  readonly urls: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** Opens the control API under `/__vouch/`. */
  readonly controlToken: string;
  /** Where the control API is: `http://127.0.0.1:4010/__vouch`. */
  readonly controlUrl: string;
  /** Undefined where the mock speaks plain HTTP. */
  readonly tls: TlsSettings | undefined;
  readonly prepared: PreparedMock;
  /** Stops listening once what is in flight has been answered. */
  close(): Promise<void>;
}

/**
 * Starts a stateful mock of a contract: the bundled one unless another is named. Throws a
 * VouchError for a contract, fixture or scenario that cannot be used, and where no port is free.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  // Times of files are finer than this clock; what was written in the same millisecond was written
  // before.
  const began = Date.now() + 1;
  const prepared = await prepareMock(options);
  const watcher =
    options.watch === true
      ? await startWatcher(prepared, { choice: options, began, onReload: options.onReload })
      : undefined;
  const serving: Serving = {
    mock: watcher?.mock ?? prepared.mock,
    controlToken: makeControlToken(),
    callbacks: makeSender(options),
  };
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> =>
    (ended ??= Promise.all([watcher?.close(), serving.callbacks.close()]).then(() =>
      prepared.store.close(),
    ));
  try {
    const served = await serveMock(
      serving.mock,
      {
        ...appOptions(options, serving),
        console: makeConsoleServices(() => watcher?.prepared ?? prepared, options.prismUrl),
      },
      servingChoice(options),
    );
    return describeMock(served, {
      ...serving,
      current: () => watcher?.prepared ?? prepared,
      close: () => served.close().then(end),
    });
  } catch (error) {
    await end();
    throw error;
  }
}

/** Most mocks do not follow their files, and start sooner for not loading what does. */
async function startWatcher(
  prepared: PreparedMock,
  options: MockWatcherOptions,
): Promise<MockWatcher> {
  const { MockWatcher: Watcher } = await import('./watch/watch-mock.ts');
  const watcher = new Watcher(prepared, options);
  await watcher.start();
  return watcher;
}

/** A mock as an Express application. */
export interface MockApp extends Express {
  /**
   * Lets go of the store, a file or a Redis among them, and of callbacks that wait. To be called
   * once nothing is asked any more.
   */
  close(): Promise<void>;
}

/**
 * The same mock as an Express application that listens nowhere: for supertest, or to mount in a
 * server of your own.
 */
export async function createMockApp(options: MockAppOptions = {}): Promise<MockApp> {
  const { mock, store } = await prepareMock(options);
  const callbacks = makeSender(options);
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= callbacks.close().then(() => store.close()));
  try {
    return Object.assign(
      createApp(mock, appOptions(options, { mock, controlToken: makeControlToken(), callbacks })),
      { close },
    );
  } catch (error) {
    await close();
    throw error;
  }
}

function servingChoice({
  port = 0,
  host = '127.0.0.1',
  tls,
  controlPort,
}: StartMockOptions): ServingChoice {
  return {
    port,
    host,
    ...defined({ tls, controlPort }),
  };
}

interface Serving {
  readonly mock: Mock;
  readonly controlToken: string;
  readonly callbacks: CallbackSender;
}

function describeMock(
  { listening: { url: origin, port, requestedPort }, controlUrl, tls, journal }: ServedMock,
  {
    mock,
    controlToken,
    current,
    close,
  }: Serving & { readonly current: () => PreparedMock; readonly close: () => Promise<void> },
): RunningMock {
  const urlOf = (document: PreparedDocument | undefined): string =>
    `${origin}${document === undefined ? '' : baseOf(document)}`;
  return {
    origin,
    port,
    requestedPort,
    controlToken,
    controlUrl,
    tls,
    get url() {
      return urlOf(current().documents[0]);
    },
    get contract() {
      return current().contract;
    },
    get urls() {
      return Object.fromEntries(
        current().documents.map((document) => [document.name, urlOf(document)]),
      );
    },
    get keys() {
      return current().keys;
    },
    get prepared() {
      return current();
    },
    ...handleOf(mock, journal),
    close,
  };
}

/** The base path under which a document's own servers are served. */
export function baseOf({ base, contract }: Pick<PreparedDocument, 'base' | 'contract'>): string {
  return base ?? contract.servers[0]?.basePath ?? '';
}

function makeSender({ allowCallbackHosts, onCallback }: MockAppOptions): CallbackSender {
  return makeCallbackSender({
    allow: allowCallbackHosts ?? [],
    ...defined({ onReport: onCallback }),
  });
}

function appOptions(
  options: StartMockOptions,
  { controlToken, callbacks }: Serving,
): Parameters<typeof createApp>[1] {
  return {
    controlToken,
    callbacks,
    version: readVersion(),
    ...defined({ host: options.host }),
    ...(options.scenario === undefined
      ? {}
      : {
          scenario:
            typeof options.scenario === 'string' ? options.scenario : options.scenario.join(', '),
        }),
    ...defined({
      cors: options.cors,
      bodyLimit: options.bodyLimit,
      onExchange: options.onExchange,
      onFault: options.onFault,
    }),
  };
}
