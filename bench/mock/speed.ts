import { setTimeout as delay } from 'node:timers/promises';
import { requestsPerSecond, type LoadRequest } from '../measure/load.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { programHere, startServer, startVouch } from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';
import { recordAnswers } from './record-answer.ts';

const token = { Authorization: 'Bearer demo-key' };

/** The same bytes from the bare server: a list of twenty, one record, and one created. */
const requests: readonly LoadRequest[] = [
  { path: '/v1/pets?limit=20', headers: token },
  { path: '/v1/pets/1', headers: token },
  {
    method: 'POST',
    path: '/v1/pets',
    headers: { ...token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Biscuit', categoryId: 1, status: 'available' }),
  },
];

const rounds = 15;
const load = { seconds: 1, connections: 32 };
/**
 * V8 compiles the hot code of a server for good only after some 80,000 requests: before that, both
 * are measured half warm.
 */
const warmUp = { ...load, seconds: 6 };
/**
 * V8 tidies up in a process that has been idle so long, and must not take the mock's compiled code
 * with it.
 */
const idleMs = 10_000;

/**
 * Requests per second of the mock against `node:http` sending the same bytes, interleaved, 32 kept
 * connections.
 */
export const speed: Benchmark = {
  name: 'mock-speed',
  description: 'requests per second against bare node:http sending the same bytes',
  async measure(say) {
    const probe = await startVouch(['--demo']);
    const origin = new URL(probe.url).origin;
    const answers = await recordAnswers(origin, requests);
    await probe.stop();
    const figures: Figure[] = [];
    for (const request of requests) {
      for (const idle of [0, idleMs]) figures.push(await compare(request, { answers, idle, say }));
    }
    return figures;
  },
};

interface Trial {
  readonly answers: string;
  /** So many milliseconds without a request after the warm-up. */
  readonly idle: number;
  readonly say: (line: string) => void;
}

/**
 * Servers of their own for each: what the ones before were sent is kept by the mock, and a million
 * records are the most that it takes.
 */
async function compare(request: LoadRequest, { answers, idle, say }: Trial): Promise<Figure> {
  const after = idle === 0 ? '' : `, after ${String(idle / 1_000)} s without a request`;
  const measure = `${nameOf(request)}${after}`;
  const [vouch, bare] = await Promise.all([
    startVouch(['--demo']),
    startServer(programHere('mock/bare-server.ts'), [answers]),
  ]);
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (const { url } of [vouch, bare])
      await requestsPerSecond(new URL(url).origin, request, warmUp);
    say(`${measure}: warm`);
    await delay(idle);
    for (let round = 1; round <= rounds; round += 1) {
      theirs.push(await requestsPerSecond(new URL(bare.url).origin, request, load));
      ours.push(await requestsPerSecond(new URL(vouch.url).origin, request, load));
      say(
        `${measure}, round ${String(round)} of ${String(rounds)}: ` +
          `${ours.at(-1)?.toFixed(0) ?? ''}/s, bare ` +
          `${theirs.at(-1)?.toFixed(0) ?? ''}/s`,
      );
    }
  } finally {
    await Promise.all([vouch.stop(), bare.stop()]);
  }
  const ratio = ratiosOf(ours, theirs);
  return {
    measure,
    measured: `${writeSpread(ratio)} of bare, ${spreadOf(ours).median.toFixed(0)} requests/s`,
    promised: 'at least 0.65',
    kept: ratio.median >= 0.65,
    data: { ratio, requestsPerSecond: spreadOf(ours), bare: spreadOf(theirs) },
  };
}

function nameOf({ method = 'GET', path }: LoadRequest): string {
  return `${method} ${path}`;
}
