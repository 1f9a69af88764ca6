import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';
import { findDeadLinks, type SitePage, readPages } from '../../tools/site/pages.ts';
import { renderPage, sectionsOf } from '../../tools/site/render.ts';

describe('the documentation', () => {
  let pages: readonly SitePage[] = [];
  beforeAll(async () => {
    pages = await readPages(packageFolder);
  });

  test('has no link to a file or a heading that does not exist', () => {
    expect(pages.length).toBeGreaterThan(50);
    expect(findDeadLinks(pages, packageFolder)).toEqual([]);
  });

  test('has the checks, the flags and the figures as pages', () => {
    const urls = pages.map(({ url }) => url);
    expect(urls).toEqual(
      expect.arrayContaining([
        'index.html',
        'reference/checks.html',
        'reference/command-line.html',
        'figures.html',
      ]),
    );
    expect(new Set(urls).size).toBe(urls.length);
  });

  test('has the guides in the order of the README', () => {
    const guides = pages.filter(({ group }) => group === 'Guides').map(({ url }) => url);
    expect(guides.slice(0, 3)).toEqual([
      'guides/mock.html',
      'guides/check.html',
      'guides/workflows.html',
    ]);
  });

  test('requests nothing from elsewhere', async () => {
    const site = { root: packageFolder, pages, keepFile: () => {} };
    const html = (await Promise.all(pages.map((page) => renderPage(page, site)))).join('');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\/[^"]*\.(?:js|css|png|svg|woff2?)"/);
    expect(
      [...html.matchAll(/<(?:script|img|link)[^>]*(?:src|href)="([^"]+)"/g)].length,
    ).toBeGreaterThan(100);
    expect(html).not.toMatch(/<(?:script|img|link)[^>]*(?:src|href)="(?:https?:|\/)/);
  });
});

describe('a site', () => {
  let root = '';
  let pages: readonly SitePage[] = [];
  const files = {
    'README.md':
      '# Shop\n\n[Use](docs/guides/use.md#set-up-1) [gone](docs/gone.md) ![p](docs/p.png)\n',
    'docs/guides/use.md':
      '# Use `it` <b>\n\n## Set up\n\none\n\n## Set up\n\nThe *quick* fox & `x < y`\n\n' +
      '| a | |\n|---|---|\n| [wrong](../../README.md#nowhere) | [out](../../../secret.txt) |\n\n' +
      '- [home](../../README.md)\n- [web](https://a.example/#x)\n\n<script>alert(1)</script>\n',
    'docs/p.png': '',
  };
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'vouch-site-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    pages = await readPages(root);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('names dead links in text, tables and pictures', () => {
    expect(findDeadLinks(pages, root)).toEqual([
      'README.md: docs/gone.md (there is no file docs/gone.md)',
      'docs/guides/use.md: ../../README.md#nowhere (README.md has no heading #nowhere)',
      'docs/guides/use.md: ../../../secret.txt (there is no file ../secret.txt)',
    ]);
  });

  test('links its pages relatively, and keeps the files that they show', async () => {
    const kept: string[] = [];
    const site = { root, pages, keepFile: (file: string) => kept.push(file) };
    const [home, guide] = await Promise.all(pages.map((page) => renderPage(page, site)));
    expect(home).toContain('<a href="guides/use.html#set-up-1">Use</a>');
    expect(home).toContain('<img src="files/docs/p.png" alt="p">');
    expect(guide).toContain('<a href="../index.html">home</a>');
    expect(guide).toContain('<a href="https://a.example/#x">web</a>');
    expect(kept).toEqual(['docs/p.png']);
  });

  test('has no markup of the text: titles and code are escaped, HTML is left out', async () => {
    const guide = await renderPage(pages[1] as SitePage, { root, pages, keepFile: () => {} });
    expect(guide).not.toContain('alert(1)');
    expect(guide).toContain('<code>x &lt; y</code>');
  });

  test('is searched by section', () => {
    expect(sectionsOf(pages[1] as SitePage)).toMatchObject([
      { url: 'guides/use.html#use-it', heading: 'Use it' },
      { url: 'guides/use.html#set-up', text: 'one' },
      { url: 'guides/use.html#set-up-1', text: expect.stringContaining('The quick fox & x < y') },
    ]);
  });
});
