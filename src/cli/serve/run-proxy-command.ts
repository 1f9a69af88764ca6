import { once } from 'node:events';
import { wordsIn } from '../../words-in.ts';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../check/model/event.ts';
import { EventQueue } from '../../check/engine/send/event-queue.ts';
import { codeOf, usage } from '../../errors.ts';
import { pick } from '../../json/value.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import { readVersion } from '../../library/package-files.ts';
import type { ProxyExchange, RunningProxy, StartProxyOptions } from '../../library/start-proxy.ts';
import { startProxy } from '../../library/start-proxy.ts';
import { readSettingsAndWarn } from '../check/check-settings.ts';
import { isBaseUrl } from '../check/find-target.ts';
import { reportEvents, startReporters } from '../check/run-reporters.ts';
import type { ContractFlags } from '../find-contract.ts';
import { contractChoice, findContract, warnOfInvalidParts } from '../find-contract.ts';
import { exitCodeOfVerdict, fitLines, type Io, readNamed } from '../io.ts';
import { batchLines, requestLine } from './mock-log.ts';

export interface ProxyFlags
  extends
    ContractFlags,
    Pick<
      StartProxyOptions,
      'headers' | 'enforce' | 'passUnjudged' | 'fallback' | 'record' | 'insecure'
    > {
  readonly port?: number;
  readonly host: string;
  /** Milliseconds. */
  readonly for?: number;
  /** A file. */
  readonly ca?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly reporter: readonly string[];
  readonly verbose: boolean;
  readonly quiet?: boolean;
}

/** The parsed command line of `vouch proxy`. */
export interface ProxyRequest {
  readonly url: string;
  readonly document: string | undefined;
  /** The command after `--`, and its arguments. */
  readonly run: readonly string[];
  /** Arguments beyond the document, which belong after `--`. */
  readonly extra: readonly string[];
  readonly flags: ProxyFlags;
}

/**
 * Proxies until the end of the command, of the time, or until a stop signal; writes the reports,
 * and returns the exit code.
 */
export async function runProxyCommand(io: Io, request: ProxyRequest): Promise<number> {
  const { run, extra, flags } = request;
  if (extra.length > 0)
    throw usage(`Too many arguments: ${extra.join(' ')}.`, {
      hint: `Write a command after --: vouch proxy URL document -- ${extra.join(' ')}`,
    });
  const lines = batchLines((exchange: ProxyExchange) => exchangeLine(io, exchange), io.err);
  const options = await readOptions(io, request);
  const reporters = startReporters(flags.reporter, io, flags.verbose);
  const queue = new EventQueue<RunEvent>();
  let commandCode = 0;
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    const proxy = await startProxy({
      ...options,
      ...(flags.quiet === true ? {} : { onExchange: lines }),
      onEvent: (event) => {
        // The report is the last that is printed.
        if (event.type === 'run-finished') lines.flush();
        void queue.put(event);
      },
    });
    try {
      io.err(bannerOf(io, proxy, request));
      commandCode = await untilEnd(io, proxy, run, flags.for);
    } finally {
      // A recording that cannot be written must not take the report with it.
      await proxy.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length === 0) printRecording(io, flags);
  };
  const verdict = await reportEvents(flatten(queue.during(work, () => {})), reporters);
  for (const failure of failures) throw failure;
  const code = exitCodeOfVerdict(verdict);
  return code === 0 ? commandCode : code;
}

async function* flatten<Value>(
  batches: AsyncIterable<readonly Value[]>,
): AsyncGenerator<Value, void> {
  for await (const batch of batches) yield* batch;
}

const defaultPort = 4020;

async function readOptions(
  io: Io,
  { url, document, flags }: ProxyRequest,
): Promise<StartProxyOptions> {
  const { targets } = await readConfigOnce(process.cwd(), flags.config);
  const service = targets[url]?.url ?? url;
  if (!isBaseUrl(service))
    throw usage(`${url} is neither a base URL nor a target.`, {
      hint: 'Pass the base URL of the service, such as http://localhost:3000.',
    });
  const chosen = await findContract(document, flags);
  warnOfInvalidParts(io, chosen.contract);
  const options = readSettingsAndWarn(io, chosen, Object.hasOwn(targets, url) ? url : undefined);
  if (flags.passUnjudged === true && flags.enforce !== true)
    throw usage('--pass-unjudged only has a meaning with --enforce.', {
      hint: 'Without --enforce, every request passes.',
    });
  return {
    contract: document,
    ...contractChoice(flags),
    url: service,
    ...(flags.port === undefined ? { port: defaultPort } : { port: flags.port, strictPort: true }),
    ...pick(flags, wordsIn('host headers enforce passUnjudged fallback record insecure')),
    ...(flags.ca === undefined ? {} : { ca: await readCertificates(io, flags.ca) }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1_000 }),
    check: {
      ...options,
      ...pick(flags, wordsIn('only skip')),
      clock: io.clock,
      version: readVersion(),
    },
    onNote: (text) => io.err(`note  ${text}\n`),
  };
}

