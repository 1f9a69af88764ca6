import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { browserPath, browserReason, useBrowser } from '../browser/open-page.ts';
import { installPackage, type Installation } from './installed-package.ts';

/** The package as it is published, in a project of its own, and the examples with it. */
let project: Installation;

beforeAll(async () => {
  project = await installPackage();
}, 120_000);
afterAll(() => project.remove());

const browser = process.env['VOUCH_BROWSER'] ?? '/usr/bin/chromium';

describe('the package', () => {
  test('has a command line that runs from dist', async () => {
    expect(await project.runShell('.', 'npx vouch --version')).toMatch(/^0\.\d+\.\d+$/m);
    const bin = join('node_modules', '.bin', 'vouch');
    expect(await project.runShell('.', `${bin} lint openapi/petstore.v1.yaml`)).toContain(
      'no error',
    );
  });

  test('proves the check, whose mutations are loaded lazily', async () => {
    const contract = {
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      paths: { '/things': { get: { responses: { 200: { description: 'All.' } } } } },
    };
    await writeFile(join(project.folder, 'things.json'), JSON.stringify(contract));
    expect(await project.runShell('.', 'npx vouch check --prove -- things.json')).toMatch(
      /PASSED\s+\d+ of \d+ mutations killed/,
    );
  });

  test('has one file of types for each entry, and what they share', async () => {
    const names = await readdir(join(project.folder, 'node_modules/vouch/dist'), {
      recursive: true,
    });
    const types = names.filter((name) => name.endsWith('.d.ts'));
    const tests = ['testing/jest', 'testing/playwright', 'testing/vitest'];
    const entries = ['index', 'msw/msw', 'msw/vite', ...tests];
    expect(types.filter((name) => !name.startsWith('types/')).toSorted()).toEqual(
      entries.map((name) => `${name}.d.ts`),
    );
    expect(types.length - entries.length).toBeLessThan(6);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has sound types for a project with module %s and resolution %s', async (module, way) => {
    const program = `import { loadContract, startMock, VouchError } from 'vouch';
import type { MockHandle, RunningMock } from 'vouch';
import { test as vitestTest } from 'vouch/vitest';
import { useMock } from 'vouch/jest';
import { test as playwrightTest } from 'vouch/playwright';
import { createMswMock, type MswMock } from 'vouch/msw';
import { vouch } from 'vouch/vite';
export const mock: RunningMock = await startMock({ contract: 'openapi.yaml', port: 0 });
// The classes of one entry are those of another.
export const same: RunningMock = useMock().mock;
export const handle: MockHandle = mock;
await handle.reset();
export const handlers: MswMock['handlers'] = (await createMswMock()).handlers;
export const plugin: 'vouch' = vouch({ contract: 'openapi.yaml' }).name;
export const status: number = (await fetch(new URL('/pets', mock.url))).status;
export const title: string = (await loadContract('openapi.yaml')).title;
export const code = (error: unknown) => (error instanceof VouchError ? error.hint : undefined);
vitestTest('pets', async ({ session }) => void (await session.fetch('/pets')));
playwrightTest('pets', async ({ mock }) => void mock.url);
// @ts-expect-error a port is a number
void startMock({ port: 'many' });
`;
    const folder = join(project.folder, way);
    await mkdir(folder);
    await writeFile(join(folder, 'program.mts'), program);
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'dom', 'esnext.disposable'],
      module,
      moduleResolution: way,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      // What vouch declares is checked, as far as others let it be; what TypeScript declares, not.
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      types: ['node'],
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['program.mts'] }),
    );
    const said = await project
      .runNode(way, 'typescript/bin/tsc', '--project', 'tsconfig.json', '--singleThreaded')
      .catch(String);
    const ours = said.split('\n').filter((line) => /program\.mts|node_modules\/vouch/.test(line));
    expect(ours).toEqual([]);
  });

  test('has a library', async () => {
    const program = `import { loadContract, startMock } from 'vouch';
const mock = await startMock({ contract: 'openapi/petstore.v1.yaml' });
await mock.reset();
const { title } = await loadContract('openapi/petstore.v1.yaml');
const headers = { Authorization: 'Bearer demo-key' };
console.log(title, (await fetch(mock.url + '/pets', { headers })).status);
await mock.close();
`;
    await writeFile(join(project.folder, 'program.mts'), program);
    expect(await project.runNode('.', '../program.mts')).toContain(
      'Pet Store Service Interface 200',
    );
  });
});

