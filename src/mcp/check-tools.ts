import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { type CheckOptions, runCheck } from '../check/engine/check-target.ts';
import type { RunEvent } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import { type Mode, modes } from '../check/model/phase.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { OverlayMaker } from '../check/engine/overlay/make-overlay.ts';
import { isSafe } from '../check/model/step.ts';
import { readEffectRules } from '../check/model/effect-rules.ts';
import type { Contract } from '../contract/model.ts';
import { formatPlace, suggestWord, usage, VouchError } from '../errors.ts';
import { defined } from '../json/value.ts';
import { targetOptions } from '../library/start-mock.ts';
import { bySeverity, emptyRecord, keepEvent, type RunRecord } from '../report/run-record.ts';
import { verdictLine } from '../report/verdict.ts';
import type { Access } from './access.ts';
import { takePage } from './bound-output.ts';
import type { Mocks } from './mock-tools.ts';
import { addTool, type Call, documentInput, pageOutput, type McpHost } from './tool.ts';

const maxRunning = 2;
const maxKept = 8;
const defaultRequests = 2_000;
const defaultSeconds = 120;
/** The number of findings in the result of a check; list_findings has the others. */
const shownFindings = 20;
/** Progress is reported about this often in a run. */
const progressSteps = 50;

/** A run that is over, or that has been cancelled. */
export interface KeptRun {
  readonly id: string;
  readonly contract: Contract;
  readonly record: RunRecord;
  readonly summary: RunSummary;
  readonly overlay: OverlayMaker;
}

/** The runs of a server: a few at a time, and the last ones with their findings. */
export class CheckRuns {
  readonly #host: McpHost;
  readonly #running = new Set<Promise<unknown>>();
  readonly #kept: KeptRun[] = [];
  #reserved = 0;

  constructor(host: McpHost) {
    this.#host = host;
  }

  /** Reserves a run for some work. Throws a VouchError if too many are running. */
  async run(prepare: () => Promise<CheckOptions>, call: Call): Promise<KeptRun> {
    if (this.#reserved >= maxRunning)
      throw new VouchError('refused-for-safety', `${String(maxRunning)} checks are running.`, {
        hint: 'Wait until one has ended, or cancel it.',
      });
    this.#reserved += 1;
    const work = this.#check(prepare, call);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      this.#reserved -= 1;
    }
  }

