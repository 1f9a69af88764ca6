import type { Sequence } from '../case.ts';
import type { Step } from '../subject.ts';
import type { Attempt, RecordedExchange } from './execute-sequence.ts';

/** What a run has sent and got, in the order of the plan. */
export class Ledger {
  /** For every exchange that was recorded: the operation's id, and the status or the fault. */
  readonly outcomes: { readonly operation: string; readonly outcome: string }[] = [];
  readonly #attempts: { readonly sequence: Sequence; readonly steps: Step[] }[] = [];
  readonly #unsent = new Map<string, string>();

  /** Opens the entry of a sequence; its steps are added as they come. */
  open(sequence: Sequence): (step: Step) => void {
    const entry = { sequence, steps: [] as Step[] };
    this.#attempts.push(entry);
    return (step) => entry.steps.push(step);
  }

  /** Notes why the rest of a sequence was not sent. */
  close({ unsent }: Attempt): void {
    if (unsent !== undefined && !this.#unsent.has(unsent.case.operation.id)) this.#unsent.set(unsent.case.operation.id, unsent.reason);
  }

  record({ case: tried, exchange }: RecordedExchange): void {
    this.outcomes.push({ operation: tried.operation.id, outcome: exchange.response === undefined ? (exchange.fault?.kind ?? 'nothing') : String(exchange.response.status) });
  }

  get attempts(): readonly { readonly sequence: Sequence; readonly steps: readonly Step[] }[] {
    return this.#attempts;
  }

  get steps(): Step[] {
    return this.#attempts.flatMap(({ steps }) => steps);
  }

  /** Why an operation got none of its requests, or not all of them: the first reason, by its id. */
  get unsent(): ReadonlyMap<string, string> {
    return this.#unsent;
  }
}
