import { wordsIn } from '../../../words-in.ts';
import { type JsonValue, pick } from '../../../json/value.ts';
import type { Effect, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { baseUrlOf } from '../../model/base-url.ts';
import { CensusWatch } from '../census/census-watch.ts';
import { AcceptedWrites } from '../cleanup/accepted-writes.ts';
import { onlyReads, whyWithheld } from '../../model/effect-rules.ts';
import {
  type CleanupLedger,
  hideInLedger,
  makeRecordNotes,
  noteWrites,
} from '../cleanup/cleanup-ledger.ts';
import { CoverageMeter } from '../coverage/coverage-meter.ts';
import { RunJudge } from '../judge/run-judge.ts';
import { Lessons } from '../learn/lessons.ts';
import { Verdicts } from '../learn/verdicts.ts';
import { Memory } from '../memory/memory.ts';
import { makeSequence, type SkippedOperation } from '../../model/case.ts';
import { argumentsFor, draftRequest, requestOf } from '../../plan/draft.ts';
import { operationFor, type Step } from '../../model/step.ts';
import { askList, newestFirst, valued, widestPage } from '../../plan/listing.ts';
import { planInParts, type PlanInParts, planOf, wholePlan } from '../plan/plan-run.ts';
import { schemesLacking } from '../../secrets/credential.ts';
import { type Redactor, redactorFor } from '../../secrets/redact.ts';
import { makeSecrets, type Secrets } from '../../secrets/secrets.ts';
import type { Settings } from '../settings.ts';
import { whySkipped } from '../../plan/skip.ts';
import { SharedFieldsCache } from '../../request/shared-fields.ts';
import { makePace, sendWithRetries } from '../../transport/retry-send.ts';
import { RequestLimit } from '../../transport/request-limit.ts';
import type { Transport } from '../../transport/send.ts';
import { openTransport } from '../../transport/wire/wire-transport.ts';
import type { WorkflowLinks } from '../workflows/link-workflows.ts';
import type { Sender } from '../send/execute-sequence.ts';
import { PlanQueue } from '../plan/plan-queue.ts';
import { RecordGuard } from '../send/record-guard.ts';
import { RunLimits } from '../send/run-limits.ts';
import { RunLog } from '../send/run-log.ts';
import type { Exchange } from '../../model/exchange.ts';
import { checkInputOf, inspectStep, type JudgeContext, type Suspicion } from '../judge/judge.ts';
import { keptSteps } from '../judge/compact-step.ts';
import { hasTrait } from '../../topics/index.ts';

/** Everything that a run uses, from its first event to its last. */
export interface OpenRun {
  readonly settings: Settings;
  readonly queue: PlanQueue;
  readonly skipped: readonly SkippedOperation[];
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  readonly limits: RunLimits;
  /** How many requests are in flight, and sequences under way, at a time. */
  readonly lanes: RequestLimit;
  readonly log: RunLog;
  readonly coverage: CoverageMeter;
  readonly judge: RunJudge;
  readonly sender: Sender;
  /** The failures of the service (5xx) that no finding tells yet. */
  readonly failures: Failures;
  /** Prevents changes of records that the run did not create. */
  readonly records: RecordGuard;
  /** Accepted requests that may have created records unknown to the run. */
  readonly writes: AcceptedWrites;
  /** Watches the records of other clients, from the first request that may change something. */
  readonly census: CensusWatch;
  /** The user's workflows; absent without any. */
  readonly links?: WorkflowLinks | undefined;
  readonly startedAt: Date;
  /** Releases timers and connections. */
  close(): Promise<void>;
}

/** A plan, and how long planning its first part took. */
interface MadePlan {
  readonly plan: PlanInParts;
  readonly spentMs: number;
  readonly links?: WorkflowLinks | undefined;
}

/**
 * Prepares a run without blocking the event loop for long: only its first requests are planned.
 * Planning counts against `maxTimeMs` and ends with the signal: the run then has nothing to send,
 * and reports why.
 */
export async function openRunInTurns(settings: Settings): Promise<OpenRun> {
  const { maxTimeMs, signal } = settings;
  const began = performance.now();
  const ended = new AbortController();
  const timer = maxTimeMs === undefined ? undefined : setTimeout(() => ended.abort(), maxTimeMs);
  const signals = signal === undefined ? [ended.signal] : [ended.signal, signal];
  try {
    const links = await linkWorkflows(settings);
    const made = await planInParts(settings, AbortSignal.any(signals));
    const spentMs = made === undefined ? Infinity : performance.now() - began;
    const plan = made ?? wholePlan({ stages: [], skipped: [] });
    // Without a plan, it is still known which operations the run may send.
    const { rest: _rest, ...withoutRest } = plan;
    const alone = settings.workflows?.alone === true ? { ...withoutRest, first: [] } : plan;
    return openRun(settings, { plan: alone, spentMs, links });
  } finally {
    clearTimeout(timer);
  }
}

/** Finds what the workflows call. Throws a VouchError with a place for what nothing has. */
async function linkWorkflows(settings: Settings): Promise<WorkflowLinks | undefined> {
  const { workflows, contract, rules, mode, exclude, skips } = settings;
  if (workflows === undefined || workflows.files.length === 0) return undefined;
  const { WorkflowLinks: Links } = await import('../workflows/link-workflows.ts');
  return new Links(workflows.files, {
    contract,
    forbids: (operation) => {
      if (exclude?.includes(operation.id) === true) return 'it is excluded (--exclude)';
      const unread = mode === 'read-only' ? whyWithheld(operation, rules, mode) : undefined;
      return whySkipped(skips, operation.id) ?? unread?.reason;
    },
  });
}

/** Prepares a run; nothing is sent yet. */
export function openRun(
  settings: Settings,
  { plan, spentMs, links }: MadePlan = { plan: wholePlan(planOf(settings)), spentMs: 0 },
): OpenRun {
  const { contract, budgetMs, maxTimeMs, clock, checks, runId } = settings;
  const judge = new RunJudge({ contract, checks, runId });
  const secrets = makeSecrets(settings.credentials, settings.seed);
  const limits = limitsOf(settings, secrets, spentMs);
  const { concurrency, maxConcurrency } = settings;
  const lanes = new RequestLimit({ start: concurrency, max: maxConcurrency });
  const transport = transportOf(settings, limits);
  const redactor = redactorFor(contract, secrets, settings.workflows?.secrets);
  const coverage = new CoverageMeter();
  const kept = keepRecords(settings);
  const keepsCases = budgetMs !== undefined || maxTimeMs !== undefined;
  const queue = new PlanQueue(plan, { keepsCases, atOnce: maxConcurrency });
  const failures = new Failures();
  const census = watchCensus(settings, plan, kept.records);
  const sender = makeSender(settings, {
    census,
    failures,
    secrets,
    limits,
    lanes,
    transport,
    redactor,
    skipped: plan.skipped,
    ...kept,
  });
  const { records } = kept;
  return {
    settings,
    queue,
    census,
    skipped: plan.skipped,
    secrets,
    redactor,
    limits,
    lanes,
    judge,
    log: new RunLog((sequence, steps) => {
      coverage.note(steps);
      return judge.judgeSequence(sequence, steps);
    }),
    coverage,
    sender,
    failures,
    records,
    writes: kept.writes,
    links,
    startedAt: clock(),
    async close() {
      limits.close();
      await transport.close();
    },
  };
}

function limitsOf(settings: Settings, secrets: Secrets, spentMs: number): RunLimits {
  const lacking = (operation: Operation): readonly string[] => schemesLacking(operation, secrets);
  return new RunLimits({ ...settings, lacking, spentMs });
}

function watchCensus(
  settings: Settings,
  { skipped }: PlanInParts,
  guard: RecordGuard,
): CensusWatch {
  const withheld = new Set(skipped.map(({ operation }) => operation));
  const maySend = (operation: Operation): boolean => !withheld.has(operation);
  return new CensusWatch({
    ...pick(settings, wordsIn('contract seed wait')),
    maySend,
    onlyReads: (operation) => onlyReads(operation, settings.rules),
    guard,
    mark: settings.runId,
  });
}

function transportOf(
  { send, timeoutMs, maxConcurrency, proxy }: Settings,
  limits: RunLimits,
): Transport {
  if (send !== undefined) return { send, close: async () => {} };
  const spendResend = (): boolean => limits.spendRetry();
  const bounds = { timeoutMs, connections: maxConcurrency, spendResend };
  return openTransport(proxy === undefined ? bounds : { ...bounds, proxy });
}

/**
 * What a run knows about records: those that it has seen, those that it owns, and those that it may
 * have left.
 */
interface KeptRecords {
  readonly memory: Memory;
  readonly records: RecordGuard;
  readonly writes: AcceptedWrites;
}

function keepRecords({ contract, rules, examples = {}, values = {} }: Settings): KeptRecords {
  const memory = new Memory(contract, [examples, values]);
  const records = new RecordGuard({ contract, rules, memory });
  const effectOf = (operation: Operation): Effect | undefined =>
    rules.effects.get(operation)?.effect;
  return { memory, records, writes: new AcceptedWrites({ contract, guard: records, effectOf }) };
}

interface SenderParts
  extends
    KeptRecords,
    Pick<OpenRun, 'failures' | 'census' | 'skipped' | 'secrets' | 'limits' | 'lanes' | 'redactor'> {
  readonly transport: Transport;
}

function makeSender(settings: Settings, parts: SenderParts): Sender {
  const { secrets, limits, lanes, transport, redactor, memory, records, failures } = parts;
  const { rate, wait, clock, version, url, runId } = settings;
  const cleanupLedger = hiddenLedger(settings, redactor);
  const send =
    cleanupLedger === undefined
      ? transport.send
      : noteWrites(transport.send, cleanupLedger, { mark: runId });
  return {
    send: sendWithRetries({
      send,
      pace: makePace(rate, wait, () => performance.now()),
      limit: lanes,
      clock,
      spendRetry: () => limits.spendRetry(),
    }),
    secrets,
    memory,
    records,
    note: (step, earlier) => failures.note(step, earlier),
    verdicts: new Verdicts(),
    lessons: new Lessons({
      contract: settings.contract,
      effects: settings.rules.effects,
      clock,
      runId,
      seen: memory.seen,
    }),
    readOf: readerOf(settings, parts.skipped),
    listsOf: listerOf(settings, parts.skipped),
    noteRecords: noteChanges(settings, parts),
    userAgent: `vouch/${version}`,
    shared: new SharedFieldsCache(),
    runId: settings.runId,
    signals: limits.signals,
    baseUrl(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? base.url : url;
    },
    spend: (baseUrl) => limits.spend(baseUrl),
    isPointless: (testCase) => limits.isPointless(testCase),
  };
}

function hiddenLedger({ cleanupLedger }: Settings, { own }: Redactor): CleanupLedger | undefined {
  return cleanupLedger && hideInLedger(cleanupLedger, own);
}

/**
 * Notes which records were created and deleted, in the run and in the ledger of `vouch cleanup`.
 */
function noteChanges(
  settings: Settings,
  { writes, redactor, census }: SenderParts,
): NonNullable<Sender['noteRecords']> {
  const { runId } = settings;
  const cleanupLedger = hiddenLedger(settings, redactor);
  const noteRecord =
    cleanupLedger === undefined ? undefined : makeRecordNotes(cleanupLedger, runId);
  return (step, changes) => {
    noteRecord?.(step, changes);
    census.note(step);
    const isCounted = writes.note(step, changes);
    const { request, response, baseUrl } = step.exchange;
    if (!isCounted || response === undefined || !isSuccess(response.status)) return;
    const [path = ''] = request.target.split('?');
    const shown = redactor.text(`${request.method} ${new URL(baseUrl).origin}${path}`);
    cleanupLedger?.settle({ type: 'unidentified', request: shown });
  };
}

/** The lists of new records, if the run may send them: by their text, then the whole. */
function listerOf(
  { contract, seed }: Settings,
  skipped: readonly SkippedOperation[],
): NonNullable<Sender['listsOf']> {
  const withheld = new Set(skipped.map(({ operation }) => operation));
  return (resource, { name, text, sent }) => {
    const { list: shape, operations } = resource;
    const operation = operations.list;
    if (shape === undefined || operation === undefined || withheld.has(operation)) return [];
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok) return [];
    const listing = { draft: drafted.draft, resource, shape };
    const wide = [...newestFirst(listing), ...widestPage(listing)];
    const filter = shape.filters.find(
      ({ field, member }) => field === name && member === undefined,
    );
    const narrow = valued(filter?.parameter ?? shape.search, text);
    const above = operation.parameters.flatMap((parameter) => {
      const value = parameter.in === 'path' ? valueOf(parameter.name, sent) : undefined;
      return value === undefined ? [] : valued(parameter, value);
    });
    return (narrow.length === 0 ? [wide] : [narrow, wide]).map((query) =>
      askList(listing, { title: '', query: [...above, ...query] }),
    );
  };
}

