import type { RunEvent, Verdict } from '../../check/event.ts';
import type { RunningReporter } from './read-reporters.ts';

/** Hands every event to every reporter, and answers the verdict. Where the run breaks off, no half of a report is left. */
export async function reportEvents(events: AsyncIterable<RunEvent>, reporters: readonly RunningReporter[]): Promise<Verdict> {
  let verdict: Verdict = 'crashed';
  try {
    for await (const event of events) {
      for (const reporter of reporters) reporter.take(event);
      if (event.type === 'run-finished') verdict = event.summary.verdict;
    }
  } catch (error) {
    for (const reporter of reporters) reporter.discard();
    throw error;
  }
  for (const reporter of reporters) await reporter.finish();
  return verdict;
}
