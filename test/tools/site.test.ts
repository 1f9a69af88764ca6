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

  test('has the groups and the order of the README, with the decisions last', () => {
    const groups = [...new Set(pages.map(({ group }) => group))];
    expect(groups.slice(0, 2)).toEqual(['First steps', 'A frontend without a backend']);
    expect(groups.slice(-3)).toEqual(['Reference', 'Project', 'Decisions']);
    expect(groups).not.toContain('Guides');
    expect(pages.slice(0, 5).map(({ url }) => url)).toEqual([
      'index.html',
      'readme.html',
      'guides/getting-started.html',
      'guides/frontend.html',
      'guides/mock.html',
    ]);
  });

  test('begins with a sentence, a command, a picture and three doors', () => {
    const [landing] = pages;
    const types = landing?.tokens.map(({ type }) => type).filter((type) => type !== 'space');
    expect(types).toEqual(['heading', 'paragraph', 'code', 'paragraph', 'list']);
    expect(landing?.tokens.at(-1)?.items).toHaveLength(3);
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
    'docs/README.md': '# Shop\n\n![p](p.png)\n\n```sh\nvouch lint # now\n```\n\n```x\na < b\n```\n',
    'README.md':
      '# Shop\n\n[Use](docs/guides/use.md#set-up-1) [gone](docs/gone.md)\n\n' +
      '| topic | guides |\n|---|---|\n| first use | [use](docs/guides/use.md) |\n',
    'docs/guides/use.md':
      '# Use `it` <b>\n\n## Set up\n\none\n\n## Set up\n\nThe *quick* fox & `x < y`\n\n' +
      '| a | |\n|---|---|\n| [wrong](../../README.md#nowhere) | [out](../../../secret.txt) |\n\n' +
      '- [home](../../README.md)\n- [web](https://a.example/#x)\n\n<script>alert(1)</script>\n',
    'docs/p.png': '',
    'docs/p-dark.png': '',
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
    const [home, readme, guide] = await Promise.all(pages.map((page) => renderPage(page, site)));
    expect(readme).toContain('<a href="guides/use.html#set-up-1">Use</a>');
    const picture = (file: string, look: string): string =>
      `<a class="picture ${look}" href="files/docs/${file}">` +
      `<picture><img src="files/docs/${file}" alt="p" loading="lazy"></picture></a>`;
    expect(home).toContain(picture('p.png', 'of-light') + picture('p-dark.png', 'of-dark'));
    expect(guide).toContain('<a href="../readme.html">home</a>');
    expect(guide).toContain('<a href="https://a.example/#x">web</a>');
    expect(kept).toEqual(['docs/p.png', 'docs/p-dark.png']);
  });

  test('has no markup of the text: titles and code are escaped, HTML is left out', async () => {
    const guide = await renderPage(pages[2] as SitePage, { root, pages, keepFile: () => {} });
    expect(guide).not.toContain('alert(1)');
    expect(guide).toContain('<code>x &lt; y</code>');
  });

  test('colours code of known languages, and escapes that of others', async () => {
    const home = await renderPage(pages[0] as SitePage, { root, pages, keepFile: () => {} });
    expect(home).toContain('vouch lint <span class="hljs-comment"># now</span>');
    expect(home).toContain('<code>a &lt; b</code>');
  });

  test('leads from each page to the one before and the one behind', async () => {
    expect(pages.map(({ title, group }) => `${group}: ${title}`)).toEqual([
      'First steps: Welcome',
      'First steps: Overview',
      'First use: Use it',
    ]);
    const readme = await renderPage(pages[1] as SitePage, { root, pages, keepFile: () => {} });
    expect(readme).toContain('<a rel="prev" href="index.html"><small>Previous</small> Welcome</a>');
    expect(readme).toContain('<a rel="next" href="guides/use.html"><small>Next</small> Use it</a>');
  });

  test('is searched by section', () => {
    expect(sectionsOf(pages[2] as SitePage)).toMatchObject([
      { url: 'guides/use.html#use-it', heading: 'Use it' },
      { url: 'guides/use.html#set-up', text: 'one' },
      { url: 'guides/use.html#set-up-1', text: expect.stringContaining('The quick fox & x < y') },
    ]);
  });
});
