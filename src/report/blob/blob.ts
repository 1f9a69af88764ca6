import { writeJson } from '../../text/json-text.ts';
import type { Reporter } from '../reporter.ts';
import { unanswered } from '../unanswered.ts';
import { toPlainData } from './plain-data.ts';
import type { RunEvent } from '../../check/model/event.ts';

/**
 * The first line of a blob. `blob` changes when an older vouch could no longer read what follows.
 */
export const blobHead = { type: 'vouch-blob', blob: 1 } as const;

/**
 * For `vouch report`: every event without loss, one a line, so that any other report can be made of
 * it later.
 */
export const blob = {
  id: 'blob',
  description: 'for vouch report: the whole run without loss, to be merged or shown again',
  begin: () => {
    let isFirst = true;
    return (event) => {
      const head = isFirst ? line(blobHead) : '';
      isFirst = false;
      return head + lineOf(event);
    };
  },
} as const satisfies Reporter;

function lineOf(event: RunEvent): string {
  switch (event.type) {
    case 'run-started':
    case 'operation-skipped':
    case 'plan-made':
    case 'exchange-recorded':
    case 'finding-reported':
    case 'gap-observed':
    case 'difference-found':
    case 'record-left':
    case 'check-crashed':
    case 'run-finished':
      return line(toPlainData(event));
    default:
      return unanswered(event);
  }
}

function line(value: unknown): string {
  return `${writeJson(value)}\n`;
}
