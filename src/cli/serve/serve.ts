import { once } from 'node:events';
import { wordsIn } from '../../words-in.ts';
import { VouchError } from '../../errors.ts';
import { pick } from '../../json/value.ts';
import type { ReloadEvent, RunningMock, StartMockOptions } from '../../library/start-mock.ts';
import { baseOf, startMock } from '../../library/start-mock.ts';
import { isOfHandler } from '../../library/handlers/import-anew.ts';
import type { PrismEvent, PrismProcess } from '../../prism/start-prism.ts';
import { exitCodes, type Io, wantsColor } from '../io.ts';
import { contractChoice, warnOfInvalidParts } from '../find-contract.ts';
import { type BannerFacts, writeBanner } from './banner.ts';
import { type CliContext, takeKeys } from './mock-keys.ts';
import { callbackLine, logErrors, logReload, logStray } from './mock-log.ts';
import { RequestLog } from './request-log.ts';
import { portOf, readStoreFlags, readTlsFlags, type ServeOptions } from './serve-options.ts';

/**
 * Serves the mock, and Prism if requested, until a stop signal. Several documents share one port.
 */
export async function serve(
  terminal: Io,
  documents: readonly string[],
  options: ServeOptions,
): Promise<number> {
  const log = new RequestLog(terminal);
  const { io } = log;
  let prism: PrismRunner | undefined = undefined;
  const onReload = (event: ReloadEvent): void => {
    logReload(io, event);
    if (event.type === 'reloaded' && event.contractChanged) void prism?.restart();
  };
  const mock = await startMock({
    ...mockOptions(log, documents, options),
    onReload,
    prismUrl: () => prism?.url,
  });
  for (const { contract } of mock.prepared.documents) warnOfInvalidParts(io, contract);
  if (mock.prepared.documents.some(({ handlers }) => handlers !== undefined))
    io.catchStray?.((error) => isOfHandler(error) && logStray(io, error));
  prism = options.prism === true ? new PrismRunner(io, mock, options) : undefined;
  await prism?.restart();
  const quitting = new AbortController();
  await closingWhereItFails(
    async () => printBanner(io, { mock, options, prismUrl: prism?.url }),
    mock,
    prism,
  );
  const release =
    io.keyboard && takeKeys(io.keyboard, cliContextOf(io, mock, quitting), logErrors(io));
  const ending = AbortSignal.any([io.signal, quitting.signal]);
  if (!ending.aborted) await once(ending, 'abort');
  release?.();
  io.err('\nStopping after the requests in flight.\n');
  await Promise.all([mock.close(), prism?.close()]);
  log.end();
  return exitCodes.passed;
}

/**
 * Prints the banner for people on stderr. If stdout is no terminal, also there: a log file or a
 * program that waits for the mock may read only that.
 */
function printBanner(io: Io, given: Pick<BannerFacts, 'mock' | 'options' | 'prismUrl'>): void {
  const { mock } = given;
  const startLink = mock.consoleLink({ to: 'start' });
  const facts = { ...given, startLink, consoleLink: mock.consoleLink() };
  const bannerFor = (stream: 'out' | 'err'): string =>
    writeBanner({
      ...facts,
      hasKeys: io.keyboard !== undefined,
      color: wantsColor(io, stream),
      width: io.width,
    });
  io.err(bannerFor('err'));
  if (!io.isTTY.out && io.sharesOutput !== true) io.out(bannerFor('out'));
}

/**
 * Closes the mock if an action fails. Parts of a contract load lazily, so that errors in them can
 * appear after the start.
 */
async function closingWhereItFails<Value>(
  make: () => Promise<Value>,
  ...served: readonly ({ close(): Promise<void> } | undefined)[]
): Promise<Value> {
  try {
    return await make();
  } catch (error) {
    await Promise.all(served.map(async (each) => each?.close()));
    throw error;
  }
}

function cliContextOf(
  { err, width, openUrl }: Io,
  mock: RunningMock,
  quitting: AbortController,
): CliContext {
  return {
    mock,
    width,
    say: err,
    openUrl: openUrl ?? (async () => false),
    stop: () => quitting.abort(),
  };
}

function mockOptions(
  log: RequestLog,
  documents: readonly string[],
  options: ServeOptions,
): StartMockOptions {
  const { io } = log;
  const { base, allowCallbackHost } = options;
  return {
    ...pick(options, wordsIn('host scenario clock seed records')),
    ...pick(options, wordsIn('cors controlPort handlers dynamic validate')),
    authentication: options.auth,
    ...(options.port === undefined
      ? { port: portOf(io) }
      : { port: options.port, strictPort: true }),
    ...(documents.length === 0 ? {} : { contracts: documents }),
    bases: base,
    allowCallbackHosts: allowCallbackHost,
    watch: options.watch ?? false,
    ...contractChoice(options),
    ...readStoreFlags(options, io.env),
    ...readTlsFlags(options),
    ...(options.quiet === true ? {} : { onExchange: (exchange) => log.take(exchange) }),
    onFault: logErrors(io),
    onCallback: (report) =>
      io.err(
        options.quiet === true && report.outcome !== 'refused' ? '' : callbackLine(io, report),
      ),
  };
}

interface PrismFlags {
  readonly host: string;
}

/**
 * Runs Prism with the mock's first contract. If Prism cannot start, prints why; the mock continues
 * without it.
 */
class PrismRunner {
  readonly #io: Io;
  readonly #mock: RunningMock;
  readonly #flags: PrismFlags;
  #prism: PrismProcess | undefined;
  #port: number;
  /** Serializes starts and restarts. */
  #turn: Promise<void> = Promise.resolve();

  constructor(io: Io, mock: RunningMock, flags: PrismFlags) {
    this.#io = io;
    this.#mock = mock;
    this.#flags = flags;
    this.#port = mock.requestedPort === 0 ? 0 : mock.port + 1;
  }

  /** The URL of Prism; undefined if it does not run. */
  get url(): string | undefined {
    return this.#prism?.url;
  }

  /** Starts or restarts Prism with the current contract. Never rejects. */
  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#prism?.close();
      this.#prism = await this.#start();
      this.#port = this.#prism?.port ?? this.#port;
    });
  }

  close(): Promise<void> {
    return this.#next(async () => this.#prism?.close());
  }

  #next(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #start(): Promise<PrismProcess | undefined> {
    const [document] = this.#mock.prepared.documents;
    // Loaded on demand: most mocks run without Prism.
    const { startPrism } = await import('../../prism/start-prism.ts');
    try {
      return await startPrism({
        document: this.#mock.contract.soundDocument,
        port: this.#port,
        host: this.#flags.host,
        basePath: document === undefined ? '' : baseOf(document),
        dynamic: this.#mock.prepared.mock.options.dynamic !== undefined,
        onEvent: (event) => this.#io.err(prismLine(event)),
      });
    } catch (error) {
      if (!(error instanceof VouchError)) throw error;
      this.#io.err(`prism ${error.message} ${error.hint ?? ''}\n`);
      return undefined;
    }
  }
}

/** The log line of an event; the banner shows the start. */
function prismLine(event: PrismEvent): string {
  switch (event.type) {
    case 'started':
      return '';
    case 'died':
      return `prism ${event.reason}; restarting\n`;
    case 'restarted':
      return `prism restarted after ${event.millis.toFixed(0)} ms\n`;
    case 'gave-up':
      return (
        `prism stopped ${String(event.deaths)} times in a row (last: ` +
        `${event.reason}) and is not restarted; the mock keeps running\n`
      );
  }
}
