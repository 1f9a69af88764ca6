// Writes the pictures of the console into `docs/pictures`: `console.png` and `console-dark.png` of
// the traffic, and for each page one picture of it in light, in dark and at 390 pixels; and of the
// documentation, and of what a browser sees at `/`. Needs
// Chromium: VOUCH_BROWSER names one.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type RunningMock, startMock } from '../src/library/start-mock.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const height = 800;
const looks = [
  { name: 'light', width: 1280, colorScheme: 'light' },
  { name: 'dark', width: 1280, colorScheme: 'dark' },
  { name: 'phone', width: 390, colorScheme: 'light' },
] as const;

/** A page of the console, or another one, and what to do before the picture. */
interface Scene {
  readonly name: string;
  /** The address below the console, or the path of another page. */
  readonly route: string;
  readonly act?: (page: Page, other: RunningMock) => Promise<void>;
}

const scenes: readonly Scene[] = [
  { name: 'traffic', route: '#/traffic/5' },
  { name: 'records', route: '#/records', act: editRecord },
  { name: 'scenarios', route: '#/scenarios' },
  { name: 'faults', route: '#/faults' },
  { name: 'check', route: '#/check', act: checkServer },
  { name: 'try', route: '#/try/listPets', act: sendRequest },
  { name: 'sessions', route: '#/sessions' },
  { name: 'palette', route: '#/traffic', act: (page) => page.keyboard.press('Control+k') },
  { name: 'docs', route: '/__vouch/docs#/createPet', act: seeSample },
  { name: 'welcome', route: '/' },
];

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
  else await page.goto(mock.origin + scene.route);
  await page.waitForTimeout(300);
  await scene.act?.(page, other);
  await page.waitForTimeout(300);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function enterConsole(page: Page, mock: RunningMock, route: string): Promise<void> {
  await page.goto(`${mock.controlUrl}/#${mock.controlToken}`);
  await page.getByRole('navigation').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(route)}`);
  await page.getByRole('button', { name: 'Off: scenario missing-pet' }).waitFor();
}

/** Puts pictures side by side, as WebP. */
async function joinPictures(browser: Browser, pictures: readonly Buffer[]): Promise<Buffer> {
  const page = await browser.newPage();
  const sources = pictures.map((each) => `data:image/png;base64,${each.toString('base64')}`);
  const joined: string = await page.evaluate(`(${joinInBrowser})(${JSON.stringify(sources)})`);
  await page.close();
  return Buffer.from(joined.split(',')[1] ?? '', 'base64');
}

/** Runs in the browser: draws the pictures on one canvas. */
const joinInBrowser = `async (urls) => {
  const load = async (url) => createImageBitmap(await (await fetch(url)).blob());
  const images = await Promise.all(urls.map(load));
  const gap = 24;
  const canvas = document.createElement('canvas');
  canvas.width = images.reduce((sum, image) => sum + image.width + gap, -gap);
  canvas.height = images[0].height;
  let at = 0;
  for (const image of images) {
    canvas.getContext('2d').drawImage(image, at, 0);
    at += image.width + gap;
  }
  return canvas.toDataURL('image/webp', 0.8);
}`;

const named = process.env['VOUCH_BROWSER'] ?? '/usr/bin/chromium';
if (!existsSync(named)) throw new Error('There is no Chromium: name one by VOUCH_BROWSER.');
const browser = await chromium.launch({ executablePath: named, args: ['--no-sandbox'] });
const other = await startMock({ fixtures: false, seedRecords: 0 });
const mock = await startMock();
await fillMock(mock);
for (const scene of scenes) {
  const pictures: Buffer[] = [];
  for (const look of looks)
    pictures.push(await takePicture(browser, [mock, other], { scene, look }));
  const [light, dark] = pictures;
  if (scene.name === 'traffic' && light !== undefined && dark !== undefined) {
    writeFileSync(join(folder, 'console.png'), light);
    writeFileSync(join(folder, 'console-dark.png'), dark);
  }
  writeFileSync(join(folder, `console-${scene.name}.webp`), await joinPictures(browser, pictures));
}
await browser.close();
await Promise.all([mock.close(), other.close()]);
