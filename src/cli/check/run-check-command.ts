import { dirname } from 'node:path';
import type { AgainstOptions } from '../../check/against/compare-targets.ts';
import type { BaselineEntry } from '../../check/engine/baseline/baseline.ts';
import { type CheckOptions, readRunIntent, runCheck } from '../../check/engine/check-target.ts';
import type { WorkflowOptions } from '../../check/engine/settings.ts';
import type { RunEvent } from '../../check/model/event.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import { asRunIdentity } from '../../check/secrets/identities.ts';
import type { Secret } from '../../check/secrets/secrets.ts';
import type { Contract } from '../../contract/model.ts';
import { usage, VouchError } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import { readVersion } from '../../library/package-files.ts';
import { readHeaderFlags } from '../../library/read-header-flags.ts';
import { effectText } from '../../report/pretty/pretty-start.ts';
import { contractChoice, findContract, warnOfInvalidParts } from '../find-contract.ts';
import { type Io, isContinuousIntegration, readNamed, wantsColor } from '../io.ts';
import { readCheckSettings, readSettingsAndWarn } from './check-settings.ts';
import type { CheckRequest, CheckFlags } from './check-flags.ts';
import { limitsOf, refuseConflictingFlags } from './check-flags.ts';
import { readCredentials, printCredentialNotes } from './credentials.ts';
import { addHeadersOfDocument } from './document-headers.ts';
import { isBaseUrl, isTarget, readTarget, refuseDocumentAlone } from './find-target.ts';
import { printPlan } from './print-plan.ts';
import {
  baselineOptions,
  type BaselineOptions,
  keepRun,
  readBaseline,
  watchBaseline,
  writeOverlay,
} from './run-records.ts';
import type { RunningReporter } from './run-reporters.ts';
import { reportEvents, startReporters, writesEachExchange } from './run-reporters.ts';
import { formatNumber, roughDuration } from '../../text/counts.ts';

/** Runs the requested check, writes the reports and returns the verdict. */
export async function runCheckCommand(io: Io, given: CheckRequest): Promise<Verdict> {
  const { url, document } = given;
  const flags = await addHeadersOfDocument(io, given, given.flags);
  const request = { ...given, flags };
  refuseConflictingFlags(flags);
  if (flags.prove) return proveCheck(io, request);
  if (flags.har !== undefined) return checkTraffic(io, request, flags.har);
  if (flags.self) return checkSelf(io, request);
  refuseDocumentAlone(url);
  if (flags.watch) return watchRuns(io, request);
  const chosen = await findContract(document, flags);
  const options = readTarget(io, chosen, url, flags);
  if (flags.against === undefined) return runWith(io, flags, options);
  const own =
    flags.againstAuth === undefined
      ? { auth: flags.auth }
      : { auth: [flags.againstAuth], withoutDefault: true };
  const other = readTarget(io, chosen, flags.against, { ...own, header: flags.header, server: {} });
  return runWith(io, flags, options, { against: asRunIdentity(other) });
}

async function watchRuns(io: Io, { url, document, flags }: CheckRequest): Promise<Verdict> {
  const { watchCheck } = await import('./watch/watch-check.ts');
  return watchCheck(io, flags, {
    read: async (own) => {
      const chosen = await findContract(document, flags);
      return { chosen, target: readTarget(own, chosen, url, flags) };
    },
    run: (own, { target }, watching) => runWith(own, flags, target, { watching }),
  });
}

async function proveCheck(io: Io, { url, document, flags }: CheckRequest): Promise<Verdict> {
  const named = document ?? url;
  if (named !== undefined && isBaseUrl(named))
    throw usage(`--prove checks the mock, not ${named}.`, {
      hint: 'Pass a document in place of the URL.',
    });
  const { runProof } = await import('./run-proof.ts');
  const chosen = await findContract(named, flags);
  const { options } = readCheckSettings(io, chosen);
  const { seed: _seed, ...limits } = limitsOf(flags);
  return runProof(io, flags, { document: named, settings: { ...options, ...limits } });
}

