import { atEnd } from './at-end.ts';
import { makeJUnitReport } from './junit/junit-report.ts';
import type { Reporter } from './reporter.ts';
import { writeXml } from './junit/xml.ts';

/** For CI: JUnit XML that Jenkins, GitLab and their like show as test results. */
export const junit = {
  id: 'junit',
  description: 'for CI: JUnit XML, a suite for each operation and a case for each check',
  begin: () => {
    const seconds = new Map<string, number>();
    const answer = atEnd((record, summary) =>
      writeXml(makeJUnitReport({ record, summary, seconds })),
    );
    return (event) => {
      if (event.type === 'exchange-recorded')
        addSeconds(seconds, event.case.operation, event.exchange.durationMs / 1000);
      return answer(event);
    };
  },
} as const satisfies Reporter;

function addSeconds(seconds: Map<string, number>, operation: string, more: number): void {
  seconds.set(operation, (seconds.get(operation) ?? 0) + more);
}
