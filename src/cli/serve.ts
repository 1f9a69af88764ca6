import { styleText } from 'node:util';
import { VouchError } from '../errors.ts';
import { startMock, type RunningMock, type StartMockOptions } from '../library/start-mock.ts';
import type { AuthenticationMode } from '../mock/mock.ts';
import { startPrism, type PrismEvent, type PrismProcess } from '../prism/start-prism.ts';
import { cleanLine } from '../text/safe-text.ts';
import { writeBanner } from './banner.ts';
import { exitCodes } from './exit-code.ts';
import { wantsColor, type Io } from './io.ts';

/** The words of `mock` and `start`. */
export interface ServeOptions {
  readonly port?: number;
  readonly host: string;
  readonly prism: boolean;
  readonly prismPort?: number;
  readonly auth: AuthenticationMode;
  readonly scenario?: string;
  readonly clock?: string;
  readonly seed?: string;
  readonly config?: string;
  readonly quiet: boolean;
}

/** Serves the mock, and Prism where it is wanted, until the signal comes. */
export async function serve(io: Io, document: string | undefined, options: ServeOptions): Promise<number> {
  const mock = await startMock(mockOptions(io, document, options));
  const prism = options.prism ? await startBeside(io, mock, options) : undefined;
  io.err(writeBanner({ mock, options, color: wantsColor(io, 'err'), ...(prism === undefined ? {} : { prismUrl: prism.url }) }));
  await untilAborted(io.signal);
  io.err('\nStopping: what is in flight is answered first.\n');
  await Promise.all([mock.close(), prism?.close()]);
  return exitCodes.kept;
}

function mockOptions(io: Io, document: string | undefined, options: ServeOptions): StartMockOptions {
  const { scenario, clock, seed, config } = options;
  return {
    host: options.host,
    authentication: options.auth,
    ...(options.port === undefined ? { port: portOf(io) } : { port: options.port }),
    ...(document === undefined ? {} : { contract: document }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(clock === undefined ? {} : { clock }),
    ...(seed === undefined ? {} : { seed }),
    ...(config === undefined ? {} : { config }),
    ...(options.quiet ? {} : { onExchange: (exchange) => io.err(requestLine(io, exchange)) }),
  };
}

const defaultPort = 4010;

function portOf(io: Io): number {
  const port = Number(io.env['VOUCH_PORT'] ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new VouchError('usage', `VOUCH_PORT is ${String(io.env['VOUCH_PORT'])}, which is no port.`, { hint: 'Give a whole number from 0 to 65535.' });
  return port;
}

interface ShownExchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation?: string;
}

function requestLine(io: Io, { method, target, status, durationMs, operation }: ShownExchange): string {
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const shown = wantsColor(io, 'err') ? styleText(color, String(status), { validateStream: false }) : String(status);
  const cleaned = cleanLine(target.length > 120 ? `${target.slice(0, 120)}…` : target);
  return `${shown} ${method} ${cleaned} ${operation ?? ''} ${durationMs.toFixed(0)} ms\n`;
}

/** Prism is a guest: where it cannot be had, the mock goes on without it, and says why. */
async function startBeside(io: Io, mock: RunningMock, options: ServeOptions): Promise<PrismProcess | undefined> {
  try {
    return await startPrism({
      document: mock.contract.document,
      port: options.prismPort ?? (mock.requestedPort === 0 ? 0 : mock.port + 1),
      host: options.host,
      basePath: mock.contract.servers[0]?.basePath ?? '',
      onEvent: (event) => io.err(prismLine(event)),
    });
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    io.err(`prism ${error.message} ${error.hint ?? ''}\n`);
    return undefined;
  }
}

/** A start is told by the banner; the rest is told when it happens. */
function prismLine(event: PrismEvent): string {
  switch (event.type) {
    case 'started':
      return '';
    case 'died':
      return `prism ${event.reason}; it is started again\n`;
    case 'restarted':
      return `prism is back after ${event.millis.toFixed(0)} ms\n`;
    case 'gave-up':
      return `prism died ${String(event.deaths)} times in a row (the last one ${event.reason}) and is left alone; the mock goes on\n`;
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
