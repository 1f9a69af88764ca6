// Makes `dist/`, or the folder that is named, which is what the published package runs: Node
// refuses TypeScript below node_modules.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages, pagesFolder } from './build-pages.ts';
import { bundleBrowser } from './bundle-browser.ts';
import { bundleProgram } from './bundle-program.ts';
import { bundleTypes } from './bundle-types.ts';
import { cloneFolder, starts } from './clone-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? `${root}dist`);
mkdirSync(dist, { recursive: true });
// A clone reads the pages too, and may be running: they are replaced, and never missing.
for (const name of readdirSync(dist))
  if (name !== pagesFolder && name !== cloneFolder) rmSync(join(dist, name), { recursive: true });
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
  starts,
});
await bundleBrowser(`${root}src`, dist);
