import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import type { OperationSummary } from '../../../src/check/model/run-summary.ts';
import type { EarlierRun, ReporterOptions } from '../../../src/report/reporter.ts';
import { mergeEvents } from '../../../src/report/blob/merge-events.ts';
import {
  browserPath,
  browserReason,
  findBarriers,
  goTo,
  type PageView,
  useBrowser,
} from '../../browser/open-page.ts';
import { collect, throughBlob } from '../blob/read-events.ts';
import { hostile, hostileEvents } from '../hostile-run.ts';
import { bareEnd, sampleRun, sampleSummary } from '../sample-run.ts';
import { tooWide, useReports } from './open-report.ts';
import { answered, briefRun, cleanRun, fullRun, interruptedRun, longRun } from './shown-runs.ts';

const parts = [
  'findings',
  'operations',
  'coverage',
  'exchanges',
  'timing',
  'observed',
  'differences',
];

/** Two runs before the one that is shown, of which the second had so many errors. */
function trendFrom(errors: number): Pick<ReporterOptions, 'earlierRuns'> {
  const earlier: EarlierRun = {
    id: 'r1',
    target: sampleRun.target,
    contract: sampleRun.contract.title,
    startedAt: '2026-11-26T10:00:00.000Z',
    verdict: 'failed',
    errors,
    warnings: 0,
  };
  return { earlierRuns: () => [{ ...earlier, verdict: 'passed', errors: 0 }, earlier] };
}

