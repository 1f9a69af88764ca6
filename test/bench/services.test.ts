import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { countsOf, figuresOf } from '../../bench/services/measure-services.ts';
import type { ServiceResult } from '../../bench/services/run-service.ts';
import { services } from '../../bench/services/services.ts';
import { tableOf } from '../../bench/services/table.ts';

const folder = fileURLToPath(new URL('../../bench/services/', import.meta.url));

describe.each(services)('the service $name', ({ install, kinds, version }) => {
  test('is installed at one exact version', () => {
    const pins = {
      pypi: () =>
        install.from === 'pypi'
          ? readFileSync(join(folder, 'requirements', install.requirements), 'utf8')
          : '',
      maven: () => (install.from === 'maven' ? install.artifact : ''),
      debian: () => (install.from === 'debian' ? install.packages.join('\n') : ''),
      go: () => (install.from === 'go' ? install.version : ''),
    };
    expect(pins[install.from]()).toContain(version);
  });

  test('has kinds of different names, and at least one that a run can leave', () => {
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
    expect(kinds.some(({ createdBy }) => createdBy.length > 0)).toBe(true);
  });
});

test('every requirement of Python is of one exact version', () => {
  const files = readdirSync(join(folder, 'requirements'));
  const lines = files.flatMap((file) =>
    readFileSync(join(folder, 'requirements', file), 'utf8')
      .trim()
      .split('\n'),
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => !/^[\w.-]+==[\w.]+$/.test(line))).toEqual([]);
});

test('seeds and censuses share no code with vouch', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => /from '[^']*\/src\//.test(text))).toEqual([]);
});

const operation = (id: string, statuses: Record<string, number>) => ({
  id,
  method: 'GET',
  path: `/${id}`,
  statuses,
});

const result: ServiceResult = {
  service: 'shop',
  title: 'Shop',
  version: '1.0.0',
  before: { bucket: 5, group: 2 },
  gone: [{ kind: 'bucket', id: 'a', names: ['a'], content: {} }],
  changed: [{ kind: 'group', id: 'g', members: { name: { before: 'x', after: 'y' } } }],
  left: [],
  named: [],
  unnamed: [{ kind: 'bucket', id: 'n', names: ['n'], content: {} }],
  ended: false,
  traced: [],
  run: {
    exitCode: 1,
    seconds: 1.26,
    report: {
      summary: {
        verdict: 'failed',
        reason: '',
        requests: 12,
        operations: [operation('a', { '200': 2 }), operation('b', { '404': 3, '304': 1 })],
      },
      findings: [],
      left: [],
    },
  },
};

test('an operation has succeeded if it returned 2xx at least once', () => {
  expect(countsOf(result)).toMatchObject({ operations: 2, succeeded: 1, before: 7, seconds: 1.3 });
});

test('lost or unreported records break the promise', () => {
  expect(figuresOf([{ title: 'Shop', result }])).toMatchObject([
    { measured: '1 of 7 gone, 1 changed; 1 left, 1 of them not named', kept: false },
  ]);
});

test('a run without a report breaks the promise, even if nothing was lost', () => {
  const lossless = { ...result, gone: [], changed: [], unnamed: [] };
  expect(figuresOf([{ title: 'Shop', result: lossless }])[0]?.kept).toBe(true);
  const silent = { ...lossless, run: { exitCode: 'cut off' as const, seconds: 1 } };
  expect(figuresOf([{ title: 'Shop', result: silent }])[0]?.kept).toBe(false);
});

test('a service whose process ended breaks the promise, and the table shows it', () => {
  const ended = { ...result, gone: [], changed: [], unnamed: [], ended: true };
  expect(figuresOf([{ title: 'Shop', result: ended }])[0]?.kept).toBe(false);
  expect(tableOf([{ title: 'Shop', result: ended }])).toContain('failed; the service ended |');
});

test('a service that cannot be installed is a row with the reason', () => {
  const table = tableOf([{ title: 'Shop', reason: 'java is not installed\nat line 3' }]);
  expect(table.split('\n').at(-1)).toContain('| Shop | not measured: java is not installed |');
});