/** The value of a path parameter with this name in a request. */
function valueOf(name: string, { arguments: given }: Step['sent']): JsonValue | undefined {
  for (const [parameter, value] of given)
    if (parameter.in === 'path' && parameter.name === name) return value;
  return undefined;
}

/** The read of a record before a create uses its name, if the run may read such records. */
function readerOf(
  { contract, seed }: Settings,
  skipped: readonly SkippedOperation[],
): NonNullable<Sender['readOf']> {
  const withheld = new Set(skipped.map(({ operation }) => operation));
  return (record) => {
    const operation = operationFor(contract, record.resource, 'read');
    if (operation === undefined || withheld.has(operation)) return undefined;
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok || drafted.draft.identifier === undefined) return undefined;
    const { draft } = drafted;
    const request = requestOf(draft, 'known', { extra: argumentsFor(draft, record) });
    const at = drafted.draft.identifier.pointer;
    const intent = { kind: 'missing', at, rigour: 'exotic' } as const;
    return { title: '', phase: 'sequence', operation, request, intent };
  };
}

/**
 * Every failure of the service (5xx) in a run, whatever the request was sent for: also the attempts
 * to find a value, the looks at records of others, the confirmations and the clean-up.
 */
class Failures {
  readonly #noted = new Map<Exchange, readonly Step[]>();

  /** Adds a step, with those that led to it. */
  note(step: Step, earlier: readonly Step[]): void {
    if ((step.exchange.response?.status ?? 0) < 500) return;
    this.#noted.set(step.exchange, keptSteps([...earlier, step]));
  }

  /** Those of which no suspicion tells yet, as the checks of failures judge them; each once. */
  untold(context: JudgeContext, told: readonly Suspicion[]): Suspicion[] {
    for (const { check, steps } of told) {
      const exchange = steps.at(-1)?.exchange;
      if (exchange !== undefined && hasTrait(check.id, 'failures')) this.#noted.delete(exchange);
    }
    const checks = context.checks.filter(({ id }) => hasTrait(id, 'failures'));
    const untold = [...this.#noted.values()].flatMap((steps) => {
      const step = steps.at(-1);
      const sequence = makeSequence(...steps.map((one) => one.case));
      return step === undefined
        ? []
        : checks.flatMap(
            (check) =>
              inspectStep(check, checkInputOf(context, steps, step), { sequence, steps })
                .suspicions,
          );
    });
    this.#noted.clear();
    return untold;
  }
}
