import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { browserPath, browserReason, findBarriers, goTo, useBrowser } from './open-page.ts';

const browser = useBrowser();
const view = { width: 390, height: 844 };
let mock: RunningMock;

/** A contract without credentials and without summaries. */
const contract = {
  openapi: '3.1.0',
  info: { title: 'Kites', version: '1' },
  paths: Object.fromEntries(
    ['kites', 'tails', 'winds', 'lines', 'reels', 'clubs', 'beaches', 'shows'].map((name) => [
      `/${name}`,
      { get: { operationId: `list-${name}`, responses: { 200: { description: 'All' } } } },
    ]),
  ),
};

beforeAll(async () => {
  mock = await startMock({ contract: contract as never, config: false });
}, 60_000);
afterAll(() => mock.close());

/** What of some elements is outside of the screen, or of what scrolls around them. */
async function cutOff(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('${selector}')].filter((each) => {
      const { left, right, width } = each.getBoundingClientRect();
      const around = each.parentElement.getBoundingClientRect();
      return width === 0 || left < around.left - 1 || right > around.right + 1;
    }).map((each) => each.textContent)`,
  );
}

describe.skipIf(browserPath === undefined)(
  `pages on the screen of a telephone${browserReason}`,
  { timeout: 120_000 },
  () => {
    test('the start page offers what the contract knows, all buttons in one row', async () => {
      const { page, close } = await browser.open(`${mock.origin}/`, view);
      const modes = page.getByRole('group', { name: 'How the mock answers' }).getByRole('button');
      await modes.first().waitFor();
      expect(await modes.allInnerTexts()).toEqual(['Slow', 'Empty', 'Error 500']);
      const tops = await page.evaluate(
        `[...document.querySelectorAll('.start-modes button')].map((each) => each.offsetTop)`,
      );
      expect(new Set(tops as number[]).size).toBe(1);
      const heading = await page.getByText('Try your frontend with').boundingBox();
      const reset = await page.getByRole('button', { name: 'Reset' }).boundingBox();
      expect(Math.abs((heading?.y ?? 0) - (reset?.y ?? 999))).toBeLessThan(30);
      await close();
    });

    test('the console shows every page in its bar, and traffic in the upper third', async () => {
      await fetch(`${mock.url}/kites`);
      const { page, close } = await browser.open(mock.consoleLink(), view);
      const row = page.locator('.exchange-row').first();
      await row.waitFor();
      const top = (await row.boundingBox())?.y;
      expect(top).toBeLessThan(844 / 3);
      expect(await page.locator('.rail nav a').count()).toBe(8);
      expect(await cutOff(page, '.rail nav a')).toEqual([]);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Method').selectOption('GET');
      await page.getByRole('button', { name: 'Filters (1)' }).click();
      expect(await page.getByLabel('Method').isVisible()).toBe(false);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'Sessions' }).click();
      await page.getByRole('heading', { name: 'Sessions' }).waitFor();
      await page.context().clearCookies();
      await close();
    });

    test('the documentation folds its operations, and names each one once', async () => {
      const { page, close } = await browser.open(`${mock.controlUrl}/docs`, view);
      const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
      const fold = page.getByRole('button', { name: '8 operations' });
      await fold.waitFor();
      expect(await links.count()).toBe(0);
      await fold.click();
      expect(await links.count()).toBe(8);
      const list = await page
        .locator('.docs-side')
        .evaluate((each) => [each.scrollHeight - each.clientHeight]);
      expect(list).toEqual([0]);
      await links.last().click();
      const title = page.getByRole('heading', { level: 1 });
      await title.filter({ hasText: '/shows' }).waitFor();
      expect(await page.locator('article').getByText('/shows', { exact: true }).count()).toBe(1);
      expect(await links.count()).toBe(0);
      await goTo(page, '#/list-kites');
      await title.filter({ hasText: '/kites' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await close();
    });
  },
);
