import { fileURLToPath } from 'node:url';
import type { Benchmark, Figure } from '../measure/figures.ts';
import type { LoadRequest } from '../measure/load.ts';
import { programHere, startVouch, type ServerProcess } from '../measure/server-process.ts';
import { findFreePort, startProgram } from '../measure/start-program.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';
import { roundsOf } from '../measure/trial.ts';
import { sendUnique } from '../measure/unique-requests.ts';
import { petStore, writeRivalFiles } from './rivals/files.ts';
import { key } from './rivals/mock-rival.ts';

const requests: readonly (LoadRequest & { readonly name: string })[] = [
  { name: 'GET /pets?limit=20', path: '/v1/pets?limit=20', headers: key },
  { name: 'GET /pets/1', path: '/v1/pets/1', headers: key },
  {
    name: 'POST /pets',
    method: 'POST',
    path: '/v1/pets',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: '{"name":"Biscuit","categoryId":1,"status":"available"}',
  },
];

const each = 5_000;
const warmUp = 20_000;

/**
 * Requests of which no two have the same head, against Express with Ajv written by hand for the
 * same contract. What counts is the processor time that a server takes for a fixed number of
 * requests: it hardly depends on what else the machine does.
 */
export const uniqueHeads: Benchmark = {
  name: 'unique-heads',
  description: 'requests with a traceparent each, against Express 5 with Ajv written by hand',
  async measure(say) {
    const figures: Figure[] = [];
    for (const request of requests) figures.push(await compare(request, say));
    return figures;
  },
};

async function compare(
  request: (typeof requests)[number],
  say: (line: string) => void,
): Promise<Figure> {
  // Servers of their own for each: records that are added by one are not listed by the next.
  const [vouch, express] = [await startVouch(['--demo']), await startExpress()];
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (const server of [vouch, express]) await perRequest(server, request, warmUp);
    for (let round = 1; round <= roundsOf(15); round += 1) {
      theirs.push(await perRequest(express, request, each));
      ours.push(await perRequest(vouch, request, each));
    }
  } finally {
    await Promise.all([vouch.stop(), express.stop()]);
  }
  // The speed is the inverse of the time.
  const ratio = ratiosOf(theirs, ours);
  const [own, other] = [spreadOf(ours), spreadOf(theirs)];
  say(`${request.name}: ${writeSpread(ratio)}`);
  return {
    measure: `${request.name}, a traceparent each`,
    measured:
      `${writeSpread(ratio)} of Express with Ajv; ` +
      `${own.median.toFixed(0)} µs of processor time, Express ${other.median.toFixed(0)} µs`,
    promised: 'at least 1',
    kept: ratio.median >= 1,
    data: { ratio, microseconds: own, express: other },
  };
}

/** Microseconds of processor time, the system's for it included, that a server takes for one. */
async function perRequest(
  server: ServerProcess,
  request: LoadRequest,
  count: number,
): Promise<number> {
  const before = server.cpuSeconds();
  await sendUnique(new URL(server.url).origin, request, count);
  return ((server.cpuSeconds() - before) / count) * 1e6;
}

async function startExpress(): Promise<ServerProcess> {
  const port = await findFreePort();
  // Express and Ajv are dependencies of vouch: they come from this clone.
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return startProgram({
    program: process.execPath,
    args: [
      programHere('mock/rivals/programs/express-ajv.ts'),
      root,
      String(port),
      petStore,
      '/v1',
      writeRivalFiles().records,
    ],
    port,
    readyPath: '/v1/pets',
    headers: key,
    withinMs: 20_000,
  });
}
