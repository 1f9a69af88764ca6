// Writes the pictures into `docs/pictures`: of each page of the console, the documentation, the
// report and the site one in light, one in dark (`NAME-dark.webp`, shown by the site in the dark)
// and one at 390 pixels (`NAME-phone.webp`). Needs Chromium: VOUCH_BROWSER names one.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type RunningMock, startMock } from '../src/library/start-mock.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/pictures');
const height = 900;
const looks = [
  { suffix: '', width: 1440, colorScheme: 'light' },
  { suffix: '-dark', width: 1440, colorScheme: 'dark' },
  { suffix: '-phone', width: 390, colorScheme: 'light' },
] as const;

/** A page, and what to do before the picture. */
interface Scene {
  readonly name: string;
  /** The address below the console, the path of another page of the mock, or a whole address. */
  readonly route: string;
  readonly act?: (page: Page, other: RunningMock) => Promise<void>;
}

const consoleScenes: readonly Scene[] = [
  { name: 'console-traffic', route: '#/traffic/5' },
  { name: 'console-records', route: '#/records', act: editRecord },
  { name: 'console-scenarios', route: '#/scenarios' },
  { name: 'console-faults', route: '#/faults' },
  { name: 'console-check', route: '#/check', act: checkServer },
  { name: 'console-try', route: '#/try/listPets', act: sendRequest },
  { name: 'console-sessions', route: '#/sessions' },
  { name: 'console-palette', route: '#/traffic', act: (page) => page.keyboard.press('Control+k') },
  { name: 'console-docs', route: '/__vouch/docs#/createPet', act: seeSample },
  { name: 'console-welcome', route: '/' },
];

/** The tabs of a report, and pages of the site. */
function fileScenes(report: string, site: string): Scene[] {
  const [page, base] = [pathToFileURL(report).href, pathToFileURL(site).href];
  return [
    { name: 'report-findings', route: `${page}#/findings`, act: openFinding },
    ...['operations', 'coverage', 'exchanges', 'timing'].map((tab) => ({
      name: `report-${tab}`,
      route: `${page}#/${tab}`,
    })),
    { name: 'site-welcome', route: `${base}/index.html` },
    { name: 'site-started', route: `${base}/guides/getting-started.html` },
    { name: 'site-guide', route: `${base}/guides/ci-github.html` },
  ];
}

async function openFinding(page: Page): Promise<void> {
  await page.locator('details.finding summary').first().click();
}

async function seeSample(page: Page): Promise<void> {
  await page.locator('.sample code:not(:empty)').waitFor();
}

async function editRecord(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit 2', exact: true }).click();
  const form = page.getByRole('group', { name: 'The record, as a form' });
  await form.getByLabel('categoryId').fill('many');
  await form.getByText('must be an integer').waitFor();
}

async function checkServer(page: Page, other: RunningMock): Promise<void> {
  await page.getByLabel('Server').selectOption({ label: 'another server on this machine' });
  await page.getByLabel('Base URL').fill(other.url);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('link', { name: 'Open report' }).waitFor({ timeout: 90_000 });
}

async function sendRequest(page: Page): Promise<void> {
  await page.getByLabel('limit').fill('3');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.answer pre').first().waitFor();
}

/** Requests of every kind, a scenario and a delay. */
async function fillMock(mock: RunningMock): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'Biscuit', categoryId: 1 });
  const requests: readonly (readonly [path: string, init: RequestInit])[] = [
    ['/pets?limit=3', {}],
    ['/pets/2', {}],
    ['/store/orders', {}],
    ['/pets', { method: 'POST', headers: json, body }],
    ['/pets?limit=many', { headers: { 'Vouch-Session': 'checkout' } }],
    ['/pets/4711', {}],
    ['/pest', {}],
    ['/pets?limit=100', {}],
  ];
  for (const [path, init] of requests) {
    const headers = { Authorization: 'Bearer demo-key', ...init.headers };
    await (await fetch(mock.url + path, { ...init, headers })).arrayBuffer();
  }
  const control = { Authorization: `Bearer ${mock.controlToken}`, ...json };
  await fetch(`${mock.controlUrl}/scenarios/missing-pet`, {
    method: 'POST',
    headers: control,
    body: '{"active":true}',
  });
  await fetch(`${mock.controlUrl}/faults`, {
    method: 'PUT',
    headers: control,
    body: '{"delay":"300ms"}',
  });
}

