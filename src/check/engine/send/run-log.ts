import type { CountedExchange } from '../judge/summary.ts';
import type { Sequence } from '../../model/case.ts';
import type { Step, Withheld } from '../../model/step.ts';
import type { Attempt, RecordedExchange } from './execute-sequence.ts';
import { isEndOfRun } from './run-limits.ts';

/** Called with a completed sequence; returns the steps to keep. */
export type JudgeSequence = (sequence: Sequence, steps: readonly Step[]) => readonly Step[];

/**
 * The number of buffered sequences before they are judged: late bytes on an idle connection are
 * added to the exchange before that.
 */
const maxWaiting = 64;

interface Entry {
  sequence: Sequence;
  steps: readonly Step[];
  done: boolean;
}

/** The requests and responses of a run, in the order of the plan. */
export class RunLog {
  /** The number of recorded exchanges. */
  readonly outcomes: CountedExchange[] = [];
  /** The ids of cases that could not be sent, or would have shown nothing. */
  readonly passedOver = new Set<string>();
  readonly #judge: JudgeSequence;
  readonly #judged: Step[] = [];
  /** The sequences that were not judged yet, in the order of the plan. */
  readonly #open: Entry[] = [];
  readonly #unsent = new Map<string, Withheld>();
  #waiting = 0;

  /**
   * `judge` receives each completed sequence, in the order of the plan. Steps that it does not
   * return are released.
   */
  constructor(judge: JudgeSequence = (_sequence, steps) => steps) {
    this.#judge = judge;
  }

  /**
   * Opens the entry of a sequence: its steps are added as they come, and it is closed when it is
   * complete.
   */
  open(sequence: Sequence): { add(step: Step): void; close(attempt: Attempt): void } {
    const steps: Step[] = [];
    const entry: Entry = { sequence, steps, done: false };
    this.#open.push(entry);
    return {
      add: (step) => {
        steps.push(step);
        this.passedOver.delete(step.case.id);
      },
      close: ({ unsent, sequence: sent }) => {
        if (sent !== sequence) {
          const ids = new Set(sent.cases.map(({ id }) => id));
          for (const { id } of sequence.cases) if (!ids.has(id)) this.passedOver.add(id);
        }
        if (unsent !== undefined && !isEndOfRun(unsent))
          for (const { id } of sent.cases.slice(steps.length)) this.passedOver.add(id);
        entry.sequence = sent;
        if (unsent !== undefined && !this.#unsent.has(unsent.case.operation.id))
          this.#unsent.set(unsent.case.operation.id, { code: unsent.code, reason: unsent.reason });
        entry.done = true;
        this.#waiting += 1;
        this.#judgeDone(maxWaiting);
      },
    };
  }

  /**
   * A sequence waits until those before it were judged: the result must not depend on the order of
   * the responses.
   */
  #judgeDone(waiting: number): void {
    for (
      let entry = this.#open[0];
      entry?.done === true && this.#waiting > waiting;
      entry = this.#open[0]
    ) {
      this.#judged.push(...this.#judge(entry.sequence, entry.steps));
      this.#open.shift();
      this.#waiting -= 1;
    }
  }

  /** Takes unfinished sequences as they are: the run is over. */
  finish(): void {
    for (const entry of this.#open) entry.done = true;
    this.#waiting = this.#open.length;
    this.#judgeDone(0);
  }

  record({ case: testCase, phase, exchange }: RecordedExchange): void {
    const operation = testCase.operation.id;
    const { response, durationMs, fault, resent } = exchange;
    const outcome = response === undefined ? (fault?.kind ?? 'nothing') : String(response.status);
    const sent = resent === undefined ? 1 : 2;
    const counted = { operation, outcome, sent, isCleanup: phase === 'cleanup' };
    this.outcomes.push(response === undefined ? counted : { ...counted, durationMs });
  }

  /** Every step so far; of judged sequences those that were kept. */
  get steps(): Step[] {
    return [...this.#judged, ...this.#open.flatMap(({ steps }) => steps)];
  }

  /** Whether a step matches. */
  has(isSuch: (step: Step) => boolean): boolean {
    return this.#judged.some(isSuch) || this.#open.some(({ steps }) => steps.some(isSuch));
  }

  /** Why an operation got none or only some of its requests: the first reason, by operation id. */
  get unsent(): ReadonlyMap<string, Withheld> {
    return this.#unsent;
  }
}
