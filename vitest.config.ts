import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './tools/slow-first.ts';
import { TestSeconds } from './tools/test-seconds.ts';

// Processes and threads that tests start load compiled code: half a second off each. Coverage would
// lose the functions that are not compiled anew.
if (!process.argv.some((argument) => argument.startsWith('--coverage')))
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('node_modules/.cache/compiled-tests', import.meta.url),
  );

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    snapshotSerializers: ['test/fold-lines.ts'],
    reporters: [...configDefaults.reporters, new TestSeconds('test-seconds.json')],
    sequence: { sequencer: SlowFirst },
    globalSetup: ['tools/build-pages.ts', 'tools/clone-program.ts'],
    // The tests do not read or write what vouch remembers of other runs on this machine.
    env: { VOUCH_STATE_DIR: join(tmpdir(), `vouch-state-of-tests-${String(process.pid)}`) },
    // One more than the cores of the machine that CI has: tests wait for processes, timeouts and
    // sockets for a third of the time.
    maxWorkers: 3,
    // Node strips the types itself, as for users of a clone: nothing is transformed, and offsets and
    // lines are those of the files.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A worker loads a module once for all test files, which saves a fifth of the time.
    // Tests restore what they change.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'json-summary'] },
  },
});