  async #check(prepare: () => Promise<CheckOptions>, call: Call): Promise<KeptRun> {
    const options = await prepare();
    const { contract } = options;
    const keeper = this.#host.keepRun(contract);
    const record = emptyRecord();
    const overlay = new OverlayMaker();
    const report = progressOf(call);
    let summary: RunSummary | undefined;
    const events = runCheck({
      ...options,
      ...defined({ cleanupLedger: keeper?.cleanupLedger, hurry: this.#host.hurry }),
      signal: call.signal,
      clock: this.#host.clock,
      version: this.#host.version,
    });
    for await (const event of events) {
      keeper?.reporter.take(event);
      overlay.take(event);
      report(event);
      if (event.type === 'run-finished') summary = event.summary;
      else if (event.type !== 'plan-made' && event.type !== 'exchange-recorded')
        keepEvent(record, event);
    }
    await keeper?.reporter.finish();
    if (summary === undefined) throw new VouchError('internal', 'The run ended without a verdict.');
    const kept = { id: record.run?.id ?? '', contract, record, summary, overlay };
    this.#kept.push(kept);
    if (this.#kept.length > maxKept) this.#kept.shift();
    return kept;
  }

  /** A run by its id; by default, the last one. Throws a VouchError ('usage') if there is none. */
  find(id: string | undefined): KeptRun {
    const run = this.#kept.findLast((kept) => id === undefined || kept.id === id);
    if (run !== undefined) return run;
    const ids = this.#kept.map((kept) => kept.id);
    throw usage(id === undefined ? 'There is no run.' : `There is no run ${id}.`, {
      hint:
        id === undefined || ids.length === 0
          ? 'Start one with check_service.'
          : suggestWord(id, ids),
    });
  }

  /** Resolves after every run has ended; their signals end them. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

/** Reports the progress of a run to the client, in about fifty steps. */
function progressOf(call: Call): (event: RunEvent) => void {
  let planned: number | undefined;
  let sent = 0;
  let reported = -1;
  return (event) => {
    if (event.type === 'plan-made') planned = event.requests;
    if (event.type === 'exchange-recorded') sent += 1;
    const step = Math.max(1, Math.floor((planned ?? 0) / progressSteps));
    // Progress must increase (Model Context Protocol, section Progress).
    if (sent < reported + step) return;
    reported = sent;
    // The plan does not count retries and confirmations.
    const total = planned === undefined ? undefined : Math.max(planned, sent);
    call.progress(sent, total, `${String(sent)} requests sent`);
  };
}

/** What the tools of checks use. */
export interface CheckParts {
  readonly access: Access;
  readonly mocks: Mocks;
  readonly runs: CheckRuns;
}

const names = z.array(z.string().max(200)).max(100).optional();

const checkInput = {
  target: z
    .string()
    .max(2_000)
    .describe('base URL on this machine, id of a mock, or a target that the person named'),
  document: documentInput,
  mode: z
    .enum(modes)
    .default('read-only')
    .describe('read-write and fuzz need vouch mcp --allow-writes'),
  include: names.describe('only these operations: operationId, tag:users, /users/**, GET'),
  exclude: names.describe('without these operations'),
  only: names.describe('only these checks'),
  skip: names.describe('without these checks'),
  seed: z.string().max(200).optional().describe('the same seed makes the same plan'),
  maxRequests: z.int().min(1).max(100_000).default(defaultRequests),
  maxSeconds: z.int().min(1).max(3_600).default(defaultSeconds),
};

type CheckWish = z.output<z.ZodObject<typeof checkInput>>;

/** A finding in a list. */
export const findingOutput = z.object({
  id: z.string(),
  check: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  blame: z.enum(['server', 'contract', 'undecided']).describe('who has to fix it'),
  operation: z.string(),
  message: z.string(),
  place: z.string().describe('file:line:column in the document'),
  count: z.number().describe('number of exchanges that show it'),
});

export function showFinding(finding: Finding): z.output<typeof findingOutput> {
  const { id, check, severity, blame, operation, message, place, count } = finding;
  return {
    ...{ id, check, severity, blame, message, count },
    operation: `${operation.method} ${operation.path}`,
    place: formatPlace(place),
  };
}

const summaryOutput = {
  run: z.string().describe('id for list_findings, explain_finding and propose_overlay'),
  mode: z.enum(modes),
  verdict: z.enum(['passed', 'failed', 'inconclusive', 'crashed', 'interrupted']),
  line: z.string().describe('the verdict with its reason'),
  requests: z.number(),
  counts: z.object({ error: z.number(), warning: z.number(), note: z.number() }),
  findings: z.array(findingOutput).describe('the first ones, errors first'),
  page: pageOutput,
  left: z
    .array(z.object({ operation: z.string(), record: z.string(), reason: z.string() }))
    .describe('records that the run could not delete; vouch cleanup deletes them'),
  notes: z.array(z.string()).describe('what vouch left out of the run'),
};

export function addCheckTool(server: McpServer, host: McpHost, parts: CheckParts): void {
  addTool(server, host, {
    name: 'check_service',
    title: 'Check a service against its contract',
    description:
      'Sends requests to a service and checks its responses against the OpenAPI document. Only ' +
      'reads, unless the person who started the server allowed more. Reaches only this machine ' +
      'and targets that the person named; only those get credentials. explain_finding describes ' +
      'a finding, list_findings lists all of them.',
    input: checkInput,
    output: summaryOutput,
    annotations: {
      readOnlyHint: !host.allowWrites,
      destructiveHint: host.allowWrites,
      openWorldHint: host.targets.length > 0,
    },
    quotes: ['line', 'findings', 'left', 'notes'],
    run: async (wish, call) => {
      const notes: string[] = [];
      const { summary, record, id } = await parts.runs.run(async () => {
        const { options, note } = await prepareRun(host, parts, wish);
        if (note !== undefined) notes.push(note);
        return options;
      }, call);
      const all = bySeverity(record.findings).map(showFinding);
      const { items, page } = takePage(all, { offset: 0, limit: shownFindings });
      return {
        run: id,
        mode: wish.mode,
        verdict: summary.verdict,
        line: verdictLine(summary, record),
        requests: summary.requests,
        counts: summary.findings,
        findings: items,
        page,
        left: record.left.map(({ operation, record: left, reason }) => ({
          ...{ operation, reason },
          record: left,
        })),
        notes,
      };
    },
  });
}

async function prepareRun(
  host: McpHost,
  { access, mocks }: CheckParts,
  wish: CheckWish,
): Promise<{ readonly options: CheckOptions; readonly note: string | undefined }> {
  const { mode, include, exclude, only, skip, seed, maxRequests, maxSeconds } = wish;
  access.refuseWrites(mode);
  const target = mocks.has(wish.target)
    ? await mockTarget(host, mocks, wish)
    : await serviceTarget(host, access, wish);
  // Limits of the configuration and the environment hold too.
  const limits = {
    maxRequests: Math.min(maxRequests, target.maxRequests ?? Infinity),
    maxTimeMs: Math.min(maxSeconds * 1_000, target.maxTimeMs ?? Infinity),
  };
  const options = { ...target, ...limits, mode, ...defined({ include, only, skip, seed }) };
  const { allowed, note } = host.allowWrites
    ? { allowed: options, note: undefined }
    : withoutOverrides(options);
  const left = [...(allowed.exclude ?? []), ...(exclude ?? [])];
  return { options: { ...allowed, ...(left.length === 0 ? {} : { exclude: left }) }, note };
}

async function mockTarget(host: McpHost, mocks: Mocks, wish: CheckWish): Promise<CheckOptions> {
  if (wish.document !== undefined)
    throw usage('A mock is checked against its own document.', {
      hint: 'Leave out document, or pass the URL of the mock as target.',
    });
  const mock = mocks.find(wish.target);
  const [settings, target] = [host.mockSettings(mock), await targetOptions(mock)];
  return { ...settings, ...target, skips: [...(settings.skips ?? []), ...target.skips] };
}

async function serviceTarget(
  host: McpHost,
  access: Access,
  wish: CheckWish,
): Promise<CheckOptions> {
  const { url, named } = access.target(wish.target);
  const document = await access.document(wish.document);
  const options = await host.withDocumentErrors(document, () =>
    host.targetOptions({ url, named, document }),
  );
  if (named === undefined) access.refuseServers(options.servers ?? {});
  return options;
}

/**
 * The options of a run that only reads, whatever the document and the configuration say: without
 * their permissions, and without operations that only they call reading, although the method is
 * not safe (RFC 9110, section 9.2.1).
 */
function withoutOverrides({ allow, effects, ...options }: CheckOptions & { readonly mode: Mode }): {
  readonly allowed: CheckOptions;
  readonly note: string | undefined;
} {
  const { contract } = options;
  const called = [...readEffectRules(contract, { effects }).effects.values()].filter(
    ({ operation, effect, source }) =>
      effect === 'reads' && source !== 'inferred' && !isSafe(operation),
  );
  const ids = called.map(({ operation }) => operation.id);
  return {
    allowed: { ...options, ...(ids.length === 0 ? {} : { exclude: ids }) },
    note:
      ids.length === 0 && allow === undefined && effects === undefined
        ? undefined
        : 'Effects and permissions of the document and the configuration are not used: ' +
          `${String(ids.length)} operations that they call reading are left out, because ` +
          'vouch mcp runs without --allow-writes.',
  };
}
