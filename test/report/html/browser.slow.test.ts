import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import {
  browserPath,
  browserReason,
  goTo,
  useBrowser,
  type WatchedPage,
} from '../../browser/open-page.ts';
import { hostileEvents } from '../hostile-run.ts';
import { sampleEvents, sampleSummary, wrongStatus } from '../sample-run.ts';
import { useReports } from './open-report.ts';

const coverage = {
  statuses: { reached: 1, total: 2 },
  inputs: { reached: 1, total: 1 },
  operations: [
    {
      operation: 'listPets',
      statuses: [
        { status: '200', media: 'application/json', reached: true },
        { status: '404', reached: false, why: 'no request asks for a record' },
      ],
      inputs: [
        { name: 'limit', in: 'query' as const, classes: [{ class: 'minimum', reached: true }] },
      ],
    },
  ],
};
const events = sampleEvents.map((event): RunEvent =>
  event.type === 'run-finished' ? { ...event, summary: { ...event.summary, coverage } } : event,
);

// The other tests of this folder hold what the file says; these hold what is made of it.
describe.skipIf(browserPath === undefined)(
  `in Chromium, from a file${browserReason}`,
  { timeout: 120_000 },
  () => {
    const browser = useBrowser();
    const openReport = useReports(browser);
    /** The page as Chromium has made it. */
    const madeOf = ({ page }: WatchedPage): Promise<string> =>
      page.locator('#page').evaluate((node) => node.outerHTML);
    const open = async (shown: readonly RunEvent[], route: string): Promise<string> => {
      const watched = await openReport(shown, route);
      const made = await madeOf(watched);
      await watched.close();
      return made;
    };

    describe('each address', () => {
      let watched: WatchedPage;
      beforeAll(async () => {
        if (browserPath !== undefined) watched = await openReport(events);
      }, 60_000);
      afterAll(() => watched?.close());

      test.each([
        ['#/', ['Failed', 'the answer has a status that the contract does not know', '4 findings']],
        ['#/findings?severity=warning', ['1 finding of 4', 'one answer in twenty']],
        ['#/findings?text=reset+connection', ['1 finding of 4', 'fault of', 'undecided']],
        [
          '#/finding/f3a9c2',
          [
            'openapi/petstore.v1.yaml:366:7',
            'confirmed by',
            '<button type="button" class="copy" aria-label="Copy the curl commands">',
          ],
        ],
        ['#/operations', ['POST /messages', '200 ×1080']],
        [
          '#/operation/listPets',
          ['3 findings', '1 exchange', '404: no request asks for a record', 'limit'],
        ],
        ['#/coverage', ['Covered 1 of 2 documented statuses']],
        ['#/exchanges', ['/v1/pets?status=sold', 'status=sold']],
        ['#/exchange/0', ['Exchange 0', '"lost"', 'Findings: ']],
        ['#/exchanges?status=2xx&phase=read', ['1 exchange', '#0']],
        [
          '#/timing',
          ['Exchanges over time', 'How long answers took', '<title id="timeline-title">'],
        ],
        [
          '#/observed',
          [
            'createPet accepts a body without status',
            '/pets/73 of createPet',
            'The check sort-holds crashed',
          ],
        ],
        ['#/finding/none', ['There is no finding none in this report.']],
      ])('%s', async (route, texts) => {
        await goTo(watched.page, route);
        const page = await madeOf(watched);
        expect(texts.filter((text) => !page.includes(text))).toEqual([]);
      });
    });

    test('hostile text stays text', async () => {
      const page = await open(hostileEvents, '#/findings?severity=error');
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page).toContain('\\u{202e}gnp.exe');
      expect(page.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<script|<img|\u202e/);
    });

    test('thousands of findings and exchanges come a page at a time', async () => {
      const many = Array.from({ length: 3000 }, (_, at): RunEvent[] => [
        sampleEvents[3]!,
        { type: 'finding-reported', finding: { ...wrongStatus, id: `f${String(at)}` } },
      ]).flat();
      const page = await open([...many, { type: 'run-finished', summary: sampleSummary }], '');
      expect([
        page.split('class="finding error"').length - 1,
        page.includes('1 to 100 of 3,000'),
      ]).toEqual([100, true]);
    });
  },
);
