import { stringifyJson } from '../../../json/value.ts';
import type { Violation } from '../../model/knowledge.ts';
import { isValidOnWire } from '../../reading/find-request-fault.ts';
import { showsAgain, type Suspicion } from '../judge/judge.ts';
import type { Case, Sequence } from '../../model/case.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import type { Step } from '../../model/step.ts';
import type { ConfirmContext } from './confirm.ts';
import { executeSequence } from '../send/execute-sequence.ts';
import { reMarkSequence } from '../send/re-mark-request.ts';
import { candidates } from './candidates.ts';
import type { RecordMaking } from './stand-alone.ts';

/** The reproduction of a finding: the sequence as planned, and its steps. */
export interface Reproduction {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly violation: Violation;
}

/** A finding to shrink. `mayShorten`: also shorten values, besides leaving out parts. */
export interface Shrinkable extends Reproduction {
  readonly check: Suspicion['check'];
  readonly mayShorten: boolean;
}

/** The maximum number of requests to shrink one finding. */
const maxRequests = 10;

/**
 * The shortest of a few requests that still show the same check, place and cause. Each one is sent
 * and judged, so that the last one that showed it is reported. Deterministic if the server is.
 */
export async function shrink(first: Shrinkable, context: ConfirmContext): Promise<Reproduction> {
  const { judgeContext, seed, runId, sender } = context;
  const making: RecordMaking = {
    contract: judgeContext.contract,
    seed,
    runId,
    maySend: (operation) => context.maySend(operation),
  };
  const tried = new Set<string>();
  let best: Reproduction = first;
  let left = maxRequests;
  for (;;) {
    const next = firstUntried(candidates({ ...best, mayShorten: first.mayShorten }, making), tried);
    if (next === undefined || next.cases.length > left) return best;
    left -= next.cases.length;
    const fresh = reMarkSequence(next, `${runId}-s${String(tried.size)}`, runId);
    const { steps } = await executeSequence(fresh, sender, { phase: 'confirm' });
    if (steps.length < next.cases.length) {
      if (sender.signals.stop.aborted) return best;
      continue;
    }
    const violation = staysAsValid(best.steps, steps, sender.baseUrl.bind(sender))
      ? showsAgain(
          { check: first.check, violation: first.violation, sequence: fresh },
          steps,
          judgeContext,
        )
      : undefined;
    if (violation !== undefined) best = { sequence: next, steps, violation };
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

/** Whether both last requests are valid as they are written, or both are invalid. */
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

/**
 * The requests of a sequence as text, to compare sequences. With `mark`, the marks of the run,
 * which differ from case to case, are left out.
 */
export function requestKey({ cases }: Sequence, mark?: string): string {
  const key = cases.map(caseKey).join('\n');
  return mark === undefined ? key : key.replaceAll(new RegExp(`${mark}[\\w-]*`, 'g'), mark);
}

function caseKey({ operation, request }: Case): string {
  const { arguments: given, body, ...rest } = request;
  const written = given.map(({ parameter, source }) => {
    const value =
      source.kind === 'value' ? stringifyJson(source.value) : JSON.stringify(source, withBigints);
    return `${parameter.in} ${parameter.name} ${value}`;
  });
  return [operation.id, JSON.stringify(rest), ...written, bodyKey(body)].join(' ');
}

function bodyKey(body: BodyTemplate | undefined): string {
  if (body === undefined) return '';
  return body.kind === 'bytes'
    ? Buffer.from(body.bytes).toString('base64')
    : stringifyJson(body.value);
}

function withBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${String(value)}n` : value;
}
