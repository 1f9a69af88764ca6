import type { RunEvent } from '../../check/model/event.ts';
import type { Verdict } from '../../check/model/run-summary.ts';
import type { RunningReporter } from './read-reporters.ts';

/**
 * Hands every event to every reporter, and answers the verdict. A reporter that fails is discarded
 * and the run goes on, so that the other reports are whole and what the run created is deleted; its
 * error is thrown at the end. Where the run itself breaks off, no part of a report is left.
 */
export async function reportEvents(
  events: AsyncIterable<RunEvent>,
  reporters: readonly RunningReporter[],
): Promise<Verdict> {
  const group = new ReporterGroup(reporters);
  let verdict: Verdict = 'crashed';
  try {
    for await (const event of events) {
      group.take(event);
      if (event.type === 'run-finished') verdict = event.summary.verdict;
    }
  } catch (error) {
    group.discard();
    throw error;
  }
  await group.finish();
  return verdict;
}

/** Reporters of which each fails for itself. */
class ReporterGroup {
  #working: readonly RunningReporter[];
  readonly #errors: unknown[] = [];

  constructor(reporters: readonly RunningReporter[]) {
    this.#working = reporters;
  }

  take(event: RunEvent): void {
    for (const reporter of this.#working) {
      try {
        reporter.take(event);
      } catch (error) {
        this.#drop(reporter, error);
      }
    }
  }

  discard(): void {
    for (const reporter of this.#working) reporter.discard();
  }

  /** Throws the first error of any reporter, after all others have finished. */
  async finish(): Promise<void> {
    for (const reporter of this.#working) {
      try {
        await reporter.finish();
      } catch (error) {
        this.#drop(reporter, error);
      }
    }
    if (this.#errors.length > 0) throw this.#errors[0];
  }

  #drop(reporter: RunningReporter, error: unknown): void {
    this.#errors.push(error);
    this.#working = this.#working.filter((other) => other !== reporter);
    reporter.discard();
  }
}