/** Checks a recording. The first argument is a base URL, a target or the document. */
async function checkTraffic(
  io: Io,
  { url, document, flags }: CheckRequest,
  file: string,
): Promise<Verdict> {
  const { targets } = await readConfigOnce(process.cwd(), flags.config);
  const isUrl = url !== undefined && isTarget(url, targets);
  const chosen = await findContract(isUrl ? document : (document ?? url), flags);
  const base = isUrl
    ? readTarget(io, chosen, url, flags)
    : {
        contract: chosen.contract,
        ...readCheckSettings(io, chosen).options,
        ...readCredentials(io, { auth: flags.auth }, [...chosen.contract.securitySchemes.keys()]),
      };
  const [{ readHar }, { judgeTraffic }] = await Promise.all([
    import('../../check/traffic/read-har.ts'),
    import('../../check/traffic/judge-traffic.ts'),
  ]);
  warnOfInvalidParts(io, chosen.contract);
  const hint = 'Pass a HAR file, for example one exported by a browser.';
  const traffic = readHar(await readNamed(io, file, hint), file);
  return reportEvents(
    judgeTraffic({ ...base, ...limitsOf(flags), clock: io.clock, version: readVersion(), traffic }),
    startReporters(flags.reporter, io, flags.verbose),
  );
}

async function checkSelf(io: Io, { url, document, flags }: CheckRequest): Promise<Verdict> {
  if (url !== undefined && document !== undefined)
    throw usage('--self checks the mock and takes no URL.', {
      hint: 'Remove the URL, or remove --self.',
    });
  if (url !== undefined && isBaseUrl(url))
    throw usage(`--self checks the mock, not ${url}.`, {
      hint: 'Remove the URL, or remove --self.',
    });
  const contract = document ?? url;
  const { startSelfTarget } = await import('../../library/start-mock.ts');
  const self = await startSelfTarget({ contract, ...contractChoice(flags) });
  try {
    const headers = readHeaderFlags(flags.header, io.env);
    const settings = readSettingsAndWarn(io, self.mock.prepared);
    return await runWith(io, flags, {
      ...settings,
      ...self.options,
      skips: [...(settings.skips ?? []), ...self.options.skips],
      headers,
    });
  } finally {
    await self.mock.close();
  }
}

/** The other deployment of a comparison, and the reporter of a watch. */
interface RunExtras {
  readonly against?: CheckOptions;
  readonly watching?: RunningReporter;
}

async function runWith(
  io: Io,
  flags: CheckFlags,
  target: CheckOptions,
  { against, watching }: RunExtras = {},
): Promise<Verdict> {
  warnOfInvalidParts(io, target.contract);
  const options = await optionsOf(io, flags, target);
  if (flags.plan) return printPlan(io, flags, options);
  await requireConfirmation(io, flags, options);
  const baseline = baselineOptions(flags);
  const entries = baseline === undefined ? [] : await readBaseline(baseline);
  // The mock of --self ends with the run, so its records are not stored for cleanup.
  const keeping = flags.self ? undefined : keepRun(io, target.contract);
  const reporters = await startWriters(io, { flags, baseline, entries });
  const kept: CheckOptions = {
    ...options,
    ...(entries.length === 0 ? {} : { baseline: entries }),
    ...(keeping === undefined ? {} : { cleanupLedger: keeping.cleanupLedger }),
    beforeCleanUp: (conclusion) => {
      for (const reporter of [...reporters, keeping?.reporter]) reporter?.secure?.(conclusion);
    },
  };
  const there = against === undefined ? undefined : keepOther(io, target.contract, against);
  const silence = printOnStop(io);
  const events = await eventsOf(kept, there?.options);
  const verdict = await reportEvents(events, [
    ...(wantsPretty(flags) ? [] : [printCredentialNotes(io)]),
    showProgress(io, flags.verbose || writesEachExchange(flags.reporter, io)),
    ...reporters,
    ...[keeping?.reporter, there?.reporter, watching].filter((keeper) => keeper !== undefined),
  ]).finally(silence);
  // Findings that were just added to the baseline do not fail the run.
  return baseline?.update === true && verdict === 'failed' ? 'passed' : verdict;
}

/** The events of a run against one deployment, or of a comparison of two. */
async function eventsOf(
  options: CheckOptions,
  against: AgainstOptions | undefined,
): Promise<AsyncIterable<RunEvent>> {
  if (against === undefined) return runCheck(options);
  const { compareTargets } = await import('../../check/against/compare-targets.ts');
  return compareTargets(options, against);
}

async function optionsOf(io: Io, flags: CheckFlags, target: CheckOptions): Promise<CheckOptions> {
  const changed =
    flags.changedSince === undefined
      ? undefined
      : await (
          await import('./earlier-contract.ts')
        ).readChanged(target.contract, flags.changedSince);
  return {
    ...target,
    ...limitsOf(flags),
    allow: [...(target.allow ?? []), ...flags.allow],
    ...defined({ changed, workflows: await readWorkflowOptions(io, flags) }),
    signal: io.signal,
    ...defined({ hurry: io.hurry }),
    clock: io.clock,
    version: readVersion(),
  };
}

