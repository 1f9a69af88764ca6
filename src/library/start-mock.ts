import { serversAt } from '../check/model/base-url.ts';
import { wordsIn } from '../words-in.ts';
import { pick } from '../json/value.ts';
import type { Express } from 'express';
import type { CheckOptions } from '../check/engine/check-target.ts';
import type { Skip } from '../check/plan/skip.ts';
import { allowedStates } from '../contract/words/read-states.ts';
import { isAddress, isStandardInput } from '../contract/load/source.ts';
import type { Contract, Operation, Resource } from '../contract/model.ts';
import { usage } from '../errors.ts';
import type { Mock } from '../mock/mock.ts';
import { type CallbackReport, CallbackSender } from '../server/callbacks/send-callbacks.ts';
import type { ConsoleLogin, LinkChoice } from '../server/control/console-login.ts';
import { makeControlToken } from '../server/control/control-token.ts';
import { controlPrefix } from '../server/control/control-prefix.ts';
import type { CorsChoice } from '../server/cors/cors.ts';
import { createApp, createAppOf, createControlApp } from '../server/create-app.ts';
import type { ExchangeRecord, Journal } from '../server/journal/journal.ts';
import { listen, type Listening } from '../server/listen.ts';
import { type AppOptions, assembleParts } from '../server/serving-parts.ts';
import type { TlsSettings, GivenCertificate, TlsChoice } from '../server/tls/tls-settings.ts';
import { prepareTls } from '../server/tls/tls-settings.ts';
import type { PreparedDocument, PreparedMock } from './build-mock.ts';
import { makeConsoleServices } from './console-services.ts';
import { handleOf, type MockHandle } from './mock-handle.ts';
import { readVersion } from './package-files.ts';
import { type MockChoice, prepareMock } from './prepare-mock.ts';
import type { MockWatcher, MockWatcherOptions, ReloadEvent } from './watch/watch-mock.ts';

export type { CallbackReport } from '../server/callbacks/send-callbacks.ts';
export type { ReloadEvent } from './watch/watch-mock.ts';

/** The behavior of the mock over HTTP, with or without a port. */
export interface MockAppOptions extends MockChoice {
  /** The maximum size of a request body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** The origins whose pages may read responses: `true` for all. Default: loopback. */
  readonly cors?: CorsChoice;
  /**
   * Hosts besides this machine to which callbacks and webhooks may be sent: names, with or without
   * a port; `*` allows every host.
   */
  readonly allowCallbackHosts?: readonly string[] | undefined;
  /**
   * The URL of a running Prism of the same contract; undefined if there is none. The console sends
   * requests to it too.
   */
  readonly prismUrl?: () => string | undefined;
  /** Called after each exchange. */
  readonly onExchange?: (exchange: ExchangeRecord) => void;
  /** Called after each attempt to send a callback or webhook. */
  readonly onCallback?: (report: CallbackReport) => void;
  /** Called for every internal error; the client only gets status 500. */
  readonly onFault?: (fault: unknown) => void;
}

/** The options of a served mock. */
export interface StartMockOptions
  extends MockAppOptions, Partial<Pick<ServingChoice, 'tls' | 'controlPort'>> {
  /**
   * The first port to try; if it is taken, the next free port is used. Default 0: any free port.
   */
  readonly port?: number;
  /** Throws `port-taken` if the port is taken, instead of trying the next ones. */
  readonly strictPort?: boolean;
  /** The address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Reloads contract, fixtures, scenarios and configuration when they change. */
  readonly watch?: boolean;
  /** Called after each reload. */
  readonly onReload?: (event: ReloadEvent) => void;
}

