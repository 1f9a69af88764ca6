// Makes `dist/`, or the folder that is named, which is what the published package runs: Node
// refuses TypeScript below node_modules.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages, pagesFolder } from './build-pages.ts';
import { bundleBrowser } from './bundle-browser.ts';
import { bundleProgram } from './bundle-program.ts';
import { bundleTypes } from './bundle-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? `${root}dist`);
mkdirSync(dist, { recursive: true });
// The source reads the pages too, and may be running: they are replaced, and never missing.
for (const name of readdirSync(dist))
  if (name !== pagesFolder) rmSync(join(dist, name), { recursive: true });
await buildPages(join(dist, pagesFolder));
const tests = ['testing/vitest', 'testing/jest', 'testing/playwright'];
await bundleTypes(dist, ['index', ...tests, 'msw/msw', 'msw/vite']);
await bundleProgram({
  source: `${root}src`,
  dist,
  entries: {
    vouch: 'cli/bin',
    library: 'index',
    vitest: 'testing/vitest',
    jest: 'testing/jest',
    playwright: 'testing/playwright',
    msw: 'msw/msw',
    vite: 'msw/vite',
    'proof-worker': 'prove/proof-worker',
    'prism-child': 'prism/prism-child',
    'watch-parent': 'prism/watch-parent',
  },
  packages: ['@modelcontextprotocol/sdk', '@redocly/openapi-core', 'json-p3', 'selfsigned', 'zod'],
  starts: {
    mock: ['cli/find-contract', 'cli/serve/serve', 'library/start-mock'],
    check: ['cli/find-contract', 'cli/check/run-check-command'],
    lint: ['cli/find-contract', 'lint/lint-contract', 'lint/format-lint'],
  },
});
await bundleBrowser(`${root}src`, dist);