/** Stores the records created on the second deployment for cleanup, from its own event stream. */
function keepOther(
  io: Io,
  contract: Contract,
  against: CheckOptions,
): { readonly options: AgainstOptions; readonly reporter: RunningReporter | undefined } {
  const keeping = keepRun(io, contract, { judges: false });
  if (keeping === undefined) return { options: against, reporter: undefined };
  const { cleanupLedger, reporter } = keeping;
  return {
    options: { ...against, cleanupLedger, watch: reporter.take },
    reporter: { ...reporter, take: () => {} },
  };
}

function wantsPretty({ reporter }: CheckFlags): boolean {
  return reporter.length === 0 || reporter.includes('pretty');
}

/** Throws a VouchError unless the user confirms a run that changes a target on another machine. */
async function requireConfirmation(
  io: Io,
  flags: CheckFlags,
  options: CheckOptions,
): Promise<void> {
  if (flags.yes || flags.self || !io.isTTY.err) return;
  const intent = await readRunIntent(options);
  if (intent === undefined) return;
  const { mode, url, effects } = intent;
  if (mode === 'read-only' || isLoopbackHost(hostOf(new URL(url)))) return;
  throw new VouchError(
    'refused-for-safety',
    `A ${mode} run changes ${url}: it ${effectText(effects)}.`,
    {
      hint:
        'Add --yes to confirm, --plan to list the requests without sending ' +
        'them, or --mode read-only.',
    },
  );
}

interface WriterOptions {
  readonly flags: CheckFlags;
  readonly baseline: BaselineOptions | undefined;
  readonly entries: readonly BaselineEntry[];
}

/** Opens every file that the run writes. If one fails to open, removes the others. */
async function startWriters(io: Io, options: WriterOptions): Promise<RunningReporter[]> {
  const { flags, baseline, entries } = options;
  const started = startReporters(flags.reporter, io, flags.verbose);
  try {
    if (flags.writeOverlay !== undefined) started.push(await writeOverlay(io, flags.writeOverlay));
    if (baseline !== undefined) started.push(watchBaseline(io, baseline, entries));
    return started;
  } catch (error) {
    for (const reporter of started) reporter.discard();
    throw error;
  }
}

/** On a stop signal, prints why the run does not end at once and what a second signal does. */
function printOnStop(io: Io): () => void {
  const announce = (): void =>
    io.err(
      'Stopping: deleting the records that the run created. Press Ctrl-C again to skip this.\n',
    );
  const announceAgain = (): void => io.err('Stopping now: records left behind are listed below.\n');
  if (io.signal.aborted) io.err('Stopping: nothing was sent.\n');
  io.signal.addEventListener('abort', announce, { once: true });
  io.hurry?.addEventListener('abort', announceAgain, { once: true });
  return () => {
    io.signal.removeEventListener('abort', announce);
    io.hurry?.removeEventListener('abort', announceAgain);
  };
}

/**
 * The workflows of a run: those of the flags, otherwise those of the configuration. Undefined if
 * there are none. Throws a VouchError (`workflow-invalid`) with the place of an error.
 */
async function readWorkflowOptions(
  io: Io,
  { workflows: named, workflowsOnly, input, config: file, root, demo }: CheckFlags,
): Promise<WorkflowOptions | undefined> {
  const config = demo === true ? undefined : await readConfigOnce(process.cwd(), file);
  const paths = named.length > 0 ? named : (config?.workflows ?? []);
  if (paths.length === 0) {
    const idle = workflowsOnly ? '--workflows-only' : input.length > 0 ? '--input' : undefined;
    if (idle === undefined) return undefined;
    throw usage(`${idle} needs workflows.`, { hint: 'Add --workflows FILE.' });
  }
  const { loadWorkflows } = await import('../../config/read-data.ts');
  const secrets: Secret[] = [];
  const given = [...Object.entries(config?.workflowInputs ?? {}), ...input.map(readFlag)];
  const inputs = given.map(([name, value]) => [name, readInput(name, value, io, secrets)]);
  return {
    files: await loadWorkflows(paths, {
      root,
      ...(named.length > 0 || config?.file === undefined ? {} : { named: dirname(config.file) }),
    }),
    inputs: Object.fromEntries(inputs) as Record<string, JsonValue>,
    secrets,
    ...(workflowsOnly ? { alone: true } : {}),
  };
}

