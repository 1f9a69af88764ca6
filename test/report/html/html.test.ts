import { createHash, randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import { html } from '../../../src/report/html.ts';
import type { EarlierRun } from '../../../src/report/reporter.ts';
import { hostile, hostileEvents } from '../hostile-run.ts';
import { reportOf } from '../report-of.ts';
import { bareEnd, sampleEvents, sampleRun, sampleSummary, wrongStatus } from '../sample-run.ts';

interface Block {
  readonly attributes: string;
  readonly text: string;
}

/** What stands between the tags of one kind, as a browser cuts it: up to the first end tag. */
function blocksOf(page: string, tag: string): Block[] {
  return [...page.matchAll(new RegExp(`<${tag}([^>]*)>([\\s\\S]*?)</${tag}>`, 'gi'))].map(
    ([, attributes = '', text = '']) => ({ attributes, text }),
  );
}

/** A block of data as the page unpacks it. */
function unpack(text: string): string {
  return inflateRawSync(Buffer.from(text, 'base64')).toString('utf8');
}

function dataOf(page: string, attribute: string): unknown[] {
  return blocksOf(page, 'script')
    .filter(({ attributes }) => attributes.includes(attribute))
    .map(({ text }) => JSON.parse(unpack(text)) as unknown);
}

function recorded(exchange: Exchange, at = 0): RunEvent {
  return {
    type: 'exchange-recorded',
    case: { id: `c${String(at)}`, title: 'a plain request', phase: 'read', operation: 'listPets' },
    exchange,
  };
}

const shown = wrongStatus.exchange!;
const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe.each([
  ['a run', sampleEvents],
  ['nothing but the end', bareEnd],
  ['hostile text everywhere', hostileEvents],
])('%s', (_name, events) => {
  const page = reportOf(html, events);

  test('the policy allows one script and one style, and no requests', () => {
    const scripts = blocksOf(page, 'script').filter(
      ({ attributes }) => !attributes.includes('application/x-deflate'),
    );
    const styles = blocksOf(page, 'style');
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(scripts[0]!.text)}; style-src ` +
        `${hash(styles[0]!.text)}; font-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  test('no text from outside becomes HTML', () => {
    const withoutBlocks = page.replaceAll(/<(script|style)([^>]*)>[\s\S]*?<\/\1>/gi, '');
    expect([...withoutBlocks.matchAll(/<([a-z!/][^\s>]*)/gi)].map(([, tag]) => tag)).toEqual([
      '!doctype',
      'html',
      'head',
      'meta',
      'meta',
      'meta',
      'meta',
      'title',
      '/title',
      '/head',
      'body',
      'p',
      '/p',
      '/body',
      '/html',
    ]);
    expect(withoutBlocks).not.toMatch(/\son\w+=|style=|href=|src=/);
  });

  test('its data is JSON', () => {
    expect(dataOf(page, 'id="end"')).toHaveLength(1);
    expect(dataOf(page, 'data-').length).toBe(blocksOf(page, 'script').length - 2);
  });
});

test('hostile text is unchanged in the data', () => {
  const [end] = dataOf(reportOf(html, hostileEvents), 'id="end"') as {
    readonly run: { readonly target: string };
  }[];
  expect(end?.run.target).toBe(hostile);
});

test('findings are complete, the most severe first, with the exchanges that show them', () => {
  const [end] = dataOf(
    reportOf(html, [
      { type: 'run-started', run: sampleRun },
      recorded(shown),
      ...sampleEvents.slice(4),
    ]),
    'id="end"',
  );
  expect(end).toMatchObject({
    run: { target: sampleRun.target },
    summary: sampleSummary,
    findings: [
      {
        id: 'f3a9c2',
        frame: wrongStatus.frame,
        curl: wrongStatus.curl,
        evidence: wrongStatus.evidence,
        entries: [0],
        replay: false,
        exchange: { response: { body: { encoding: 'utf8' } } },
      },
      { id: '0b44de', entries: [] },
      { severity: 'warning' },
      { severity: 'note' },
    ],
    gaps: [{ id: 'createPet.body.status.default' }],
    left: [{ record: '/pets/73' }],
    crashed: [{ check: 'sort-holds' }],
    exchanges: 1,
    leftOut: 0,
  });
});

test('the earlier runs are the last twelve, without this one', () => {
  const earlier = (id: string): EarlierRun => ({
    id,
    target: sampleRun.target,
    contract: sampleRun.contract.title,
    startedAt: '2026-11-26T10:00:00.000Z',
    verdict: 'failed',
    errors: 1,
    warnings: 0,
  });
  const all = [
    ...Array.from({ length: 14 }, (_, at) => earlier(`r${String(at)}`)),
    earlier(sampleRun.id),
  ];
  const page = reportOf(html, sampleEvents, { earlierRuns: () => all });
  const [end] = dataOf(page, 'id="end"') as { readonly earlier: readonly EarlierRun[] }[];
  expect(end?.earlier.map(({ id }) => id)).toEqual(
    Array.from({ length: 12 }, (_, at) => `r${String(at + 2)}`),
  );
});

describe('a long run', () => {
  const long = (count: number, exchange: Exchange): RunEvent[] =>
    Array.from({ length: count }, (_, at) => recorded(exchange, at));

  test('is written while it runs, in blocks', () => {
    const page = reportOf(html, [...long(520, shown), ...bareEnd]);
    expect(dataOf(page, 'data-rows').map((rows) => (rows as unknown[]).length)).toEqual([520]);
    const details = dataOf(page, 'data-details') as { readonly exchanges: readonly unknown[] }[];
    expect(details.map(({ exchanges }) => exchanges.length)).toEqual([250, 250, 20]);
    const write = html.begin();
    const lengths = long(520, shown).map((event) => write(event).length);
    expect(lengths.flatMap((length, at) => (length > 0 && at > 0 ? [at] : []))).toEqual([249, 499]);
  });

  test('truncates large bodies between characters, and says how much is missing', () => {
    const body = new TextEncoder().encode('🐈'.repeat(10_000));
    const page = reportOf(html, [
      recorded({ ...shown, response: { status: 200, headers: [], body } }),
      ...bareEnd,
    ]);
    const [details] = dataOf(page, 'data-details') as [{ readonly texts: readonly string[] }];
    expect(details).toMatchObject({
      exchanges: [{ response: { body: { encoding: 'utf8', cut: 40_000 - 16_384 } } }],
    });
    expect(details.texts).toContain('🐈'.repeat(4096));
  });

  test('of 10,000 exchanges takes at most 2 MB', () => {
    const write = html.begin();
    let size = 0;
    for (let at = 0; at < 10_000; at += 1) {
      const pets = Array.from({ length: 5 }, (_, index) => ({
        id: at * 5 + index,
        name: `Pet ${String(at)}.${String(index)}`,
        status: ['available', 'pending', 'sold'][(at + index) % 3],
      }));
      const body = new TextEncoder().encode(JSON.stringify(pets));
      size += write(
        recorded({ ...shown, response: { status: 200, headers: [], body } }, at),
      ).length;
    }
    size += bareEnd.map(write).join('').length;
    expect(size).toBeGreaterThan(100_000);
    expect(size).toBeLessThan(2_000_000);
  });

  test('has rows for all, and details up to 16 MiB', () => {
    const write = html.begin();
    let details = 0;
    let rows = 0;
    for (let at = 0; at < 1300; at += 1) {
      const body = new TextEncoder().encode(randomBytes(12 * 1024).toString('base64'));
      const text = write(recorded({ ...shown, response: { status: 200, headers: [], body } }, at));
      rows += text.includes('data-rows') ? 1 : 0;
      details += text.includes('data-details') ? text.length : 0;
    }
    expect(rows).toBe(1);
    expect(details).toBeGreaterThan(16 * 1024 * 1024);
    expect(details).toBeLessThan(21 * 1024 * 1024);
  });
});