async function readCertificates(io: Io, file: string): Promise<string> {
  const bytes = await readNamed(io, file, 'Pass a file with certificates as PEM.');
  return Buffer.from(bytes).toString('utf8');
}

function bannerOf(io: Io, proxy: RunningProxy, { run, flags }: ProxyRequest): string {
  const { title, version, file } = proxy.contract;
  const taken =
    proxy.requestedPort === 0 || proxy.requestedPort === proxy.port
      ? ''
      : ` (port ${String(proxy.requestedPort)} is taken)`;
  const modes = [
    ...(flags.enforce === true ? ['requests that violate the contract are turned away'] : []),
    ...(flags.fallback === undefined ? [] : ['the mock answers what the service does not have']),
  ];
  const end = run.length > 0 ? [] : ['Press Ctrl-C to stop and print the report.'];
  const lines = [
    `Proxy     ${proxy.url}${taken}`,
    `Contract  ${title} ${version} (${file})`,
    ...modes.map((mode) => `Mode      ${mode}`),
    ...end,
  ];
  return fitLines(`${lines.join('\n')}\n\n`, io, 'err');
}

/** The line of an exchange: what it breaks, or why it was not judged. */
function exchangeLine(io: Io, exchange: ProxyExchange): string {
  const { answeredBy, unjudged, request, response, fault, operation } = exchange;
  const said = [
    ...(request === undefined ? [] : [`request: ${request}`]),
    ...response.map(({ severity, check, message }) => `${severity} ${check}: ${message}`),
    ...(unjudged === undefined
      ? []
      : [answeredBy === 'service' ? `not judged: ${unjudged}` : unjudged]),
    ...(fault === undefined || unjudged?.includes(fault) === true ? [] : [fault]),
  ];
  return requestLine(io, {
    ...pick(exchange, wordsIn('method target status durationMs')),
    operation,
    ...(said.length === 0 ? {} : { reason: said.join(' · ') }),
  });
}

function printRecording(io: Io, { record }: ProxyFlags): void {
  if (record === undefined) return;
  const scenario = existsSync(join(record, 'scenarios/recorded.yaml'))
    ? ' --scenario recorded'
    : '';
  io.err(
    `Recorded in ${record}. Play it without the service: vouch mock ` +
      `--config ${record}/vouch.config.yaml${scenario} --auth any\n`,
  );
}

/** Waits for the end, and returns the exit code of the command, if there is one. */
async function untilEnd(
  io: Io,
  proxy: RunningProxy,
  run: readonly string[],
  forMs: number | undefined,
): Promise<number> {
  const ending = new AbortController();
  const timer = forMs === undefined ? undefined : setTimeout(() => ending.abort(), forMs);
  const signal = AbortSignal.any([io.signal, ending.signal]);
  try {
    const [program, ...words] = run;
    if (program !== undefined) return await runCommand(io, proxy, { program, words, signal });
    if (!signal.aborted) await once(signal, 'abort');
    return 0;
  } finally {
    clearTimeout(timer);
  }
}

/** A command that does not end when it is asked to is ended after this time. */
const longestGoodbyeMs = 5_000;

interface CommandRun {
  readonly program: string;
  readonly words: readonly string[];
  readonly signal: AbortSignal;
}

/** Runs the command with the address of the proxy in `VOUCH_PROXY_URL`. */
function runCommand(
  { env }: Io,
  { url }: RunningProxy,
  { program, words, signal }: CommandRun,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: 'inherit',
      env: { ...env, VOUCH_PROXY_URL: url },
    });
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), longestGoodbyeMs);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', (cause) =>
      reject(
        usage(`Cannot run ${program}: ${codeOf(cause) ?? cause.message}.`, {
          cause,
          hint: 'Write the command after --, as you would in a shell.',
        }),
      ),
    );
    // A command that the end of the proxy stops has not failed.
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(signal.aborted ? 0 : (code ?? 1));
    });
  });
}