function readFlag(word: string): [name: string, value: JsonValue] {
  const at = word.indexOf('=');
  if (at < 1)
    throw usage(`--input ${word} is not given as NAME=VALUE.`, {
      hint: 'Write --input username=alice, or for a secret --input password=env:PASSWORD.',
    });
  return [word.slice(0, at), word.slice(at + 1)];
}

function readInput(name: string, value: JsonValue, io: Io, secrets: Secret[]): JsonValue {
  const variable =
    typeof value === 'string' ? /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] : undefined;
  if (variable === undefined) return value;
  const secret = io.env[variable] ?? '';
  if (secret === '')
    throw usage(
      `The environment variable ${variable}, which should hold the input ${name}, is not set.`,
      { hint: `Set it first: export ${variable}=…` },
    );
  secrets.push({ value: secret, shell: `$${variable}` });
  return secret;
}

/** The minimum interval in milliseconds between two updates; a remote terminal may be slow. */
const betweenMs = 100;

/**
 * Shows progress and remaining time on one line of stderr, and clears it when the run ends. Prints
 * nothing without a terminal, in CI, and in the first second.
 */
export function showProgress(io: Io, isOutLive = false): RunningReporter {
  if (!io.isTTY.err || isContinuousIntegration(io.env) || (io.isTTY.out && isOutLive))
    return { take: () => {}, finish: async () => {}, discard: () => {} };
  const bar = makeBar(io);
  return {
    take: (event) => bar.take(event),
    finish: async () => bar.wipe(),
    discard: () => bar.wipe(),
  };
}

function makeBar(io: Io): { take(event: RunEvent): void; wipe(): void } {
  const now = (): number => io.clock().getTime();
  const began = now();
  let planned = 0;
  let expected: number | undefined;
  let sent = 0;
  let shownAt: number | undefined;
  const wipe = (): void => {
    if (shownAt !== undefined) io.err('\r\u001b[2K');
    shownAt = undefined;
  };
  return {
    wipe,
    take: (event) => {
      if (event.type === 'plan-made') ({ requests: planned, expectedMs: expected } = event);
      if (event.type === 'exchange-recorded') sent += 1;
      if (event.type === 'run-finished') return wipe();
      // Reports print to the same terminal before the plan exists.
      if (planned === 0) return;
      const passed = now() - began;
      if (passed < 1000 || (shownAt !== undefined && now() - shownAt < betweenMs)) return;
      shownAt = now();
      const plain = !wantsColor(io, 'err');
      io.err(
        `\r\u001b[2K${progressLine({ planned, expected, sent, passed, width: io.width, plain })}`,
      );
    },
  };
}

interface Progress {
  readonly planned: number;
  /** Milliseconds that the plan takes, as it was made; undefined if unknown. */
  readonly expected?: number | undefined;
  readonly sent: number;
  /** Milliseconds since the start of the run. */
  readonly passed: number;
  readonly width: number;
  /** Whether to draw the bar in ASCII. A terminal without colors may not show block characters. */
  readonly plain: boolean;
}

/** Formats `████░░░░ 120 of about 300 requests, about 8 s left`, never wider than the terminal. */
export function progressLine(progress: Progress): string {
  const { planned, sent, width, plain } = progress;
  const share = planned === 0 ? 0 : Math.min(1, sent / planned);
  const bar = (plain ? '#' : '█').repeat(Math.round(share * 20)).padEnd(20, plain ? '.' : '░');
  // Retries, confirmation and cleanup come on top of the plan.
  const total = sent <= planned ? ` of about ${formatNumber(planned)}` : '';
  const count = `${formatNumber(sent)}${total} requests`;
  const line = `${bar} ${count}${leftOf(share, progress)}`;
  return line.length < width ? line : count.slice(0, Math.max(0, width - 1));
}

/**
 * Estimates the remaining time by what was expected of the plan, the less the more of it is done;
 * otherwise after a tenth of the plan. Confirmation and cleanup are not included.
 */
function leftOf(share: number, { passed, expected }: Progress): string {
  if (share >= 1) return ', confirming findings';
  if (share < 0.1 && expected === undefined) return '';
  const bySpeed = share === 0 ? 0 : passed / share - passed;
  const left = expected === undefined ? bySpeed : (1 - share) ** 2 * expected + share * bySpeed;
  return `, about ${roughDuration(left)} left`;
}
