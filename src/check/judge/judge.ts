import type { Contract, Operation, ResourceAction } from '../../contract/model.ts';
import type { Check, Violation } from '../checks/check.ts';
import type { Case, Intent, Sequence } from '../model/case.ts';
import type { Severity } from '../model/finding.ts';
import type { CheckInput, RunKnowledge } from '../model/knowledge.ts';
import { roleOf, type Step } from '../model/step.ts';
import { neededKnowledge } from './partial-knowledge.ts';

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
export interface JudgeContext {
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

/** What a check may look at: the last of the steps, with those before it. */
export function checkInputOf(
  { contract, knowledge }: Pick<JudgeContext, 'contract' | 'knowledge'>,
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
  context: JudgeContext,
  attempts: readonly { readonly sequence: Sequence; readonly steps: readonly Step[] }[],
): Judgement {
  const inspected = new Map<string, Map<string, number>>();
  const suspicions: Suspicion[] = [];
  const crashes = new Map<string, Crash>();
  for (const { sequence, steps } of attempts) {
    steps.forEach((_step, index) => {
      const judged = judgeStep(context, sequence, steps.slice(0, index + 1));
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

/** Checks that are to be held against the answers to requests of a contract. */
interface CheckSelection {
  readonly contract: Contract;
  readonly checks: readonly Check[];
}

/** A check, and its place among all that are held. */
export interface PlacedCheck {
  readonly check: Check;
  readonly place: number;
}

/**
 * The checks that look at a request, in their order: by what it is sent for, and by the part that
 * its operation has in a resource.
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
 * Which checks look at which requests, and how often: most look at few, and a run sends thousands
 * of one kind.
 */
export class CheckTable {
  readonly #selection: CheckSelection;
  // A contract of many operations has few kinds of requests: what is chosen for one is chosen for
  // all of them.
  readonly #rows = new Map<
    ResourceAction | undefined,
    Map<Intent['kind'], readonly PlacedCheck[]>
  >();
  readonly #looked = new Map<Operation, Uint32Array>();

  constructor(selection: CheckSelection) {
    this.#selection = selection;
  }

  /** Those that look at a request. */
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

  /** Counts that a check had something to look at in an answer of an operation. */
  count(operation: Operation, { place }: PlacedCheck): void {
    let looked = this.#looked.get(operation);
    if (looked === undefined)
      this.#looked.set(operation, (looked = new Uint32Array(this.#selection.checks.length)));
    looked[place] = (looked[place] ?? 0) + 1;
  }

  /** How often each check had something to look at: by operation, then by check. */
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
 * What the same check says of the last step, at the same place and for the same cause; undefined
 * where it says nothing.
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
