import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPages } from '../../tools/build-pages.ts';

/** A page as `#pages/NAME` has it. */
interface BuiltPage {
  readonly script: string;
  readonly style: string;
}

const font = /url\('data:font\/woff2;base64,([\w+/=]*)'\)/g;
const isFontSize = (bytes: number): boolean => bytes > 10_000 && bytes <= 40_000;
const withoutFonts = (style: string): string => style.replaceAll(font, '');

describe('buildPages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-pages-'));
  beforeAll(() => buildPages(folder));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (name: string): string => join(folder, `${name}.js`);
  const read = async (name: string): Promise<BuiltPage> =>
    (await import(pathToFileURL(fileOf(name)).href)) as BuiltPage;

  it('leaves one module for each page, and no drafts', () => {
    expect(readdirSync(folder).sort()).toEqual(['console.js', 'docs.js', 'report.js', 'start.js']);
  });

  it.each([
    ['console', 145_000],
    ['docs', 120_000],
    ['report', 92_000],
    ['start', 60_000],
  ])('makes %s of at most %i characters that fit into an HTML page', async (name, max) => {
    const { script, style } = await read(name);
    expect(script.length + withoutFonts(style).length).toBeLessThan(max);
    expect(script).not.toMatch(/<\/script|<!--/i);
    expect(style).not.toContain('<');
    expect(script).not.toMatch(/^import |\bimport\(/m);
  });

  it.each(['console', 'docs', 'report', 'start'])(
    'puts a font of two faces into %s',
    async (name) => {
      const { style } = await read(name);
      const sizes = [...style.matchAll(font)].map(([, base64 = '']) => (base64.length * 3) / 4);
      expect(sizes).toEqual([expect.toSatisfy(isFontSize), expect.toSatisfy(isFontSize)]);
      expect(readFileSync(fileOf(name), 'utf8')).toContain('SIL OPEN FONT LICENSE Version 1.1');
    },
  );

  it('bundles a page again only when one of its sources is newer', async () => {
    const before = readFileSync(fileOf('docs'), 'utf8');
    const { mtimeMs } = statSync(fileOf('docs'));
    await buildPages(folder);
    expect(statSync(fileOf('docs')).mtimeMs).toBe(mtimeMs);
    utimesSync(fileOf('docs'), 0, 0);
    await buildPages(folder);
    expect(statSync(fileOf('docs')).mtimeMs).toBeGreaterThan(mtimeMs - 60_000);
    expect(readFileSync(fileOf('docs'), 'utf8')).toBe(before);
  });
});
