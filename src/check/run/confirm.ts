import type { Operation } from '../../contract/model.ts';
import type { Violation } from '../checks/check.ts';
import { withoutOthers } from '../evidence/record/without-others.ts';
import { isValidOnWire } from '../evidence/request/find-request-fault.ts';
import { type SuspicionGroup, timesSeen } from '../judge/group.ts';
import { type JudgeContext, severityOf, showsAgain, type Suspicion } from '../judge/judge.ts';
import type { Sequence } from '../model/case.ts';
import type { Severity } from '../model/finding.ts';
import type { Step } from '../model/step.ts';
import { isSafe } from '../plan/draft.ts';
import { type Attempt, executeSequence, type Sender } from './execute-sequence.ts';
import { reMarkSequence } from './re-mark-request.ts';
import { sendControl } from './send-control.ts';

/** What came of holding a suspicion against the server once more. */
export interface Confirmation {
  /** `undefined` where it did not stand, and is let go. */
  readonly severity: Severity | undefined;
  /**
   * What the check says of `steps`, which are those of the replay where it came again, and the plan
   * for them.
   */
  readonly violation: Violation;
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  /** Whether a replay showed it again. */
  readonly repeated: boolean;
  /**
   * How it was made sure, as the sentence goes on behind `Seen 12 times`: ` in the run, and again
   * when it was replayed.`
   */
  readonly evidence: string;
}

/** A group, and what came of making sure of it. */
export interface ConfirmedGroup {
  readonly group: SuspicionGroup;
  readonly confirmation: Confirmation;
}

/** What context needs: a way to send, and the checks. */
export interface ConfirmContext {
  readonly sender: Sender;
  readonly judgeContext: JudgeContext;
  /**
   * Marks replayed bodies apart from the first ones, so that a server may keep its texts unique.
   */
  readonly runId: string;
  readonly seed: string;
  /**
   * Whether the plan lets requests go to an operation: a reproduction may need a record that it
   * makes itself.
   */
  maySend(operation: Operation): boolean;
}

/** How many suspicions of a group are tried before it is let go. */
const mostTries = 3;

/**
 * Makes sure of a group: the suspicion that shows it with the least, else one of another operation.
 */
export async function confirmGroup(
  group: SuspicionGroup,
  context: ConfirmContext,
): Promise<Confirmation> {
  const { suspicions, violation } = group;
  const seen = timesSeen(group);
  let confirmation: Confirmation = letGo(suspicions[0]);
  for (const suspicion of standingAloneFirst(oneForEachOperation(suspicions), context)) {
    confirmation = await confirmSuspicion(suspicion, {
      ...context,
      seen,
      fleeting: violation.fleeting === true,
    });
    if (confirmation.severity !== undefined) break;
  }
  return confirmation;
}

/** A suspicion that did not stand. */
function letGo({ violation, sequence, steps }: Suspicion): Confirmation {
  // What came after the suspected step shows nothing of it.
  return {
    severity: undefined,
    violation,
    sequence: { ...sequence, cases: sequence.cases.slice(0, steps.length) },
    steps,
    repeated: false,
    evidence: '',
  };
}

/**
 * What shows only because of records that other requests of the run made comes last: on a fresh
 * server it would show nothing.
 */
function standingAloneFirst(
  suspicions: readonly Suspicion[],
  { judgeContext, runId }: ConfirmContext,
): Suspicion[] {
  const isAlone = (suspicion: Suspicion): boolean => {
    const bare = withoutOthers(suspicion.steps, runId);
    return bare === suspicion.steps || showsAgain(suspicion, bare, judgeContext) !== undefined;
  };
  const alone = suspicions.filter(isAlone);
  return [...alone, ...suspicions.filter((suspicion) => !alone.includes(suspicion))];
}

/**
 * One of each operation first; then others, where it was seen often: what depends on the value that
 * a server makes up shows by every second one.
 */
function oneForEachOperation(suspicions: readonly Suspicion[]): Suspicion[] {
  const byOperation = Map.groupBy(suspicions, ({ steps }) => steps.at(-1)?.case.operation);
  const firsts = [...byOperation.values()].flatMap(([first]) => first ?? []);
  const others =
    suspicions.length < mostTries
      ? []
      : suspicions.filter((suspicion) => !firsts.includes(suspicion));
  return [...firsts, ...others].slice(0, mostTries);
}

/**
 * What is known of the group that a suspicion stands for: how often it was seen, and whether once
 * may be chance.
 */
interface GroupConfirmation extends ConfirmContext {
  readonly seen: number;
  readonly fleeting: boolean;
}

/**
 * The first rule of evidence: judges the value again as it stands on the wire, sends the control,
 * looks once more at what was left, and sends the whole sequence again, as far as the check asks
 * for it.
 */
