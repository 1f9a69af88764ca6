import type { RunEvent } from '../check/model/event.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { emptyRecord, keepEvent, type RunRecord } from './run-record.ts';
import { unanswered } from './unanswered.ts';

/**
 * A reporter's answer to events where nothing is said before the run is over: it keeps what a
 * report needs, and writes once.
 */
export function atEnd(
  write: (record: RunRecord, summary: RunSummary) => string,
): (event: RunEvent) => string {
  const record = emptyRecord();
  return (event) => {
    switch (event.type) {
      case 'run-started':
      case 'operation-skipped':
      case 'finding-reported':
      case 'gap-observed':
      case 'difference-found':
      case 'record-left':
      case 'check-crashed':
        keepEvent(record, event);
        return '';
      case 'plan-made':
      case 'exchange-recorded':
        return '';
      case 'run-finished':
        return write(record, event.summary);
      default:
        return unanswered(event);
    }
  };
}
