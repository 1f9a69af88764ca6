import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { prove, type ProofOptions } from '../../src/prove/prove.ts';
import type { ProofEvent, ProofSummary } from '../../src/prove/proof.ts';

const contract = fileURLToPath(new URL('./notes.yaml', import.meta.url));

async function run(
  given: Partial<ProofOptions>,
): Promise<{ readonly events: readonly ProofEvent[]; readonly summary: ProofSummary }> {
  const events: ProofEvent[] = [];
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    ...given,
  }))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'proof-finished') throw new Error('the proof has no end');
  return { events, summary: last.summary };
}

describe('a proof', { timeout: 120_000 }, () => {
  test('catches mutations of many kinds in the given number of threads', async () => {
    const kinds = [
      'server-error',
      'wrong-media-type',
      'accepts-enum-of-parameter',
      'accepts-missing-body',
      'takes-any',
      'ignores-limit',
      'breaks-off',
      'fails-one-in-five',
      'other-refusal',
    ];
    const { events, summary } = await run({ kinds, workers: 2 });
    expect(summary.survived.map(({ title }) => title)).toEqual([]);
    expect([...summary.noCoverage, ...summary.equivalent]).toEqual([]);
    expect(summary).toMatchObject({ mutationScore: 100, falsePositives: [] });
    expect(summary.killed).toBeGreaterThanOrEqual(kinds.length);
    expect(
      events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
    ).toEqual(['proof-started', 'task-done', 'proof-finished']);
  });

  test('reports a survived mutation if the check that detects it is disabled', async () => {
    const { summary } = await run({
      kinds: ['ignores-limit'],
      workers: 1,
      settings: { seed: 'test', only: ['no-server-error'] },
    });
    expect(
      summary.survived.map(({ mutator, title, status }) => ({ mutator, title, status })),
    ).toContainEqual({
      mutator: 'ignores-limit',
      title: 'listNotes ignores limit',
      status: 'survived',
    });
    expect(summary.mutationScore).toBe(0);
  });

  test('kills a mutation whose run is inconclusive, and says why', async () => {
    const audit = fileURLToPath(new URL('./audit.yaml', import.meta.url));
    const { summary, events } = await run({
      choice: { contract: audit, config: false },
      kinds: ['redirects', 'refuses-right-key'],
      workers: 1,
    });
    expect(summary.survived.map(({ title }) => title)).toEqual([]);
    const why = events.flatMap((event) =>
      event.type === 'task-done' && event.kind === 'mutation'
        ? [event.result.inconclusive ?? '']
        : [],
    );
    expect(why).toEqual([
      expect.stringContaining('every valid request was redirected'),
      expect.stringContaining('401'),
    ]);
  });

  test('has the same result with one thread as with two', async () => {
    const summaryWith = async (workers: number): Promise<ProofSummary> => {
      const { summary } = await run({
        kinds: ['null-for-value', 'random-order'],
        workers,
      });
      return { ...summary, durationMs: 0 };
    };
    const [one, two] = [await summaryWith(1), await summaryWith(2)];
    // A run on a busy machine asks a slow answer again.
    expect(Math.abs(one.requests - two.requests)).toBeLessThan(one.requests / 100);
    expect({ ...one, requests: 0 }).toEqual({ ...two, requests: 0 });
  });

  test('has no false positive on conforming variants', async () => {
    const { summary } = await run({
      kinds: ['random-order', 'caps-pages', 'very-busy', 'rate-limited', 'extra-fields', 'slow'],
      workers: 1,
    });
    expect(summary.falsePositives).toEqual([]);
    expect(summary.requests).toBeGreaterThan(300);
  });

  test('stops when its signal is aborted', async () => {
    const stopped = AbortSignal.abort();
    await expect(run({ kinds: ['leaves-enum'], signal: stopped })).rejects.toMatchObject({
      name: 'VouchError',
      message: 'The proof was interrupted.',
    });
  });
});
