import type { Operation } from '../../../contract/model.ts';
import { isRedirect } from '../../../http/message.ts';
import type { CensusWatch } from '../census/census-watch.ts';
import { hasSpoken } from '../../reading/latency.ts';
import { isTelling } from '../judge/readings.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Step } from '../../model/step.ts';
import { credentialFor } from '../../secrets/credential.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { type Wait, waitFor } from '../../transport/send.ts';
import { isSafe } from '../../plan/draft.ts';
import { reMarkSequence } from '../send/re-mark-request.ts';
import { type Attempt, executeSequence, type Sender } from '../send/execute-sequence.ts';
import type { PlanQueue, QueuedStage } from '../plan/plan-queue.ts';
import type { RunLimits } from '../send/run-limits.ts';
import type { RunLog } from '../send/run-log.ts';
import {
  askedAgain,
  InFlightRequests,
  investigateEnd,
  isUnanswered,
  repeatRequest,
  type Suspect,
} from './service-end.ts';
import { PathHealth, TargetHealth, unreachable } from '../send/target-health.ts';
import { type Lanes, sideBySide } from '../send/side-by-side.ts';

/** What is needed to send a plan. */
export interface Execution {
  readonly queue: PlanQueue;
  readonly sender: Sender;
  readonly limits: RunLimits;
  readonly log: RunLog;
  /** How many sequences run in parallel. */
  readonly lanes: Lanes;
  /** Watches the records of other clients; absent if nothing is to be watched. */
  readonly census?: CensusWatch;
  /** Runs the user's workflows, before anything of the plan changes the target. */
  readonly workflows?: UserWorkflows | undefined;
  /** Sends one request at a time from then on. */
  readonly single?: () => void;
  /** The main base URL: if it is unreachable, the run is over. */
  readonly url: string;
  /** How the run waits for a service that may restart. Default: the system clock. */
  readonly wait?: Wait;
}

/** The user's workflows in a run. */
export interface UserWorkflows {
  /** Whether some of their steps may change something. */
  readonly changes: boolean;
  run(onStep: () => Promise<void> | undefined): Promise<void>;
}

/** What is observed while a plan is sent. */
interface Watches {
  readonly target: TargetHealth;
  readonly paths: PathHealth;
  readonly flights: InFlightRequests;
  /** The requests without a response, by their exchanges. */
  readonly suspects: Map<Exchange, Suspect>;
  /** Plain reads of records of which none is known yet: they wait until the run has made some. */
  readonly held: Sequence[];
  /** How many operations have stopped the service, which came back. */
  ends: number;
}

/** A service that stops so often is not asked further. */
const maxEnds = 4;

/** Sends the stages of a plan, one after the other, until the limits end the run. */
export async function executePlan(given: Execution): Promise<void> {
  const { queue, limits } = given;
  const flights = new InFlightRequests();
  const suspects: Watches['suspects'] = new Map();
  const sender: Sender = {
    ...given.sender,
    send: flights.follow(given.sender.send),
    note(step, earlier) {
      given.sender.note?.(step, earlier);
      if (step.exchange.baseUrl !== given.url || !isUnanswered(step.exchange)) return;
      const cases = [...earlier.map((one) => one.case), step.case] as const;
      suspects.set(step.exchange, { step, sequence: { ...makeSequence(step.case), cases } });
    },
  };
  const execution = { ...given, sender };
  const target = new TargetHealth(queue.operations.size);
  const watches: Watches = {
    target,
    paths: new PathHealth(),
    flights,
    suspects,
    held: [],
    ends: 0,
  };
  const judge = (sequence: Sequence, attempt: Attempt): void => {
    const entry = execution.log.open(sequence);
    for (const step of attempt.steps) entry.add(step);
    entry.close(attempt);
  };
  let letIn = false;
  const runWorkflows = once(async (): Promise<void> => {
    const { workflows, census } = execution;
    if (workflows?.changes === true) await census?.begin(sender, judge);
    await workflows?.run(() => census?.lookWhenDue(sender));
  });
  for await (const stage of queue.stages(limits.signals.stop)) {
    if (limits.stop !== undefined) return;
    const isFirstLook = stage.phase === 'probe' || stage.phase === 'read';
    if (!isFirstLook && !letIn) {
      letIn = await isLetIn(execution, watches);
      if (limits.stop !== undefined) return;
    }
    if (!isFirstLook && queue.changes) await given.census?.begin(sender, judge);
    if (!isFirstLook) await runWorkflows();
    if (stage.phase === 'negative') await readHeld(execution, watches);
    await executeStage(stage, execution, watches);
  }
  await readHeld(execution, watches);
  if (limits.stop === undefined) await runWorkflows();
  await endPlan(execution, watches);
}

export function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => (begun ??= work());
}

