import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { todoDocument } from '../server/todo-document.ts';
import {
  browserPath,
  browserReason,
  findBarriers,
  goTo,
  useBrowser,
  type WatchedPage,
} from './open-page.ts';

describe.skipIf(browserPath === undefined)(
  `work in the console${browserReason}`,
  { timeout: 60_000 },
  () => {
    const browser = useBrowser();
    let folder = '';
    let mock: RunningMock;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vouch-authoring-'));
      await writeFile(join(folder, 'todo.json'), JSON.stringify(todoDocument()));
      await mkdir(join(folder, 'scenarios'));
      const config = join(folder, 'vouch.config.yaml');
      await writeFile(config, 'contract: todo.json\nmock: { scenarios: scenarios }\n');
      mock = await startMock({ config });
    });
    afterAll(async () => {
      await mock.close();
      await rm(folder, { recursive: true });
    });

    const enter = async (route: string, on: RunningMock = mock): Promise<WatchedPage> => {
      const watched = await browser.open(on.consoleLink());
      await watched.page.getByRole('navigation').waitFor();
      await goTo(watched.page, route);
      return watched;
    };
    const yamlOf = (page: Page): Promise<string> =>
      page.getByLabel('The scenario, as YAML').inputValue();

    test('a scenario is written as YAML, refused, saved and edited', async () => {
      const { page, close } = await enter('#/scenarios');
      await page.getByText('No scenario yet.').waitFor();
      await page.getByRole('link', { name: 'Create a scenario' }).click();
      const yaml = page.getByLabel('The scenario, as YAML');
      const delayed = async (delay: string): Promise<void> =>
        yaml.fill((await yamlOf(page)).replace(/delay: \w+/, `delay: ${delay}`));
      expect(await yamlOf(page)).toContain('delay: 2s');
      await delayed('soon');
      await page.getByText('Line 5: delay must be such as 200ms').waitFor();
      expect(await yaml.getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Give it a name first.').waitFor();
      await page.getByLabel('Name').fill('../slow');
      await page.getByText('A name has 1 to 64 letters').waitFor();
      await page.getByLabel('Name').fill('slow');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The scenario is not valid yet.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await delayed('10ms');
      await goTo(page, '#/faults');
      await page.getByRole('heading', { name: 'Faults and clock' }).waitFor();
      await page.goBack();
      expect(await page.getByLabel('Name').inputValue()).toBe('slow');
      expect(await yamlOf(page)).toContain('delay: 10ms');
      await yaml.fill(`# Kept.\n${await yamlOf(page)}`);
      await page.getByRole('button', { name: 'Save and switch on' }).click();
      await page.getByText(/^Saved as .*slow\.yaml\.$/).waitFor();
      expect(await page.getByRole('switch', { name: /^slow/ }).isChecked()).toBe(true);
      expect(await readFile(join(folder, 'scenarios/slow.yaml'), 'utf8')).toMatch(
        /^# Kept\.\ndescription/,
      );
      await page.getByRole('link', { name: 'Edit slow' }).click();
      expect(await yamlOf(page)).toMatch(/^# Kept\./);
      const file = join(folder, 'scenarios/slow.yaml');
      const original = await readFile(file, 'utf8');
      const question = page.getByRole('dialog', { name: 'Overwrite slow?' });
      await writeFile(file, `# Once.\n${original}`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await question.getByRole('button', { name: 'Load what is there now' }).click();
      await expect.poll(() => yamlOf(page)).toMatch(/^# Once\./);
      await writeFile(file, `# Twice.\n${original}`);
      await yaml.fill(
        (await yamlOf(page)).replace('pass: true,', 'status: 503, offContract: true,'),
      );
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await question.getByRole('button', { name: 'Overwrite' }).click();
      await page.getByRole('heading', { name: 'Scenarios' }).waitFor();
      expect((await fetch(`${mock.url}/lists`)).status).toBe(503);
      mock.prepared.mock.scenarios.deactivate('slow', 'default');
      await goTo(page, '#/scenarios/new');
      await page.getByLabel('Name').fill('slow');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'Replace slow?' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await yamlOf(page)).toContain('delay: 2s');
      await close();
    });

    test('without a folder, the page says so and offers the YAML', async () => {
      const apart = await startMock({ contract: todoDocument(), config: false });
      const { page, close } = await enter('#/scenarios/new', apart);
      await page.getByText('It is kept in memory until the mock stops').waitFor();
      await page.getByLabel('Name').fill('late');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('late.yaml');
      expect(await readFile(await download.path(), 'utf8')).toContain('operation: "GET /lists"');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The mock has no folder for scenarios.').waitFor();
      await page.getByRole('heading', { name: 'Edit late' }).waitFor();
      const played = (): string => JSON.stringify(apart.prepared.mock.options.scenarios);
      for (const seconds of ['3', '4']) {
        const yaml = (await yamlOf(page)).replace(/delay: \d+s/, `delay: ${seconds}s`);
        await page.getByLabel('The scenario, as YAML').fill(yaml);
        // The page shows what was saved as the mock has it.
        const shown = page.waitForResponse(
          (each) => each.request().method() === 'GET' && each.url().endsWith('/scenarios/late'),
        );
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await shown;
        expect(played()).toContain(`${seconds}000`);
      }
      apart.prepared.mock.removeScenario('late');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Save late again?' });
      await question.getByRole('button', { name: 'Save' }).click();
      await expect.poll(played).toContain('"late"');
      await close();
      await apart.close();
    });

    test('a preset slows one operation, and a wrong delay is said at its field', async () => {
      const { page, close } = await enter('#/faults');
      await page.getByLabel('Delay').fill('soon');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByRole('alert').getByText('delay must be such as 200ms').waitFor();
      await goTo(page, '#/scenarios');
      await page.getByRole('heading', { name: 'Scenarios' }).waitFor();
      expect(await page.getByText('delay must be').count()).toBe(0);
      await goTo(page, '#/faults');
      await page.getByLabel('Applies to').selectOption('GET /lists');
      await page.getByRole('button', { name: '500 now and then' }).click();
      const bar = page.getByRole('region', { name: 'The mock, and what is on' });
      await bar.getByText('500, 1 in 5, of GET /lists').waitFor();
      const statuses = [];
      for (let count = 0; count < 5; count += 1)
        statuses.push((await fetch(`${mock.url}/lists`)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 500]);
      await bar.getByRole('button', { name: 'Off: faults' }).click();
      await bar.getByText('of GET /lists').waitFor({ state: 'detached' });
      await close();
    });

    describe('a task of a new user takes four clicks at most', () => {
      /** A press of the mouse is one, a choice from a list is two: it is opened, then chosen. */
      const countClicks =
        'window.clicks = 0;' +
        "addEventListener('pointerdown', () => { window.clicks += 1; }, true);" +
        "addEventListener('change', ({ target }) => {" +
        "if (target.tagName === 'SELECT') window.clicks += 2; }, true);";
      const open = (page: Page, name: string): Promise<void> =>
        page.getByRole('link', { name, exact: true }).click();
      const press = (page: Page, name: string): Promise<void> =>
        page.getByRole('button', { name, exact: true }).click();

      const tasks: readonly (readonly [string, number, (page: Page) => Promise<void>])[] = [
        [
          'find why a request failed',
          1,
          async (page) => {
            await page.locator('.exchange-row').first().click();
            await page.locator('.detail .verdict').getByText('in the path must be').waitFor();
          },
        ],
        [
          'add a record',
          3,
          async (page) => {
            await open(page, 'Records');
            await press(page, 'Add a record');
            await press(page, 'Save');
            await page.getByText('Saved.').waitFor();
          },
        ],
        [
          'switch a scenario on',
          2,
          async (page) => {
            await open(page, 'Scenarios');
            await page.getByRole('switch', { name: /^broken/ }).click();
            await page.getByText('broken is on.').waitFor();
          },
        ],
        [
          'slow one operation',
          4,
          async (page) => {
            await open(page, 'Faults');
            await page.getByLabel('Applies to').selectOption('POST /lists');
            await press(page, '300 ms');
            await page.getByText('300 ms delay, of POST /lists').waitFor();
          },
        ],
        [
          'run a check and read its first finding',
          3,
          async (page) => {
            await open(page, 'Check');
            await press(page, 'Check');
            const finding = page.locator('.finding').first();
            await finding.locator('summary').click();
            await finding.getByText('expected', { exact: true }).waitFor();
          },
        ],
      ];
      beforeAll(async () => {
        mock.addScenario('broken', {
          description: 'The list is no list.',
          rules: [
            {
              operation: 'GET /lists',
              answers: [{ status: 200, body: 'none', offContract: true }],
            },
          ],
        });
        await fetch(`${mock.url}/lists/none/items`);
      });

      test.each(tasks)('%s, by clicks: %i', async (_name, clicks, act) => {
        const { page, close } = await enter('#/traffic');
        await page.locator('.exchange-row, .run-row').first().waitFor();
        await page.evaluate(countClicks);
        await act(page);
        expect(await page.evaluate('window.clicks')).toBe(clicks);
        await close();
      });
    });
  },
);
