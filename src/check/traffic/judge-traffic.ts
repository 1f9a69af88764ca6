import { groupSuspicions } from '../judge/group.ts';
import { type JudgeContext, type Judgement, judgeRun } from '../judge/judge.ts';
import { gatherKnowledge } from '../judge/gather-knowledge.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { observeGaps } from '../judge/observe-gaps.ts';
import { orderFindings, summarise } from '../judge/summary.ts';
import { makeSequence, type Sequence } from '../model/case.ts';
import type { RunEvent, RunInfo } from '../model/event.ts';
import type { Step } from '../model/step.ts';
import { redactEvent, type Redactor, redactorFor } from '../secrets/redact.ts';
import { makeSecrets, shellSecrets } from '../secrets/secrets.ts';
import { type CheckOptions, type Settings, resolveSettings } from '../settings.ts';
import { gatherSecrets } from './gather-secrets.ts';
import { type Placement, placeTraffic } from './place-traffic.ts';
import { ruleTraffic } from './rule-traffic.ts';
import { toStep } from './to-step.ts';
import type { Traffic } from './traffic.ts';
import { weighTraffic } from './weigh-traffic.ts';

/**
 * What recorded traffic is judged with: as a run, but nothing is sent. Without `url` every host
 * counts.
 */
export type TrafficOptions = Omit<CheckOptions, 'url' | 'send' | 'wait' | 'mode'> & {
  readonly url?: string;
  readonly traffic: Traffic;
};

/** The checks that can be held where the body was not recorded. */
const bodiless: readonly string[] = ['no-server-error', 'status-documented', 'headers-match'];

/**
 * The checks that ask whether a request should have been let in or turned away: what a record was
 * like then, nobody knows.
 */
const unanswerable: readonly string[] = [
  'valid-accepted',
  'credential-accepted',
  'credential-required',
  'missing-refused',
];

/**
 * Judges recorded traffic and tells it as a run: the same events, the same kinds of findings. Sends
 * nothing.
 */
export async function* judgeTraffic(options: TrafficOptions): AsyncGenerator<RunEvent, void> {
  const { traffic, contract, url } = options;
  const placement = placeTraffic(contract, traffic.exchanges, url);
  // The settings want a base URL; where there is none to be had, nothing was placed and none is
  // shown.
  const settings = resolveSettings({
    ...options,
    url: url ?? placement.placed[0]?.exchange.baseUrl ?? 'http://127.0.0.1',
    mode: 'read-only',
  });
  yield* tell({ settings, traffic, placement });
}

interface Hearing {
  readonly settings: Settings;
  readonly traffic: Traffic;
  readonly placement: Placement;
}

/** A recorded exchange as a sequence of its own. */
interface Attempt {
  readonly sequence: Sequence;
  readonly steps: readonly [Step];
  readonly bodyRecorded: boolean;
}

