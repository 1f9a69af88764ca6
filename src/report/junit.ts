import { makeJUnitReport } from './junit-report.ts';
import type { Reporter } from './reporter.ts';
import { emptyRecord, keepEvent } from './run-record.ts';
import { unanswered } from './unanswered.ts';
import { writeXml } from './xml.ts';

/** For CI: JUnit XML that Jenkins, GitLab and their like show as test results. */
export const junit = {
  id: 'junit',
  description: 'for CI: JUnit XML, a suite for each operation and a case for each check',
  begin: () => {
    const record = emptyRecord();
    const seconds = new Map<string, number>();
    return (event) => {
      switch (event.type) {
        case 'run-started':
        case 'operation-skipped':
        case 'finding-reported':
        case 'gap-observed':
        case 'record-left':
        case 'check-crashed':
          keepEvent(record, event);
          return '';
        case 'exchange-recorded':
          seconds.set(event.case.operation, (seconds.get(event.case.operation) ?? 0) + event.exchange.durationMs / 1000);
          return '';
        case 'plan-made':
          return '';
        case 'run-finished':
          return writeXml(makeJUnitReport({ record, summary: event.summary, seconds }));
        default:
          return unanswered(event);
      }
    };
  },
} as const satisfies Reporter;
