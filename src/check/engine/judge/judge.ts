import type { Contract, Operation, ResourceAction } from '../../../contract/model.ts';
import type { Violation, CheckInput, RunKnowledge } from '../../model/knowledge.ts';
import type { Check } from '../../topics/check.ts';
import { checks as table } from '../../topics/index.ts';
import type { Case, Intent, Sequence } from '../../model/case.ts';
import type { Severity } from '../../model/finding.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { isAtLeast } from '../../../contract/model/severity.ts';
import { isUnclear } from '../../reading/read-answer.ts';
import { neededKnowledge } from './partial-knowledge.ts';
import type { Crash } from '../../model/event.ts';

/** A rule that an exchange seems to violate, before confirmation. */
export interface Suspicion {
  readonly check: Check;
  readonly violation: Violation;
  readonly sequence: Sequence;
  /** The steps of the sequence as they were sent; the last one is suspected. */
  readonly steps: readonly Step[];
  /** The operation that stored what it is about, although that was invalid. */
  readonly storedBy?: Operation;
}

/** How many exchanges each check inspected: by operation, then by check. */
export type Inspections = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The results of the checks for steps. */
export interface Judgement {
  readonly suspicions: readonly Suspicion[];
  readonly inspected: Inspections;
  readonly crashes: readonly Crash[];
}

export interface JudgeContext {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly knowledge: RunKnowledge;
}

/** The result of one check for one step. */
export interface Inspection {
  /** Whether the check applied. */
  readonly looked: boolean;
  readonly suspicions: readonly Suspicion[];
  readonly crashes: readonly Crash[];
}

