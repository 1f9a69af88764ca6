import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const module = new URL('../../../src/cli/serve/bound-heap.ts', import.meta.url).href;
const run = promisify(execFile);

/**
 * Makes garbage for many turns of the event loop, as serving does, and answers the usual size of
 * the young generation and of the old space, in MiB. While an old space is marked, V8 puts a
 * collection of the young one off, which is larger for a moment, whatever its bound is.
 */
const load = `async () => {
  const { getHeapSpaceStatistics } = await import('node:v8');
  let kept = [];
  const sizes = { new_space: [], old_space: [] };
  for (let turn = 0; turn < 600; turn += 1) {
    for (let made = 0; made < 5_000; made += 1) kept.push({ turn, made: [made, String(made)] });
    if (turn % 40 === 39) kept = [];
    for (const { space_name: name, space_size: size } of getHeapSpaceStatistics()) if (name in sizes) sizes[name].push(size / 2 ** 20);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const usual = (all) => all.sort((one, other) => one - other)[all.length >> 1];
  return { new_space: usual(sizes.new_space), old_space: usual(sizes.old_space), most: Math.max(...sizes.new_space) };
}`;

/** The flags are the whole process's, so that each run has one of its own. */
async function measure(work: string): Promise<unknown> {
  const { stdout, stderr } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `const { withBoundHeap } = await import(${JSON.stringify(module)}); console.log(JSON.stringify(await ${work}));`,
  ]);
  // What V8 has to say of flags it says there.
  expect(stderr).not.toContain('flag');
  return JSON.parse(stdout);
}

describe('withBoundHeap', () => {
  it('keeps the young generation at 32 MiB, beyond which V8 lets it grow under the same load', async () => {
    const [bound, free] = [
      await measure(`withBoundHeap(${load}, 0)`),
      await measure(`(${load})()`),
    ] as { readonly new_space: number; readonly old_space: number; readonly most: number }[];
    expect(bound?.new_space).toBeLessThanOrEqual(32);
    expect(free?.most).toBeGreaterThan(32);
    expect(bound?.old_space).toBeLessThan(free?.old_space ?? 0);
  });

  it('has it grow again after V8 has taken it back', async () => {
    const idle = `async () => {
      await (${load})();
      const young = () => (process.getBuiltinModule('node:v8').getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0) / 2 ** 20;
      process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
      const shrink = process.getBuiltinModule('node:vm').runInNewContext('gc');
      for (let turn = 0; turn < 3; turn += 1) shrink({ type: 'major', flavor: 'last-resort' });
      const small = young();
      return { small, again: (await (${load})()).new_space };
    }`;
    const { small, again } = (await measure(`withBoundHeap(${idle}, 0)`)) as {
      readonly small: number;
      readonly again: number;
    };
    expect(small).toBeLessThan(8);
    expect(again).toBeGreaterThanOrEqual(8);
    expect(again).toBeLessThanOrEqual(32);
  });

  it('keeps it as it is, where that is asked for', async () => {
    const bound = (await measure(
      `withBoundHeap(async () => { (await import(${JSON.stringify(module)})).keepHeapSmall(); return (${load})(); }, 0)`,
    )) as { readonly new_space: number };
    expect(bound.new_space).toBeLessThanOrEqual(8);
  });

  it('has one that was kept so grow again too, where V8 took it back before it was bound', async () => {
    const shrunk = `async () => {
      (await import(${JSON.stringify(module)})).keepHeapSmall();
      process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
      process.getBuiltinModule('node:vm').runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
      return (${load})();
    }`;
    const { new_space: usual } = (await measure(
      `(async () => { await (${load})(); return withBoundHeap(${shrunk}, 0); })()`,
    )) as { readonly new_space: number };
    expect(usual).toBeGreaterThanOrEqual(4);
    expect(usual).toBeLessThanOrEqual(16);
  });

  it('answers what the work answers', async () => {
    expect(await measure('withBoundHeap(async () => 7, 0)')).toBe(7);
  });

  it('fails as the work fails', async () => {
    expect(
      await measure(
        "withBoundHeap(async () => { throw new Error('no port') }, 0).catch((error) => error.message)",
      ),
    ).toBe('no port');
  });
});
