import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { RunEvent } from '../../src/check/model/event.ts';
import { html } from '../../src/report/html.ts';
import { reportOf } from '../report/report-of.ts';
import { sampleEvents } from '../report/sample-run.ts';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { hostileContract, hostileText } from './hostile-contract.ts';
import { browserPath, browserReason, goTo, useBrowser, waitForData } from './open-page.ts';

/** A proxy before a server on this machine, which takes its Content-Security-Policy away. */
async function withoutPolicy(
  target: string,
): Promise<{ readonly url: string; readonly server: Server }> {
  const { host, hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = ask(
      { hostname, port, method, path, headers: { ...headers, host } },
      (answer) => {
        const { 'content-security-policy': _policy, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, rest);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, server };
}

/** Members of events whose texts come from a server or a document. */
const told = [
  'message',
  'expected',
  'actual',
  'trying',
  'frame',
  'evidence',
  'reason',
  'title',
  'observed',
  'record',
  'target',
  'stack',
];

/** The events of a run in which every text of a server or a document is hostile. */
function hostileEvents(): RunEvent[] {
  const spoil = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return told.includes(name) ? `${value} ${hostileText}` : value;
    if (Array.isArray(value)) return value.map((item) => spoil(name, item));
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, spoil(key, member)]),
    );
  };
  // Only texts are changed: the shape stays.
  return sampleEvents.map((event) => spoil('', event) as RunEvent);
}

/**
 * What of the contract is active in a page: a script that ran, a link or attribute that runs one.
 */
async function activeParts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = window.ran === undefined ? [] : ['ran ' + window.ran];
    for (const node of document.querySelectorAll('*')) {
      for (const { name, value } of node.attributes) {
        const links = ['href', 'src', 'action', 'formaction', 'xlink:href', 'srcdoc', 'data'];
        const isLink = links.includes(name);
        const bare = value.replace(/[\\u0000-\\u0020]/g, '').toLowerCase();
        if (name.startsWith('on')) found.push(node.tagName + ' ' + name);
        const isScript = /^(javascript|vbscript|data:text)/.test(bare);
        if (isLink && isScript) found.push(node.tagName + ' ' + name + '=' + value);
        if (name === 'style' && /url\\(/.test(bare)) found.push(node.tagName + ' style ' + value);
      }
      const strange = ['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'MATH'];
      if (strange.includes(node.tagName)) found.push(node.tagName);
    }
    return found;
  })()`);
}

/** Opens operations, models and tabs; in turns, since each shows more to open. */
async function openAll(page: Page): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    await page.evaluate(`(() => {
      const schema = 'json-schema-2020-12-';
      const buttons = ['accordion', 'expand-deep-button'].map((name) => schema + name);
      const classes = ['model-toggle.collapsed', ...buttons];
      const selector = ['[aria-expanded="false"]', ...classes.map((name) => '.' + name)].join(', ');
      for (const node of [...document.querySelectorAll(selector)].slice(0, 40)) node.click();
    })()`);
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
  }
}

describe.skipIf(browserPath === undefined)(
  `pages of a hostile contract without their CSP${browserReason}`,
  { timeout: 120_000 },
  () => {
    const browser = useBrowser();
    let mock: RunningMock;
    let proxy: Awaited<ReturnType<typeof withoutPolicy>>;
    beforeAll(async () => {
      mock = await startMock({ contract: hostileContract(), config: false, seedRecords: 0 });
      proxy = await withoutPolicy(mock.origin);
    }, 60_000);
    afterAll(async () => {
      proxy.server.close();
      proxy.server.closeAllConnections();
      await mock.close();
    });

    test('the documentation runs no script, links to none, asks no other origin', async () => {
      const { page, requests } = await browser.open(`${proxy.url}/__vouch/docs`);
      const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
      await links.first().waitFor();
      expect(await activeParts(page)).toEqual([]);
      expect(await page.locator('.docs-text').innerText()).toContain('Hello');
      for (let index = 0; index < Math.min(8, await links.count()); index += 1) {
        await links.nth(index).click();
        await page.locator('.docs-operation').waitFor();
        await openAll(page);
        expect(await activeParts(page)).toEqual([]);
      }
      expect(
        requests.filter((asked) => !asked.startsWith(proxy.url) && !asked.startsWith('data:')),
      ).toEqual([]);
      await page.close();
    });

    describe('the report of a hostile run', () => {
      const report = reportOf(html, hostileEvents()).replace(
        /<meta http-equiv="Content-Security-Policy"[^>]*>/,
        '',
      );
      const server = createServer(
        (_request, response) =>
          void response.setHeader('Content-Type', 'text/html; charset=utf-8').end(report),
      );
      beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
      afterAll(() => {
        server.close();
        server.closeAllConnections();
      });

      test.each(['', '#/findings', '#/operations', '#/exchanges'])(
        'shows its texts as texts on %s',
        async (route) => {
          expect(report).not.toContain('Content-Security-Policy');
          const { page, close } = await browser.open(
            `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/${route}`,
          );
          await page.locator('#page').waitFor();
          await waitForData(page);
          await openAll(page);
          expect(await activeParts(page)).toEqual([]);
          // The operations of the run are harmless: their list has nothing of it.
          expect(await page.evaluate('document.body.innerText.includes("<script>")')).toBe(
            route !== '#/operations',
          );
          await close();
        },
      );
    });

    test.each(['', '#/state', '#/scenarios', '#/try', '#/check'])(
      'the console runs no script of it on %s',
      async (route) => {
        const id = encodeURIComponent('<img src=x onerror=window.ran=51>');
        await fetch(`${mock.url}/things/${id}?q=${encodeURIComponent(hostileText)}`, {
          headers: { 'X-Key': 'k', 'User-Agent': '<script>window.ran=52</script>' },
        });
        const { page, close } = await browser.open(
          proxy.url + new URL(mock.consoleLink()).pathname,
        );
        await page.getByRole('navigation').waitFor();
        if (route !== '') await goTo(page, route);
        await page.locator('#view > *').first().waitFor();
        await openAll(page);
        expect(await page.evaluate('document.body.innerText.includes("Hello")')).toBe(true);
        expect(await activeParts(page)).toEqual([]);
        await close();
      },
    );
  },
);
