import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { TestSeconds } from './tools/test-seconds.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    snapshotSerializers: ['test/fold-lines.ts'],
    reporters: [...configDefaults.reporters, new TestSeconds('test-seconds.json')],
    globalSetup: ['tools/build-pages.ts'],
    // The tests do not read or write what vouch remembers of other runs on this machine.
    env: { VOUCH_STATE_DIR: join(tmpdir(), `vouch-state-of-tests-${String(process.pid)}`) },
    // One more than the cores of the machine that CI has: tests wait for processes, timeouts and
    // sockets for a third of the time.
    maxWorkers: 3,
    // A worker loads a module once for all test files, which saves a fifth of the time.
    // Tests restore what they change.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
  },
});
