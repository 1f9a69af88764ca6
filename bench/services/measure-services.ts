import type { Benchmark, Figure } from '../measure/figures.ts';
import { runService, type RunOptions, type ServiceResult } from './run-service.ts';
import type { Service } from './service.ts';
import { services } from './services.ts';

/** What came of one service, or why it could not be measured. */
export type Outcome =
  | { readonly title: string; readonly result: ServiceResult }
  | { readonly title: string; readonly reason: string };

/**
 * Runs the services one after the other. One that cannot be installed or started is an outcome with
 * the reason.
 */
export async function measureServices(
  chosen: readonly Service[],
  options: RunOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const service of chosen) {
    try {
      outcomes.push({ title: service.title, result: await runService(service, options) });
    } catch (error) {
      outcomes.push({
        title: service.title,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return outcomes;
}

/** The counts of one service, as the table has them. */
export function countsOf({
  before,
  gone,
  changed,
  named,
  unnamed,
  run,
  ended,
}: ServiceResult): Counts {
  const { report } = run;
  const operations = report?.summary.operations ?? [];
  return {
    operations: operations.length,
    requests: report?.summary.requests ?? 0,
    before: Object.values(before).reduce((sum, count) => sum + count, 0),
    gone: gone.length,
    changed: changed.length,
    named: named.length,
    unnamed: unnamed.length,
    succeeded: operations.filter(({ statuses }) =>
      Object.keys(statuses).some((status) => /^2\d\d$/.test(status)),
    ).length,
    seconds: Math.round(run.seconds * 10) / 10,
    verdict: report?.summary.verdict ?? `no report, exit ${String(run.exitCode)}`,
    ended,
  };
}

/** See `countsOf`. */
export interface Counts {
  readonly operations: number;
  readonly requests: number;
  readonly before: number;
  readonly gone: number;
  readonly changed: number;
  /** Records that the run left, and its report names. */
  readonly named: number;
  readonly unnamed: number;
  /** Operations that were answered with success at least once. */
  readonly succeeded: number;
  readonly seconds: number;
  readonly verdict: string;
  /** The process of the service ended during the run. */
  readonly ended: boolean;
}

/**
 * Records of others that a check loses, and records that it leaves without a word, in real
 * services.
 */
export const servicesBenchmark: Benchmark = {
  name: 'services',
  description:
    'records of others that `vouch check` loses in real services, and those it leaves unreported',
  async measure(say) {
    const options = {
      mode: 'read-write',
      keep: false,
      trace: false,
      examples: false,
      flags: [],
      say,
    };
    return figuresOf(await measureServices(services, options));
  },
};

/** The figures of the outcomes, for the file of results. */
export function figuresOf(outcomes: readonly Outcome[]): Figure[] {
  return outcomes.map((outcome) =>
    'reason' in outcome
      ? {
          measure: outcome.title,
          measured: `not measured: ${outcome.reason}`,
          data: { reason: outcome.reason },
        }
      : figureOf(outcome.result),
  );
}

function figureOf(result: ServiceResult): Figure {
  const counts = countsOf(result);
  const { gone, changed, named, unnamed } = counts;
  const idsOf = (records: readonly { readonly kind: string; readonly id: string }[]): string[] =>
    records.slice(0, 50).map(({ kind, id }) => `${kind} ${id}`);
  const lost = `${String(gone)} of ${String(counts.before)} gone, ${String(changed)} changed`;
  const left = `${String(named + unnamed)} left, ${String(unnamed)} of them not named`;
  return {
    measure: `${result.title} ${result.version}`,
    measured: [lost, left].join('; '),
    promised: 'none gone, changed or not named',
    kept: gone + changed + unnamed === 0 && !result.ended && result.run.report !== undefined,
    data: {
      ...counts,
      kinds: result.before,
      ...(result.unreadable === undefined ? {} : { unreadable: result.unreadable }),
      goneRecords: idsOf(result.gone),
      changedRecords: result.changed
        .slice(0, 50)
        .map(({ kind, id, members }) => `${kind} ${id}: ${Object.keys(members).join(', ')}`),
      unnamedRecords: idsOf(result.unnamed),
    },
  };
}
