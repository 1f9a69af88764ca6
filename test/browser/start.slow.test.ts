import { execFile } from 'node:child_process';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { browserPath, browserReason, findBarriers, useBrowser } from './open-page.ts';

const browser = useBrowser();
let mock: RunningMock;

/** A frontend on its own port: a page, and `/api`, which it forwards to the mock as Vite does. */
const frontend = createServer((incoming, outgoing) => {
  if (!(incoming.url ?? '').startsWith('/api/'))
    return outgoing.setHeader('Content-Type', 'text/html').end('<!doctype html><title>App</title>');
  const { method, headers, url = '' } = incoming;
  const target = `${mock.url}${url.slice('/api'.length)}`;
  const onward = ask(target, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
});

beforeAll(async () => {
  mock = await startMock({ contract: 'openapi/petstore.v1.yaml' });
  await new Promise<void>((done) => frontend.listen(0, '127.0.0.1', done));
}, 60_000);
afterAll(async () => {
  await mock.close();
  await new Promise((done) => {
    frontend.close(done);
    frontend.closeAllConnections();
  });
});

/** The status and the number of pets that a page gets, without credentials of the browser. */
async function pets(page: Page, base: string): Promise<string> {
  return page.evaluate(async (url) => {
    const headers = { Authorization: 'Bearer demo-key' };
    const answer = await fetch(url, { headers, credentials: 'omit' });
    const body: unknown = await answer.json();
    return `${String(answer.status)} ${Array.isArray(body) ? String(body.length) : ''}`;
  }, `${base}/pets?limit=100`);
}

describe.skipIf(browserPath === undefined)(
  `the start page in Chromium${browserReason}`,
  { timeout: 120_000 },
  () => {
    test('steers the requests of a frontend on another port, of this browser alone', async () => {
      const { port } = frontend.address() as AddressInfo;
      const { page: app } = await browser.open(`http://localhost:${String(port)}/`);
      const { page, close } = await browser.open(mock.origin);
      const bases = [mock.url, `http://localhost:${String(port)}/api`];
      const seen = (): Promise<string[]> => Promise.all(bases.map((base) => pets(app, base)));
      const press = async (name: string, effect: string): Promise<void> => {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('status').filter({ hasText: effect }).waitFor();
      };
      const usual = ['200 72', '200 72'];
      expect(await seen()).toEqual(usual);
      await press('Empty', 'There are no records.');
      expect(await seen()).toEqual(['200 0', '200 0']);
      await press('Error 500', 'Each answer is a 500');
      expect(await seen()).toEqual(['500 ', '500 ']);
      await press('Logged out', 'Credentials are ignored');
      expect(await seen()).toEqual(['401 ', '401 ']);
      const curl = await fetch(`${mock.url}/pets`, {
        headers: { Authorization: 'Bearer demo-key' },
      });
      expect(curl.status).toBe(200);
      await press('Slow', 'two seconds later');
      const started = performance.now();
      expect(await pets(app, mock.url)).toBe('200 72');
      expect(performance.now() - started).toBeGreaterThan(1_900);
      await press('Slow', 'As usual, on records of its own.');
      expect(await seen()).toEqual(usual);
      await press('Error 500', 'Each answer is a 500');
      await page.reload();
      expect(
        await page.getByRole('button', { name: 'Error 500' }).getAttribute('aria-pressed'),
      ).toBe('true');
      await press('Reset', 'As usual');
      expect(await seen()).toEqual(usual);
      await press('Share those of all again', 'Everything as usual.');
      await app.close();
      await close();
    });

    test('leads on to the console, or says in place of that how a browser gets in', async () => {
      const { page, close } = await browser.open(mock.origin);
      await page.getByText('press o in the terminal of the mock').waitFor();
      await page.goto(mock.consoleLink({ to: 'start' }));
      await page.getByRole('heading', { name: 'Try your frontend with' }).waitFor();
      expect(page.url()).toBe(`${mock.origin}/`);
      expect(await page.getByText('press o in the terminal').count()).toBe(0);
      await page.getByRole('link', { name: 'Console' }).click();
      await page.getByRole('heading', { name: 'Traffic' }).waitFor();
      await page.context().clearCookies();
      await close();
    });

    test('gives the browser a session, on which the console then opens', async () => {
      const { page, close } = await browser.open(mock.consoleLink({ to: 'start' }));
      await page.getByRole('button', { name: 'Empty' }).click();
      await page.getByText('There are no records.').waitFor();
      await page.getByRole('link', { name: 'pets', exact: true }).click();
      const picker = page.getByRole('banner').getByLabel('Session');
      const chosen = picker.locator('option:checked');
      await expect.poll(() => chosen.textContent()).toMatch(/^This browser: browser-\w+-empty$/);
      await page.goBack();
      await page.getByRole('button', { name: 'Share those of all again' }).click();
      await page.getByText('Everything as usual.').waitFor();
      await page.getByRole('link', { name: 'Console' }).click();
      await expect.poll(() => chosen.textContent()).toBe('Session default');
      await page.context().clearCookies();
      await close();
    });

    test('has a first request that works in a terminal and in a page', async () => {
      const { page, close } = await browser.open(mock.origin);
      await page.getByRole('button', { name: 'Copy the curl command' }).click();
      const curl = await page.evaluate<string>('navigator.clipboard.readText()');
      const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
      expect(JSON.parse(stdout)).toHaveLength(20);
      await page.getByRole('button', { name: 'Copy the fetch command' }).click();
      const script = await page.evaluate<string>('navigator.clipboard.readText()');
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      await page.evaluate(`(async () => { ${script} })()`);
      await expect.poll(() => said.join('\n')).toMatch(/^200 \[/);
      await page.getByRole('link', { name: 'listPets' }).click();
      await page.getByRole('heading', { name: 'Request' }).waitFor();
      await close();
    });

    test.each([390, 1440])('at %i px stands no barrier, and fits', async (width) => {
      const { page, close } = await browser.open(mock.origin, { width });
      await page.getByRole('button', { name: 'Slow' }).click();
      await page.getByText('two seconds later').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      // By night only the colours are others.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findBarriers(page, ['color-contrast'])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.getByRole('button', { name: 'Slow' }).click();
      await close();
    });
  },
);