/** Runs every check on the last step of a sequence so far, with the steps before it. */
export function judgeStep(
  context: JudgeContext,
  sequence: Sequence,
  steps: readonly Step[],
): Judgement {
  const step = steps.at(-1);
  if (step === undefined) return { suspicions: [], inspected: new Map(), crashes: [] };
  const input = checkInputOf(context, steps, step);
  const inspections = checksOf(context, step.case).map((check) => ({
    check,
    ...inspectStep(
      check,
      { ...input, knowledge: neededKnowledge(context.knowledge, check.needs) },
      { sequence, steps },
    ),
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

/** The input of a check: the last of the steps, with those before it. */
export function checkInputOf(
  { contract, knowledge }: Pick<JudgeContext, 'contract' | 'knowledge'>,
  steps: readonly Step[],
  step: Step,
): CheckInput {
  const input: CheckInput = {
    case: step.case,
    sent: step.sent,
    exchange: step.exchange,
    answer: step.answer,
    contract,
    operation: step.case.operation,
    earlier: steps.length === 1 ? none : steps.slice(0, -1),
    knowledge,
    isLeftOpen: (status) => openings.some((leavesOpen) => leavesOpen(input, status)),
  };
  return input;
}

const openings = table.flatMap((check: Check) => check.leavesOpen?.bind(check) ?? []);

// Most sequences have one request.
const none: readonly Step[] = [];

/**
 * Runs one check on a step. A check that throws is an internal error, and is reported as a crash.
 */
export function inspectStep(
  check: Check,
  subject: CheckInput,
  place: Pick<Suspicion, 'sequence' | 'steps'>,
): Inspection {
  // What a document does not say clearly, it does not deny either.
  if (check.basis === 'inferred' && isUnclear(subject)) return nothing;
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

/** A separate function, called rarely: a closure in the caller would allocate on every call. */
function suspect(
  check: Check,
  violations: readonly Violation[],
  { sequence, steps }: Pick<Suspicion, 'sequence' | 'steps'>,
): Suspicion[] {
  return violations.map((violation) => ({ check, violation, sequence, steps }));
}

// Almost every check returns one of these for almost every step.
const nothing: Inspection = { looked: false, suspicions: [], crashes: [] };
const silence: Inspection = { looked: true, suspicions: [], crashes: [] };

/** The severity of a suspicion, if it is confirmed. */
export function severityOf({ check, violation }: Pick<Suspicion, 'check' | 'violation'>): Severity {
  return violation.severity ?? check.severity;
}

/**
 * One cause, one finding: drops suspicions that a more specific check, with at least the same
 * severity, reports for the same exchange.
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
      isAtLeast(severityOf(other), severityOf(suspicion)),
  );
}

export function addCounts(
  totals: Map<string, Map<string, number>>,
  operation: string,
  counts: ReadonlyMap<string, number>,
): void {
  const total = totals.get(operation) ?? new Map<string, number>();
  totals.set(operation, total);
  for (const [check, count] of counts) total.set(check, (total.get(check) ?? 0) + count);
}

/** The checks for responses to requests of a contract. */
type CheckSelection = Pick<JudgeContext, 'contract' | 'checks'>;

/** A check, and its index among all that are selected. */
export interface PlacedCheck {
  readonly check: Check;
  readonly place: number;
}

/**
 * The checks that inspect a request, in their order: selected by its intent and the resource action
 * of its operation.
 */
export function checksOf(
  { contract, checks }: CheckSelection,
  { operation, intent }: Case,
): readonly Check[] {
  const action = roleOf(contract, operation)?.action;
  return checks.filter(
    ({ intents, actions }) =>
      (intents === undefined || intents.includes(intent.kind)) &&
      (actions === undefined || (action !== undefined && actions.includes(action))),
  );
}

/**
 * The checks for each kind of request, and how often they applied: most inspect few requests, and a
 * run sends thousands of one kind.
 */
export class CheckTable {
  readonly #selection: CheckSelection;
  // A contract with many operations has few kinds of requests: the selection for one applies to all
  // of its kind.
  readonly #rows = new Map<
    ResourceAction | undefined,
    Map<Intent['kind'], readonly PlacedCheck[]>
  >();
  readonly #looked = new Map<Operation, Uint32Array>();

  constructor(selection: CheckSelection) {
    this.#selection = selection;
  }

  /** The checks that inspect a request. */
  of(testCase: Case): readonly PlacedCheck[] {
    const action = roleOf(this.#selection.contract, testCase.operation)?.action;
    let rows = this.#rows.get(action);
    if (rows === undefined)
      this.#rows.set(action, (rows = new Map<Intent['kind'], readonly PlacedCheck[]>()));
    let row = rows.get(testCase.intent.kind);
    if (row === undefined)
      rows.set(
        testCase.intent.kind,
        (row = checksOf(this.#selection, testCase).map((check) => ({
          check,
          place: this.#selection.checks.indexOf(check),
        }))),
      );
    return row;
  }

  /** Counts that a check applied to a response of an operation. */
  count(operation: Operation, { place }: PlacedCheck): void {
    let looked = this.#looked.get(operation);
    if (looked === undefined)
      this.#looked.set(operation, (looked = new Uint32Array(this.#selection.checks.length)));
    looked[place] = (looked[place] ?? 0) + 1;
  }

  /** How often each check applied: by operation, then by check. */
  counts(): Map<string, Map<string, number>> {
    const counts = new Map<string, Map<string, number>>();
    for (const [{ id }, looked] of this.#looked) {
      const own = counts.get(id) ?? new Map<string, number>();
      counts.set(id, own);
      for (const [place, check] of this.#selection.checks.entries())
        if ((looked[place] ?? 0) > 0)
          own.set(check.id, (own.get(check.id) ?? 0) + (looked[place] ?? 0));
    }
    return counts;
  }
}

/**
 * The violation that the same check reports for the last step, at the same place and with the same
 * cause; undefined if there is none.
 */
export function showsAgain(
  { check, violation, sequence }: Pick<Suspicion, 'check' | 'violation' | 'sequence'>,
  steps: readonly Step[],
  context: JudgeContext,
): Violation | undefined {
  const judged = judgeStep({ ...context, checks: [check] }, sequence, steps);
  return judged.suspicions
    .map((other) => other.violation)
    .find((other) => other.at === violation.at && (other.cause ?? '') === (violation.cause ?? ''));
}
