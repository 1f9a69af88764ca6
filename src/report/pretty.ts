import type { RunEvent } from '../check/model/event.ts';
import { formatDuration } from '../text/counts.ts';
import { cleanLine, disarmCommands } from '../text/safe-text.ts';
import { makeTextStyle } from '../text/text-style.ts';
import { endLines } from './pretty/pretty-end.ts';
import { skippedLines, startLines } from './pretty/pretty-start.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';
import { emptyRecord, type EventOf, keepEvent, unanswered } from './run-record.ts';

/** For people: what is checked, then every finding with what shows it, then the summary. */
export const pretty = {
  id: 'pretty',
  description: 'for people: findings with code frames and commands, and a summary',
  begin: (options) => {
    const answer = startPretty(options);
    return (event) => {
      const lines = answer(event);
      return lines.length === 0
        ? ''
        : disarmCommands(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
    };
  },
} as const satisfies Reporter;

function startPretty({
  color,
  width,
  verbose,
  terminal = false,
  program = 'vouch',
}: ReporterOptions): (event: RunEvent) => string[] {
  const page = { style: makeTextStyle(color), width, verbose, terminal, program };
  const record = emptyRecord();
  let untold: EventOf<'operation-skipped'>[] = [];
  return (event) => {
    if (event.type === 'operation-skipped') {
      keepEvent(record, event);
      untold.push(event);
      return [];
    }
    if (untold.length === 0) return answer(event);
    const skipped = skippedLines(untold, page);
    untold = [];
    return [...skipped, ...answer(event)];
  };

  function answer(event: Exclude<RunEvent, EventOf<'operation-skipped'>>): string[] {
    switch (event.type) {
      case 'run-started':
        keepEvent(record, event);
        return startLines(event.run, page);
      case 'exchange-recorded':
        return verbose ? [exchangeLine(event)] : [];
      case 'plan-made':
        return [];
      case 'finding-reported':
      case 'gap-observed':
      case 'difference-found':
      case 'record-left':
      case 'check-crashed':
        keepEvent(record, event);
        return [];
      case 'run-finished':
        return endLines(record, event.summary, page);
      default:
        return unanswered(event);
    }
  }
}

/** One line for each exchange: addresses and bodies are for the findings. */
function exchangeLine({ case: tried, exchange }: EventOf<'exchange-recorded'>): string {
  const outcome =
    exchange.response === undefined
      ? (exchange.fault?.kind ?? 'no answer')
      : String(exchange.response.status);
  const words = [
    outcome.padEnd(4),
    formatDuration(exchange.durationMs).padStart(7),
    tried.phase.padEnd(8),
    `${tried.operation}: ${tried.title}`,
  ];
  return `  ${cleanLine(words.join('  '))}`;
}
