import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  browserPath,
  browserReason,
  goTo,
  useBrowser,
  type WatchedPage,
} from '../../browser/open-page.ts';
import { focused, tooWide, useReports } from './open-report.ts';
import { fullRun } from './shown-runs.ts';

// What a reader does with the report: all on one page, as a reader would.
describe.skipIf(browserPath === undefined)(
  `reading a report in Chromium${browserReason}`,
  { timeout: 60_000 },
  () => {
    const browser = useBrowser();
    const openReport = useReports(browser);
    let watched: WatchedPage;
    let page: Page;
    beforeAll(async () => {
      if (browserPath === undefined) return;
      watched = await openReport(fullRun);
      page = watched.page;
    }, 60_000);
    afterAll(() => watched?.close());

    const hash = (): Promise<string> => page.evaluate('location.hash');
    const told = (): Promise<string> => page.locator('.told p').innerText();
    const messages = (): Promise<string[]> => page.locator('.finding .message').allInnerTexts();
    const choose = (name: string, value: string): Promise<unknown> =>
      page.getByRole('combobox', { name, exact: true }).selectOption(value);
    /** What comes of a key or a click, which the page hears of a moment later. */
    const soon = <Shown>(ask: () => Promise<Shown>) =>
      expect.poll(ask, { timeout: 10_000, interval: 20 });
    const start = async (route = '#/findings'): Promise<void> => {
      await goTo(page, '#/timing');
      await goTo(page, route);
    };

    describe('filters', () => {
      test.each([
        ['severity', 'warning', 1],
        ['basis', 'good practice', 2],
        ['check', 'operation-answers', 1],
        ['operation', 'getPet', 3],
        ['baseline', 'accepted', 1],
      ])('by %s', async (name, value, count) => {
        await start();
        expect(await told()).toBe('6 findings');
        await choose(name, value);
        expect([await told(), (await messages()).length, await hash()]).toEqual([
          expect.stringContaining(`${String(count)} finding`),
          count,
          `#/findings?${name}=${value.replace(' ', '+')}`,
        ]);
        await page.getByRole('button', { name: 'Clear the filters' }).click();
        await soon(async () => [await told(), await hash()]).toEqual(['6 findings', '#/findings']);
      });

      test('by keys in the search for exchanges', async () => {
        await start('#/exchanges');
        const search = page.getByRole('searchbox');
        expect(await page.locator('#search-keys').innerText()).toBe(
          'Understands status:2xx operation:createPet method:GET phase:read and words.',
        );
        await search.fill('operation:createPet status:2xx');
        expect(await told()).toMatch(/^3 exchanges of 8/);
        await search.fill('status:4xx');
        expect(await page.locator('.list').innerText()).toBe('No exchange matches.');
        await search.fill('');
      });

      test('are combined with a search in the address, and restored from it', async () => {
        await start();
        await choose('severity', 'error');
        await choose('check', 'body-matches-schema');
        await page.getByRole('searchbox').fill('lost STATUS');
        const [address, shown] = [await hash(), await messages()];
        expect([address, shown.length, await told()]).toEqual([
          '#/findings?severity=error&check=body-matches-schema&text=lost+STATUS',
          2,
          '2 findings of 6 Clear the filters',
        ]);
        await page.reload();
        expect([
          await messages(),
          await page.getByRole('searchbox').inputValue(),
          await page.getByRole('combobox', { name: 'check', exact: true }).inputValue(),
        ]).toEqual([shown, 'lost STATUS', 'body-matches-schema']);
        await page.getByRole('searchbox').fill('nothing is like this');
        expect(await page.locator('.list').innerText()).toBe('No finding matches.');
      });

      test('add no history entries: back leaves the list, and returns to it', async () => {
        await start();
        await page.getByRole('searchbox').fill('reset');
        // The only one that is left opens by itself.
        await page.getByRole('link', { name: 'Link to it' }).click();
        await soon(async () => [await hash(), await messages()]).toEqual([
          '#finding-0b44de',
          [expect.stringContaining('the connection was reset')],
        ]);
        await page.goBack();
        await page.locator('.told').waitFor();
        expect([await hash(), await told()]).toEqual([
          '#/findings?text=reset',
          expect.stringContaining('1 finding of 6'),
        ]);
        await page.goBack();
        await soon(hash).toBe('#/timing');
      });
    });

    test('going back restores the scroll position; a new view starts at its head', async () => {
      await page.setViewportSize({ width: 1280, height: 300 });
      await start('#/exchanges');
      const row = page.getByRole('link', { name: '#7', exact: true });
      await row.scrollIntoViewIfNeeded();
      const left = await page.evaluate<number>('scrollY');
      expect(left).toBeGreaterThan(300);
      await row.click();
      await page.getByRole('heading', { name: 'Exchange 7' }).waitFor();
      expect(
        await page.evaluate<number>("document.querySelector('.steps').getBoundingClientRect().top"),
      ).toBeGreaterThan(0);
      expect(
        await page.evaluate<number>(
          "document.querySelector('h2').getBoundingClientRect().bottom - innerHeight",
        ),
      ).toBeLessThan(0);
      await page.goBack();
      await page.locator('.told').waitFor();
      await soon(() => page.evaluate<number>('scrollY')).toBe(left);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    describe('the keyboard', () => {
      test('opens each part by its number', async () => {
        await start();
        for (const [key, name] of Object.entries({
          2: 'Operations 5',
          3: 'Coverage',
          4: 'Exchanges 8',
          5: 'Timing',
          6: 'Gaps and leftovers 5',
          7: 'Differences 2',
          1: 'Findings 6',
        })) {
          await page.keyboard.press(key);
          await soon(() => page.locator('.tabs [aria-current]').innerText()).toBe(name);
        }
        expect(await page.evaluate('document.activeElement.id')).toBe('view');
      });

      test('supports the keys /, Escape, j, k and Enter', async () => {
        await start();
        await page.keyboard.press('/');
        await page.keyboard.type('pets j');
        expect(await page.getByRole('searchbox').inputValue()).toBe('pets j');
        await page.keyboard.press('Backspace');
        await page.keyboard.press('Escape');
        expect([
          await page.getByRole('searchbox').inputValue(),
          await page.evaluate('document.activeElement.tagName'),
        ]).toEqual(['pets ', 'BODY']);
        const walked: string[] = [];
        for (const key of 'jjk') {
          await page.keyboard.press(key);
          walked.push(await page.evaluate('document.activeElement.parentElement.id'));
        }
        expect(walked).toEqual(['finding-f3a9c2', 'finding-deep01', 'finding-f3a9c2']);
        expect(
          await page.evaluate(
            'getComputedStyle(document.activeElement).outlineStyle + ' +
              'getComputedStyle(document.activeElement).outlineWidth',
          ),
        ).toBe('solid2px');
        await page.keyboard.press('Enter');
        await page.locator('#finding-f3a9c2 .finding-body').waitFor();
        await page.keyboard.press('Enter');
        await soon(() => page.locator('.finding[open]').count()).toBe(0);
        await goTo(page, '#/finding/f3a9c2');
        await page.keyboard.press('j');
        await page.locator('#finding-deep01').waitFor();
        expect(await hash()).toBe('#/finding/deep01');
        await page.keyboard.press('k');
        await page.locator('#finding-f3a9c2').waitFor();
        expect(await hash()).toBe('#/finding/f3a9c2');
        await goTo(page, '#/exchange/0');
        await page.keyboard.press('j');
        await soon(hash).toBe('#/exchange/1');
      });

      test('shows a help with each key, and restores the focus', async () => {
        await start();
        await page.keyboard.press('j');
        await page.keyboard.press('?');
        expect(await page.getByRole('dialog').locator('kbd').allInnerTexts()).toEqual([
          '1 to 7',
          '/',
          'j, k',
          'Enter',
          't',
          'Esc',
          '?',
        ]);
        expect(await focused(page)).toBe('Close');
        await page.keyboard.press('2');
        expect(await hash()).toBe('#/findings');
        await page.keyboard.press('Escape');
        expect([
          await page.getByRole('dialog').count(),
          await page.evaluate('document.activeElement.parentElement.id'),
        ]).toEqual([0, 'finding-f3a9c2']);
      });

      test('moves a visible focus by Tab from the header to the filters', async () => {
        await page.reload();
        await goTo(page, '#/findings');
        await page.evaluate('document.activeElement.blur()');
        const order: string[] = [];
        for (let step = 0; step < 22; step += 1) {
          await page.keyboard.press('Tab');
          order.push(await focused(page));
          expect(
            await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'),
            order.at(-1),
          ).not.toBe('none');
        }
        expect(order).toEqual([
          'Colors',
          '2 failed',
          '1 passed',
          '2 not covered',
          '3 errors',
          '1 warning',
          '1 note',
          '1 accepted',
          'Findings 6',
          'Operations 5',
          'Coverage',
          'Exchanges 8',
          'Timing',
          'Gaps and leftovers 5',
          'Differences 2',
          'Search the findings',
          'severity',
          'basis',
          'check',
          'operation',
          'baseline',
          'by cause',
        ]);
      });
    });

    test('the color scheme follows the system until the user chooses one', async () => {
      const back = (): Promise<string> =>
        page.evaluate('getComputedStyle(document.body).backgroundColor');
      const [light, dark] = ['rgb(255, 255, 255)', 'rgb(21, 23, 26)'];
      await start();
      expect(await back()).toBe(light);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await back()).toBe(dark);
      await page.getByRole('combobox', { name: 'Colors' }).selectOption('light');
      expect(await back()).toBe(light);
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('t');
      expect(await back()).toBe(dark);
      await page.emulateMedia({ colorScheme: 'light' });
      // The browser stores the choice a moment after the page has made it.
      const colors = page.getByRole('combobox', { name: 'Colors' });
      await soon(async () => {
        await page.reload();
        return [await colors.inputValue(), await back()];
      }).toEqual(['dark', dark]);
      await page.emulateMedia({ media: 'print' });
      expect(await back()).toBe(light);
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('combobox', { name: 'Colors' }).selectOption('system');
      expect(await back()).toBe(light);
    });

    describe('copying', () => {
      const button = (): ReturnType<Page['locator']> => page.locator('.command .copy').first();
      const curl =
        'curl --path-as-is -H "Authorization: Bearer $VOUCH_TOKEN" -H \'Accept: ' +
        "application/json, application/problem+json' 'http://127.0.0.1:4010/v1/" +
        "pets?status=sold'";
      const open = async (): Promise<void> => {
        await page.reload();
        await start('#/finding/f3a9c2');
        await page.evaluate(
          "document.addEventListener('copy', () => { window.copied = " +
            'document.activeElement.value; })',
        );
      };

      test('writes to the clipboard, and says so', async () => {
        await open();
        await page.evaluate(
          'Object.defineProperty(navigator, "clipboard", { value: { writeText: ' +
            'async (text) => { window.copied = text; } } })',
        );
        await button().click();
        expect([
          await button().innerText(),
          await button().getAttribute('aria-label'),
          await page.evaluate('window.copied'),
        ]).toEqual(['Copied', 'Copied', curl]);
      });

      test('writes a finding for an issue', async () => {
        await open();
        await page.evaluate(
          'Object.defineProperty(navigator, "clipboard", { value: { writeText: ' +
            'async (text) => { window.copied = text; } } })',
        );
        await page.getByRole('button', { name: 'Copy for an issue' }).click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        expect(await page.evaluate('window.copied')).toMatch(
          /^\*\*.*status.*\*\*\n\n- `GET \/pets`.*> 366 \|.*```sh\ncurl.*, seed `42`$/s,
        );
      });

      test('copies with execCommand if the clipboard is denied, and keeps the focus', async () => {
        await open();
        await page.evaluate(
          'Object.defineProperty(navigator, "clipboard", { value: { writeText: ' +
            'async () => { throw new DOMException("denied", "NotAllowedError"); } } ' +
            '})',
        );
        await button().click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        expect([
          await page.evaluate('window.copied'),
          await focused(page),
          await page.locator('textarea').count(),
        ]).toEqual([curl, 'Copied', 0]);
      });

      test('asks to select by hand if neither works', async () => {
        await open();
        await page.evaluate(
          'Object.defineProperty(navigator, "clipboard", { value: undefined }); ' +
            'document.execCommand = () => false',
        );
        await button().click();
        await page.getByRole('button', { name: 'Select it by hand' }).waitFor();
      });
    });

    test('paper has the verdict, each finding and the matrix, on few pages', async () => {
      await start('#/exchanges');
      const paper = await page.pdf({ format: 'A4' });
      expect(paper.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThan(4);
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      const findings = page.locator('.paper .finding:visible');
      expect([
        await findings.count(),
        await findings.filter({ hasText: 'expected' }).count(),
        await findings.filter({ hasText: 'curl ' }).count(),
        await page.locator('.paper .matrix tbody tr:visible').count(),
        await page.locator('h1:visible').count(),
        await page
          .locator('.tabs:visible, .theme:visible, .exchanges:visible, .exchange:visible')
          .count(),
      ]).toEqual([6, 4, 3, 2, 1, 0]);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await page.locator('.paper').count()).toBe(0);
      await page.emulateMedia({ media: 'screen' });
    });

    test('no tab moves when another one is chosen', async () => {
      const lefts = (): Promise<number[]> =>
        page.locator('.tabs a').evaluateAll((all) => all.map(({ offsetLeft }) => offsetLeft));
      await start('#/findings');
      const before = await lefts();
      for (const route of ['#/operations', '#/observed']) {
        await goTo(page, route);
        expect(await lefts(), route).toEqual(before);
      }
    });

    describe('the head', () => {
      const height = (): Promise<number> =>
        page.locator('.top').evaluate(({ clientHeight }) => clientHeight);

      test.each([1280, 720, 390])('is one line off the list of findings, at %i', async (width) => {
        await page.setViewportSize({ width, height: 800 });
        await start('#/findings');
        expect(await height()).toBeGreaterThan(100);
        for (const route of ['#/exchanges', '#/exchange/1', '#/finding/f3a9c2', '#/observed']) {
          await goTo(page, route);
          expect(await height(), route).toBeLessThan(45);
          expect(await tooWide(page), route).toBe(0);
          expect(await page.locator('h1').innerText(), route).toMatch(/^Failed/);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
      });

      test('on a telephone has the facts of the run below a button', async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await start('#/findings');
        const facts = page.locator('.run');
        expect(await facts.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'About the run' }).click();
        await facts.waitFor();
        await page.setViewportSize({ width: 1280, height: 800 });
        await start('#/findings');
        expect([
          await facts.isVisible(),
          await page.getByRole('button', { name: 'About the run' }).count(),
        ]).toEqual([true, 0]);
      });
    });

    test('the lines of the contract are beside the answer, or above it', async () => {
      const placed = (): Promise<readonly [number, number, number, number]> =>
        page.evaluate(
          "['.frame', '.exchange section:nth-child(2)'].flatMap((each) => { const { left, top } " +
            "= document.querySelector('#finding-f3a9c2 ' + each).getBoundingClientRect(); " +
            'return [left, top]; })',
        );
      await start('#/finding/f3a9c2');
      const [lineLeft, lineTop, answerLeft, answerTop] = await placed();
      expect(answerLeft - lineLeft).toBeGreaterThan(400);
      expect(Math.abs(answerTop - lineTop)).toBeLessThan(100);
      await page.setViewportSize({ width: 390, height: 800 });
      const [narrowLeft, narrowTop, belowLeft, belowTop] = await placed();
      expect([belowLeft, belowTop > narrowTop]).toEqual([narrowLeft, true]);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    test('the line below the facts says the fault and the exchanges, and has a link', async () => {
      await start('#/findings');
      await goTo(page, '#/finding/0b44de');
      expect(await page.locator('.aside').innerText()).toMatch(
        /^By .* · fault of the server or the contract: undecided · seen on createPet · exchange #7\s+Link to it\s+Copy/,
      );
      await page.getByRole('link', { name: 'Link to it' }).click();
      expect(await hash()).toBe('#finding-0b44de');
    });

    describe('groups', () => {
      const titles = (): Promise<string[]> => page.locator('.group h2').allInnerTexts();

      test('findings are below the rule that they break; notes are folded', async () => {
        await start();
        expect(await titles()).toEqual([expect.stringMatching(/^body-matches-schema\s.*\s2$/s)]);
        await page.getByText('1 note, which do').click();
        await soon(async () => (await messages()).length).toBe(6);
      });

      test('of one finding are none: it says its rule itself', async () => {
        await start();
        const alone = page.locator('.group:not(:has(h2))').first();
        expect(await alone.locator('.finding').count()).toBe(2);
        expect(await alone.locator('.about').first().innerText()).toContain('operation-answers');
        expect(await page.locator('.group:has(h2) .about').first().innerText()).not.toContain(
          'body-matches-schema',
        );
        for (const id of ['f3a9c2', '0b44de'])
          await page.locator(`#finding-${id} > summary`).click();
        const rules = (id: string): Promise<number> =>
          page.locator(`#finding-${id} dt`, { hasText: 'rule' }).count();
        await page.locator('#finding-0b44de .finding-body').waitFor();
        expect([await rules('f3a9c2'), await rules('0b44de')]).toEqual([0, 1]);
      });

      test('have places that end with a word, also of what was seen once', async () => {
        const once = fullRun.map((event) =>
          event.type === 'finding-reported'
            ? { ...event, finding: { ...event.finding, count: 1, operations: ['listPets'] } }
            : event,
        );
        const { page: other, close } = await openReport(once, '#/findings');
        const places = await other.locator('.group:has(h2) .about').allInnerTexts();
        expect(places.length).toBeGreaterThan(0);
        expect(places.filter((place) => place.trim().endsWith('·'))).toEqual([]);
        await close();
      });

      test('by operation are part of the address', async () => {
        await start();
        await page.getByRole('button', { name: 'by operation' }).click();
        const [address, shown] = [await hash(), await titles()];
        expect(address).toBe('#/findings?group=operation');
        expect(shown[0]).toMatch(/^GET \/pets\s+3$/);
        await page.reload();
        await soon(titles).toEqual(shown);
      });
    });

    test('the link to a finding survives a reload', async () => {
      await start('#finding-f3a9c2');
      await page.reload();
      expect(await messages()).toEqual([expect.stringContaining('has a status')]);
      expect(await page.locator('.tabs [aria-current]').innerText()).toBe('Findings 6');
    });
  },
);
