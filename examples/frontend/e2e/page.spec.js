import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { expect, mockTest } from 'vouch/playwright';

// The page is served from an origin of its own, as a development server does, and asks the mock across origins.
const test = mockTest({ contract: '../../openapi/petstore.v1.yaml', scenarios: 'scenarios' });
const types = { '.html': 'text/html', '.js': 'text/javascript' };
let pages;
let page;

test.beforeAll(async () => {
  pages = createServer(async ({ url }, answer) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = await readFile(
      new URL(`..${pathname === '/' ? '/index.html' : pathname}`, import.meta.url),
    ).catch(() => undefined);
    answer
      .writeHead(file === undefined ? 404 : 200, {
        'Content-Type': types[extname(pathname)] ?? 'text/html',
      })
      .end(file);
  });
  await new Promise((listening) => pages.listen(0, '127.0.0.1', listening));
  page = `http://127.0.0.1:${pages.address().port}/`;
});
test.afterAll(() => pages.close());

test('an animal that is added is in the list, and in this test alone', async ({
  page: tab,
  session,
}) => {
  await tab.goto(`${page}?service=${session.url}`);
  await tab.getByLabel('Name').fill('Biscuit the Great');
  await tab.getByRole('button', { name: 'Add' }).click();
  await expect(tab.getByText('Biscuit the Great (available)')).toBeVisible();
  session.verify({ operation: 'createPet', count: 1, body: { name: 'Biscuit the Great' } });
});

test('another test does not see it', async ({ page: tab, session }) => {
  await tab.goto(`${page}?service=${session.url}`);
  await expect(tab.getByRole('listitem').first()).toBeVisible();
  await expect(tab.getByText('Biscuit the Great')).toHaveCount(0);
});

test('a service that is down is told', async ({ page: tab, session }) => {
  session.activate('down');
  await tab.goto(`${page}?service=${session.url}`);
  await expect(tab.getByRole('status')).toHaveText(
    'That did not work: The service is not available.',
  );
});

test('what the page asks for keeps the contract', async ({ page: tab, session }) => {
  const [answer] = await Promise.all([
    tab.waitForResponse(/\/pets/),
    tab.goto(`${page}?service=${session.url}`),
  ]);
  await expect(answer).toMatchContract();
});
