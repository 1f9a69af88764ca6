import { VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import {
  type ReloadEvent,
  type RunningMock,
  startMock,
  type StartMockOptions,
} from '../../library/start-mock.ts';
import type { AuthenticationMode } from '../../mock/model/assumption.ts';
import { exitCodes } from '../exit-code.ts';
import type { ContractWords } from '../find-contract.ts';
import { type Io, wantsColor } from '../io.ts';
import { tellDocumentFaults } from '../tell-document-faults.ts';
import { tellOwnDocument } from '../tell-own-document.ts';
import { writeBanner } from './banner.ts';
import { batchLines } from './batch-lines.ts';
import type { Desk } from './keys/mock-keys.ts';
import { takeKeys } from './keys/take-keys.ts';
import { PrismBeside } from './prism-beside.ts';
import { readStoreWords } from './read-store-words.ts';
import { readTlsWords } from './read-tls-words.ts';
import { callbackLine, requestLine } from './request-line.ts';
import { tellFaults } from './tell-fault.ts';
import { tellReload } from './tell-reload.ts';

/** The words of `mock` and `start`. */
export interface ServeOptions extends ContractWords {
  /** How it was asked for; `vouch mock` unless told. */
  readonly command?: string;
  readonly port?: number;
  readonly host: string;
  readonly prism?: boolean;
  readonly prismPort?: number;
  readonly auth: AuthenticationMode;
  readonly scenario?: readonly string[];
  readonly clock?: string;
  readonly seed?: string;
  readonly persist?: string;
  readonly store?: string;
  readonly maxRecords?: number;
  readonly maxBytes?: number;
  readonly quiet?: boolean;
  readonly watch?: boolean;
  /** Base paths by the documents' names. */
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

/**
 * Serves the mock, and Prism where it is wanted, until the signal comes. Several documents stand on
 * one port.
 */
export async function serve(
  io: Io,
  documents: readonly string[],
  options: ServeOptions,
): Promise<number> {
  let prism: PrismBeside | undefined;
  const onReload = (event: ReloadEvent): void => {
    tellReload(io, event);
    if (event.type === 'reloaded' && event.contractChanged) void prism?.restart();
  };
  const mock = await startMock({
    ...mockOptions(io, documents, options),
    onReload,
    prismUrl: () => prism?.url,
  });
  if (documents.length === 0)
    await tellOwnDocument(io, {
      file: mock.contract.file,
      command: options.command ?? 'vouch mock',
    });
  for (const { contract } of mock.prepared.documents) tellDocumentFaults(io, contract);
  prism = options.prism === true ? new PrismBeside(io, mock, options) : undefined;
  await prism?.restart();
  const quitting = new AbortController();
  io.err(
    await closingWhereItFails(
      () =>
        writeBanner({
          mock,
          options,
          hasKeys: io.keyboard !== undefined,
          isTerminal: io.isTTY.err,
          color: wantsColor(io, 'err'),
          width: io.width,
          ...(prism?.url === undefined ? {} : { prismUrl: prism.url }),
        }),
      mock,
      prism,
    ),
  );
  const letGo = io.keyboard && takeKeys(io.keyboard, deskOf(io, mock, quitting), tellFaults(io));
  await untilAborted(AbortSignal.any([io.signal, quitting.signal])).finally(letGo);
  io.err('\nStopping: what is in flight is answered first.\n');
  await Promise.all([mock.close(), prism?.close()]);
  return exitCodes.passed;
}

/**
 * Parts of a contract are read when they are first needed, and what is wrong with them shows only
 * then: a mock that cannot be told of is not left serving.
 */
async function closingWhereItFails<Value>(
  make: () => Value,
  ...served: readonly ({ close(): Promise<void> } | undefined)[]
): Promise<Value> {
  try {
    return make();
  } catch (error) {
    await Promise.all(served.map((each) => each?.close()));
    throw error;
  }
}

function deskOf({ err, width, openUrl }: Io, mock: RunningMock, quitting: AbortController): Desk {
  return {
    mock,
    width,
    say: err,
    openUrl: openUrl ?? (async () => false),
    stop: () => quitting.abort(),
  };
}

function mockOptions(
  io: Io,
  documents: readonly string[],
  options: ServeOptions,
): StartMockOptions {
  const { scenario, clock, seed, config, base, allowCallbackHost } = options;
  return {
    host: options.host,
    authentication: options.auth,
    ...(options.port === undefined ? { port: portOf(io) } : { port: options.port }),
    ...(documents.length === 0 ? {} : { contracts: documents }),
    ...defined({ bases: base, allowCallbackHosts: allowCallbackHost }),
    watch: options.watch ?? false,
    ...defined({ scenario, clock, seed, config, allowRefHosts: options.allowRefHost }),
    ...readStoreWords(options, io.env),
    ...readTlsWords(options),
    ...defined({ cors: options.cors, controlPort: options.controlPort }),
    ...(options.quiet === true
      ? {}
      : { onExchange: batchLines((exchange) => requestLine(io, exchange), io.err) }),
    onFault: tellFaults(io),
    onCallback: (report) =>
      io.err(
        options.quiet === true && report.outcome !== 'refused' ? '' : callbackLine(io, report),
      ),
  };
}

const defaultPort = 4010;

function portOf(io: Io): number {
  const port = Number(io.env['VOUCH_PORT'] ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new VouchError(
      'usage',
      `VOUCH_PORT is ${String(io.env['VOUCH_PORT'])}, which is no port.`,
      { hint: 'Give a whole number from 0 to 65535.' },
    );
  return port;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
