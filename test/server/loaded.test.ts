import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const module = new URL('../../src/library/start-mock.ts', import.meta.url).href;

/**
 * Modules of Node's own that only some mocks need, and that take a good part of a start: its HTTP
 * client, and TLS.
 */
const costly = ['internal/deps/undici/undici', 'https', 'tls'];

test('a mock is loaded without what it may never need', async () => {
  const script =
    `await import(${JSON.stringify(module)}); ` +
    'console.log(JSON.stringify(process.moduleLoadList));';
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  const loaded = (JSON.parse(stdout) as string[]).map((name) => name.replace('NativeModule ', ''));
  expect(loaded).toContain('http');
  expect(loaded.filter((name) => costly.includes(name))).toEqual([]);
});
