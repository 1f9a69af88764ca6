import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { script, style } from '#pages/report';
import { checks } from '../check/topics/index.ts';
import { findingOverlay, gapOverlay } from '../check/reading/overlay-action.ts';
import type { RunEvent } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { pick } from '../json/value.ts';
import { writeJson } from '../text/safe-text.ts';
import { bodyMatter, isMeantEverywhere, matterPattern } from './body-text.ts';
import { differencePlace, differenceTitle, ExchangeNumbers } from './exchange-text.ts';
import type { PageData, PageExchange, PageFinding, PageMatter, PageRow } from './html/page-data.ts';
import { packExchanges, pageExchange, pageRow } from './html/page-data.ts';
import { findingOf, gapOf } from './json.ts';
import type { EarlierRun, Reporter, ReporterOptions } from './reporter.ts';
import { type EventOf, type RunRecord, bySeverity, emptyRecord, keepEvent } from './run-record.ts';
import { headline, isTested, openingStep, shutClauses, verdictLine } from './verdict.ts';

/**
 * For people with a browser: one file with the whole run that loads nothing. Exchanges are
 * streamed, so memory has the findings and a few bytes for each exchange. Blocks of data are
 * compressed (RFC 1951, in base64), and unpacked by the browser as they are read. The details of
 * exchanges may take 16 MiB of the file, and 200,000 of them have a row; the page says how many are
 * left out; a `blob` has them all.
 */
export const html = {
  id: 'html',
  description: 'for a browser: one file with findings, coverage and every exchange',
  live: true,
  file: 'vouch-report.html',
  begin: ({ earlierRuns }: Partial<ReporterOptions> = {}) => {
    const page: Page = {
      earlierRuns,
      record: emptyRecord(),
      isOpen: false,
      rows: [],
      details: [],
      exchanges: 0,
      written: 0,
      numbers: new ExchangeNumbers(),
    };
    return (event) => start(page) + answer(page, event);
  },
} as const satisfies Reporter;

/** Exchanges in one block of details, which the browser unpacks at once. */
const step = 250;
/** Rows in one block; all blocks of rows are unpacked when the page opens. */
const rowStep = 1000;
const maxWritten = 16 * 1024 * 1024;
const maxRows = 200_000;
const maxOfBody = 16 * 1024;
const maxOfFindingBody = 256 * 1024;

interface Page {
  readonly earlierRuns: ReporterOptions['earlierRuns'];
  readonly record: RunRecord;
  isOpen: boolean;
  /** The rows and the details of the current blocks. */
  rows: PageRow[];
  details: PageExchange[];
  exchanges: number;
  /** Compressed characters of details so far. */
  written: number;
  readonly numbers: ExchangeNumbers;
}

function start(page: Page): string {
  if (page.isOpen) return '';
  page.isOpen = true;
  return pageStart;
}

function answer(page: Page, event: RunEvent): string {
  switch (event.type) {
    case 'exchange-recorded':
      return takeExchange(page, event);
    case 'run-finished':
      return (
        flushDetails(page) +
        flushRows(page) +
        dataBlock('id="end"', endOf(page, event.summary)) +
        pageEnd
      );
    case 'plan-made':
      return '';
    default:
      keepEvent(page.record, event);
      return '';
  }
}

function takeExchange(page: Page, event: EventOf<'exchange-recorded'>): string {
  const number = page.exchanges;
  page.exchanges += 1;
  if (number >= maxRows) return '';
  page.rows.push(pageRow(number, event));
  if (page.written < maxWritten) page.details.push(pageExchange(event.exchange, maxOfBody));
  page.numbers.add(event.exchange, number);
  return (
    (page.exchanges % step === 0 ? flushDetails(page) : '') +
    (page.exchanges % rowStep === 0 ? flushRows(page) : '')
  );
}

function flushDetails(page: Page): string {
  if (page.details.length === 0) return '';
  const block = Math.floor((page.exchanges - 1) / step);
  const text = dataBlock(`data-details="${String(block)}"`, packExchanges(page.details));
  page.written += text.length;
  page.details = [];
  return text;
}

