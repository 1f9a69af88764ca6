import { join } from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import type { TestOrder, TestOutcome } from './messages.ts';

/**
 * Holds one Vitest for many runs, in a process of its own that can be killed. Each test file gets a
 * fresh worker, which reads the sources with Node itself: nothing of an earlier run is left, and
 * the offsets that a profiler tells are those of the files.
 *
 *     node vitest-host.ts FOLDER [SETUP-FILE]
 */
const [folder = '.', setup] = process.argv.slice(2);
const vitest = await createVitest({
  root: folder,
  config: join(folder, 'vitest.config.ts'),
  watch: false,
  maxWorkers: 1,
  bail: setup === undefined ? 1 : 0,
  reporters: [{}],
  // A busy machine is no reason to fail: the parent ends what takes far longer than it did.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  fsModuleCache: false,
  experimental: { viteModuleRunner: false },
  ...(setup === undefined ? {} : { setupFiles: [setup] }),
});
await vitest.standalone();
const project = vitest.getRootProject();

async function run({ file, tests }: TestOrder): Promise<TestOutcome> {
  const specification = project.createSpecification(
    join(folder, file),
    tests === undefined ? undefined : { testIds: [...tests] },
  );
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications([
    specification,
  ]);
  // Vitest remembers what it ran before, and tells it again.
  const testModules = known.filter(({ moduleId }) => moduleId === specification.moduleId);
  const all = testModules.flatMap((module) => [...module.children.allTests()]);
  const failed = all.filter((test) => test.result().state === 'failed').map(({ id }) => id);
  const isBroken = unhandledErrors.length > 0 || testModules.some(hasFailed);
  return {
    passed: all.filter((test) => test.result().state === 'passed').length,
    failed: failed.length === 0 && isBroken ? [file] : failed,
  };
}

function hasFailed(module: TestModule): boolean {
  return module.state() === 'failed';
}

process.on('message', (order) => {
  // The parent sends nothing else.
  void run(order as TestOrder).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
