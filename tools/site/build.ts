// Writes the documentation as a site into `site/`: part of `npm run docs`. Fails on a dead link.
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fontStyle } from '../build-pages.ts';
import { findDeadLinks, readPages } from './pages.ts';
import { renderPage, sectionsOf } from './render.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'site'));

const pages = await readPages(root);
const dead = findDeadLinks(pages, root);
if (dead.length > 0) {
  console.error(`Dead links:\n${dead.map((line) => `  ${line}`).join('\n')}`);
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
const files = new Set<string>();
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
for (const page of pages)
  write(page.url, await renderPage(page, { root, pages, keepFile: (file) => files.add(file) }));
// A script and no JSON: pages that are opened from the disk may not fetch.
const sections = JSON.stringify(pages.flatMap(sectionsOf)).replaceAll('<', '\\u003c');
write('search-index.js', `globalThis.searchIndex = ${sections};\n`);
write('site.css', fontStyle() + readFileSync(new URL('site.css', import.meta.url), 'utf8'));
for (const name of ['theme.js', 'page.js', 'search.js'])
  copyFileSync(new URL(name, import.meta.url), join(folder, name));
for (const file of files) {
  const target = join(folder, 'files', file);
  mkdirSync(dirname(target), { recursive: true });
  if (statSync(join(root, file)).isFile()) copyFileSync(join(root, file), target);
}
console.log(
  `Wrote ${String(pages.length)} pages: ${pathToFileURL(join(folder, 'index.html')).href}`,
);