async function takePicture(
  browser: Browser,
  mocks: readonly [mock: RunningMock, other: RunningMock],
  { scene, look }: { readonly scene: Scene; readonly look: (typeof looks)[number] },
): Promise<Buffer> {
  const [mock, other] = mocks;
  const { width, colorScheme } = look;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  if (scene.route.startsWith('#')) await enterConsole(page, mock, scene.route);
  else await page.goto(new URL(scene.route, mock.origin).href);
  await page.waitForTimeout(300);
  await scene.act?.(page, other);
  await page.waitForTimeout(300);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function enterConsole(page: Page, mock: RunningMock, route: string): Promise<void> {
  await page.goto(mock.consoleLink());
  await page.getByRole('navigation').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
  await page.getByRole('button', { name: 'Off: scenario missing-pet' }).waitFor();
}

/** A picture as WebP, which Chromium writes and its screenshots are not. */
async function toWebP(browser: Browser, picture: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  const drawn: string = await page.evaluate(`(${drawInBrowser})(${JSON.stringify(source)})`);
  await page.close();
  return Buffer.from(drawn.split(',')[1] ?? '', 'base64');
}

/** Runs in the browser. */
const drawInBrowser = `async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.8);
}`;

/** A deployment with a defect: it forgets the filter of the list. */
async function startDefective(origin: string): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', origin);
      url.searchParams.delete('status');
      const { method = 'GET', headers } = request;
      const body = Buffer.concat(chunks);
      const sent = Object.entries(headers).filter(([name]) => !/^(host|connection)$/.test(name));
      void fetch(url, {
        method,
        headers: sent.map(([name, value]) => [name, String(value)]),
        ...(body.length === 0 ? {} : { body }),
      }).then(async (answer) => {
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? '',
        });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Runs a program of this clone; a check with findings ends with 1, and has its report. */
function run(words: readonly string[]): Promise<void> {
  const env = { ...process.env, VOUCH_TOKEN: 'demo-key' };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: root, env }, () => resolve());
  });
}

/** Writes a report with findings, and the site. */
async function writeFiles(place: string): Promise<readonly Scene[]> {
  const mock = await startMock();
  const server = await startDefective(mock.origin);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [report, site] = [join(place, 'report.html'), join(place, 'site')];
  const url = `http://127.0.0.1:${String(port)}/v1`;
  await run(['bin/vouch.js', 'check', url, '--mode', 'read-write', '-r', `html=${report}`]);
  await run(['tools/site/build.ts', site]);
  server.close();
  await mock.close();
  return fileScenes(report, site);
}

const named = process.env['VOUCH_BROWSER'] ?? '/usr/bin/chromium';
if (!existsSync(named)) throw new Error('There is no Chromium: name one by VOUCH_BROWSER.');
const browser = await chromium.launch({ executablePath: named, args: ['--no-sandbox'] });
const other = await startMock({ fixtures: false, seedRecords: 0 });
const mock = await startMock();
await fillMock(mock);
async function takePictures(scene: Scene): Promise<void> {
  for (const look of looks) {
    const picture = await takePicture(browser, [mock, other], { scene, look });
    const file = join(folder, `${scene.name}${look.suffix}.webp`);
    writeFileSync(file, await toWebP(browser, picture));
  }
}

for (const scene of consoleScenes) await takePictures(scene);
const place = mkdtempSync(join(tmpdir(), 'pictures-'));
// The site shows pictures of the console.
for (const scene of await writeFiles(place)) await takePictures(scene);
rmSync(place, { recursive: true });
await browser.close();
await Promise.all([mock.close(), other.close()]);
