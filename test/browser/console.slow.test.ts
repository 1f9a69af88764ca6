import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { settingsDocument } from '../server/settings-document.ts';
import { todoDocument } from '../server/todo-document.ts';
import {
  browserPath,
  browserReason,
  findBarriers,
  goTo,
  useBrowser,
  type PageView,
  type WatchedPage,
} from './open-page.ts';

/** By how many pixels the widest part is wider than the screen, what can be scrolled aside. */
const widest =
  "Math.max(...[...document.querySelectorAll('#view *')].filter((node) => " +
  "node.closest('.scroll, pre') === null).map((node) => " +
  'node.getBoundingClientRect().right)) - innerWidth';

/** By night only the colours are others. */
const rulesOf = ({ dark }: PageView): readonly string[] | undefined =>
  dark === true ? ['color-contrast'] : undefined;

const todoContract = todoDocument();

/** A contract with a page whose script asks for what the console asks for. */
const pageContract = {
  openapi: '3.1.0',
  info: { title: 'Pages', version: '1' },
  paths: {
    '/page': {
      get: {
        operationId: 'getPage',
        responses: {
          200: {
            description: 'A page',
            content: {
              'text/html': {
                schema: { type: 'string' },
                example:
                  '<!doctype html><title>?</title><script>' +
                  'fetch("/__vouch/health").then(' +
                  '({ status }) => { document.title = "reached " + status }, ' +
                  '() => { document.title = "refused" })</script>',
              },
            },
          },
        },
      },
    },
  },
};

