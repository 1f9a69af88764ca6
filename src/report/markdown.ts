import { makeMarkdownReport } from './markdown-report.ts';
import type { Reporter } from './reporter.ts';
import { emptyRecord, keepEvent } from './run-record.ts';
import { unanswered } from './unanswered.ts';

/** For pull requests and job summaries: GitHub-flavoured Markdown at the end of the run. */
export const markdown = {
  id: 'markdown',
  description: 'for pull requests and job summaries: a table and the findings',
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
          return makeMarkdownReport(record, event.summary);
        default:
          return unanswered(event);
      }
    };
  },
} as const satisfies Reporter;