/** A running mock. Members that a reload can change are current at each access. */
export interface RunningMock extends MockHandle, Listening {
  /**
   * The base URL of the contract's first server as the mock serves it: `http://127.0.0.1:4010/v1`.
   */
  readonly url: string;
  /** Scheme, host and port: `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** The first contract. */
  readonly contract: Contract;
  /** The base URL of every contract, by contract name. */
  readonly urls: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** The token of the control API under `/__vouch/`. */
  readonly controlToken: string;
  /** The URL of the control API: `http://127.0.0.1:4010/__vouch`. */
  readonly controlUrl: string;
  /**
   * A new link that opens the console in a browser, once. `brief`: other users of this machine may
   * see it; it works for a minute. `to: 'start'`: it opens the start page first.
   */
  consoleLink(choice?: LinkChoice): string;
  /** Undefined if the mock serves plain HTTP. */
  readonly tls: TlsSettings | undefined;
  readonly prepared: PreparedMock;
  /** Stops listening after requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Starts a stateful mock of a contract; default: that of the configuration, otherwise the one
 * document of the current folder; with `config: false` there is no default. Throws a VouchError for
 * a contract, fixture or scenario that cannot be used, and if no port is free.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  // Rounded up, because file times have a finer resolution than this clock.
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

/** Throws a VouchError for a contract that is no file: nothing says when it changes. */
function refuseWatch({ documents }: PreparedMock): void {
  const other = documents.map(({ contract }) => contract).find(({ source }) => !isFile(source));
  if (other === undefined) return;
  throw usage(`--watch watches files, and ${other.file} is none.`, {
    hint:
      'A service does not say when its document changes, and is not asked all the time. Save ' +
      'the document as a file to watch it, or restart the mock.',
  });
}

function isFile(source: string | undefined): boolean {
  return source === undefined || !(isAddress(source) || isStandardInput(source));
}

/** Loaded on demand: most mocks do not watch their files. */
async function startWatcher(
  prepared: PreparedMock,
  options: MockWatcherOptions,
): Promise<MockWatcher> {
  try {
    refuseWatch(prepared);
  } catch (error) {
    await prepared.store.close();
    throw error;
  }
  const { MockWatcher: Watcher } = await import('./watch/watch-mock.ts');
  const watcher = new Watcher(prepared, options);
  await watcher.start();
  return watcher;
}

/** A mock as an Express application. */
export interface MockApp extends Express {
  /** Closes the store and cancels pending callbacks. Call it after the last request. */
  close(): Promise<void>;
}

/**
 * Makes the same mock as an Express application that does not listen: for supertest, or to mount in
 * another server.
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

function servingChoice(options: StartMockOptions): ServingChoice {
  const { port = 0, strictPort, host = '127.0.0.1', tls, controlPort } = options;
  return { port, strictPort, host, tls, controlPort };
}

interface Serving {
  readonly mock: Mock;
  readonly controlToken: string;
  readonly callbacks: CallbackSender;
}

function describeMock(
  { listening: { url: origin, port, requestedPort }, controlUrl, tls, journal, login }: ServedMock,
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
    consoleLink: (choice) => new URL(login.makePath(choice), controlUrl).href,
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

/** The base path under which the servers of a document are served. */
export function baseOf({ base, contract }: Pick<PreparedDocument, 'base' | 'contract'>): string {
  return base ?? contract.servers[0]?.basePath ?? '';
}

function makeSender({ allowCallbackHosts, onCallback }: MockAppOptions): CallbackSender {
  return new CallbackSender({ allow: allowCallbackHosts ?? [], onReport: onCallback });
}

function appOptions(
  options: StartMockOptions,
  { controlToken, callbacks }: Serving,
): Parameters<typeof createApp>[1] {
  const { scenario } = options;
  return {
    controlToken,
    callbacks,
    version: readVersion(),
    ...pick(options, wordsIn('host bodyLimit onExchange onFault')),
    ...(scenario === undefined ? {} : { scenario: [scenario].flat().join(', ') }),
    cors: options.cors ?? 'loopback',
  };
}

/** The address of the mock. */
export interface ServingChoice {
  readonly port: number;
  readonly strictPort?: boolean | undefined;
  readonly host: string;
  /** Serves HTTPS: `true` with a generated certificate, otherwise with the given one. */
  readonly tls?: boolean | GivenCertificate | TlsChoice | undefined;
  /**
   * Serves the control API on its own port; 0 picks any free port. Default: under `/__vouch/` on
   * the port of the mock.
   */
  readonly controlPort?: number | undefined;
}

/** A running mock. */
export interface ServedMock {
  readonly listening: Listening;
  /** The URL of the control API: `http://127.0.0.1:4010/__vouch`. */
  readonly controlUrl: string;
  readonly login: ConsoleLogin;
  readonly journal: Journal;
  readonly tls: TlsSettings | undefined;
  /** Stops listening after requests in flight are answered. */
  close(): Promise<void>;
}

/**
 * Serves a mock, and the control API on its own port if requested. Throws the errors of `listen`
 * and `prepareTls`.
 */
export async function serveMock(
  mock: Mock,
  app: AppOptions,
  { port, strictPort, host, tls: wanted, controlPort }: ServingChoice,
): Promise<ServedMock> {
  const tls =
    wanted === undefined || wanted === false
      ? undefined
      : await prepareTls(choiceOf(wanted), host, new Date());
  const apart = controlPort !== undefined;
  const services = apart ? { ...app.console, mockOrigin: () => listening.url } : { ...app.console };
  const parts = assembleParts(mock, {
    ...app,
    host,
    console: services,
    controlApart: apart,
    clientCertificates: tls?.clientCa !== undefined,
  });
  const common = { host, tls };
  const listening = await listen(createAppOf(parts), {
    ...common,
    port,
    ...(strictPort === true ? { portsToTry: 1 } : {}),
  });
  const control =
    controlPort === undefined
      ? undefined
      : await listenBeside(listening, () =>
          listen(createControlApp(parts), { ...common, port: controlPort, portsToTry: 1 }),
        );
  return {
    listening,
    controlUrl: `${(control ?? listening).url}${controlPrefix}`,
    login: parts.login,
    journal: parts.journal,
    tls,
    close: async () => {
      parts.ending.abort();
      await Promise.all([listening.close(), control?.close()]);
    },
  };
}

function choiceOf(wanted: true | GivenCertificate | TlsChoice): TlsChoice {
  if (wanted === true) return {};
  return 'key' in wanted ? { certificate: wanted } : wanted;
}

/** If the second port cannot be opened, closes the first one. */
async function listenBeside(first: Listening, begin: () => Promise<Listening>): Promise<Listening> {
  try {
    return await begin();
  } catch (error) {
    await first.close();
    throw error;
  }
}

/** A mock on a free port, with the credentials to check it. */
interface SelfTarget {
  readonly mock: RunningMock;
  readonly options: Pick<CheckOptions, 'url' | 'contract' | 'servers' | 'token' | 'tokens'> & {
    /** What a check reads and the mock does not keep: its findings are reported as skipped. */
    readonly skips: readonly Skip[];
  };
}

/** Starts the mock as the target of a check in the same process. */
export async function startSelfTarget(options: StartMockOptions = {}): Promise<SelfTarget> {
  const mock = await startMock({ ...options, port: 0, host: '127.0.0.1' });
  return { mock, options: await targetOptions(mock) };
}

/** The options that check a mock with its own key. */
export async function targetOptions(mock: RunningMock): Promise<SelfTarget['options']> {
  // Loaded on demand: other mocks do not need it.
  const { giveMockKey } = await import('../check/secrets/run-credentials.ts');
  const token = mock.keys[0];
  return {
    url: mock.url,
    contract: mock.contract,
    servers: serversAt(mock.origin, mock.contract),
    skips: selfSkips(mock.contract),
    ...(token === undefined ? {} : giveMockKey(mock.contract, token)),
  };
}

/** What a check reads in descriptions, or in earlier requests, and the mock does not keep. */
const unkept: readonly {
  readonly checks: readonly string[];
  readonly reason: string;
  /** `around`: the resource of the operation, and those of its parents. */
  applies(operation: Operation, around: readonly Resource[], contract: Contract): boolean;
}[] = [
  {
    checks: ['unique-is-kept', 'file-agrees'],
    reason: 'the mock answers this operation from the contract and keeps no records of it',
    applies: (_operation, around) => around.length === 0,
  },
  {
    checks: ['states-hold', 'parent-holds'],
    reason: 'the mock does not keep the states that descriptions name',
    applies: (_operation, around) =>
      around.some((resource) =>
        Object.values(resource.operations).some((own) => allowedStates(own, resource)),
      ),
  },
  {
    checks: ['shown-twice-agrees'],
    reason: 'the mock does not compute counts, copies and addresses of other records',
    applies: (_operation, around) =>
      around.some(({ counts, copies, links }) => counts.length + copies.length + links.length > 0),
  },
  {
    checks: ['total-holds'],
    reason: 'the mock answers this operation from the contract, and counts nothing',
    applies: (_operation, around) => around.length === 0,
  },
  {
    checks: ['parent-holds'],
    reason: 'the mock deletes a record also where others depend on it',
    applies: ({ method, responses }) =>
      method === 'DELETE' && responses.some(({ status }) => status === '409'),
  },
];

/** The findings of a check of the mock that say nothing about it, each with the reason. */
function selfSkips(contract: Contract): Skip[] {
  const { operations, inference } = contract;
  return operations.flatMap((operation) => {
    const placement = inference.placementOf(operation);
    const own = placement && ('resource' in placement ? placement : placement.action).resource;
    const parents = own?.parents.flatMap(({ resource }) => resource ?? []) ?? [];
    const around = own === undefined ? [] : [own, ...parents];
    return unkept
      .filter((each) => each.applies(operation, around, contract))
      .flatMap(({ checks, reason }) =>
        checks.map((check) => ({ operation: operation.id, check, reason })),
      );
  });
}