function flushRows(page: Page): string {
  const [first] = page.rows;
  if (first === undefined) return '';
  const text = dataBlock(`data-rows="${String(Math.floor(first[0] / rowStep))}"`, page.rows);
  page.rows = [];
  return text;
}

function endOf(page: Page, summary: RunSummary): PageData {
  const { record, exchanges } = page;
  const title = headline(summary);
  return {
    run: record.run,
    summary,
    headline: title.replace(/\.$/, ''),
    reason: verdictLine(summary, record).slice(title.length + 1),
    shut: [...shutClauses(summary), openingStep(summary)].filter((text) => text !== undefined),
    untested: summary.operations
      .filter((operation) => !isTested(operation, summary))
      .map(({ id }) => id),
    findings: bySeverity(record.findings).map((finding) => pageFinding(finding, page)),
    gaps: record.gaps.map((observed) => {
      const { overlayAction: _action, ...gap } = gapOf(observed);
      return { ...gap, overlay: gapOverlay(observed, record.run?.contract.title) };
    }),
    differences: record.differences.map((difference) => ({
      ...difference,
      place: differencePlace(difference),
    })),
    differencesTitle: differenceTitle(record.run),
    skipped: record.skipped.map(({ operation, reason }) => ({ operation, reason })),
    left: record.left.map((left) => pick(left, ['operation', 'record', 'reason'])),
    crashed: record.crashed.map(({ check, message, stack }) => ({ check, message, stack })),
    rules: rulesOf(record.findings),
    earlier: earlierOf(page),
    exchanges,
    leftOut: Math.max(0, exchanges - maxRows),
    step,
  };
}

const maxEarlier = 12;

/** The last runs before this one. */
function earlierOf({ earlierRuns, record: { run } }: Page): readonly EarlierRun[] {
  if (run === undefined || earlierRuns === undefined) return [];
  return earlierRuns(run)
    .filter(({ id }) => id !== run.id)
    .slice(-maxEarlier);
}

function pageFinding(finding: Finding, { numbers, record }: Page): PageFinding {
  const { exchange, control, replay, alsoSeenAs = [], overlayAction: _action, ...rest } = finding;
  const { exchange: _exchange, replay: _replay, alsoSeenAs: _alike, ...shown } = findingOf(rest);
  return {
    ...shown,
    overlay: findingOverlay(finding, record.run?.contract.title),
    matter: matterOf(finding),
    replay: replay !== undefined,
    alsoSeenAs: alsoSeenAs.map(({ check, operation, message }) => ({ check, operation, message })),
    exchange: exchange && pageExchange(exchange, maxOfFindingBody),
    control: control && pageExchange(control, maxOfBody),
    entries: exchange && numbers.of(exchange),
  };
}

function rulesOf(findings: readonly Finding[]): Readonly<Record<string, string>> {
  const shown = new Set(findings.map(({ check }) => check));
  return Object.fromEntries(
    checks.filter(({ id }) => shown.has(id)).map(({ id, rule }) => [id, rule]),
  );
}

function matterOf(finding: Finding): PageMatter | undefined {
  const matter = bodyMatter(finding);
  return matter && { pattern: matterPattern(matter), each: isMeantEverywhere(matter) };
}

/** A browser may run the script and the style of the page with its font, and load nothing else. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

const wait =
  'Reading the report. It needs JavaScript, which is part of this file; it fetches nothing.';

/** The beginning of the page, up to its data. */
const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>vouch check</title>
<style>${style}</style>
</head>
<body>
<p id="wait">${wait}</p>
`;

/** The end of the page, after its data. */
const pageEnd = `<script>${script}</script>
</body>
</html>
`;

/** A block of compressed JSON, which no browser runs; base64 has nothing that ends it early. */
function dataBlock(attribute: string, value: unknown): string {
  const packed = deflateRawSync(writeJson(value)).toString('base64');
  return `<script type="application/x-deflate" ${attribute}>${packed}</script>\n`;
}
