import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vouch } from '../../src/msw/vite.ts';
import { browserOptions } from '../../tools/bundle-browser.ts';
import { browserPath, browserReason, useBrowser } from '../browser/open-page.ts';
import type { PageTools } from './page.ts';

declare const tools: PageTools;

/** The path of the script of the service worker, which is a file of MSW. */
const worker = '/mockServiceWorker.js';
/** A document with an error in line 3. */
const faultyText = 'openapi: 3.1.0\ninfo: {title: A}\npaths: []\n';
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of the application by their path. */
type Site = Map<string, { readonly type: string; readonly text: string }>;

/** The pages with the mock as modules of their own, and MSW as the application has it. */
async function buildSite(): Promise<Site> {
  const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  const { plugins, ...options } = browserOptions(`${root}src`);
  const bundle = await rolldown({
    ...options,
    external: ['msw', 'msw/browser'],
    plugins: [plugins, vouch({ contract: 'openapi/petstore.v1.yaml' })],
    input: { page: here('page.ts'), pets: here('pets-page.ts'), msw: `${root}src/msw/msw.ts` },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const workerFile = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const script = { type: 'text/javascript' };
  const imports = { imports: { msw: '/of-msw.js', 'msw/browser': '/of-msw.js' } };
  const pageOf = (name: string): Site extends Map<string, infer File> ? File : never => ({
    type: 'text/html',
    text:
      `<script type="importmap">${JSON.stringify(imports)}</script>` +
      `<script type="module" src="/${name}.js"></script>`,
  });
  return new Map([
    ['/', pageOf('page')],
    ['/pets', pageOf('pets')],
    ['/of-msw.js', { ...script, text: await bundleMsw() }],
    [worker, { ...script, text: readFileSync(workerFile, 'utf8') }],
    ['/albums.yaml', { type: 'text/plain', text: faultyText }],
    ['/v2/logo.svg', { type: 'image/svg+xml', text: '<svg/>' }],
    ...output.map(
      (part) =>
        [`/${part.fileName}`, { ...script, text: part.type === 'chunk' ? part.code : '' }] as const,
    ),
  ]);
}

async function bundleMsw(): Promise<string> {
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? `${root}entry.js` : undefined),
        load: (id) =>
          id.endsWith('entry.js') ? "export * from 'msw'; export * from 'msw/browser';" : undefined,
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

describe.skipIf(browserPath === undefined)(
  `the mock in a service worker of Chromium${browserReason}`,
  { timeout: 120_000 },
  () => {
    const browser = useBrowser();
    let site: Site;
    let server: Server;
    let url: string;
    let page: Page;
    const loaded = new Set<string>();

    beforeAll(async () => {
      site = await buildSite();
      server = createServer((request, response) => {
        const file = site.get(request.url ?? '');
        if (file !== undefined) loaded.add(request.url ?? '');
        response.writeHead(file === undefined ? 404 : 200, {
          'Content-Type': file?.type ?? 'text/plain',
        });
        response.end(file?.text);
      }).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
      ({ page } = await browser.open(url));
      await page.waitForFunction('"tools" in globalThis');
    }, 120_000);
    afterAll(async () => {
      await page.close();
      server.close();
    });

    test('keeps state for requests to the origin of the contract, without a network', async () => {
      const seen = await page.evaluate(async () => {
        const base = 'https://albums.example/v2/albums';
        const created = await fetch(base, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"title":"Mingus"}',
        });
        const { id } = (await created.json()) as { id: number };
        const one = await fetch(`${base}/${String(id)}`);
        const removed = await fetch(`${base}/${String(id)}`, { method: 'DELETE' });
        const gone = await fetch(`${base}/${String(id)}`);
        const refused = await fetch(base, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"title":7}',
        });
        return {
          statuses: [created, one, removed, gone, refused].map(({ status }) => status),
          title: ((await one.json()) as { title: string }).title,
          reason: await refused.text(),
          exact: await (await fetch(`${base}/9007199254740993`)).text(),
          creates: tools.mock.verify({ operation: 'createAlbum', status: 201 }),
        };
      });
      expect(seen).toMatchObject({
        statuses: [201, 200, 204, 404, 400],
        title: 'Mingus',
        exact: '{"id":9007199254740993,"title":"Hejira"}',
        creates: 1,
      });
      expect(seen.reason).toContain('title');
    });

    test('answers at the origin of the page, and leaves its files alone', async () => {
      const seen = await page.evaluate(async () => ({
        albums: await (await fetch('/v2/albums/1')).text(),
        file: await (await fetch('/albums.yaml')).text(),
        unknown: (await fetch('/v2/logo.svg')).status,
      }));
      expect(seen.albums).toBe('{"id":1,"title":"Blue"}');
      expect(seen.file).toContain('openapi');
      expect(seen.unknown).toBe(404);
    });

    test('has sessions, scenarios and reset', async () => {
      const seen = await page.evaluate(async () => {
        const base = 'https://albums.example/v2/albums';
        const story = tools.mock.session('story');
        tools.worker.use(...story.handlers);
        await fetch(base, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"title":"Mingus"}',
        });
        const count = async (): Promise<number> =>
          ((await (await fetch(base)).json()) as unknown[]).length;
        const inside = await count();
        story.activate('lost');
        const lost = await fetch(base).catch(String);
        story.deactivate('lost');
        await story.reset();
        const after = await count();
        tools.worker.resetHandlers();
        return { inside, lost, after };
      });
      expect(seen).toEqual({ inside: 3, lost: 'TypeError: Failed to fetch', after: 2 });
    });

    test('computes in a scenario that is added later', async () => {
      const seen = await page.evaluate(async () => {
        const body = { id: 7, title: '{{ "He" + "jira" }}' };
        const scenario = {
          description: 'For a test.',
          rules: [{ operation: 'getAlbum', answers: [{ status: 200, body }] }],
        };
        await tools.mock.addScenario('later', scenario);
        tools.mock.activate('later');
        const { title } = (await (await fetch('https://albums.example/v2/albums/7')).json()) as {
          title: string;
        };
        tools.mock.deactivate('later');
        const refused = await tools.mock.addScenario('later', scenario).catch(String);
        return { title, refused };
      });
      expect(seen.title).toBe('Hejira');
      expect(seen.refused).toContain('later');
    });

    test('reads forms, files and blobs', async () => {
      const seen = await page.evaluate(async () => {
        const to = 'https://albums.example/v2/covers';
        const form = new FormData();
        form.set('title', 'B');
        form.set('image', new Blob([new Uint8Array([0x89, 0xff, 0])]), 'blue.png');
        const refused = await fetch(to, { method: 'POST', body: form });
        form.set('title', 'Blue');
        const taken = await fetch(to, { method: 'POST', body: form });
        const blob = await fetch(to, {
          method: 'POST',
          body: new Blob([new Uint8Array([0x89, 0xff])], { type: 'image/png' }),
        });
        return [refused.status, taken.status, blob.status];
      });
      expect(seen).toEqual([400, 200, 200]);
    });

    test('streams events, and damages a response', async () => {
      const seen = await page.evaluate(async () => {
        tools.mock.activate('events');
        const events = await fetch('https://albums.example/v2/events');
        const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
        const pieces: string[] = [];
        for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
          pieces.push(next.value);
        tools.mock.activate('damaged');
        const damaged = await fetch('https://albums.example/v2/albums');
        const body = await damaged.text().catch((error: unknown) => String(error));
        tools.mock.deactivate('damaged');
        return { pieces, status: damaged.status, body };
      });
      expect(seen.pieces.join('')).toBe('event: added\ndata: 3\n\nevent: removed\ndata: 3\n\n');
      expect(seen.pieces.length).toBeGreaterThan(1);
      expect(seen).toMatchObject({ status: 200, body: expect.stringContaining('TypeError') });
    });

    test('an aborted request ends at once', async () => {
      const seen = await page.evaluate(async () => {
        tools.mock.activate('slow');
        const abort = new AbortController();
        const waiting = fetch('https://albums.example/v2/albums', { signal: abort.signal });
        setTimeout(() => abort.abort(), 20);
        const ended = await waiting.catch((error: unknown) => (error as Error).name);
        tools.mock.deactivate('slow');
        return ended;
      });
      expect(seen).toBe('AbortError');
    });

    test('reads a document at a URL, and shows the place of an error in it', async () => {
      const told = (contract: string): Promise<string> =>
        page.evaluate(
          async (file) => tools.createMswMock({ contract: file }).then(String, String),
          contract,
        );
      expect(await told('/albums.yaml')).toContain('/albums.yaml:3');
      expect(await told('/none.yaml')).toContain('/none.yaml cannot be fetched: status 404.');
    });

    test('serves a document of Swagger 2.0, whose conversion is loaded then', async () => {
      const seen = await page.evaluate(async () => {
        const song = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
        const { handlers } = await tools.createMswMock({
          contract: {
            swagger: '2.0',
            info: { title: 'Songs', version: '1' },
            host: 'songs.example',
            schemes: ['https'],
            produces: ['application/json'],
            paths: {
              '/songs/{id}': {
                get: {
                  parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
                  responses: { 200: { description: 'It.', schema: song } },
                },
              },
            },
          },
        });
        tools.worker.use(...handlers);
        const answer = await fetch('https://songs.example/songs/5');
        tools.worker.resetHandlers();
        return [answer.status, await answer.json()];
      });
      expect(seen).toEqual([200, { id: 5 }]);
    });

    test('refuses options that need files, with a hint', async () => {
      const told = (options: Readonly<Record<string, unknown>>): Promise<string> =>
        page.evaluate(
          async (given) =>
            tools.createMswMock({ contract: { openapi: '3.1.0' }, ...given }).then(String, String),
          options,
        );
      expect(await told({ fixtures: 'fixtures' })).toContain('vouch/vite reads the folder');
      expect(await told({ persist: 'data.db' })).toContain('The option persist needs files');
      expect(await told({ store: 'redis://127.0.0.1' })).toContain('mock.snapshot()');
    });

    test('a compiled contract has its records, scenarios and rules', async () => {
      loaded.clear();
      const { page: pets } = await browser.open(`${url}pets`);
      await pets.waitForFunction('"tools" in globalThis');
      const seen = await pets.evaluate(async () => {
        const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };
        const list = async (): Promise<{ id: number; name: string }[]> =>
          (await (await fetch('/v1/pets?limit=100', { headers })).json()) as [];
        const before = await list();
        const body = '{"name":"Ada","categoryId":9007199254740993}';
        const created = await fetch('/v1/pets', { method: 'POST', headers, body });
        const text = await created.text();
        const after = await list();
        tools.mock.activate('list-fails-twice');
        const failed = await fetch('/v1/pets', { headers });
        tools.mock.deactivate('list-fails-twice');
        const refused = await fetch('/v1/pets?status=gone', { headers });
        const unknown = await fetch('/v1/cats', { headers });
        return {
          first: before[0],
          text,
          more: after.length - before.length,
          statuses: [failed, refused, unknown].map(({ status }) => status),
          keys: tools.mock.keys,
        };
      });
      await pets.close();
      expect(seen).toMatchObject({
        first: { id: 1, name: 'Biscuit' },
        text: '{"id":73,"name":"Ada","categoryId":9007199254740993,"status":"available"}',
        more: 1,
        statuses: [503, 400, 404],
        keys: ['demo-key'],
      });
      // What vouch adds to the page; MSW is 140 kB more.
      const ours = [...loaded].filter((path) => !['/pets', '/of-msw.js', worker].includes(path));
      const sizes = ours.map((path) => gzipSync(site.get(path)?.text ?? '').length);
      const size = sizes.reduce((sum, each) => sum + each, 0);
      expect(size).toBeGreaterThan(100_000);
      expect(size).toBeLessThan(311_000);
    });
  },
);
