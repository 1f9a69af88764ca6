import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/check/engine/check-target.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import { makeContract } from '../../contract/make-contract.ts';

const contract = makeContract({
  paths: {
    '/a': { get: { operationId: 'getA', responses: { 200: { description: 'ok' } } } },
    '/b': { get: { operationId: 'getB', responses: { 200: { description: 'ok' } } } },
  },
});
const settled = (options: Partial<CheckOptions>): ReturnType<typeof resolveSettings> =>
  resolveSettings({ url: 'http://127.0.0.1:4010', contract, ...options });

const given: readonly Partial<CheckOptions>[] = [
  { proxy: 'http://127.0.0.1:8' },
  { rate: 0.5 },
  { maxTimeMs: 1 },
  { maxRequests: 1 },
  { concurrency: 1 },
  { timeoutMs: 1 },
  { budgetMs: 1 },
  { failOn: 'note' },
  { mode: 'read-only' },
  { seed: 'mine' },
  { include: ['getA'] },
  { exclude: ['getB'] },
  { examples: {} },
  { version: '1.2.3' },
];

test.each(given.map((options) => [options]))('%j is used unchanged', (options) => {
  expect(settled(options)).toMatchObject(options);
});

test.each<[Partial<CheckOptions>]>([
  [{ rate: 0 }],
  [{ maxTimeMs: 0 }],
  [{ maxRequests: 0 }],
  [{ concurrency: 0 }],
  [{ timeoutMs: 0 }],
  [{ budgetMs: 0 }],
])('%j is refused by its name', (options) => {
  expect(() => settled(options)).toThrow(Object.keys(options)[0]);
});

test('omitted options set no limit', () => {
  const settings = settled({ token: '' });
  expect(settings.credentials.token).toBeUndefined();
  for (const name of [
    'proxy',
    'rate',
    'maxTimeMs',
    'budgetMs',
    'include',
    'exclude',
    'changed',
    'shard',
  ] as const)
    expect(settings[name]).toBeUndefined();
  expect(settings).toMatchObject({
    maxRequests: Infinity,
    concurrency: 8,
    timeoutMs: 10_000,
    failOn: 'error',
  });
});

test.each<[string, Partial<CheckOptions>, string]>([
  ['this machine', {}, 'read-write'],
  ['another host', { url: 'https://api.example.com' }, 'read-only'],
  [
    'this machine, where a server of the contract is elsewhere',
    { servers: { mail: 'https://mail.example.com' } },
    'read-only',
  ],
])('the default of allowed changes depends on the host: %s', (_name, options, mode) => {
  expect(settled(options).mode).toBe(mode);
});