// The tests of test/server/console hold what is served; these hold what a person sees of it.
describe.skipIf(browserPath === undefined)(
  `the console in Chromium${browserReason}`,
  { timeout: 120_000 },
  () => {
    const browser = useBrowser();
    let mock: RunningMock;
    let other: RunningMock;
    beforeAll(async () => {
      other = await startMock({ fixtures: false, seedRecords: 0 });
      mock = await startMock({ prismUrl: () => other.url });
    }, 60_000);
    afterAll(() => Promise.all([mock.close(), other.close()]));

    const ask = async (path: string, init: RequestInit = {}): Promise<string> =>
      (
        await fetch(`${mock.url}${path}`, {
          ...init,
          headers: { Authorization: 'Bearer demo-key', ...init.headers },
        })
      ).text();
    const enter = async (route = '', view: PageView = {}): Promise<WatchedPage> => {
      const watched = await browser.open(mock.consoleLink(), view);
      await watched.page.getByRole('navigation').waitFor();
      if (route !== '') await goTo(watched.page, route);
      return watched;
    };
    const rows = (page: Page): ReturnType<Page['locator']> => page.locator('.exchange-row');

    test('opens by a link that works once, also after a reload and in another tab', async () => {
      const link = mock.consoleLink();
      const { page, close } = await browser.open(link);
      await page.getByRole('heading', { name: 'Traffic' }).waitFor();
      expect(page.url()).toMatch(/\/__vouch\/(?:#\/traffic)?$/);
      await page.reload();
      await page.getByRole('heading', { name: 'Traffic' }).waitFor();
      const tab = await browser.open(`${mock.controlUrl}/#/records`);
      await tab.page.getByRole('heading', { name: 'Records' }).waitFor();
      expect(await page.evaluate('document.cookie')).toBe('');
      await tab.close();
      await close();
    });

    test('asks a browser without a link for the token, and says where to get a link', async () => {
      const link = mock.consoleLink();
      await (await fetch(link, { redirect: 'manual' })).text();
      const { page, close } = await browser.open(`${mock.controlUrl}/`);
      await page.context().clearCookies();
      await page.goto(link);
      await page.getByText('For a new one, press o in the terminal of the mock.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('link', { name: 'the console' }).click();
      await page.getByText('The mock lets a browser in').waitFor();
      await page.getByLabel('Control token').fill('not-the-token-of-it');
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByText('This is not the token of the mock that runs now.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByLabel('Control token').fill(mock.controlToken);
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('heading', { name: 'Traffic' }).waitFor();
      await page.context().clearCookies();
      await page.reload();
      await page.getByLabel('Control token').fill(mock.consoleLink());
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('heading', { name: 'Traffic' }).waitFor();
      await close();
    });

    test('a page on another port of this host cannot use the console of the browser', async () => {
      const { page: opened } = await browser.open(mock.consoleLink());
      await opened.getByRole('navigation').waitFor();
      const { page } = await browser.open(`${other.url}/nothing`);
      const key = await opened.evaluate("localStorage.getItem('vouch-console')");
      expect(await page.evaluate("localStorage.getItem('vouch-console')")).toBeNull();
      for (const headers of [{}, { 'Vouch-Console': String(key) }])
        for (const mode of ['cors', 'no-cors'])
          expect(
            await page.evaluate(
              ([target, given]) =>
                fetch(target as string, given as RequestInit).then(
                  ({ type, status }) => `${type} ${String(status)}`,
                  () => 'refused',
                ),
              [`${mock.controlUrl}/operations`, { headers, mode, credentials: 'include' }] as const,
            ),
          ).toBe(mode === 'cors' ? 'refused' : 'opaque 0');
      await page.close();
      await opened.close();
    });

    test('a page that the contract serves runs apart from the console', async () => {
      const home = await startMock({ contract: pageContract, config: false });
      try {
        const { page: opened } = await browser.open(home.consoleLink());
        await opened.getByRole('navigation').waitFor();
        const { page } = await browser.open(`${home.url}/page`);
        await expect.poll(() => page.title()).toMatch(/^(?:refused|reached)/);
        expect(await page.title()).toBe('refused');
        await page.close();
        await opened.close();
      } finally {
        await home.close();
      }
    });

    test('shows exchanges as they come with their judgement, and filters them', async () => {
      await mock.reset();
      const { page, close } = await enter();
      await page.getByText('No requests yet.').waitFor();
      await ask('/pets?limit=2');
      await rows(page).filter({ hasText: '/v1/pets?limit=2' }).waitFor();
      await ask('/pets?limit=many', { headers: { 'Vouch-Session': 'checkout' } });
      const invalid = rows(page).first();
      await invalid.filter({ hasText: 'limit=many' }).waitFor();
      await expect
        .poll(() => invalid.innerText())
        .toMatch(/invalid\s+checkout\s+`limit` in the query must be/);
      await page.keyboard.press('/');
      await page.keyboard.type('limit=2');
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect(await page.locator('#traffic-count').innerText()).toBe('1 of 2 exchanges');
      await page.getByLabel('Search in traffic').fill('');
      await page.getByLabel('Session', { exact: true }).last().selectOption('checkout');
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect(await rows(page).count()).toBe(1);
      await page.getByLabel('Session', { exact: true }).last().selectOption('');
      await page.getByRole('button', { name: 'Pause' }).click();
      await ask('/pets?limit=3');
      await page.getByText('Paused').waitFor();
      expect(await rows(page).filter({ hasText: 'limit=3' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Resume' }).click();
      await rows(page).filter({ hasText: 'limit=3' }).waitFor();
      await ask('/pest');
      // A row that is drawn anew while it is read has no text for a moment.
      await expect
        .poll(() => rows(page).filter({ hasText: '/v1/pest' }).innerText())
        .toMatch(
          /invalid\s+nearly listPets\s+There is no path `\/v1\/pest`. Did you mean `\/v1\/pets`\?/,
        );
      await page.getByLabel('Status').selectOption('near');
      await rows(page).nth(1).waitFor({ state: 'detached' });
      expect(await rows(page).count()).toBe(1);
      await page.getByLabel('Status').selectOption('');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('No requests yet.').waitFor();
      await close();
    });

    test('opens an exchange by keyboard, and copies it as curl and as a scenario', async () => {
      await mock.reset();
      await ask('/pets/4711');
      const { page, close } = await enter();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page
        .getByText('The request conforms to the contract; what it asks for is not possible now.')
        .waitFor();
      const body = page.getByRole('group', { name: 'The body of the response' });
      expect(await body.innerText()).toMatch(/"code": "not_found"/);
      await body.getByRole('button', { name: 'all of it' }).focus();
      await page.keyboard.press('ArrowLeft');
      expect(await body.innerText()).toMatch(/^\{ \d+ items \}\s*$/);
      await page.keyboard.press('ArrowRight');
      expect(await body.innerText()).toMatch(/"code": "not_found"/);
      await page.getByRole('button', { name: 'raw' }).click();
      expect(await page.locator('.detail pre').first().innerText()).toMatch(
        /^\{"code":"not_found"/,
      );
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied a curl command.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        `curl -H 'Authorization: Bearer demo-key' '${mock.origin}/v1/pets/4711'`,
      );
      await page.getByRole('link', { name: 'Copy as scenario' }).click();
      const yaml = page.getByLabel('The scenario, as YAML');
      expect(await yaml.inputValue()).toContain('operation: getPet');
      expect(await page.getByLabel('Name').inputValue()).toBe('getpet-404');
      await page.goBack();
      await page.locator('.detail').getByRole('button', { name: 'Assert…' }).click();
      await page.getByLabel('The claim, as JSON').fill('{"operation":"getPet","status":200}');
      await page.getByRole('button', { name: 'Assert', exact: true }).click();
      await page.getByText('status must be 200, but is 404').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.locator('.detail').waitFor({ state: 'detached' });
      await close();
    });

    test('edits a record, and explains why an invalid edit is refused', async () => {
      await mock.reset();
      const { page, close } = await enter('#/records');
      await page.getByRole('button', { name: 'Edit 2', exact: true }).click();
      const area = page.getByLabel('The record, as JSON');
      await area.fill((await area.inputValue()).replace(/"status": "\w+"/, '"status": "lost"'));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The contract does not allow this record.').waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('/status');
      await area.fill(
        (await area.inputValue())
          .replace('"lost"', '"pending"')
          .replace(/"name": "[^"]+"/, '"name": "Renamed"'),
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Renamed' }).waitFor();
      expect(await ask('/pets/2')).toContain('"name":"Renamed"');
      await page.getByRole('button', { name: 'Delete 3', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleted.').waitFor();
      expect(await ask('/pets/3')).toContain('not_found');
      await page.getByRole('button', { name: 'Reset…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      await page.getByText('Reset.', { exact: true }).waitFor();
      expect(await ask('/pets/3')).not.toContain('not_found');
      await close();
    });

    describe('with records two levels below others', () => {
      let nested: RunningMock;
      beforeAll(async () => {
        nested = await startMock({ contract: todoContract, config: false, seedRecords: 0 });
        for (const name of ['Home', 'Work']) await add('/lists', { name });
        await add('/lists/1/items', { text: 'Sweep' });
        await add('/lists/2/items', { text: 'Write' });
      });
      afterAll(() => nested.close());

      const add = async (path: string, body: object): Promise<Response> =>
        fetch(`${nested.url}${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
      const read = async (path: string): Promise<unknown> =>
        (await fetch(`${nested.url}${path}`)).json();
      const look = async (route: string, view: PageView = {}): Promise<WatchedPage> => {
        const watched = await browser.open(nested.consoleLink(), view);
        await watched.page.getByRole('navigation').waitFor();
        await goTo(watched.page, route);
        return watched;
      };
      const save = (page: Page): Promise<void> =>
        page.getByRole('button', { name: 'Save' }).click();

      test(
        'lists them below any and below one parent, adds, edits, deletes, and ' +
          'links to children',
        async () => {
          const { page, close } = await look('#/records/lists.items');
          await page.getByRole('button', { name: 'Edit 1 below 1' }).waitFor();
          await page.getByRole('button', { name: 'Edit 1 below 2' }).waitFor();
          expect(await page.getByRole('columnheader', { name: 'listId' }).count()).toBe(1);
          await page.getByLabel('listId').selectOption({ label: '2 · Work' });
          await page.getByRole('button', { name: 'Edit 1', exact: true }).waitFor();
          await page.getByRole('cell', { name: 'Sweep' }).waitFor({ state: 'detached' });

          await page.getByRole('button', { name: 'Add a record' }).click();
          await page.getByLabel('The record, as JSON').fill('{"text":"Send","listId":1}');
          await save(page);
          await page.getByText('/listId must be 2, as in the parent.').waitFor();
          await page.getByLabel('The record, as JSON').fill('{"text":"Send"}');
          await save(page);
          await page.getByRole('cell', { name: 'Send' }).waitFor();
          expect(await read('/lists/2/items')).toEqual([
            { id: 1, listId: 2, text: 'Write' },
            { id: 2, listId: 2, text: 'Send' },
          ]);
          expect(await read('/lists/1/items')).toEqual([{ id: 1, listId: 1, text: 'Sweep' }]);

          await page.getByRole('button', { name: 'Edit 2', exact: true }).click();
          const area = page.getByLabel('The record, as JSON');
          await area.fill((await area.inputValue()).replace('Send', 'Sent'));
          await save(page);
          await page.getByRole('cell', { name: 'Sent' }).waitFor();
          expect(await read('/lists/2/items/2')).toMatchObject({ text: 'Sent' });
          await page.getByRole('button', { name: 'Delete 2', exact: true }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
          await page.getByRole('cell', { name: 'Sent' }).waitFor({ state: 'detached' });
          expect(await read('/lists/2/items')).toHaveLength(1);

          await page.getByRole('link', { name: 'lists.items.notes of 1' }).click();
          await page.getByText('No records yet.').waitFor();
          expect(new URL(page.url()).hash).toBe('#/records/lists.items.notes/2/1');
          await page.getByRole('button', { name: 'Add a record' }).click();
          await page.getByRole('dialog').getByLabel('listId').selectOption('1');
          await page.getByRole('dialog').getByLabel('itemId').selectOption({ label: '1' });
          await page.getByLabel('The record, as JSON').fill('{"body":"soon"}');
          await save(page);
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          expect(await read('/lists/1/items/1/notes')).toMatchObject([{ body: 'soon' }]);
          expect(await read('/lists/2/items/1/notes')).toEqual([]);
          await close();
        },
      );

      test('fails no accessibility rule, and fits a telephone', async () => {
        const { page, close } = await look('#/records/lists.items.notes', {
          width: 375,
          height: 812,
        });
        await page.getByLabel('listId').waitFor();
        expect([await findBarriers(page), await page.evaluate(widest)]).toEqual([
          [],
          expect.toSatisfy((pixels: number) => pixels <= 0),
        ]);
        await page.getByRole('button', { name: 'Add a record' }).click();
        await page.getByRole('dialog').getByLabel('listId').waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await close();
      });

      test('asks for a parent where there are too many to list all', async () => {
        await Promise.all(Array.from({ length: 200 }, () => add('/lists', { name: 'More' })));
        const { page, close } = await look('#/records/lists.items');
        await page.getByText('Choose one parent.').waitFor();
        await page.getByLabel('listId').fill('1');
        await page.getByLabel('listId').press('Enter');
        await page.getByRole('cell', { name: 'Sweep' }).waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await close();
      });
    });

    describe('with singletons', () => {
      let home: RunningMock;
      beforeAll(async () => {
        home = await startMock({ contract: settingsDocument(), config: false });
      });
      afterAll(() => home.close());

      const put = async (path: string, body: string, method = 'PUT'): Promise<Response> =>
        fetch(`${home.url}${path}`, {
          method,
          headers: { 'Content-Type': 'application/json' },
          body,
        });
      const read = async (path: string): Promise<string> =>
        (await fetch(`${home.url}${path}`)).text();
      const look = async (route: string, view: PageView = {}): Promise<WatchedPage> => {
        const watched = await browser.open(home.consoleLink(), view);
        await watched.page.getByRole('navigation').waitFor();
        await goTo(watched.page, route);
        return watched;
      };
      const expectOpen = async (page: Page): Promise<void> =>
        expect([await findBarriers(page), await page.evaluate(widest)]).toEqual([
          [],
          expect.toSatisfy((pixels: number) => pixels <= 0),
        ]);

      test('edits a singleton exactly on a small screen, and keeps a refused draft', async () => {
        await put(
          '/settings',
          '{"theme":"dark","account":9007199254740993,"alerts":{"email":true,"push":false}}',
        );
        const { page, close } = await look('#/records/settings', { width: 375, height: 812 });
        const card = page.getByRole('region', { name: 'settings', exact: true });
        await card.getByText('9007199254740993').waitFor();
        await page.getByText('One record, at /settings.').waitFor();
        expect(await page.getByRole('link', { name: 'settings' }).innerText()).toMatch(
          /^settings\s+one record$/,
        );
        expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
        await expectOpen(page);
        await page.getByRole('button', { name: 'Edit settings' }).click();
        const area = page.getByLabel('The record, as JSON');
        await area.fill((await area.inputValue()).replace('"dark"', '"pink"'));
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('alert').getByText('/theme must be one of light, dark.').waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await area.fill((await area.inputValue()).replace('"pink"', '"light"'));
        await page.getByRole('button', { name: 'Save' }).click();
        await card.getByText('light').waitFor();
        expect(await read('/settings')).toBe(
          '{"theme":"light","account":9007199254740993,"alerts":{"email":true,"push":false}}',
        );
        await put('/settings', '{"theme":"dark","account":8}');
        await card.getByText('dark').waitFor();
        await page.getByRole('button', { name: 'Reset…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
        await card.getByText('7', { exact: true }).waitFor();
        expect(await read('/settings')).toContain('"account":7');
        await close();
      });

      test('deletes and adds a singleton, and shows the one of each parent', async () => {
        const { page, close } = await look('#/records/me.avatar');
        await page.getByRole('button', { name: 'Delete me.avatar' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('There is none now').waitFor();
        expect((await fetch(`${home.url}/me/avatar`)).status).toBe(404);
        await page.getByRole('button', { name: 'Add it' }).click();
        const area = page.getByLabel('The record, as JSON');
        expect(await area.inputValue()).toContain('"alt": "A face"');
        await area.fill('{"alt":"A hat"}');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('region', { name: 'me.avatar' }).getByText('A hat').waitFor();
        expect(await read('/me/avatar')).toBe('{"alt":"A hat"}');

        await goTo(page, '#/records/owners');
        await page.getByRole('link', { name: 'owners.profile of 3' }).click();
        await page
          .getByText('One record for each record of owners, at /owners/{ownerId}/profile.')
          .waitFor();
        await page.getByRole('button', { name: 'Edit owners.profile below 3' }).click();
        await area.fill('{"bio":"Paints.","seen":9007199254740993}');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Paints.').waitFor();
        expect(await read('/owners/3/profile')).toBe('{"bio":"Paints.","seen":9007199254740993}');
        await goTo(page, '#/records/owners.profile');
        await page.getByRole('button', { name: 'Edit owners.profile below 3' }).waitFor();
        await expectOpen(page);
        await page.getByRole('button', { name: 'Add a record' }).click();
        expect(await area.inputValue()).toContain('"seen": 9007199254740993');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Choose ownerId first: the record needs a parent.').waitFor();
        await page.getByRole('dialog').getByLabel('ownerId').selectOption('2');
        await page.getByRole('button', { name: 'Save' }).click();
        await page
          .getByText(
            'There is a record of owners.profile below 2 already, and it was left as it is.',
          )
          .waitFor();
        await area.fill('{"bio":"Sings."}');
        await page.keyboard.press('Escape');
        await page.getByText('This is not saved. Press Esc again to discard it.').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await goTo(page, '#/records/owners.profile/99');
        await page.getByText('No record of owners has the id `99`.').waitFor();
        await page.getByLabel('ownerId').selectOption('3');
        await page.getByText('Paints.').waitFor();
        await close();
      });

      test('shows changes by requests, and keeps what is typed and the focus', async () => {
        const { page, close } = await look('#/records/owners');
        const search = page.getByLabel('Search in owners');
        await search.fill('ada');
        await page.getByText(/^0 of \d+ records$/).waitFor();
        await put('/owners', '{"name":"Ada"}', 'POST');
        await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor();
        expect([
          await search.inputValue(),
          await page.evaluate('document.activeElement.id'),
        ]).toEqual(['ada', 'search']);
        await close();
      });
    });

    test('adds a record by a form and by JSON, kept in step, and shows it first', async () => {
      await mock.reset();
      const { page, close } = await enter('#/records');
      await page.getByRole('button', { name: 'Add a record' }).click();
      const form = page.getByRole('group', { name: 'The record, as a form' });
      const area = page.getByLabel('The record, as JSON');
      await form.getByLabel('name').fill('Bramble');
      expect(JSON.parse(await area.inputValue())).toMatchObject({ name: 'Bramble' });
      await form.getByLabel('categoryId').fill('9007199254740993');
      expect(await area.inputValue()).toContain('"categoryId": 9007199254740993');
      await form.getByLabel('categoryId').fill('many');
      await form.getByText('must be an integer').waitFor();
      expect(await form.getByLabel('categoryId').getAttribute('aria-invalid')).toBe('true');
      expect(await findBarriers(page)).toEqual([]);
      await area.fill('{"name":"Thistle","categoryId":1}');
      expect(await form.getByLabel('name').inputValue()).toBe('Thistle');
      await form.getByText('must be an integer').waitFor({ state: 'detached' });
      await area.fill('{"name":');
      await page.getByText('This is not valid JSON.').waitFor();
      await area.fill('{"name":"Thistle","categoryId":1}');
      await form.getByLabel('status').selectOption('sold');
      await page.getByRole('button', { name: 'Save' }).click();
      const first = page.locator('tbody tr').first();
      await first.getByRole('cell', { name: 'Thistle' }).waitFor();
      expect(await first.getAttribute('class')).toBe('fresh');
      expect(await first.innerText()).toContain('sold');
      await close();
    });

    test('sorts records by a column, with the keyboard too', async () => {
      await mock.reset();
      const { page, close } = await enter('#/records');
      const head = page.getByRole('columnheader', { name: 'name' });
      const names = (): Promise<string[]> =>
        page.locator('tbody td[data-label=name]').allInnerTexts();
      await head.waitFor();
      const before = await names();
      await head.getByRole('button').click();
      expect(await head.getAttribute('aria-sort')).toBe('ascending');
      const sorted = before.toSorted((left, right) => left.localeCompare(right));
      expect(await names()).toEqual(sorted);
      await page.keyboard.press('Enter');
      expect(await head.getAttribute('aria-sort')).toBe('descending');
      expect(await names()).toEqual(sorted.toReversed());
      await page.keyboard.press('Enter');
      expect([await head.getAttribute('aria-sort'), await names()]).toEqual([null, before]);
      await close();
    });

    test('finds pages, operations and actions in the palette, by keyboard alone', async () => {
      await mock.reset();
      const { page, close } = await enter();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find a page' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.type('createPet');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Try' }).waitFor();
      expect(new URL(page.url()).hash).toBe('#/try/createPet');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('theme');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('html[data-theme=dark]').waitFor();
      expect(await page.getByRole('button', { name: 'Dark' }).getAttribute('aria-pressed')).toBe(
        'true',
      );
      await page.getByRole('button', { name: 'As the system' }).click();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Switch missing-pet on' }).waitFor();
      await page.keyboard.type('switch missing-pet');
      await page.keyboard.press('Enter');
      await page.getByText('missing-pet is on.').waitFor();
      await page.getByRole('button', { name: 'Off: scenario missing-pet' }).click();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('record pets 7');
      await page.getByRole('option', { name: 'pets 7' }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^Edit pets 7/ }).waitFor();
      await page.keyboard.press('Escape');
      await close();
    });

    test('folds the requests of a check into one row, which opens', async () => {
      await mock.reset();
      await ask('/pets?limit=1');
      for (const limit of [2, 3])
        await ask(`/pets?limit=${String(limit)}`, { headers: { 'Vouch-Run': 'vouch-1a2b3c' } });
      const { page, close } = await enter();
      const run = page.getByRole('button', { name: 'A check: 2 requests vouch-1a2b3c' });
      await run.waitFor();
      expect(await rows(page).count()).toBe(1);
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await rows(page).nth(2).waitFor();
      expect(await run.getAttribute('aria-expanded')).toBe('true');
      await run.click();
      await page.getByLabel('Search in traffic').fill('limit=3');
      await page.getByText('1 of 3 exchanges').waitFor();
      await rows(page).filter({ hasText: 'limit=3' }).waitFor();
      await close();
    });

    test('a run of a check hides nothing that was sent by hand', async () => {
      await mock.reset();
      await ask('/pets?limit=11');
      for (let round = 0; round < 6; round += 1)
        await Promise.all(
          Array.from({ length: 200 }, () =>
            ask('/pets?limit=1', { headers: { 'Vouch-Run': 'vouch-1a2b3c' } }),
          ),
        );
      const { page, close } = await enter();
      await page.getByRole('button', { name: 'A check: 999 requests' }).waitFor();
      expect(await rows(page).count()).toBe(1);
      await rows(page).filter({ hasText: 'limit=11' }).waitFor();
      await page.getByLabel('Sender').selectOption('false');
      await page.getByText('1 of 1,000 exchanges').waitFor();
      await rows(page).filter({ hasText: 'limit=11' }).waitFor();
      await page.getByLabel('Sender').selectOption('');
      await Promise.all(
        Array.from({ length: 150 }, () =>
          ask('/pets?limit=1', { headers: { 'Vouch-Run': 'vouch-1a2b3c' } }),
        ),
      );
      await page.getByText('150 older').or(page.getByText('older ones dropped')).waitFor();
      await rows(page).filter({ hasText: 'limit=11' }).waitFor();
      await close();
    });

    test('finds records by one of their fields', async () => {
      await mock.reset();
      const { page, close } = await enter('#/records/pets');
      await page.getByLabel('Search in pets').fill('1');
      await page.getByLabel('Search in the field').selectOption('id');
      await page.getByText('1 of 72 records', { exact: true }).waitFor();
      await page.getByLabel('Search in pets').fill('nothing');
      await page.getByText('No record has this in id.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await page.getByText('72 records', { exact: true }).waitFor();
      await close();
    });

    test('loads and searches older traffic on the server', async () => {
      await mock.reset();
      await Promise.all(Array.from({ length: 230 }, (_, index) => ask(`/pets?limit=${index % 7}`)));
      const { page, close } = await enter();
      await page.getByText('200 of 230 exchanges').waitFor();
      await page.getByRole('button', { name: 'Load 30 older exchanges' }).click();
      await page.getByText('230 exchanges', { exact: true }).waitFor();
      expect(await rows(page).count()).toBe(230);
      await page.reload();
      await page.getByText('200 of 230 exchanges').waitFor();
      await page.getByLabel('Search in traffic').fill('limit=3');
      await page.getByText('33 of 230 exchanges').waitFor();
      expect(await rows(page).count()).toBe(33);
      await page.getByLabel('Search in traffic').fill('nothing like it');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByText('200 of 230 exchanges').waitFor();
      await close();
    });

    test('reaches every control of a page with Tab alone, and shows the focus', async () => {
      await mock.reset();
      await ask('/pets/1');
      const { page, close } = await enter('#/records');
      await page.locator('tbody tr').first().waitFor();
      const reached: string[] = [];
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab');
        reached.push(
          await page.evaluate(
            '(({ outlineStyle, outlineWidth }, { ariaLabel, innerText, id }) => ' +
              "(outlineStyle === 'none' || outlineWidth === '0px' ? 'unseen ' : '') + " +
              '(ariaLabel ?? (id || innerText)))' +
              '(getComputedStyle(document.activeElement), document.activeElement)',
          ),
        );
      }
      expect(reached.filter((name) => name.startsWith('unseen'))).toEqual([]);
      expect(reached).toEqual(
        expect.arrayContaining([
          'Session',
          'Traffic',
          'Docs',
          'Dark',
          'Search in pets',
          'Add a record',
          'Reset…',
          expect.stringContaining('Search or run'),
          expect.stringMatching(/^Edit \d+$/),
        ]),
      );
      await close();
    });

    test('takes a snapshot and restores it', async () => {
      await mock.reset();
      const { page, close } = await enter('#/records');
      await page.getByRole('button', { name: 'Snapshots…' }).click();
      await page.getByLabel('Name of the snapshot').fill('before');
      await page.getByRole('button', { name: 'Take one of default' }).click();
      await page.getByText('before', { exact: true }).waitFor();
      await fetch(`${mock.controlUrl}/resources/pets/records/1`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${mock.controlToken}` },
      });
      expect(await ask('/pets/1')).toContain('not_found');
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Restored.').waitFor();
      expect(await ask('/pets/1')).not.toContain('not_found');
      await close();
    });

    test('switches scenarios, faults and the clock', async () => {
      await mock.reset();
      const { page, close } = await enter('#/scenarios');
      await page.getByRole('switch', { name: /^missing-pet/ }).check();
      await page.getByText('missing-pet is on.').waitFor();
      expect(await ask('/pets/1')).toContain('not_found');
      const bar = page.getByRole('region', { name: 'The mock, and what is on' });
      await bar.getByRole('button', { name: 'Off: scenario missing-pet' }).waitFor();
      await page.getByRole('switch', { name: /^missing-pet/ }).uncheck();
      await page.getByText('missing-pet is off.').waitFor();
      await bar.getByRole('button', { name: /^Off/ }).waitFor({ state: 'detached' });
      await goTo(page, '#/faults');
      await page.getByLabel('Failure').selectOption('reset');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('Set for all requests.').waitFor();
      await expect(ask('/pets/1')).rejects.toThrow();
      await goTo(page, '#/sessions');
      await bar.getByRole('link', { name: 'reset' }).waitFor();
      await bar.getByRole('button', { name: 'Off: faults' }).click();
      await page.getByText('Latency and faults are off.').waitFor();
      await goTo(page, '#/faults');
      await page.getByRole('button', { name: '+1 day' }).click();
      await page.getByText('A day has passed.').waitFor();
      const dayLater = mock.prepared.mock.clock.now().getTime() - Date.now();
      expect(Math.round(dayLater / 3_600_000)).toBe(24);
      await bar.getByRole('link', { name: 'Clock moved to' }).waitFor();
      await page.getByRole('button', { name: 'Reset the clock' }).click();
      await page.getByText('The clock is reset to where it started.').waitFor();
      await close();
    });

    test('sends a request to the mock and to another service side by side', async () => {
      const { page, close } = await enter('#/try/getPet', { width: 1440, height: 900 });
      const id = await page.getByLabel('petId *').inputValue();
      expect(await ask(`/pets/${id}`)).not.toContain('not_found');
      await page.getByLabel('petId *').fill('1');
      expect(await page.getByLabel('Ask prism too').isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Send' }).click();
      const cards = page.locator('.answer');
      await page.getByLabel('Search in operations').fill('POST messages');
      expect(await page.locator('.operation-row').count()).toBe(1);
      await cards.filter({ hasText: '"id": 1' }).waitFor();
      await cards.nth(1).filter({ hasText: 'not_found' }).waitFor();
      expect(await cards.getByRole('heading').allInnerTexts()).toEqual(['This mock', 'Prism']);
      const [left, right] = await Promise.all([0, 1].map((at) => cards.nth(at).boundingBox()));
      expect([left?.y, (left?.x ?? 0) + (left?.width ?? 0)]).toEqual([
        right?.y,
        expect.toSatisfy((edge: number) => edge < (right?.x ?? 0)),
      ]);
      await close();
    });

    test('marks a target that is the mock itself, and does not send to it twice', async () => {
      const { page, close } = await enter();
      // The port of a mock is known once it runs, and then no configuration can name it any more.
      await page.route('**/__vouch/operations', async (route) => {
        const body = (await (await route.fetch()).json()) as { services: readonly object[] };
        await route.fulfill({
          json: {
            ...body,
            services: [
              { name: 'mine', kind: 'target', url: mock.url, itself: true },
              ...body.services,
            ],
          },
        });
      });
      await page.reload();
      await page.getByRole('navigation').waitFor();
      await goTo(page, '#/check');
      const servers = await page.getByLabel('Server').locator('option').allInnerTexts();
      expect(servers[0]).toBe(`this mock (${mock.url})`);
      expect(servers.filter((name) => name.startsWith('mine'))).toEqual([]);
      await goTo(page, '#/try/getPet');
      await page.getByLabel('Ask prism too').waitFor();
      expect(await page.getByLabel('Ask mine too').count()).toBe(0);
      await close();
    });

    test('checks a server of this machine, and shows the verdict', async () => {
      const { page, close } = await enter('#/check');
      const key = "VOUCH_TOKEN='demo-key' npx vouch check";
      const command = (): Promise<string> => page.locator('form code').innerText();
      expect(await command()).toContain(`${key} '${mock.url}'`);
      await page.getByLabel('Server').selectOption({ label: 'another server on this machine' });
      await page.getByLabel('Base URL').fill('https://elsewhere.example');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByRole('alert').getByText('services of this machine').waitFor();
      await page.getByLabel('Base URL').fill(other.url);
      expect(await command()).toContain(`${key} '${other.url}'`);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('.outcome .verdict').waitFor({ timeout: 60_000 });
      const report = page.getByRole('link', { name: 'Open report' });
      const href = (await report.getAttribute('href')) ?? '';
      expect(await (await fetch(new URL(href, mock.controlUrl))).text()).toMatch(
        /^<!doctype html>/,
      );
      expect(await page.locator('.outcome .verdict').innerText()).toMatch(
        /(passed|failed|inconclusive)[\s\S]*\d+ requests/,
      );
      const gap = page.locator('.gap', { hasText: 'getStoreOrders documents no success status.' });
      await gap.getByText('Fix the document').click();
      expect(await gap.locator('pre').innerText()).toContain(
        "- target: \"$['paths']['/store/orders']['get']['responses']\"\n",
      );
      expect(await findBarriers(page)).toEqual([]);
      await close();
    });

    test('drops a session', async () => {
      await mock.reset();
      await ask('/pets', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Vouch-Session': 'mine' },
        body: '{"name":"Mine","categoryId":1}',
      });
      const { page, close } = await enter('#/sessions');
      await page.getByRole('button', { name: 'Drop mine' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
      await page.getByText('Dropped.').waitFor();
      await page.getByRole('button', { name: 'Drop mine' }).waitFor({ state: 'detached' });
      expect(await ask('/pets?limit=100', { headers: { 'Vouch-Session': 'mine' } })).not.toContain(
        '"Mine"',
      );
      await close();
    });

    const looks: readonly (readonly [string, PageView])[] = [
      ['by day', {}],
      ['by night', { dark: true }],
      ['on a telephone', { width: 375, height: 812 }],
    ];
    test.each(looks)(
      'fails no accessibility rule in any part, and fits the screen, %s',
      async (_name, view) => {
        await mock.reset();
        await ask('/pets?limit=1');
        await ask('/pets?limit=many', { headers: { 'Vouch-Session': 'checkout' } });
        const { page, close } = await enter('', view);
        const newest = mock.journal().at(-1)?.id ?? 0;
        mock.prepared.mock.scenarios.activate('slow-list');
        await page.reload();
        await page.getByRole('button', { name: 'Off: scenario slow-list' }).waitFor();
        for (const [route, shown] of [
          ['#/traffic', '.exchange-row'],
          [`#/traffic/${String(newest)}`, '.detail .verdict'],
          ['#/records', 'tbody tr'],
          ['#/scenarios', '.scenario'],
          ['#/scenarios/new', '.scenario-editor'],
          ['#/faults', '.clock'],
          ['#/sessions', 'td'],
          ['#/try/createPet', '.try form'],
          ['#/check', 'form'],
        ] as const) {
          await goTo(page, route);
          await page.locator(shown).first().waitFor();
          expect(await findBarriers(page, rulesOf(view)), route).toEqual([]);
          expect(await page.evaluate(widest), route).toBeLessThanOrEqual(0);
        }
        await page.keyboard.press('?');
        await page.getByRole('dialog').getByText('next and previous').waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await close();
        // A reset leaves scenarios on, and this one has every later list wait for three seconds.
        mock.prepared.mock.scenarios.deactivate('slow-list');
      },
    );

    describe('the documentation', () => {
      const openDocs = (route = '', view: PageView = {}): Promise<WatchedPage> =>
        browser.open(`${mock.controlUrl}/docs${route}`, view);

      test('begins with what the service is, its key and a call that works', async () => {
        const { page, close } = await openDocs();
        const call = page.getByRole('region', { name: 'First call' });
        await call.waitFor();
        const text = await page.locator('main').innerText();
        const places = ['The service manages animals', 'demo-key', 'curl -H', 'x-gaps'].map(
          (part) => text.indexOf(part),
        );
        expect(places).toEqual(places.toSorted((left, right) => left - right));
        expect(places[0]).toBeGreaterThan(0);
        await call.getByRole('button', { name: 'Copy the command' }).click();
        await call.getByRole('button', { name: 'Copied' }).waitFor();
        const curl = await page.evaluate<string>('navigator.clipboard.readText()');
        const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} -s`]);
        expect(JSON.parse(stdout)).toHaveLength(20);
        await close();
      });

      test('groups operations by the same tags as Try', async () => {
        const { page, close } = await enter('#/try');
        const headings = page.locator('.operation-list h2');
        await headings.first().waitFor();
        const tags = await headings.allInnerTexts();
        expect(tags).toEqual(['animals', 'Store', 'Without a tag']);
        await page.goto(`${mock.controlUrl}/docs`);
        const list = page.getByRole('navigation', { name: 'Operations' });
        await list.getByRole('heading').first().waitFor();
        expect(await list.getByRole('heading').allInnerTexts()).toEqual(tags);
        await close();
      });

      test('has a list of operations that is searched, and leads to each of them', async () => {
        const { page, close } = await openDocs();
        const list = page.getByRole('navigation', { name: 'Operations' });
        const links = list.getByRole('link');
        await links.first().waitFor();
        expect(await links.count()).toBe(5);
        await page.keyboard.press('/');
        await page.keyboard.type('post animal');
        expect(await links.allInnerTexts()).toEqual([expect.stringContaining('POST')]);
        expect(await list.getByRole('status').textContent()).toBe('1 of 5 operations');
        await list.getByRole('searchbox').fill('getstoreorders');
        await links.first().click();
        await page.getByText('/v1/store/orders').first().waitFor();
        expect(new URL(page.url()).hash).toBe('#/getStoreOrders');
        await close();
      });

      test.each([
        { width: 1280, height: 900 },
        { width: 1280, height: 900, dark: true },
        { width: 390, height: 844 },
      ])('has no barrier, and nothing wider than the screen, at %o', async (view) => {
        const { page, close } = await openDocs('', view);
        for (const place of ['', '#/listPets', '#/createPet']) {
          await page.goto(`${mock.controlUrl}/docs${place}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          if (place !== '') await page.locator('.sample code:not(:empty)').waitFor();
          expect(await findBarriers(page, rulesOf(view)), place).toEqual([]);
          expect(await page.evaluate(widest)).toBeLessThanOrEqual(0);
        }
        await close();
      });

      test('shows the request as code, and sends it', async () => {
        await mock.reset();
        const { page, close } = await openDocs('#/createPet');
        const code = page.locator('.sample code:not(:empty)');
        await code.waitFor();
        const [shell] = await code.allInnerTexts();
        expect(shell).toContain("-H 'Authorization: Bearer demo-key'");
        const { stdout } = await promisify(execFile)('bash', ['-c', `${shell ?? ''} -s`]);
        expect(JSON.parse(stdout)).toMatchObject({ name: expect.any(String) });
        const language = page.getByRole('combobox', { name: 'Language of the example' });
        for (const [name, part] of [
          ['JavaScript', 'method: "POST"'],
          ['Python', 'import requests'],
          ['Go', 'http.NewRequest("POST"'],
          ['Java', 'HttpRequest.newBuilder'],
        ] as const) {
          await language.selectOption(name);
          expect(await code.innerText()).toContain(part);
        }
        const request = page.getByRole('complementary', { name: 'Request' });
        await request.getByRole('button', { name: 'Copy', exact: true }).click();
        await request.getByRole('button', { name: 'Copied' }).waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain('HttpRequest');
        await request.getByRole('button', { name: 'Send to this mock' }).click();
        await request.getByText('201', { exact: true }).waitFor();
        expect(mock.journal({ operation: 'createPet' })).toHaveLength(2);
        expect(await findBarriers(page)).toEqual([]);
        await close();
      });

      test('sends nothing to an operation whose panel the contract disables', async () => {
        const { page, close } = await openDocs('#/getStoreOrders');
        await page.locator('.sample code:not(:empty)').waitFor();
        expect(await page.getByRole('button', { name: 'Send to this mock' }).count()).toBe(0);
        await close();
      });
    });

    test('on a separate port, commands name the port of the mock', async () => {
      const text = {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['id'],
              properties: { id: { type: 'integer' }, text: { type: 'string' } },
            },
          },
        },
      };
      const listed = {
        content: {
          'application/json': {
            schema: { type: 'array', items: text.content['application/json'].schema },
          },
        },
      };
      const collection = {
        get: { responses: { 200: { description: 'All', ...listed } } },
        post: { requestBody: text, responses: { 201: { description: 'Added', ...text } } },
      };
      const apart = await startMock({
        contract: {
          openapi: '3.1.0',
          info: { title: 'To do', version: '1' },
          paths: { '/lists': collection },
        },
        config: false,
        controlPort: 0,
      });
      try {
        expect(new URL(apart.controlUrl).origin).not.toBe(apart.origin);
        const { page, close } = await browser.open(apart.consoleLink());
        await page
          .getByText(`Send a request to ${apart.origin}, and it appears here at once.`)
          .waitFor();
        await (await fetch(`${apart.url}/lists`)).text();
        await rows(page).first().click();
        await page.getByRole('button', { name: 'Copy as curl' }).click();
        await page.getByText('Copied a curl command.').waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
          `curl '${apart.origin}/lists'`,
        );
        await goTo(page, '#/try');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('#view').getByText('200', { exact: true }).first().waitFor();
        expect(await findBarriers(page)).toEqual([]);
        await close();
      } finally {
        await apart.close();
      }
    });
  },
);
