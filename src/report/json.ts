import { makeJsonReport } from './json-report.ts';
import { writeJson } from '../text/json-text.ts';
import type { Reporter } from './reporter.ts';
import { emptyRecord, keepEvent } from './run-record.ts';
import { unanswered } from './unanswered.ts';

/** For programs: one JSON document at the end of the run, of the shape `JsonReport`. */
export const json = {
  id: 'json',
  description: 'for programs: one JSON document at the end',
  begin: () => {
    const record = emptyRecord();
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
        case 'plan-made':
        case 'exchange-recorded':
          return '';
        case 'run-finished':
          return `${writeJson(makeJsonReport(record, event.summary), 2)}\n`;
        default:
          return unanswered(event);
      }
    };
  },
} as const satisfies Reporter;
