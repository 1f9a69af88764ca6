import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import type { RunEvent } from '../src/check/model/event.ts';
import type { Exchange } from '../src/check/model/exchange.ts';
import type { Finding } from '../src/check/model/finding.ts';
import type { OperationSummary } from '../src/check/model/run-summary.ts';
import { html } from '../src/report/html.ts';
import { browserPath } from '../test/browser/browser-path.ts';
import type { Benchmark, Figure } from './measure/figures.ts';
import { spreadOf, writeSpread } from './measure/statistics.ts';
import { roundsOf } from './measure/trial.ts';

const exchanges = 10_000;
const rounds = 3;
const maxMilliseconds = 2000;
const maxBytes = 2_000_000;
const mebibyte = 1024 * 1024;

/** How soon the HTML report of a long run can be read. */
export const reportPage: Benchmark = {
  name: 'report-page',
  description: 'the HTML report of 10,000 exchanges, opened in Chromium from a file',
  async measure(say) {
    if (browserPath === undefined)
      return [
        {
          measure: 'the report in Chromium',
          measured: 'not run: no Chromium here; VOUCH_BROWSER names one',
          data: null,
        },
      ];
    const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-report-'));
    const browser = await chromium.launch({
      executablePath: browserPath,
      args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
    });
    try {
      const file = join(folder, 'report.html');
      writeReport(file);
      const views = [
        await openOften(browser, `${pathToFileURL(file).href}#/exchanges`, say),
        await openOften(browser, `${pathToFileURL(file).href}#/findings`, say),
      ];
      return [
        ...views.flat(),
        {
          measure: 'size of the file',
          measured: `${(statSync(file).size / mebibyte).toFixed(1)} MiB`,
          promised: 'at most 2 MB',
          kept: statSync(file).size <= maxBytes,
          data: statSync(file).size,
        },
        { measure: 'Chromium', measured: browser.version(), data: browser.version() },
      ];
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function openOften(
  browser: Browser,
  url: string,
  say: (line: string) => void,
): Promise<Figure[]> {
  const opened: Opened[] = [];
  for (let round = 0; round < roundsOf(rounds); round += 1) {
    opened.push(await open(browser, url));
    say(`${url.split('#')[1] ?? ''}: ${opened.at(-1)?.firstRow.toFixed(0) ?? ''} ms`);
  }
  const [firstRow, heap, nodes] = [
    spreadOf(opened.map((each) => each.firstRow)),
    spreadOf(opened.map((each) => each.heap / mebibyte)),
    spreadOf(opened.map((each) => each.nodes)),
  ];
  const view = url.split('#')[1] ?? '';
  return [
    {
      measure: `${view}: navigation start to the first row visible`,
      measured: `${writeSpread(firstRow, 0)} ms`,
      promised: 'less than 2,000 ms',
      kept: firstRow.median < maxMilliseconds,
      data: firstRow,
    },
    {
      measure: `${view}: JavaScript heap then, garbage collected`,
      measured: `${writeSpread(heap, 1)} MiB`,
      data: heap,
    },
    { measure: `${view}: elements of the page`, measured: writeSpread(nodes, 0), data: nodes },
  ];
}

interface Opened {
  /**
   * Milliseconds from the start of the navigation to the frame after the one in which a row stood
   * on the screen.
   */
  readonly firstRow: number;
  readonly heap: number;
  /** Elements that are shown; the blocks of data are not. */
  readonly nodes: number;
}

const watchFirstRow = `
globalThis.firstRow = new Promise((seen) => {
  const look = () => {
    const row = document.querySelector('tbody tr, .finding');
    const place = row?.getBoundingClientRect();
    const shown = place !== undefined && place.height > 0 && place.top < innerHeight;
    if (shown) requestAnimationFrame(() => seen(performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});`;

/** Each time in a profile of its own, so that nothing is kept from the time before. */
async function open(browser: Browser, url: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.addInitScript(watchFirstRow);
    await page.goto(url, { waitUntil: 'commit' });
    const firstRow = await page.evaluate<number>('firstRow');
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { firstRow, heap: usedSize, nodes: await page.locator('#page *').count() };
  } finally {
    await context.close();
  }
}

/** The run, written as the command line writes it: piece by piece. */
function writeReport(file: string): void {
  const write = html.begin();
  const opened = openSync(file, 'w');
  for (const event of events()) writeSync(opened, write(event));
  closeSync(opened);
}

const operations = Array.from({ length: 60 }, (_, index) => ({
  id: `listThings${String(index)}`,
  method: 'GET',
  path: `/things-${String(index)}`,
}));
const operationAt = (index: number): (typeof operations)[number] =>
  operations[index % operations.length] ?? { id: '', method: 'GET', path: '/' };
const statuses = [200, 200, 200, 200, 201, 400, 404, 500];

function* events(): Generator<RunEvent> {
  yield {
    type: 'run-started',
    run: {
      id: 'vouch-10000',
      target: 'http://127.0.0.1:4010',
      servers: {},
      contract: { title: 'Things', version: '1.0.0', file: 'things.yaml' },
      mode: 'read-write',
      seed: '1',
      startedAt: '2030-01-01T00:00:00.000Z',
      version: '0.1.0',
    },
  };
  for (let index = 0; index < exchanges; index += 1) {
    const { id } = operationAt(index);
    yield {
      type: 'exchange-recorded',
      case: {
        id: `${id}.${String(index)}`,
        title: `limit is ${String(index % 100)}`,
        phase: index % 3 === 0 ? 'read' : 'boundary',
        operation: id,
      },
      exchange: exchangeAt(index),
      elapsedMs: index * 4,
    };
    if (index % 100 === 0) yield { type: 'finding-reported', finding: findingAt(index) };
  }
  yield {
    type: 'run-finished',
    summary: {
      verdict: 'failed',
      reason: '100 errors in 60 operations.',
      requests: exchanges,
      durationMs: exchanges * 4,
      findings: { error: exchanges / 100, warning: 0, note: 0 },
      operations: operations.map(summaryOf),
      checks: [],
    },
  };
}

const encoder = new TextEncoder();

/** A page of a list, about a kilobyte, as most exchanges of a run have it. */
function exchangeAt(index: number): Exchange {
  const records = Array.from({ length: 10 }, (_, at) => ({
    id: index * 10 + at,
    name: `thing ${String(at)}`,
    tags: ['new', 'blue'],
    createdAt: '2030-01-01T00:00:00Z',
  }));
  return {
    baseUrl: 'http://127.0.0.1:4010',
    request: {
      method: 'GET',
      target: `${operationAt(index).path}?limit=${String(index % 100)}`,
      headers: [
        ['accept', 'application/json'],
        ['authorization', 'Bearer $VOUCH_TOKEN'],
      ],
      body: new Uint8Array(),
    },
    response: {
      status: statuses[index % statuses.length] ?? 200,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['date', 'Tue, 01 Jan 2030 00:00:00 GMT'],
        ['x-request-id', `r${String(index)}`],
      ],
      body: encoder.encode(JSON.stringify(records)),
    },
    durationMs: 1 + (index % 37) / 3,
  };
}

function findingAt(index: number): Finding {
  const operation = operationAt(index);
  return {
    id: `f${String(index)}`,
    check: 'body-matches-schema',
    basis: 'contract',
    severity: 'error',
    blame: 'server',
    operation,
    message: `The answer to limit ${String(index)} breaks its schema.`,
    expected: 'a text',
    actual: `${String(index * 10)} at /0/id`,
    trying: 'a plain request',
    pointer: '/components/schemas/Thing',
    place: { file: 'things.yaml', line: 10, column: 3 },
    frame: '> 10 |   id: { type: string }',
    exchange: exchangeAt(index),
    curl: [`curl 'http://127.0.0.1:4010${operation.path}'`],
    count: 1,
    operations: [operation.id],
    evidence: 'a body that breaks its schema needs no control',
  };
}

function summaryOf({ id, method, path }: (typeof operations)[number]): OperationSummary {
  const requests = Math.ceil(exchanges / operations.length);
  return {
    id,
    method,
    path,
    requests,
    errors: 1,
    warnings: 0,
    notes: 0,
    statuses: { 200: requests },
    checks: { 'body-matches-schema': requests },
  };
}
