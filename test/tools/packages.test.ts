import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @ts-expect-error It is JavaScript, because npm's own Node runs it.
import { missingPackages } from '../../tools/node/packages.js';

const missing = missingPackages as (folder: string) => readonly string[];

test('a development package is brought if it is missing, or of another version than pinned', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-packages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (file: string, content: object): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  };
  const devDependencies = { here: '1.0.0', '@of/another': '2.0.0', absent: '3.0.0' };
  write('package.json', { devDependencies });
  write('node_modules/here/package.json', { version: '1.0.0' });
  write('node_modules/@of/another/package.json', { version: '1.9.0' });
  expect(missing(folder)).toEqual(['@of/another', 'absent']);
});

test('`npm ci` brings at most 300 packages, none of which only tests or linters use', () => {
  interface Locked {
    readonly dev?: boolean;
    readonly devOptional?: boolean;
    readonly link?: boolean;
    readonly cpu?: readonly string[];
  }
  const { packages } = JSON.parse(
    readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
  ) as { readonly packages: Readonly<Record<string, Locked>> };
  const brought = Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    // Of the packages for one platform, one of many is installed.
    .filter(([, { dev, devOptional, link, cpu }]) => !dev && !devOptional && !link && !cpu)
    .map(([path]) => path.split('node_modules/').at(-1));
  expect(brought).toContain('@stoplight/prism-http');
  expect(brought).not.toContain('jest');
  expect(brought).not.toContain('vitest');
  expect(brought.length).toBeLessThanOrEqual(300);
});