describe('what the package brings along', () => {
  interface Locked {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly hasInstallScript?: boolean;
  }

  test('is at most 90 packages, none of which runs a script when it is installed', async () => {
    const { packages } = JSON.parse(
      await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    ) as { readonly packages: Readonly<Record<string, Locked>> };
    const needed = new Set(['']);
    for (const path of needed)
      for (const name of Object.keys(packages[path]?.dependencies ?? {}))
        needed.add(nearest(packages, path, name));
    // Two versions of one package are a matter of the clone, where others need the other version.
    const names = new Set([...needed].map((path) => path.split('node_modules/').at(-1)));
    expect(names.size).toBeGreaterThan(20);
    expect(names.size).toBeLessThanOrEqual(90);
    const scripts = [...needed].filter((path) => packages[path]?.hasInstallScript === true);
    expect(scripts).toEqual([]);
  });

  /** The place of a dependency, as Node finds it from the folder of a package. */
  function nearest(packages: Readonly<Record<string, Locked>>, from: string, name: string): string {
    const own = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
    if (packages[own] !== undefined) return own;
    if (from === '') throw new Error(`${name} is not in the lock.`);
    return nearest(packages, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
  }

  test('is at most 10 MB, with the licences of the packages that are part of it', async () => {
    const files = await readdir(join(project.folder, 'node_modules/vouch'), {
      recursive: true,
      withFileTypes: true,
    });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(10e6);
    const licenses = await readFile(
      join(project.folder, 'node_modules/vouch/dist/program/LICENSES.txt'),
      'utf8',
    );
    expect(licenses).toMatch(/^@redocly\/openapi-core [\d.]+ \(MIT\)$/m);
    expect(licenses).toMatch(/^selfsigned [\d.]+ \(MIT\)$/m);
  });
});

describe('the guide to test helpers, in an empty CommonJS project', () => {
  const folder = 'stranger';

  beforeAll(async () => {
    const guide = await readFile(
      new URL('../../docs/guides/test-helpers.md', import.meta.url),
      'utf8',
    );
    const files = [...guide.matchAll(/<!-- tested: (\S+) -->\n```js\n([\s\S]*?)```/g)];
    expect(files.map(([, name]) => name)).toEqual([
      'pets.test.js',
      'pets.test.mjs',
      'pets.spec.js',
    ]);
    await mkdir(join(project.folder, folder));
    const write = (name: string, text: string): Promise<void> =>
      writeFile(join(project.folder, folder, name), text);
    for (const [, name = '', text = ''] of files) await write(name, text);
    await write('package.json', '{"type":"commonjs"}');
    const launchOptions = { executablePath: browser, args: ['--no-sandbox'] };
    await write(
      'playwright.config.js',
      `module.exports = { use: { launchOptions: ${JSON.stringify(launchOptions)} } };`,
    );
    await project.runShell(folder, 'cp ../openapi/petstore.v1.yaml openapi.yaml');
  });

  test('its test for Vitest passes', async () => {
    expect(await project.runNode(folder, 'vitest/vitest.mjs', 'run', 'pets.test.js')).toMatch(
      /Tests\s+1 passed/,
    );
  }, 60_000);

  test('its test for Jest passes', async () => {
    expect(
      await project.runNode(folder, 'jest/bin/jest.js', '--testMatch', '**/*.test.mjs'),
    ).toMatch(/Tests:\s+1 passed/);
  }, 60_000);

  test.skipIf(!existsSync(browser))(
    `its test for Playwright passes (skipped without ${browser})`,
    async () => {
      const words = ['@playwright/test/cli.js', 'test', 'pets.spec.js'] as const;
      expect(await project.runNode(folder, ...words)).toContain('1 passed');
    },
    120_000,
  );
});

describe('the example of a frontend', () => {
  test('passes its tests with vouch/vitest', async () => {
    expect(await project.runNode('examples/frontend', 'vitest/vitest.mjs', 'run')).toMatch(
      /Tests\s+4 passed/,
    );
  }, 60_000);

  test('has types generated from the contract, and conforms to them', async () => {
    const written = await readFile(
      join(project.folder, 'examples/frontend/src/contract.d.ts'),
      'utf8',
    );
    await project.runShell(
      'examples/frontend',
      'node node_modules/openapi-typescript/bin/cli.js ' +
        '../../openapi/petstore.v1.yaml --output src/contract.d.ts',
    );
    expect(
      await readFile(join(project.folder, 'examples/frontend/src/contract.d.ts'), 'utf8'),
      'run `npm run types` in examples/frontend',
    ).toBe(written);
    await writeFile(
      join(project.folder, 'examples/frontend/src/wrong.js'),
      "import { makeClient } from './client.js';\nvoid makeClient({ url: '', " +
        "key: '' }).add({ name: 'Ada', categoryId: 1, status: 'gone' });\n",
    );
    const said = await project
      .runShell('examples/frontend', 'node node_modules/typescript/bin/tsc --project tsconfig.json')
      .catch(String);
    const errors = said.split('\n').filter((line) => line.includes(': error TS'));
    expect(errors).toEqual([expect.stringMatching(/^src\/wrong\.js.*"gone"' is not assignable/)]);
  }, 60_000);

  test.skipIf(!existsSync(browser))(
    `passes its tests in a browser with vouch/playwright (skipped without ${browser})`,
    async () => {
      expect(
        await project.runNode('examples/frontend', '@playwright/test/cli.js', 'test'),
      ).toContain('4 passed');
    },
    120_000,
  );
});

describe('the example of a frontend with MSW', () => {
  const example = 'examples/frontend-msw';
  const chromium = useBrowser();

  test('passes its tests with vouch/msw and vouch/vite', async () => {
    expect(await project.runNode(example, 'vitest/vitest.mjs', 'run')).toMatch(/Tests\s+4 passed/);
  }, 60_000);

  test.skipIf(browserPath === undefined)(
    `works in a service worker as Vite builds it${browserReason}`,
    async () => {
      await project.runNode(example, 'msw/cli/index.js', 'init', 'public', '--no-save');
      await project.runNode(example, 'vite/bin/vite.js', 'build');
      const site = express().use(express.static(join(project.folder, example, 'dist')));
      const server = site.listen(0, '127.0.0.1');
      const { port } = await new Promise<AddressInfo>((resolve) =>
        server.once('listening', () => resolve(server.address() as AddressInfo)),
      );
      const { page, close } = await chromium.open(`http://127.0.0.1:${String(port)}/`);
      await page.getByText('Biscuit').waitFor();
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.locator('li', { hasText: 'Ada' }).waitFor();
      expect(await page.locator('li').allTextContents()).toEqual(['Biscuit', 'Ada']);
      await close();
      server.close();
    },
    120_000,
  );
});

describe('the example of a consumer', () => {
  test('passes its tests offline with vouch/jest', async () => {
    expect(await project.runNode('examples/partner', 'jest/bin/jest.js')).toMatch(
      /Tests:\s+6 passed/,
    );
  }, 60_000);
});

describe('the examples for CI', () => {
  let mock: RunningMock;

  beforeAll(async () => {
    mock = await startMock({ contract: join(project.folder, 'openapi/petstore.v1.yaml') });
    await project.runShell('.', 'cp openapi/petstore.v1.yaml openapi.yaml');
  });
  afterAll(() => mock.close());

  const linesOf = async (
    file: string,
    find: (document: never) => readonly string[],
  ): Promise<readonly string[]> =>
    find(load(await readFile(join(project.folder, 'examples/ci', file), 'utf8')) as never);

  test('GitHub: the step checks the deployment', async () => {
    const steps = await linesOf(
      'github.yml',
      (document: { jobs: { check: { steps: { run?: string }[] } } }) =>
        document.jobs.check.steps.flatMap(({ run }) => run ?? []),
    );
    const step = steps.find((line) => line.includes('vouch'));
    const told = await project.runShell('.', step ?? '', {
      URL: mock.url,
      VOUCH_TOKEN: 'demo-key',
    });
    expect(told).toContain('Passed.');
    expect(existsSync(join(project.folder, 'contract.html'))).toBe(true);
  }, 60_000);

  test('GitLab: two shards are checked, and merged', async () => {
    type Jobs = { check: { script: string[] }; report: { script: string[] } };
    const [check] = await linesOf('gitlab.yml', (document: Jobs) => document.check.script);
    const [report] = await linesOf('gitlab.yml', (document: Jobs) => document.report.script);
    for (const index of ['1', '2'])
      await project.runShell('.', check ?? '', {
        URL: mock.url,
        VOUCH_TOKEN: 'demo-key',
        CI_PIPELINE_ID: '1207',
        CI_NODE_INDEX: index,
        CI_NODE_TOTAL: '2',
      });
    await project.runShell('.', report ?? '');
    expect(await readFile(join(project.folder, 'contract.xml'), 'utf8')).toContain('<testsuites');
    const quality = JSON.parse(
      await readFile(join(project.folder, 'contract.json'), 'utf8'),
    ) as readonly { readonly severity: string }[];
    // A note of the contract's gaps is information.
    expect(quality.filter(({ severity }) => severity !== 'info')).toEqual([]);
  }, 60_000);
});
