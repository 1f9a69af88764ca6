import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { browserPath, useBrowser } from './open-page.ts';

const pages = createServer((incoming, outgoing) => {
  // In a sandbox a page has no origin of its own.
  if (incoming.url === '/apart')
    outgoing.setHeader('Content-Security-Policy', 'sandbox allow-scripts');
  outgoing.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>');
});
const seen: (string | undefined)[] = [];
let mock: RunningMock;
const browser = useBrowser();

beforeAll(async () => {
  mock = await startMock({
    contract: 'openapi/petstore.v1.yaml',
    port: 0,
    onExchange: ({ method, status, reason }) =>
      void seen.push(`${method} ${status} ${reason ?? ''}`),
  });
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await mock.close();
  await new Promise((done) => {
    pages.close(done);
    pages.closeAllConnections();
  });
});

/** The status that a page reads of a request with a body of JSON; undefined if it may not. */
async function post(page: Page, url: string): Promise<number | undefined> {
  return page.evaluate(async (target) => {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer demo-key' };
    const body = '{"name":"Ada","categoryId":1}';
    return fetch(target, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => undefined,
    );
  }, url);
}

describe.skipIf(browserPath === undefined)('a page in a browser', () => {
  test('of this machine may call the mock from any port, and not its control API', async () => {
    const { port } = pages.address() as AddressInfo;
    for (const host of ['localhost', '127.0.0.1']) {
      const { page } = await browser.open(`http://${host}:${String(port)}/`);
      expect(await post(page, `${mock.url}/pets`)).toBe(201);
      expect(await post(page, new URL('/__vouch/reset', mock.url).href)).toBeUndefined();
      await page.close();
    }
  });

  test('of another origin may not, and the log says what would allow it', async () => {
    const { port } = pages.address() as AddressInfo;
    const { page } = await browser.open(`http://localhost:${String(port)}/apart`);
    expect(await post(page, `${mock.url}/pets`)).toBeUndefined();
    expect(seen.at(-1)).toBe('OPTIONS 403 Refused: origin null; --cors null allows it.');
    await page.close();
  });
});