function* tell(hearing: Hearing): Generator<RunEvent, void> {
  const { settings, traffic, placement } = hearing;
  const { contract, clock, seed, credentials, runId } = settings;
  const checks = settings.checks.filter(({ id }) => !unanswerable.includes(id));
  const began = clock();
  const given = makeSecrets(credentials, seed);
  const gathered = gatherSecrets(
    contract,
    placement.placed.map(({ exchange }) => exchange),
  );
  const redactor = redactorFor(contract, given, gathered);
  const attempts = placement.placed.map((placed): Attempt => {
    const step = toStep(placed);
    return { sequence: makeSequence(step.case), steps: [step], bodyRecorded: placed.bodyRecorded };
  });
  const told = (event: RunEvent): RunEvent => redactEvent(event, redactor);
  yield told({ type: 'run-started', run: describeRun(hearing, began, redactor) });
  yield { type: 'plan-made', cases: attempts.length, requests: attempts.length };
  for (const {
    steps: [step],
  } of attempts)
    yield record(step, redactor);
  const steps = attempts.map(({ steps: [step] }) => step);
  const judged = judgeAll(
    { contract, checks, knowledge: gatherKnowledge(contract, steps, runId) },
    attempts,
  );
  const press = { contract, redactor, shellSecrets: [...shellSecrets(given), ...gathered], runId };
  const findings = orderFindings(
    groupSuspicions(judged.suspicions, steps).flatMap(
      (group) => makeFinding(group, weighTraffic(group), press) ?? [],
    ),
  );
  for (const { gap, observed } of observeGaps(contract, steps)) {
    yield told({ type: 'gap-observed', gap, observed: redactor.text(observed) });
  }
  for (const { check, message, stack } of judged.crashes)
    yield {
      type: 'check-crashed',
      check,
      message: redactor.text(message),
      stack: redactor.text(stack),
    };
  for (const finding of findings) yield told({ type: 'finding-reported', finding });
  const ruling = ruleTraffic({ traffic, placement, findings, crashed: judged.crashes.length > 0 });
  const unseen = new Map(
    contract.operations.map(({ id }) => [id, 'no request to it was recorded']),
  );
  const exchanges = steps.map(({ case: { operation }, exchange }) => ({
    operation: operation.id,
    outcome: String(exchange.response?.status ?? 'nothing'),
  }));
  const tally = {
    operations: contract.operations,
    skipped: unseen,
    exchanges,
    findings,
    checks,
    inspected: judged.inspected,
    durationMs: clock().getTime() - began.getTime(),
  };
  const summary = summarise(tally, { ...ruling, reason: redactor.text(ruling.reason) });
  yield told({ type: 'run-finished', summary });
}

function describeRun(
  { settings, traffic, placement }: Hearing,
  began: Date,
  { text }: Redactor,
): RunInfo {
  const {
    contract: { title, version: contractVersion, file },
    runId: id,
    seed,
    version,
  } = settings;
  const bases = [...new Set(placement.placed.map(({ exchange }) => exchange.baseUrl))];
  const target = `${traffic.file}${bases.length === 0 ? '' : ` (recorded from ${bases.slice(0, 3).join(', ')}${bases.length > 3 ? ', …' : ''})`}`;
  return {
    id,
    target: text(target),
    servers: {},
    contract: { title, version: contractVersion, file },
    mode: 'read-only',
    recorded: true,
    seed,
    startedAt: began.toISOString(),
    version,
  };
}

function record(
  { case: { id, title, phase, operation }, exchange }: Step,
  redactor: Redactor,
): RunEvent {
  const shown = { id: redactor.name(id), title: redactor.text(title), phase };
  return {
    type: 'exchange-recorded',
    case: { ...shown, operation: redactor.name(operation.id) },
    exchange: redactor.exchange(exchange),
  };
}

/** Where a body was not recorded, only what can be seen without it is judged. */
function judgeAll(court: JudgeContext, attempts: readonly Attempt[]): Judgement {
  const whole = judgeRun(
    court,
    attempts.filter(({ bodyRecorded }) => bodyRecorded),
  );
  const partial = judgeRun(
    { ...court, checks: court.checks.filter(({ id }) => bodiless.includes(id)) },
    attempts.filter(({ bodyRecorded }) => !bodyRecorded),
  );
  return {
    suspicions: [...whole.suspicions, ...partial.suspicions],
    inspected: addUp(whole.inspected, partial.inspected),
    crashes: [...whole.crashes, ...partial.crashes],
  };
}

function addUp(
  left: Judgement['inspected'],
  right: Judgement['inspected'],
): Judgement['inspected'] {
  const total = new Map([...left].map(([operation, counts]) => [operation, new Map(counts)]));
  for (const [operation, counts] of right) {
    const sums = total.get(operation) ?? new Map<string, number>();
    for (const [check, count] of counts) sums.set(check, (sums.get(check) ?? 0) + count);
    total.set(operation, sums);
  }
  return total;
}
