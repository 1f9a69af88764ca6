import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['tools/build-pages.ts'],
    // What is remembered of runs on this machine is none of the tests' business.
    env: { VOUCH_STATE_DIR: join(tmpdir(), `vouch-state-of-tests-${String(process.pid)}`) },
    // Every core: left alone, Vitest keeps one free, which is half of the machine that CI has.
    maxWorkers: '100%',
    // A worker loads a module once, not once for each file: that took a fifth of the time. What a test changes it puts back.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
  },
});
