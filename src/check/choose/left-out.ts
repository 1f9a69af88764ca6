import { countWords } from '../evidence/phrases.ts';
import type { Case } from '../model/case.ts';
import type { Plan } from '../model/plan.ts';
import { mostLeftOut } from './by-worth.ts';

/** What a run that ended early did not send of its plan. */
export interface LeftOut {
  readonly planned: number;
  readonly requests: number;
  /** Those without which nothing can be said of an operation. */
  readonly mattering: number;
  /** `40 boundary, 12 negative`. */
  readonly phases: string;
}

/**
 * Counts what was planned and not sent; `passedOver` are the ids of cases that had nothing to be
 * sent with, whatever the budget.
 */
export function findLeftOut(
  plan: Plan,
  {
    sent,
    passedOver,
  }: { readonly sent: ReadonlySet<string>; readonly passedOver: ReadonlySet<string> },
): LeftOut {
  const cases = plan.stages.flatMap(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.cases),
  );
  const missing = cases.filter(({ id }) => !sent.has(id) && !passedOver.has(id));
  const byPhase = Map.groupBy(missing, ({ phase }: Case) => phase);
  return {
    planned: cases.length,
    requests: missing.length,
    mattering: missing.filter(({ id }) => (plan.worths?.get(id) ?? 0) <= mostLeftOut).length,
    phases: [...byPhase].map(([phase, members]) => `${String(members.length)} ${phase}`).join(', '),
  };
}

/** What was left out, in a sentence; nothing where nothing was. */
export function describeLeftOut({ planned, requests, mattering, phases }: LeftOut): string {
  if (requests === 0) return '';
  const rest =
    mattering === 0
      ? 'every operation got its plain requests, its credentials and one broken rule of each kind'
      : `${String(mattering)} of them plain requests, credentials or the first of a broken rule`;
  return ` It left out ${String(requests)} of ${countWords(planned, 'planned request')} (${phases}); ${rest}.`;
}
