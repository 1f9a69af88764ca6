import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startServer } from '../../bench/measure/server-process.ts';
import type { Reply } from '../../bench/soak/client.ts';
import { runSoak } from '../../bench/soak/run-soak.ts';
import { growthOf } from '../../bench/soak/soak.ts';
import { Worker, type Service, type Tally } from '../../bench/soak/worker.ts';
import { makeRandom } from '../../src/values/random.ts';

/**
 * The short form of `npm run bench soak`: mixed load with faults on a mock in its own process,
 * killed by nothing, losing nothing.
 */
const program = fileURLToPath(new URL('../../bin/vouch.js', import.meta.url));

test('under load and faults the mock loses no write, even after a restart', async () => {
  const start = (words: readonly string[]): ReturnType<typeof startServer> =>
    startServer(program, ['mock', ...words, '--port', '0', '--quiet']);
  const { requests, verified, failures, lost, memory } = await runSoak({
    seconds: 2,
    workers: 8,
    seed: 'short',
    persist: true,
    start,
  });
  expect(failures).toEqual([]);
  expect(lost).toEqual([]);
  expect(requests).toBeGreaterThan(100);
  expect(verified).toBeGreaterThan(10);
  for (const resident of memory) expect(resident).toBeLessThan(600);
});

/** A service that keeps notes in a map, and does one thing wrong at every tenth replace. */
function faultyService(wrong: 'forgets' | 'fails'): Service {
  const notes = new Map<string, string>();
  let [made, replaced] = [0, 0];
  const reply = (status: number, body: object = {}): Reply => ({
    status,
    headers: {},
    text: JSON.stringify(body),
  });
  const answer = (method: string, id: string, text: string): Reply => {
    const isWrong = method === 'PUT' && ++replaced % 10 === 0;
    if (isWrong && wrong === 'fails') return reply(500);
    if (method === 'POST') return (notes.set(String(++made), text), reply(201, { id: made, text }));
    if (id === '') return reply(200);
    if (!notes.has(id)) return reply(404);
    if (method === 'PUT' && !isWrong) notes.set(id, text);
    if (method === 'DELETE') return (notes.delete(id), reply(204));
    return reply(200, { id: Number(id), text: notes.get(id) });
  };
  return {
    ask: (method, path, { body } = {}) =>
      Promise.resolve(
        answer(
          method,
          path.split('/')[2] ?? '',
          (body as { text?: string } | undefined)?.text ?? '',
        ),
      ),
    throwBytes: () => Promise.resolve(''),
  };
}

describe('the soak test detects', () => {
  async function soakOf(wrong: 'forgets' | 'fails'): Promise<Tally> {
    const tally: Tally = { requests: 0, failures: [], lost: [] };
    const worker = new Worker('w', {
      client: faultyService(wrong),
      random: makeRandom('notices'),
      tally,
    });
    for (let step = 0; step < 300; step += 1) await worker.step();
    await worker.verify();
    return tally;
  }

  test('a replacement that is acknowledged but not stored', async () => {
    expect((await soakOf('forgets')).lost.join('\n')).toMatch(/should say/);
  });

  test('a failure that was not injected', async () => {
    expect((await soakOf('fails')).failures.join('\n')).toMatch(/PUT .*: 500/);
  });

  test('memory that grows, and not memory that stays or is given back', () => {
    expect(growthOf([50, 60, 100, 101, 102, 103])).toBeCloseTo(60);
    expect(growthOf([10, 80, 100, 100, 100, 100])).toBe(0);
    expect(growthOf([100, 100, 100, 99, 98])).toBeLessThan(0);
  });
});
