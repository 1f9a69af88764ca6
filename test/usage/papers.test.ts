import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';
import { reporters } from '../../src/report/reporters.ts';

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8');

// `scenarios/` is left out: guides let their readers write files there.
describe.each(['ARCHITECTURE.md', 'CONTEXT.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'])(
  '%s names a path that exists:',
  (paper) => {
    const paths = read(paper).matchAll(
      /`((?:src|web|test|docs|tools|bench|examples|openapi|fixtures|schemas|\.ci|\.github)\/[\w./-]*|vouch\.config\.yaml)`/g,
    );
    test.each([...new Set([...paths].map(([, path = '']) => path)), 'README.md'])('%s', (path) => {
      expect(existsSync(join(packageFolder, path))).toBe(true);
    });
  },
);

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');

  test('has at most 60 lines', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  test('names every folder of src', () => {
    const folders = readdirSync(join(packageFolder, 'src'), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory(),
    );
    expect(
      folders.filter(({ name }) => !text.includes(`\`src/${name}/\``)).map(({ name }) => name),
    ).toEqual([]);
  });
});

describe('README.md', () => {
  const text = read('README.md');

  test('starts with a picture, the demo, your document, and the commands of a clone', () => {
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].slice(0, 2);
    expect(text.indexOf('![')).toBeLessThan(blocks[0]?.index ?? 0);
    const lines = blocks.flatMap(([, block = '']) => block.trim().split('\n'));
    expect(lines.map((line) => line.replace(/ +#.*/, ''))).toEqual([
      'npx vouch demo',
      'npx vouch openapi.yaml',
      'npx vouch check URL',
      'npm ci && npm start',
      'npm ci && npm test',
    ]);
  });

  test('has at most 150 lines', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('runs no package that a stranger could publish under the name', () => {
    expect(text).not.toMatch(/npx (--yes|-y)|vouch@/);
  });
});

describe('the guides', () => {
  const guides = readdirSync(join(packageFolder, 'docs/guides')).map(
    (name) => `docs/guides/${name}`,
  );

  test('name every reporter', () => {
    const text = read('docs/guides/check.md');
    expect(reporters.filter(({ id }) => !text.includes(`\`${id}\``)).map(({ id }) => id)).toEqual(
      [],
    );
  });

  test('are all linked from the README', () => {
    const text = read('README.md');
    expect(guides.filter((name) => !text.includes(`](${name})`))).toEqual([]);
  });

  test('show files as they are', () => {
    const shown = guides.flatMap((name) => [
      ...read(name).matchAll(/<!-- shown: (\S+\/\S+) -->\n```\w+\n([\s\S]*?)```/g),
    ]);
    expect(shown.length).toBeGreaterThan(1);
    for (const [, file = '', content] of shown) expect(content, file).toBe(read(file));
  });
});

describe.each(['README.md', 'docs/figures.md'])('%s', (name) => {
  test('has no dead link', () => {
    const links = [...read(name).matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(1);
    expect(links.filter((path) => !existsSync(join(packageFolder, dirname(name), path)))).toEqual(
      [],
    );
  });
});

describe('decision records', () => {
  const records = readdirSync(join(packageFolder, 'docs/decisions')).filter((name) =>
    /^\d{4}-/.test(name),
  );

  test.each(records)('%s has at most 40 lines', (name) => {
    expect(read(`docs/decisions/${name}`).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('are numbered without gaps', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(
      records.map((_name, index) => index + 1),
    );
  });
});

// zsh takes it for a pattern, and runs nothing where no file fits.
test.each([
  'README.md',
  ...readdirSync(join(packageFolder, 'docs/guides')).map((name) => `docs/guides/${name}`),
])('%s quotes each address that has a question mark', (file) => {
  const commands = [...read(file).matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, lines = '']) =>
    lines.split('\n'),
  );
  expect(commands.filter((line) => /\shttps?:\/\/\S*\?/.test(line))).toEqual([]);
});
