import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checks } from '../../src/check/checks/index.ts';
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

  test('has 60 lines at most', () => {
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

  test('begins with the two commands', () => {
    const [first] = text.split('```sh\n').slice(1);
    expect(
      first
        ?.split('\n')
        .slice(0, 2)
        .map((line) => line.replace(/ +#.*/, '')),
    ).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  test('lists the checks as the table has them', () => {
    const listed = [...text.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(
      (match) => `${match[1] ?? ''}: ${match[2] ?? ''}`,
    );
    expect(listed).toEqual(checks.map(({ id, rule }) => `${id}: ${rule}`));
  });

  test('names every reporter', () => {
    expect(reporters.filter(({ id }) => !text.includes(`\`${id}\``)).map(({ id }) => id)).toEqual(
      [],
    );
  });

  test('shows files and code as they are', () => {
    for (const match of text.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g)) {
      expect(match[2], match[1]).toBe(read(match[1] ?? ''));
    }
    expect([...text.matchAll(/<!-- file: /g)].length).toBeGreaterThan(0);
  });
});

describe('decision records', () => {
  const records = readdirSync(join(packageFolder, 'docs/decisions')).filter((name) =>
    /^\d{4}-/.test(name),
  );

  test.each(records)('%s has 40 lines at most', (name) => {
    expect(read(`docs/decisions/${name}`).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('are numbered without a hole', () => {
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
