import { writeJson } from '../text/safe-text.ts';
import { findingOf } from './json.ts';
import type { Reporter } from './reporter.ts';
import { type EventOf, unanswered } from './run-record.ts';

/**
 * For programs that follow a run: one JSON object a line, each an event with its `type`, as soon as
 * it happens.
 */
export const ndjson = {
  id: 'ndjson',
  description: 'for programs that read along: one JSON event a line',
  live: true,
  begin: () => (event) => {
    switch (event.type) {
      case 'exchange-recorded':
        return line(shortExchange(event));
      case 'finding-reported':
        return line({ type: event.type, finding: findingOf(event.finding) });
      case 'run-started':
      case 'operation-skipped':
      case 'plan-made':
      case 'gap-observed':
      case 'difference-found':
      case 'record-left':
      case 'check-crashed':
      case 'run-finished':
        return line(event);
      default:
        return unanswered(event);
    }
  },
} as const satisfies Reporter;

function line(value: object): string {
  return `${writeJson(value)}\n`;
}

/** A short form of an exchange; `blob` has every byte of it. */
function shortExchange({ type, case: testCase, exchange }: EventOf<'exchange-recorded'>): object {
  const { request, response, fault, durationMs } = exchange;
  return {
    type,
    case: testCase,
    method: request.method,
    ...(response === undefined ? {} : { status: response.status, bytes: response.body.length }),
    ...(fault === undefined ? {} : { fault: fault.kind }),
    durationMs,
  };
}