describe.skipIf(browserPath === undefined)(
  `reports in Chromium${browserReason}`,
  { timeout: 60_000 },
  () => {
    const browser = useBrowser();
    const openReport = useReports(browser);
    const view = (page: Page): Promise<string> => page.locator('#view').innerText();
    const shown = async (page: Page, route: string): Promise<string> => {
      await goTo(page, route);
      return view(page);
    };

    test(
      'bodies are shown pretty, raw and in hexadecimal, with a note where ' +
        'something is left out',
      async () => {
        const { page, close } = await openReport(fullRun, '#/exchange/1');
        const answer = page.getByRole('group', { name: 'The answer', exact: true });
        const way = (name: string): Promise<void> =>
          page
            .getByRole('group', { name: 'How to show the answer' })
            .getByRole('button', { name })
            .click();
        const note = (): Promise<string> =>
          page.locator('.exchange section').nth(1).locator('> .dim').innerText();

        expect(await answer.innerText()).toBe(
          '{\n  "id": 9007199254740993,\n  "name": "Zoë",\n  "tags": []\n}',
        );
        await page.getByText('3 header fields').click();
        expect(await page.locator('.fields').nth(1).innerText()).toMatch(
          /Set-Cookie\s+a=1\s+Set-Cookie\s+b=2/,
        );
        await way('raw');
        expect(await answer.innerText()).toBe(
          '200\nContent-Type: application/json\nSet-Cookie: a=1\nSet-Cookie: ' +
            'b=2\n\n{"id":9007199254740993,"name":"Zoë","tags":[]}',
        );
        await way('hex');
        expect(await answer.innerText()).toMatch(
          /^00000000 {2}7b 22 69 64 .* \{"id":9007199254\n00000010/,
        );

        await goTo(page, '#/exchange/2');
        expect([await answer.innerText(), await note()]).toEqual([
          expect.stringMatching(/^00000000 {2}89 50 4e 47 00 ff +\.PNG\.\.$/),
          'The body is not UTF-8, so it is shown byte by byte.',
        ]);
        await way('raw');
        expect(await answer.innerText()).toContain('(6 bytes that are not text: see hex)');

        await goTo(page, '#/exchange/3');
        expect(await answer.innerText()).toMatch(
          /7b 22 6e 61 6d 65 22 3a 22 42 69 73 63 ff 22 7d {2}\{"name":"Bisc\."\}$/,
        );
        await goTo(page, '#/exchange/4');
        expect([(await answer.innerText()).length, await tooWide(page)]).toEqual([16_000, 0]);
        await goTo(page, '#/exchange/5');
        expect([(await answer.innerText()).length, await note()]).toEqual([
          16_384,
          '283,616 bytes more are left out of this report; --reporter blob keeps every byte.',
        ]);
        await way('hex');
        await page
          .getByRole('button', { name: /^Show all of it \([\d,]+ more characters\)$/ })
          .click();
        expect([
          (await answer.innerText()).split('\n').length,
          await page.evaluate("document.activeElement === document.querySelector('pre.body')"),
        ]).toEqual([1024, true]);
        await goTo(page, '#/exchange/6');
        expect(await view(page)).toContain('The answer has no body.');
        await goTo(page, '#/exchange/7');
        expect(await view(page)).toContain('connection.reset: read ECONNRESET');

        // What a finding is about is brought into sight, however far down it stands.
        await goTo(page, '#/finding/deep01');
        const mark = answer.locator('mark');
        await mark.first().waitFor();
        expect((await mark.allInnerTexts()).join('')).toBe('"status": "lost"');
        await page.waitForFunction(
          "(() => { const [mark, pre] = ['mark', 'pre:has(mark)'].map((each) => " +
            'document.querySelector(each).getBoundingClientRect()); return mark.top ' +
            '> pre.top && mark.bottom < pre.bottom; })()',
        );
        expect(await page.getByRole('button', { name: /^Show \d+ more lines$/ }).count()).toBe(1);
        await close();
      },
    );

    test('optional parts are shown', async () => {
      const { page, close } = await openReport(fullRun);
      expect(await page.locator('.top').innerText()).toMatch(
        /3 errors\s+1 warning\s+1 note\s+1 accepted\s+1,301 requests[\s\S]*against\s+http:\/\/127\.0\.0\.1:4020\/v1[\s\S]*seed 42 · shard 2 of 4 · /,
      );
      expect(await view(page)).toMatch(
        /Accepted by the baseline 1\s+Known; they do not fail the run\.[\s\S]*accepted error\s+the list is in another order/,
      );
      expect(await shown(page, '#/differences')).toMatch(
        /Differences from http:\/\/127\.0\.0\.1:4020\/v1 \(here \| there\)[\s\S]*warning\s+status\s+400\s+200\s+2 times: limit is 0\s+note\s+shape at \/items\/\*\/price\s+a number\s+a text/,
      );
      expect(await shown(page, '#/observed')).toMatch(
        /Findings that the configuration skips\s+limit-holds on listPets: The page is too long\.\s+Skipped until 2030-12-31: known, VET-12/,
      );
      expect(await shown(page, '#/coverage')).toMatch(
        /GET \/pets 1 of 2 statuses, 1 of 2 input variants\s+POST \/messages not asked/,
      );
      await page.getByRole('combobox', { name: 'coverage' }).selectOption('not asked');
      expect(await page.evaluate('location.hash')).toBe('#/coverage?coverage=not+asked');
      await close();
    });

    test('merged shards are one run, and a missing shard is named', async () => {
      const shard = (index: number): RunEvent[] =>
        fullRun.map((event): RunEvent =>
          event.type === 'run-started'
            ? { ...event, run: { ...event.run, shard: { index, count: 3 } } }
            : event,
        );
      const merged = await collect(
        mergeEvents(
          [1, 3].map((index) => ({
            file: `${String(index)}.blob`,
            events: throughBlob(shard(index)),
          })),
        ),
      );
      const { page, close } = await openReport(merged);
      expect(await page.locator('h1').innerText()).toMatch(/shard 2/i);
      expect([
        await page.locator('.top').innerText(),
        await page.locator('.told p').innerText(),
      ]).toEqual([expect.not.stringContaining(' of 3 · '), '6 findings']);
      expect(await shown(page, '#/exchanges')).toContain('16 exchanges');
      expect(await shown(page, '#/exchange/15')).toContain('connection.reset');
      await close();
    });

    const endings: readonly (readonly [string, readonly RunEvent[], string, string])[] = [
      [
        'no findings',
        cleanRun,
        'Passed 1 response conforms.',
        'No findings. What was asked is in Operations and Exchanges; what was ' +
          'covered of the contract, in Coverage.',
      ],
      [
        'inconclusive',
        bareEnd,
        'Inconclusive Nothing answered at http://127.0.0.1:4010/v1.',
        'No findings in what was seen. What was asked is in Operations and ' +
          'Exchanges; what was covered of the contract, in Coverage.',
      ],
      [
        'interrupted',
        interruptedRun,
        'Interrupted Interrupted after 12 of 1,300 requests.',
        'the answer has a status that the contract does not know',
      ],
      [
        'crashed',
        [
          {
            type: 'run-finished',
            summary: {
              ...sampleSummary,
              verdict: 'crashed',
              reason: 'The check sort-holds crashed.',
            },
          },
        ],
        'Internal error The check sort-holds crashed.',
        'No findings in what was seen.',
      ],
    ];
    test.each(endings)('a run that ended with %s', async (_name, events, head, text) => {
      const { page, close } = await openReport(events);
      expect([await page.locator('h1').innerText(), await view(page)]).toEqual([
        head,
        expect.stringContaining(text),
      ]);
      for (const part of parts) expect(await shown(page, `#/${part}`), part).not.toBe('');
      await close();
    });

    test.each([
      [4, 'Last 3 runs: 1 error fewer than in the one before, of 2026-11-26 10:00'],
      [3, 'Last 3 runs: as many errors as in the one before, of 2026-11-26 10:00'],
      [1, 'Last 3 runs: 2 errors more than in the one before, of 2026-11-26 10:00'],
    ])('the last runs are a trend: %i errors before', async (errors, text) => {
      const { page, close } = await openReport(fullRun, '', {}, trendFrom(errors));
      const trend = page.locator('.trend');
      expect([
        await trend.locator('span').innerText(),
        await trend.getByRole('img').getAttribute('aria-label'),
        await trend.locator('rect').count(),
      ]).toEqual([text, `Errors of 3 runs, oldest first: 0, ${String(errors)}, 3`, 3]);
      await close();
    });

    test('a browser that cannot unpack the report says so', async () => {
      const { page, close } = await openReport(cleanRun);
      await page.addInitScript('delete globalThis.DecompressionStream');
      await page.reload();
      expect(await page.locator('body').innerText()).toMatch(
        /^This browser cannot unpack the report: .* Use Chrome or Edge 103, Firefox 113, Safari 16\.4/,
      );
      await close();
      // What deletes it would stay with the tab.
      await page.close();
    });

    test('ten thousand exchanges are paged, and can be searched', async () => {
      const { page, close } = await openReport(longRun(10_000), '#/exchanges');
      const nodes = (): Promise<number> =>
        page.evaluate("document.querySelectorAll('#page *').length");
      expect(await nodes()).toBeLessThan(2500);
      await page.getByRole('link', { name: 'last »' }).click();
      await page.getByRole('link', { name: '#9999', exact: true }).scrollIntoViewIfNeeded();
      expect([await page.locator('.pager').innerText(), (await nodes()) < 2500]).toEqual([
        expect.stringContaining('9,901 to 10,000 of 10,000'),
        true,
      ]);
      await page.getByRole('searchbox').fill('case 5123');
      expect([
        await page.locator('tbody tr').allInnerTexts(),
        await page.evaluate('location.hash'),
      ]).toEqual([[expect.stringMatching(/^#5123\s/)], '#/exchanges?text=case+5123']);
      await goTo(page, '#/timing');
      expect(await nodes()).toBeLessThan(2500);
      await close();
    });

    // By night and on a telephone the colours and the room are others; the words are the same.
    const looks: readonly (readonly [string, PageView, readonly string[] | undefined])[] = [
      ['by day', {}, undefined],
      [
        'on a telephone at night',
        { width: 390, height: 844, dark: true },
        ['color-contrast', 'target-size', 'scrollable-region-focusable'],
      ],
    ];
    test.each(looks)(
      'no part fails an accessibility rule or is wider than the screen, %s',
      async (_name, look, rules) => {
        const { page, close } = await openReport(briefRun, '', look, trendFrom(4));
        await page.locator('.trend').waitFor();
        for (const route of [...parts, 'operation/listPets', 'exchange/2', 'exchange/7', 'help']) {
          await goTo(page, `#/${route}`);
          if (route === 'help') await page.keyboard.press('?');
          await page
            .locator('#view details')
            .evaluateAll((all) =>
              all.slice(0, 3).forEach((each) => Object.assign(each, { open: true })),
            );
          expect(await tooWide(page), route).toBeLessThanOrEqual(0);
          expect(await findBarriers(page, rules), route).toEqual([]);
        }
        await close();
      },
    );

    test('on a telephone a choice among long paths is no wider than the screen', async () => {
      const longer = ({ path, ...rest }: OperationSummary): OperationSummary => ({
        ...rest,
        path: `${path}/of/members/{memberId}/loans/{loanId}/renewals`,
      });
      const events = fullRun.map((event) =>
        event.type === 'run-finished'
          ? {
              ...event,
              summary: { ...event.summary, operations: event.summary.operations.map(longer) },
            }
          : event,
      );
      const { page, close } = await openReport(events, '', { width: 375, height: 812 });
      for (const route of ['findings', 'exchanges']) {
        await goTo(page, `#/${route}`);
        expect(await page.getByLabel('operation', { exact: true }).innerText(), route).toContain(
          '/renewals',
        );
        expect(await tooWide(page), route).toBeLessThanOrEqual(0);
      }
      await close();
    });

    test('hostile text runs no script, breaks no layout, and causes no request', async () => {
      const image = '<img src="http://evil.example/x.png" onerror="window.owned = true">';
      const nasty = `</script>${image}<script>window.owned = true</script>\u2028\u202e${hostile}`;
      const long = `${nasty}${'w'.repeat(100_000)}`;
      const one = (exchange: ReturnType<typeof answered>, text: string): RunEvent => ({
        type: 'exchange-recorded',
        case: { id: text, title: text, phase: 'read', operation: text },
        exchange,
      });
      const events = hostileEvents.flatMap((event): RunEvent[] => {
        if (event.type === 'run-finished')
          return [
            one(
              answered(nasty, [
                ['Content-Type', 'text/html'],
                [nasty, nasty],
              ]),
              nasty,
            ),
            one(
              {
                ...answered(long),
                request: {
                  method: nasty,
                  target: nasty,
                  headers: [['x', long]],
                  body: new Uint8Array(),
                },
              },
              long,
            ),
            {
              ...event,
              summary: {
                ...event.summary,
                coverage: {
                  statuses: { reached: 0, total: 1 },
                  inputs: { reached: 0, total: 1 },
                  operations: [
                    {
                      operation: nasty,
                      statuses: [{ status: nasty, reached: false, why: nasty }],
                      inputs: [
                        {
                          name: nasty,
                          in: 'query',
                          classes: [{ class: nasty, reached: false, why: nasty }],
                        },
                      ],
                    },
                  ],
                },
              },
            },
          ];
        if (event.type !== 'finding-reported' || event.finding.severity !== 'warning')
          return [event];
        return [
          {
            ...event,
            finding: {
              ...event.finding,
              id: nasty,
              message: long,
              actual: `"${nasty}"`,
              expected: `the value at /${nasty} must be short`,
              operation: { id: nasty, method: 'GET', path: nasty },
              operations: [nasty],
            },
          },
        ];
      });
      const { page, requests, close } = await openReport(events);
      await page.evaluate(
        "document.addEventListener('securitypolicyviolation', ({ " +
          'violatedDirective }) => { window.violated = violatedDirective; })',
      );
      for (const route of [
        ...parts,
        `finding/${encodeURIComponent(nasty.toWellFormed())}`,
        `operation/${encodeURIComponent(nasty.toWellFormed())}`,
        'exchange/0',
        'exchange/1',
        `findings?text=${encodeURIComponent(nasty.toWellFormed())}`,
        encodeURIComponent(image),
      ]) {
        await goTo(page, `#/${route}`);
        await page
          .locator('#view details')
          .evaluateAll((all) => all.forEach((each) => Object.assign(each, { open: true })));
        await page
          .locator('#view .switch button:not(.copy)')
          .evaluateAll((buttons: { click(): void }[]) =>
            buttons.toReversed().forEach((button) => button.click()),
          );
        expect(
          [
            await page.evaluate(
              '[window.owned, window.violated, document.querySelectorAll("img, #page ' +
                'script").length]',
            ),
            await tooWide(page),
          ],
          route,
        ).toEqual([[undefined, undefined, 0], 0]);
        expect(await page.locator('#view').textContent(), route).not.toMatch(
          /[\u202e\u2028\u001b\u0007]/,
        );
      }
      expect(new Set(requests.map((url) => url.split('#')[0])).size).toBe(1);
      await close();
    });
  },
);
