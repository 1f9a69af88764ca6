import type { Contract } from '../../contract/model.ts';
import type { Check, Violation } from '../checks/check.ts';
import type { Sequence } from '../model/case.ts';
import type { CheckInput } from '../model/check-input.ts';
import type { Severity } from '../model/finding.ts';
import type { RunKnowledge } from '../model/knowledge.ts';
import type { Step } from '../model/step.ts';
import { checksOf } from './check-table.ts';

/** A rule that an exchange seems to break, before anything is made of it. */
export interface Suspicion {
  readonly check: Check;
  readonly violation: Violation;
  readonly sequence: Sequence;
  /** The steps of the sequence as they were sent; the last one is suspected. */
  readonly steps: readonly Step[];
}

/** A check that threw: a fault of vouch's own. */
export interface Crash {
  readonly check: string;
  readonly message: string;
  readonly stack: string;
}

/** In how many exchanges each check had something to look at: by operation, then by check. */
export type Inspections = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What the checks say about steps. */
export interface Judgement {
  readonly suspicions: readonly Suspicion[];
  readonly inspected: Inspections;
  readonly crashes: readonly Crash[];
}

/** What it takes to judge. */
export interface Court {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly knowledge: RunKnowledge;
}

/** What one check says about one step. */
export interface Inspection {
  /** Whether it had something to look at. */
  readonly looked: boolean;
  readonly suspicions: readonly Suspicion[];
  readonly crashes: readonly Crash[];
}

/** Holds every check against the last step of a sequence so far, with the steps before it. */
export function judgeStep(court: Court, sequence: Sequence, steps: readonly Step[]): Judgement {
  const step = steps.at(-1);
  if (step === undefined) return { suspicions: [], inspected: new Map(), crashes: [] };
  const subject = subjectOf(court, steps, step);
  const inspections = checksOf(court, step.case).map((check) => ({
    check,
    ...inspectStep(check, subject, { sequence, steps }),
  }));
  const looked = inspections.filter((inspection) => inspection.looked);
  return {
    suspicions: withoutCovered(inspections.flatMap(({ suspicions }) => suspicions)),
    inspected: new Map([
      [step.case.operation.id, new Map(looked.map(({ check }) => [check.id, 1]))],
    ]),
    crashes: inspections.flatMap(({ crashes }) => crashes),
  };
}

/** What a check may look at: the last of the steps, with those before it. */
export function subjectOf(
  { contract, knowledge }: Pick<Court, 'contract' | 'knowledge'>,
  steps: readonly Step[],
  step: Step,
): CheckInput {
  return {
    case: step.case,
    sent: step.sent,
    exchange: step.exchange,
    answer: step.answer,
    contract,
    operation: step.case.operation,
    earlier: steps.length === 1 ? none : steps.slice(0, -1),
    knowledge,
  };
}

// Most requests are sent by themselves.
const none: readonly Step[] = [];

/**
 * Holds one check against a step. A check that throws is a fault of vouch's own, and is told as
 * one.
 */
export function inspectStep(
  check: Check,
  subject: CheckInput,
  place: Pick<Suspicion, 'sequence' | 'steps'>,
): Inspection {
  try {
    const violations = check.inspect(subject);
    if (violations === undefined) return nothing;
    if (violations.length === 0) return silence;
    return { looked: true, suspicions: suspect(check, violations, place), crashes: [] };
  } catch (error) {
    return {
      ...nothing,
      crashes: [
        {
          check: check.id,
          message: error instanceof Error ? error.message : String(error),
          stack: error instanceof Error ? (error.stack ?? '') : '',
        },
      ],
    };
  }
}

/**
 * Apart from the others, who seldom need it: a function with a closure in it makes room for what
 * that sees whenever it is called.
 */
function suspect(
  check: Check,
  violations: readonly Violation[],
  { sequence, steps }: Pick<Suspicion, 'sequence' | 'steps'>,
): Suspicion[] {
  return violations.map((violation) => ({ check, violation, sequence, steps }));
}

// Nearly every check says one of these of nearly every step.
const nothing: Inspection = { looked: false, suspicions: [], crashes: [] };
const silence: Inspection = { looked: true, suspicions: [], crashes: [] };

const ranks: Readonly<Record<Severity, number>> = { note: 0, warning: 1, error: 2 };

/** How bad a suspicion is, if it is true. */
export function severityOf({ check, violation }: Pick<Suspicion, 'check' | 'violation'>): Severity {
  return violation.severity ?? check.severity;
}

/**
 * One cause, one finding: a check that says more about the same exchange, and no less severely,
 * speaks alone.
 */
export function withoutCovered(suspicions: readonly Suspicion[]): readonly Suspicion[] {
  return suspicions.length < 2
    ? suspicions
    : suspicions.filter((suspicion) => !isCovered(suspicion, suspicions));
}

function isCovered(suspicion: Suspicion, all: readonly Suspicion[]): boolean {
  return all.some(
    (other) =>
      other.check.covers?.includes(suspicion.check.id) === true &&
      ranks[severityOf(other)] >= ranks[severityOf(suspicion)],
  );
}

/** Judges every step of every sequence, and adds up. */
export function judgeRun(
  court: Court,
  attempts: readonly { readonly sequence: Sequence; readonly steps: readonly Step[] }[],
): Judgement {
  const inspected = new Map<string, Map<string, number>>();
  const suspicions: Suspicion[] = [];
  const crashes = new Map<string, Crash>();
  for (const { sequence, steps } of attempts) {
    steps.forEach((_step, index) => {
      const judged = judgeStep(court, sequence, steps.slice(0, index + 1));
      suspicions.push(...judged.suspicions);
      for (const [operation, counts] of judged.inspected) addCounts(inspected, operation, counts);
      for (const crash of judged.crashes) crashes.set(`${crash.check} ${crash.message}`, crash);
    });
  }
  return { suspicions, inspected, crashes: [...crashes.values()] };
}

/** Adds counts to the totals of an operation. */
function addCounts(
  totals: Map<string, Map<string, number>>,
  operation: string,
  counts: ReadonlyMap<string, number>,
): void {
  const total = totals.get(operation) ?? new Map<string, number>();
  totals.set(operation, total);
  for (const [check, count] of counts) total.set(check, (total.get(check) ?? 0) + count);
}
