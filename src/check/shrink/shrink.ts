import type { Violation } from '../checks/check.ts';
import { isValidOnWire } from '../evidence/request/find-request-fault.ts';
import { showsAgain, type Suspicion } from '../judge/judge.ts';
import type { Sequence } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import type { ConfirmContext } from '../run/confirm.ts';
import { executeSequence } from '../run/execute-sequence.ts';
import { reMarkSequence } from '../run/re-mark-request.ts';
import { candidates } from './candidates.ts';
import { requestKey } from './request-key.ts';

/** What shows a finding. `sequence` is as it was planned; `steps` are what came of it. */
export interface Showing {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly violation: Violation;
}

/** What is to be made shorter. `mayShorten`: its values too, and not only what can be left out. */
export interface Shrinkable extends Showing {
  readonly check: Suspicion['check'];
  readonly mayShorten: boolean;
}

/** So many requests are spent on making one finding shorter. */
const mostRequests = 10;

/**
 * The shortest of a few requests that still show the same: the same check, place and cause. Each
 * one is sent and judged, so that the last one that showed it is what is reported. Deterministic
 * for a server that is.
 */
export async function shrink(first: Shrinkable, confirmation: ConfirmContext): Promise<Showing> {
  const {
    judgeContext: { contract },
    seed,
    runId,
    sender,
  } = confirmation;
  const making = {
    contract,
    seed,
    runId,
    maySend: (operation: Parameters<ConfirmContext['maySend']>[0]) =>
      confirmation.maySend(operation),
  };
  const tried = new Set<string>();
  let best: Showing = first;
  let left = mostRequests;
  for (;;) {
    const next = firstUntried(candidates({ ...best, mayShorten: first.mayShorten }, making), tried);
    if (next === undefined || next.cases.length > left) return best;
    left -= next.cases.length;
    const fresh = reMarkSequence(next, `${runId}-s${String(tried.size)}`, runId);
    const attempt = await executeSequence(fresh, sender, { phase: 'confirm' });
    if (attempt.steps.length < next.cases.length) {
      if (sender.signals.stop.aborted) return best;
      continue;
    }
    const violation = staysAsValid(best.steps, attempt.steps, sender.baseUrl.bind(sender))
      ? showsAgain(
          { check: first.check, violation: first.violation, sequence: fresh },
          attempt.steps,
          confirmation.judgeContext,
        )
      : undefined;
    if (violation !== undefined) best = { sequence: next, steps: attempt.steps, violation };
  }
}

function firstUntried(all: Iterable<Sequence>, tried: Set<string>): Sequence | undefined {
  for (const candidate of all) {
    const key = requestKey(candidate);
    if (tried.has(key)) continue;
    tried.add(key);
    return candidate;
  }
  return undefined;
}

/**
 * Whether the last request, as it stands on the wire, keeps the contract where the one before it
 * did, and breaks it where that did.
 */
function staysAsValid(
  before: readonly Step[],
  after: readonly Step[],
  baseUrl: (operation: Step['case']['operation']) => string,
): boolean {
  const isValid = (step: Step | undefined): boolean | undefined =>
    step &&
    isValidOnWire(
      step.case.operation,
      step.exchange.request,
      new URL(baseUrl(step.case.operation)).pathname.replace(/\/+$/, ''),
    );
  return isValid(before.at(-1)) === isValid(after.at(-1));
}
