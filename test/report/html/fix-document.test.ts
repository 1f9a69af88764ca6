import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import type { OverlayAction } from '../../../src/check/model/finding.ts';
import { parseYaml } from '../../../src/json/parse-yaml.ts';
import {
  browserPath,
  browserReason,
  findBarriers,
  type PageView,
  useBrowser,
} from '../../browser/open-page.ts';
import { hostile } from '../hostile-run.ts';
import { extraField, sampleEvents } from '../sample-run.ts';
import { tooWide, useReports } from './open-report.ts';

const overlayAction: OverlayAction = {
  target: "$['components']['schemas']['Pet']",
  update: {
    properties: {
      tags: { type: 'array', items: { type: 'string' }, title: hostile.toWellFormed() },
    },
  },
};
/** The sample run, in which the document causes one finding and one gap. */
const events = sampleEvents.map((event): RunEvent => {
  if (event.type === 'gap-observed') return { ...event, overlayAction };
  return event.type === 'finding-reported' && event.finding.id === extraField.id
    ? { ...event, finding: { ...event.finding, blame: 'contract', overlayAction } }
    : event;
});

describe.skipIf(browserPath === undefined)(
  `the change of the document in a report${browserReason}`,
  { timeout: 60_000 },
  () => {
    const browser = useBrowser();
    const openReport = useReports(browser);
    const looks: readonly (readonly [string, string, PageView])[] = [
      ['a finding', `#/finding/${extraField.id}`, {}],
      ['a finding', `#/finding/${extraField.id}`, { width: 390, height: 844, dark: true }],
      ['a gap', '#/observed', { dark: true }],
      ['a gap', '#/observed', { width: 390, height: 844 }],
    ];

    test.each(looks)('of %s is unfolded and copied', async (_name, route, view) => {
      const { page, close } = await openReport(events, route, view);
      const copy = page.getByRole('button', { name: 'Copy the Overlay' });
      expect(await copy.isVisible()).toBe(false);
      await page.getByText('Fix the document').click();
      await page.evaluate(
        'Object.defineProperty(navigator, "clipboard", { value: { writeText: ' +
          'async (text) => { window.copied = text; } } })',
      );
      await copy.click();
      await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
      const copied = await page.evaluate<string>('window.copied');
      expect(await page.locator('details[open] > summary + pre').first().innerText()).toContain(
        "$['components']",
      );
      expect(parseYaml(copied)).toMatchObject({
        ok: true,
        value: { overlay: '1.0.0', actions: [overlayAction] },
      });
      expect(await findBarriers(page)).toEqual([]);
      expect(await tooWide(page)).toBeLessThanOrEqual(0);
      await close();
    });

    test('is offered for what the document causes alone', async () => {
      const { page, close } = await openReport(events, '#/finding/f3a9c2');
      expect(await page.getByText('Fix the document').count()).toBe(0);
      await close();
    });
  },
);