async function confirmSuspicion(
  suspicion: Suspicion,
  context: GroupConfirmation,
): Promise<Confirmation> {
  const { check, steps } = suspicion;
  const { sender, judgeContext } = context;
  const severity = severityOf(suspicion);
  const dropped = letGo(suspicion);
  if (suspicion.violation.alone === true) return confirmAlone(suspicion, context);
  if (severity === 'note') return { ...dropped, severity, evidence: '.' };
  if (check.proof === 'control' && !standsOnWire(suspicion, sender)) return dropped;
  const control =
    check.proof === 'control'
      ? await sendControl(steps, sender, { runId: context.runId, check: check.id })
      : 'none';
  if (control === 'failed') return dropped;
  if (
    check.proof === 'again' &&
    isStillThere(suspicion) &&
    !(await looksTheSame(suspicion, context))
  )
    return dropped;
  const replay = await replaySequence(suspicion, context);
  const violation =
    replay === undefined ? undefined : showsAgain(suspicion, replay.steps, judgeContext);
  if (replay === undefined || violation === undefined) return notAgain(suspicion, context);
  const compared = control === 'passed' ? '; the control request fared as it should' : '';
  return {
    ...dropped,
    severity,
    violation,
    steps: replay.steps,
    repeated: true,
    evidence: ` in the run, and again when it was replayed${compared}.`,
  };
}

/**
 * How often what may be the load's doing is asked again: what comes once in four times hardly ever
 * stays away.
 */
const mostAlone = 8;

/**
 * Asks again with nothing else under way, until it comes again. The first try may pay for a pause,
 * such as a new connection, and does not count.
 */
async function confirmAlone(
  suspicion: Suspicion,
  context: GroupConfirmation,
): Promise<Confirmation> {
  for (let tries = 0; tries <= mostAlone; tries += 1) {
    const replay = await replaySequence(suspicion, context);
    if (replay === undefined) break;
    const violation = showsAgain(suspicion, replay.steps, context.judgeContext);
    if (tries > 0 && violation !== undefined)
      return {
        ...letGo(suspicion),
        severity: severityOf(suspicion),
        violation,
        steps: replay.steps,
        repeated: true,
        evidence: ' in the run, and again when it was asked alone.',
      };
  }
  return letGo(suspicion);
}

/**
 * What is left of a suspicion that a replay does not show: all of it, a milder form, or nothing.
 */
function notAgain(suspicion: Suspicion, { seen, fleeting }: GroupConfirmation): Confirmation {
  const { check } = suspicion;
  const dropped = letGo(suspicion);
  const severity = severityOf(suspicion);
  if (check.proof === 'once')
    return {
      ...dropped,
      severity,
      evidence:
        ' in the run; a replay did not show it again, but one such answer breaks the contract.',
    };
  if (suspicion.violation.conclusive === true)
    return {
      ...dropped,
      severity,
      evidence:
        ' in the run; it did not come again when the request was repeated, but ' +
        'nothing else explains it.',
    };
  if (check.proof !== 'repeat') return dropped;
  const milder = fleeting ? undefined : 'warning';
  return {
    ...dropped,
    severity: seen > 1 ? severity : milder,
    evidence: ' in the run; it did not come again when the request was repeated.',
  };
}

/**
 * Whether what an earlier step left may still be looked at: nothing after the suspected step
 * changed it.
 */
function isStillThere({ sequence, steps, violation }: Suspicion): boolean {
  return (
    violation.momentary !== true &&
    steps.length > 1 &&
    sequence.cases.slice(steps.length).every(({ operation }) => isSafe(operation))
  );
}

/** Whether what was meant to be valid, or invalid, still is after it was written into a request. */
function standsOnWire({ steps }: Suspicion, { baseUrl }: Sender): boolean {
  const last = steps.at(-1);
  if (last === undefined) return false;
  const { intent, operation } = last.case;
  if (intent.kind === 'credential') return true;
  const basePath = new URL(baseUrl(operation)).pathname.replace(/\/+$/, '');
  return isValidOnWire(operation, last.exchange.request, basePath) === (intent.kind !== 'invalid');
}

/**
 * Looks once more at what an earlier step left, now that some time has passed: a slow replica is no
 * broken one.
 */
async function looksTheSame(
  suspicion: Suspicion,
  { sender, judgeContext }: ConfirmContext,
): Promise<boolean> {
  const { sequence, steps } = suspicion;
  const cases = sequence.cases.slice(0, steps.length);
  const attempt = await executeSequence({ ...sequence, cases }, sender, {
    earlier: steps.slice(0, -1),
    phase: 'confirm',
  });
  return (
    attempt.steps.length === steps.length &&
    showsAgain(suspicion, attempt.steps, judgeContext) !== undefined
  );
}

async function replaySequence(
  { sequence, steps }: Suspicion,
  { sender, runId }: ConfirmContext,
): Promise<Attempt | undefined> {
  const cases = sequence.cases.slice(0, steps.length);
  const attempt = await executeSequence(
    reMarkSequence({ ...sequence, cases }, `${runId}-r`, runId),
    sender,
    { phase: 'confirm' },
  );
  return attempt.steps.length === steps.length ? attempt : undefined;
}
