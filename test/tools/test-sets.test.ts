import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The test files that a script of package.json runs, as Vitest itself finds them. */
function filesOf(script: string): string[] {
  const words = /\bvitest run (.*)$/.exec(manifest.scripts[script] ?? '')?.[1]?.split(' ') ?? [];
  const program = join(packageFolder, 'node_modules/vitest/vitest.mjs');
  const options = words.map((word) => word.replaceAll('"', ''));
  const list = execFileSync(
    process.execPath,
    [program, 'list', ...options, '--filesOnly', '--json'],
    {
      cwd: packageFolder,
      encoding: 'utf8',
    },
  );
  return (JSON.parse(list) as { readonly file: string }[])
    .map(({ file }) => relative(packageFolder, file))
    .sort();
}

test('each test file is run by `npm test` or by `npm run test:rest`, and by one of them', () => {
  const files = readdirSync(join(packageFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
  const [fast, rest] = [filesOf('test'), filesOf('test:rest')];
  expect(fast.length).toBeGreaterThan(rest.length);
  expect(rest.filter((file) => !file.endsWith('.slow.test.ts'))).toEqual([]);
  expect([...fast, ...rest].sort()).toEqual(files.sort());
});

test('`npm run test:all` runs both sets, and what lands has run both', () => {
  expect(manifest.scripts['test:all']).toBe('npm test && npm run test:rest');
  const landing = readFileSync(join(packageFolder, '.ci/run'), 'utf8');
  expect(landing.match(/^npm (?:run )?test.*$/gm)).toEqual(['npm test', 'npm run test:rest']);
});
