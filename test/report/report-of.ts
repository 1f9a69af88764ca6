import type { RunEvent } from '../../src/check/model/event.ts';
import type { Reporter, ReporterOptions } from '../../src/report/reporter.ts';

/** All that a reporter writes for some events. Plain and 80 columns wide unless told. */
export function reportOf(
  reporter: Reporter,
  events: readonly RunEvent[],
  options: Partial<ReporterOptions> = {},
): string {
  const write = reporter.begin({ color: false, width: 80, verbose: false, ...options });
  return events.map((event) => write(event)).join('');
}
