import type { Contract, Operation } from '../../contract/model.ts';
import type { Check } from '../checks/check.ts';
import type { Sequence } from '../model/case.ts';
import type { RunKnowledge } from '../model/knowledge.ts';
import type { Step } from '../model/step.ts';
import { EarlyKnowledge } from './partial-knowledge.ts';
import {
  CheckTable,
  type Crash,
  type Inspection,
  inspectStep,
  type Judgement,
  type PlacedCheck,
  checkInputOf,
  type Suspicion,
  withoutCovered,
} from './judge.ts';
import { KnowledgeGatherer } from './gather-knowledge.ts';
import { compactStep, StoredStep } from './compact-step.ts';
import { GapObserver, type ObservedGap } from './observe-gaps.ts';

/** A step of which something is left to be said when the whole run is known. */
interface DeferredStep {
  readonly sequence: Sequence;
  readonly steps: readonly Step[];
  readonly checks: readonly PlacedCheck[];
}

/** What was made of a step that is suspected, or waits: in the order of the plan. */
interface Entry {
  readonly said: readonly Suspicion[];
  readonly pending?: DeferredStep;
}

/**
 * What is made of one step: what the checks said, by the operation under which they are counted.
 */
interface StepResult {
  readonly operation: Operation;
  readonly said: Suspicion[];
}

/** What a docket is opened with. */
export interface RunJudgeOptions {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly runId: string;
}

/**
 * Judges the sequences of a run one by one, in the order of the plan, so that what shows nothing
 * need not be kept. A check that asked what the run knows is held against the step again when the
 * run knows all: its first words do not count.
 */
export class RunJudge {
  readonly #options: RunJudgeOptions;
  readonly #gatherer: KnowledgeGatherer;
  readonly #early: EarlyKnowledge;
  readonly #gaps: GapObserver;
  readonly #entries: Entry[] = [];
  readonly #table: CheckTable;
  readonly #crashes = new Map<string, Crash>();

  constructor(options: RunJudgeOptions) {
    this.#options = options;
    this.#table = new CheckTable(options);
    this.#gatherer = new KnowledgeGatherer(options.contract, options.runId);
    this.#early = new EarlyKnowledge(this.#gatherer);
    this.#gaps = new GapObserver(options.contract);
  }

  /**
   * Judges a sequence as it was sent, and answers what is to be kept of its steps: enough to count
   * them.
   */
  hear(sequence: Sequence, steps: readonly Step[]): Step[] {
    for (const step of steps) {
      this.#gatherer.note(step);
      this.#gaps.note(step);
    }
    for (const [index, step] of steps.entries())
      this.#judge(sequence, index === steps.length - 1 ? steps : steps.slice(0, index + 1), step);
    return steps.map(compactStep);
  }

  /**
   * Some twenty checks for each step, with next to nothing to say: nothing is made for one that
   * says nothing.
   */
  #judge(sequence: Sequence, steps: readonly Step[], step: Step): void {
    const subject = checkInputOf(
      { contract: this.#options.contract, knowledge: this.#early },
      steps,
      step,
    );
    const place = { sequence, steps };
    const heard: StepResult = { operation: step.case.operation, said: [] };
    const waiting: PlacedCheck[] = [];
    const row = this.#table.of(step.case);
    for (let at = 0; at < row.length; at += 1) {
      const placed = row[at];
      if (placed === undefined) continue;
      const inspection = inspectStep(placed.check, subject, place);
      const asked = this.#early.asked();
      // Of the records that were created, to know more only takes doubts away: where there are
      // none, nothing has to wait.
      if (asked === 'anything' || (asked === 'creators' && hasDoubt(inspection)))
        waiting.push(placed);
      else this.#take(placed, inspection, heard);
    }
    const { said } = heard;
    if (waiting.length > 0)
      this.#entries.push({
        said,
        pending: { sequence, steps: steps.map((one) => new StoredStep(one)), checks: waiting },
      });
    else if (said.length > 0) this.#entries.push({ said });
  }

  #take(
    placed: PlacedCheck,
    { looked, suspicions, crashes }: Inspection,
    { operation, said }: StepResult,
  ): void {
    if (looked) this.#table.count(operation, placed);
    if (suspicions.length > 0) said.push(...suspicions);
    if (crashes.length > 0)
      for (const crash of crashes) this.#crashes.set(`${crash.check} ${crash.message}`, crash);
  }

  /** What all the steps together show. */
  knowledge(): RunKnowledge {
    return this.#gatherer.knowledge();
  }

  /** What the target was seen to do where the contract is silent. */
  observedGaps(): ObservedGap[] {
    return this.#gaps.observed();
  }

  /** Says what is left to be said, and adds up. To be asked once, when every sequence was heard. */
  judge(): Judgement {
    const knowledge = this.knowledge();
    const order = new Map(this.#options.checks.map((check, index) => [check.id, index]));
    const place = ({ check }: Suspicion): number => order.get(check.id) ?? 0;
    const suspicions = this.#entries.splice(0).flatMap(({ said, pending }) => {
      if (pending === undefined) return withoutCovered(said);
      return withoutCovered(
        [...said, ...this.#decide(pending, knowledge)].sort(
          (left, right) => place(left) - place(right),
        ),
      );
    });
    return { suspicions, inspected: this.#table.counts(), crashes: [...this.#crashes.values()] };
  }

  #decide({ sequence, steps: stored, checks }: DeferredStep, knowledge: RunKnowledge): Suspicion[] {
    const steps = stored.map(withValue);
    const step = steps.at(-1);
    if (step === undefined) return [];
    const subject = checkInputOf({ contract: this.#options.contract, knowledge }, steps, step);
    const heard: StepResult = { operation: step.case.operation, said: [] };
    for (const placed of checks)
      this.#take(placed, inspectStep(placed.check, subject, { sequence, steps }), heard);
    return heard.said;
  }
}

function hasDoubt({ suspicions, crashes }: Inspection): boolean {
  return suspicions.length > 0 || crashes.length > 0;
}

/** Reads the answer once for all checks. */
function withValue({ case: testCase, sent, exchange, answer }: Step): Step {
  return { case: testCase, sent, exchange, answer };
}
