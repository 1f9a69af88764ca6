import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { browserPath } from './browser-path.ts';

export { browserPath };

/** Why tests in a browser are skipped, for their titles. */
export const browserReason: string =
  browserPath === undefined ? ' (skipped: no Chromium here; VOUCH_BROWSER names one)' : '';

/** How a page is looked at. */
export interface PageView {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Animations are wished away unless told otherwise. */
  readonly motion?: boolean;
}

/** One Chromium for all tests of a file, with a profile of its own that is thrown away. */
export interface TestBrowser {
  /**
   * A page in a tab that remembers nothing; what it asks of any other origin than that of `url`,
   * and every error in it, fails the test that closes it.
   */
  open(url: string, view?: PageView): Promise<WatchedPage>;
}

/** A page that is watched. */
export interface WatchedPage {
  readonly page: Page;
  /** Every URL that was asked for. */
  readonly requests: readonly string[];
  /**
   * Asserts that nothing was asked of another origin and that the page threw nothing, and leaves
   * it: its tab is for another page, which saves a process each.
   */
  close(): Promise<void>;
}

/** Starts the browser before the tests of a file and ends it after them. */
export function useBrowser(): TestBrowser {
  let context: BrowserContext | undefined;
  let profile = '';
  const idle: Page[] = [];
  beforeAll(async () => {
    if (browserPath === undefined) return;
    profile = mkdtempSync(join(tmpdir(), 'vouch-browser-'));
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--renderer-process-limit=1',
    ];
    context = await chromium.launchPersistentContext(profile, {
      executablePath: browserPath,
      headless: true,
      args,
      timeout: 60_000,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  }, 90_000);
  afterAll(async () => {
    await context?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return { open: async (url, view = {}) => openPage(context, idle, url, view) };
}

async function openPage(
  context: BrowserContext | undefined,
  idle: Page[],
  url: string,
  { width = 1280, height = 800, dark = false, motion = false }: PageView,
): Promise<WatchedPage> {
  if (context === undefined)
    throw new Error('There is no browser: is the test skipped without one?');
  let page = idle.pop();
  while (page?.isClosed() === true) page = idle.pop();
  page ??= await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (
      message.type() === 'error' &&
      !message.text().includes('Failed to load resource: the server responded with a status of')
    )
      errors.push(message.text());
  });
  page.setDefaultTimeout(15_000);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: motion ? 'no-preference' : 'reduce',
    media: null,
  });
  await page.goto(url);
  return {
    page,
    requests,
    close: async () => {
      expect(requests.filter((asked) => !isOwn(asked, url))).toEqual([]);
      expect(errors).toEqual([]);
      await clear(page);
      idle.push(page);
    },
  };
}

/** Leaves a page, so that its tab has nothing of it: not what it keeps, and not what it asks. */
async function clear(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll();
  // The page leaves itself: a browser that is told to go elsewhere starts another process.
  await page.evaluate(
    "try { sessionStorage.clear() } catch { /* It has none. */ } location.replace('about:blank')",
  );
  await page.waitForURL('about:blank');
}

/** A page of a file asks for nothing but itself; data is in the page already. */
function isOwn(asked: string, url: string): boolean {
  if (/^(data|blob):/.test(asked)) return true;
  return url.startsWith('file:')
    ? asked.split('#')[0] === url.split('#')[0]
    : new URL(asked).origin === new URL(url).origin;
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * What axe-core finds wrong with a page for people who do not see it, or do not use a mouse: rule
 * and place. None is right. Of all its rules, unless some are named.
 */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource);
  const results: {
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  } = await page.evaluate(
    'axe.run(document, { resultTypes: ' +
      `["violations"]${rules === undefined ? '' : `, runOnly: ${JSON.stringify(rules)}`} ` +
      '})',
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}

/** Waits until no part of a page waits for data. */
export async function waitForData(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const look = () =>
      document.querySelector('[aria-busy="true"]') === null ? done() : requestAnimationFrame(look);
    look();
  })`);
}

/** Goes to an address within a page, and waits until the page shows it. */
export async function goTo(page: Page, route: string): Promise<void> {
  const target = JSON.stringify(route);
  await page.evaluate(`new Promise((done) => {
    if (new URL(${target}, location.href).hash === location.hash) return done();
    addEventListener('hashchange', () => done(), { once: true });
    location.hash = ${target};
  })`);
  await waitForData(page);
}
