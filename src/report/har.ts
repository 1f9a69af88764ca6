import type { RunEvent } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { defined } from '../json/defined.ts';
import { writeJson } from '../text/json-text.ts';
import { ExchangeNumbers } from './exchange-numbers.ts';
import { harEntry } from './har/har-entry.ts';
import type { Reporter } from './reporter.ts';
import type { EventOf } from './run-record.ts';
import { unanswered } from './unanswered.ts';

/**
 * For browsers' network panels and proxies: every exchange as HTTP Archive 1.2. An entry is written
 * as soon as it came, so a finding, which is sure only at the end, names its entries:
 * `log._vouch.findings[].entries` holds the first of their numbers, from 0.
 */
export const har = {
  id: 'har',
  description: 'for network panels and proxies: every exchange as HTTP Archive 1.2',
  begin: () => {
    const archive: Archive = {
      version: '',
      began: 0,
      spent: 0,
      isOpen: false,
      numbers: new ExchangeNumbers(),
      entries: 0,
      findings: [],
    };
    return (event) => answer(archive, event);
  },
} as const satisfies Reporter;

/** What is kept of a run while its archive is written: a few bytes for each exchange. */
interface Archive {
  version: string;
  /** Milliseconds since 1970. */
  began: number;
  /** The durations so far, for a run that tells no times. */
  spent: number;
  isOpen: boolean;
  entries: number;
  readonly numbers: ExchangeNumbers;
  readonly findings: object[];
}

function answer(archive: Archive, event: RunEvent): string {
  switch (event.type) {
    case 'run-started':
      archive.version = event.run.version;
      archive.began = Date.parse(event.run.startedAt) || 0;
      return '';
    case 'exchange-recorded':
      return entry(archive, event);
    case 'finding-reported':
      archive.findings.push(shortFinding(archive, event.finding));
      return '';
    case 'run-finished':
      return `${open(archive)}\n],"_vouch":${writeJson(endOf(event.summary, archive.findings))}}}\n`;
    case 'operation-skipped':
    case 'plan-made':
    case 'gap-observed':
    case 'difference-found':
    case 'record-left':
    case 'check-crashed':
      return '';
    default:
      return unanswered(event);
  }
}

/** The beginning of the document, where it is not written yet. */
function open(archive: Archive): string {
  if (archive.isOpen) return '';
  archive.isOpen = true;
  return `{"log":{"version":"1.2","creator":${writeJson({ name: 'vouch', version: archive.version })},"pages":[],"entries":[`;
}

function entry(archive: Archive, event: EventOf<'exchange-recorded'>): string {
  archive.spent += event.exchange.durationMs;
  const text = `${open(archive)}${archive.entries === 0 ? '' : ','}\n${writeJson(harEntry(event, archive.began + (event.elapsedMs ?? archive.spent)))}`;
  archive.numbers.add(event.exchange, archive.entries);
  archive.entries += 1;
  return text;
}

/** What the run came to, and why it ended early where it did. */
function endOf({ verdict, reason, stop }: RunSummary, findings: readonly object[]): object {
  return { verdict, reason, ...defined({ stop }), findings };
}

function shortFinding(
  { numbers }: Archive,
  { id, check, severity, message, exchange }: Finding,
): object {
  return {
    id,
    check,
    severity,
    message,
    entries: exchange === undefined ? [] : numbers.of(exchange),
  };
}