/** Verifies at the end of the plan that the target is, and was, reachable. */
async function endPlan(execution: Execution, watches: Watches): Promise<void> {
  const { limits } = execution;
  const { target, flights } = watches;
  // The last request of the plan may be the one that stopped the service.
  if (limits.stop === undefined && target.answered !== undefined && flights.cutOff.length > 0) {
    await makeSure(execution, watches);
  }
  // If many requests needed unknown records, too few operations were sent to detect this earlier.
  const { answered, failed } = target;
  if (limits.stop === undefined && answered === undefined && failed !== undefined) {
    limits.halt(unreachable(failed, false));
  }
}

/**
 * Whether the target is known to accept the credential; halts the run if it does not, or if the
 * base URL is wrong.
 */
async function isLetIn(execution: Execution, watches: Watches): Promise<boolean> {
  const { limits, url } = execution;
  const { paths } = watches;
  if (paths.isNothingFound) await checkBaseUrl(execution, watches);
  if (limits.stop !== undefined || !isShutOut(execution)) return false;
  if (!execution.log.has(({ case: testCase }) => limits.refuses(testCase.operation))) {
    limits.halt(paths.stop(url));
    return false;
  }
  const letIn = await isLetInElsewhere(execution, watches.target);
  if (!letIn) limits.halt({ code: 'shut-out' });
  return letIn;
}

/**
 * Tries other operations if no path was found: only if those are missing too, the base URL is
 * wrong.
 */
async function checkBaseUrl(execution: Execution, { paths, target }: Watches): Promise<void> {
  const { queue, sender, limits, url } = execution;
  await queue.complete(limits.signals.stop);
  // A site that answers reads with its pages is asked for no change.
  const others = queue.askable
    .filter(({ operation }) => sender.baseUrl(operation) === url)
    .filter(({ operation }) => !paths.isSite || isSafe(operation));
  const onStep = (step: Step): void => {
    paths.note(step);
    target.note(step);
    limits.note(step);
  };
  await tryOthers(paths.farthestFirst(others), { sender, except: paths.missing, onStep });
  if (paths.isNothingFound && limits.stop === undefined) limits.halt(paths.stop(url));
}

/**
 * Whether another operation accepts the credential that the earlier ones refused: then only those
 * refuse it.
 */
async function isLetInElsewhere(
  { queue, sender, limits, log }: Execution,
  watch: TargetHealth,
): Promise<boolean> {
  const asked = new Set(
    log.steps
      .filter(({ case: testCase }) => limits.refuses(testCase.operation))
      .map(({ case: testCase }) => testCase.operation),
  );
  // A client that sends a wrong key three times may be locked out.
  if (asked.size !== 1) return false;
  const steps = await tryOthers(
    queue.askable.filter(({ operation }) => isSecured(operation)),
    {
      sender,
      except: asked,
      onStep: (step) => {
        watch.note(step);
        limits.note(step);
      },
    },
  );
  return steps.some(
    ({ exchange: { response } }) =>
      response !== undefined && response.status !== 401 && response.status !== 403,
  );
}

/**
 * The sequences of a stage are started in order, so that the log has them in the order of the plan.
 */
async function executeStage(
  { phase, sequences }: QueuedStage,
  execution: Execution,
  watches: Watches,
): Promise<void> {
  const { lanes, limits, sender, log, census } = execution;
  let making: Promise<void> | undefined;
  const noteStep = (step: Step): void => {
    watches.target.note(step);
    limits.note(step);
    if (step.exchange.baseUrl === execution.url) watches.paths.note(step);
  };
  const work = async (sequence: Sequence): Promise<void> => {
    const entry = log.open(sequence);
    const onStep = (step: Step): Promise<void> | undefined => {
      entry.add(step);
      noteStep(step);
      // The other senders wait until the target is known to be reachable.
      if (making === undefined && limits.stop === undefined) {
        making = lookInto(execution, watches)?.finally(() => (making = undefined));
      }
      return making ?? census?.lookWhenDue(sender);
    };
    const attempt = await executeSequence(sequence, sender, { onStep, mayLearn: true });
    entry.close(attempt);
    const isPlain = phase === 'read' && sequence.cases.length === 1;
    if (isPlain && attempt.unsent?.code === 'unknown-record') watches.held.push(sequence);
  };
  await sideBySide(sequences, { lanes, work, abandon: () => limits.abandon() });
}

/** Sends the reads that waited for a record. */
async function readHeld(execution: Execution, watches: Watches): Promise<void> {
  const sequences = watches.held.splice(0);
  if (sequences.length === 0 || execution.limits.stop !== undefined) return;
  await executeStage({ phase: 'read', sequences }, execution, { ...watches, held: [] });
}

/** What has to be verified before the next request; undefined if nothing has. */
function lookInto(execution: Execution, watches: Watches): Promise<void> | undefined {
  if (watches.target.isSuspicious()) return makeSure(execution, watches);
  return watches.paths.isSuspicious ? checkBaseUrl(execution, watches) : undefined;
}

/**
 * Repeats a request that had a response before: an unreachable target ends the run, one failing
 * operation does not.
 */
