import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryPath } from '../../../src/cli/check/run-reporters.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vouch-repository-')));
  mkdirSync(join(folder, 'shop/services/orders'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The path of a file, of a run in the folder of a service. */
const inService = (file: string, env: Record<string, string> = {}): string =>
  repositoryPath(join(folder, 'shop/services/orders'), env)(file);

test('paths start at the folder that has .git, which is a file in a worktree', () => {
  mkdirSync(join(folder, '.git'));
  expect(inService('openapi.yaml')).toBe('shop/services/orders/openapi.yaml');
  writeFileSync(join(folder, 'shop/.git'), 'gitdir: elsewhere\n');
  expect(inService('openapi.yaml')).toBe('services/orders/openapi.yaml');
  expect(inService('../../api/openapi.yaml')).toBe('api/openapi.yaml');
  expect(inService(join(folder, 'shop/openapi.yaml'))).toBe('openapi.yaml');
});

test('files outside the repository, URLs and documents without a file keep their names', () => {
  mkdirSync(join(folder, 'shop/.git'));
  const outside = ['../../../openapi.yaml', join(folder, 'openapi.yaml')];
  const names = [...outside, 'https://a.example/openapi.json', '<document>'];
  expect(names.map((name) => inService(name))).toEqual(names);
  expect(inService('..openapi.yaml')).toBe('services/orders/..openapi.yaml');
});

test.each(['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'])(
  'without .git, paths start at the folder that %s names, if it has the run',
  (name) => {
    symlinkSync(join(folder, 'shop'), join(folder, 'link'));
    expect(inService('openapi.yaml', { [name]: join(folder, 'link') })).toBe(
      'services/orders/openapi.yaml',
    );
    for (const other of ['', join(folder, 'nowhere'), join(folder, 'shop/services/orders/sub')])
      expect(inService('openapi.yaml', { [name]: other })).toBe('openapi.yaml');
  },
);
