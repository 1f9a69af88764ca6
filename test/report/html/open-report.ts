import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { html } from '../../../src/report/html.ts';
import type { ReporterOptions } from '../../../src/report/reporter.ts';
import {
  type PageView,
  type TestBrowser,
  waitForData,
  type WatchedPage,
} from '../../browser/open-page.ts';
import { reportOf } from '../report-of.ts';

/**
 * Opens a report of these events from a file, at an address within it; the files are gone after the
 * tests.
 */
export function useReports(
  browser: TestBrowser,
): (
  events: readonly RunEvent[],
  route?: string,
  view?: PageView,
  options?: Partial<ReporterOptions>,
) => Promise<WatchedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-page-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (events, route = '', view = {}, options = {}) => {
    const file = join(folder, 'report.html');
    writeFileSync(file, reportOf(html, events, options));
    const watched = await browser.open(`${pathToFileURL(file).href}${route}`, view);
    await watched.page.locator('#page').waitFor();
    await waitForData(watched.page);
    return watched;
  };
}

/** What has the keyboard: its words, or its tag where it has none. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? " +
      "document.activeElement.innerText ?? '').trim().split('\\n')[0] || " +
      'document.activeElement.tagName',
  );
}

/** By how many pixels the page is wider than the screen. */
export function tooWide(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