async function makeSure(execution: Execution, watches: Watches): Promise<void> {
  const { queue, sender, limits, url } = execution;
  const { target } = watches;
  const { failed, answered } = target;
  if (failed === undefined) return;
  const faulty = new Set(target.faulty);
  target.calm();
  if (failed.baseUrl !== url)
    return limits.giveUp(
      failed.baseUrl,
      `its server does not respond (${failed.fault?.message ?? failed.baseUrl})`,
    );
  if (answered === undefined) {
    if (!target.isUnreachable) await queue.complete(limits.signals.stop);
    const ofTarget = queue.askable.filter(({ operation }) => sender.baseUrl(operation) === url);
    const others = target.isUnreachable ? [] : ofTarget;
    await tryOthers(others, { sender, except: faulty, onStep: (step) => target.note(step) });
    if (target.answered === undefined) limits.halt(unreachable(failed, false));
    return;
  }
  const last = await repeatRequest(answered, sender);
  const isGone = [failed, last].some((each) => each?.fault?.kind === 'connection.refused');
  const isSilent = last !== undefined && !hasSpoken(last);
  const hangs = last?.fault?.kind === 'timeout';
  if ((isGone || hangs) && (await endsAfter(execution, watches, answered))) return;
  if (isSilent) limits.halt(unreachable(last, true));
}

/**
 * Looks for the cause if requests were in flight when the service stopped; returns whether there
 * were any. Where it came back, the run goes on: without the operation that is the cause or, where
 * any of them may be, with one request at a time. Otherwise it ends.
 */
async function endsAfter(
  { sender, limits, wait = waitFor, single }: Execution,
  watches: Watches,
  answered: Step,
): Promise<boolean> {
  const { flights, suspects } = watches;
  await flights.settled();
  const [first, ...rest] = flights.cutOff.flatMap((exchange) => suspects.get(exchange) ?? []);
  if (first === undefined) return false;
  const found = await investigateEnd([first, ...rest], { sender, wait, answered });
  flights.forget();
  suspects.clear();
  watches.ends += 1;
  const { stop, isOpen, operation } = found;
  if (!stop.cameBack || watches.ends > maxEnds) limits.halt(stop);
  else if (operation !== undefined)
    limits.avoid(operation, 'the service stopped after a request of it');
  else if (isOpen && single !== undefined) single();
  else limits.halt(stop);
  return true;
}

/**
 * Whether every operation that needs no known record was sent, and none accepted the credential or
 * existed: more requests would show nothing. Waits for operations of later stages.
 */
function isShutOut({ queue, log, limits, sender }: Execution): boolean {
  const isShut = (step: Step): boolean => isMissing(step) || limits.refuses(step.case.operation);
  const isAsked = ({ case: testCase }: Step): boolean => testCase.intent.kind === 'valid';
  // The first response is mostly enough, and every stage calls this.
  if (log.has((step) => isAsked(step) && !isShut(step))) return false;
  const asked = log.steps.filter(isAsked);
  const refused = asked.every(({ case: testCase }) => limits.refuses(testCase.operation));
  // Without a credential the run goes on: it is worth testing that every operation refuses it.
  const hasCredential = asked.some(
    ({ case: { operation } }) => credentialFor(operation, sender.secrets) !== undefined,
  );
  if (asked.length === 0 || (refused && !hasCredential)) return false;
  const known = new Set(asked.map(({ case: testCase }) => testCase.operation));
  return ![...queue.open].some(
    (operation) => !known.has(operation) && !(refused && isSecured(operation)),
  );
}

function isMissing(step: Step): boolean {
  const { status = 0 } = step.exchange.response ?? {};
  return status === 404 || (isRedirect(status) && !isTelling(step));
}

/** The sender, the limits and the health of the target. */
interface Trying {
  readonly sender: Sender;
  /** The operations that were tried before. */
  readonly except: ReadonlySet<Operation>;
  readonly onStep: (step: Step) => void;
}

const maxAsked = 2;

/**
 * Tries a few operations out of turn, at once, to distinguish an unreachable target from one
 * failing operation; preferably those that change nothing. `askable` has a case for each that
 * `mayBeAsked`. Returns the steps.
 */
async function tryOthers(
  askable: readonly Case[],
  { sender, except, onStep }: Trying,
): Promise<readonly Step[]> {
  const chosen = askable
    .filter(({ operation }) => !except.has(operation))
    .sort((left, right) => Number(isSafe(right.operation)) - Number(isSafe(left.operation)))
    .slice(0, maxAsked);
  if (chosen.length === 0) return [];
  const sequence = makeSequence(...chosen.map(askedAgain));
  const runId = sender.runId ?? 'vouch';
  const attempt = await executeSequence(
    { ...reMarkSequence(sequence, `${runId}-p`, runId), concurrent: true },
    sender,
    {
      phase: 'confirm',
      onStep: (step) => {
        onStep(step);
      },
    },
  );
  return attempt.steps;
}
