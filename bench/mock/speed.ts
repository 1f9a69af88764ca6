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
  { method: 'POST', path: '/v1/pets', headers: { ...token, 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'Biscuit', categoryId: 1, status: 'available' }) },
];

const rounds = 15;
const load = { seconds: 1, connections: 32 };
/** V8 compiles the hot code of a server for good only after some 80,000 requests: before that, both are measured half warm. */
const warmUp = { ...load, seconds: 6 };
/** V8 tidies up in a process that has been idle so long, and must not take the mock's compiled code with it. */
const idleMs = 10_000;

/** Requests per second of the mock against `node:http` sending the same bytes, interleaved, 32 kept connections. */
export const speed: Benchmark = {
  name: 'mock-speed',
  description: 'requests per second against bare node:http sending the same bytes',
  async measure(say) {
    const probe = await startVouch([]);
    const origin = new URL(probe.url).origin;
    const answers = await recordAnswers(origin, requests);
    await probe.stop();
    const figures: Figure[] = [];
    for (const request of requests) figures.push(...(await compare(request, answers, say)));
    return figures;
  },
};

/** Twice: at once, and after a pause. */
async function compare(request: LoadRequest, answers: string, say: (line: string) => void): Promise<Figure[]> {
  const [vouch, bare] = await Promise.all([startVouch([]), startServer(programHere('mock/bare-server.ts'), [answers])]);
  const pair: Pair = { request, ours: new URL(vouch.url).origin, theirs: new URL(bare.url).origin, say };
  try {
    for (const origin of [pair.ours, pair.theirs]) await requestsPerSecond(origin, request, warmUp);
    const warm = await inTurns(pair, nameOf(request));
    say(`${nameOf(request)}: ${String(idleMs / 1_000)} s without a request`);
    await delay(idleMs);
    return [warm, await inTurns(pair, `${nameOf(request)}, after ${String(idleMs / 1_000)} s without a request`)];
  } finally {
    await Promise.all([vouch.stop(), bare.stop()]);
  }
}

interface Pair {
  readonly request: LoadRequest;
  readonly ours: string;
  readonly theirs: string;
  readonly say: (line: string) => void;
}

async function inTurns({ request, ours, theirs, say }: Pair, measure: string): Promise<Figure> {
  const [own, bare]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    bare.push(await requestsPerSecond(theirs, request, load));
    own.push(await requestsPerSecond(ours, request, load));
    say(`${measure}, round ${String(round)} of ${String(rounds)}: ${own.at(-1)?.toFixed(0) ?? ''}/s, bare ${bare.at(-1)?.toFixed(0) ?? ''}/s`);
  }
  const ratio = ratiosOf(own, bare);
  return {
    measure,
    measured: `${writeSpread(ratio)} of bare, ${spreadOf(own).median.toFixed(0)} requests/s`,
    promised: 'at least 0.65',
    kept: ratio.median >= 0.65,
    data: { ratio, requestsPerSecond: spreadOf(own), bare: spreadOf(bare) },
  };
}

function nameOf({ method = 'GET', path }: LoadRequest): string {
  return `${method} ${path}`;
}
