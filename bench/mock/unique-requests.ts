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

const statuses = ['available', 'pending', 'sold'];
const each = 3_000;
const warmUp = 30_000;
const rounds = roundsOf(21);
const bound = 0.9;

/**
 * The requests of one operation: the `index`th of a server, no two of which are equal in path,
 * query and body. `known` are the identifiers of the animals that this server has created.
 */
interface Operation {
  readonly name: string;
  make(index: number, known: readonly string[]): LoadRequest;
}

const operations: readonly Operation[] = [
  {
    name: 'GET /pets',
    // The contract has 300 combinations; the time stamp is how clients ask past a cache.
    make: (index) => ({
      path:
        `/v1/pets?limit=${String(1 + ((index * 7) % 40))}` +
        `${index % 2 === 0 ? '' : `&status=${pick(statuses, index)}`}&_=${String(index)}`,
      headers: key,
    }),
  },
  {
    name: 'POST /pets',
    make: (index) => {
      const pet = { name: `Biscuit ${index.toString(36)}`, categoryId: index + 1 };
      return {
        method: 'POST',
        path: '/v1/pets',
        headers: { ...key, 'Content-Type': 'application/json' },
        body: JSON.stringify(index % 4 === 0 ? pet : { ...pet, status: pick(statuses, index) }),
      };
    },
  },
  {
    name: 'GET /pets/{petId}',
    make: (index, known) => ({ path: `/v1/pets/${pick(known, index)}`, headers: key }),
  },
];

/**
 * Requests of which no two are the same, in head, path, query or body, against Express with Ajv
 * written by hand for the same contract. What counts is the processor time that a server takes for
 * a fixed number of requests: it hardly depends on what else the machine does.
 */
export const uniqueRequests: Benchmark = {
  name: 'unique-requests',
  description: 'requests that never repeat, by processor time, against Express 5 with Ajv',
  async measure(say) {
    const [vouch, express] = [await startVouch(['--demo']), await startExpress()];
    const [ours, theirs] = [trackServer(vouch), trackServer(express)];
    const figures: Figure[] = [];
    try {
      for (const operation of operations) figures.push(await compare(operation, { ours, theirs }));
    } finally {
      await Promise.all([vouch.stop(), express.stop()]);
    }
    for (const { measure, measured } of figures) say(`${measure}: ${measured}`);
    return figures;
  },
};

/** A server and how many microseconds of processor time it takes for a request. */
interface Measured {
  send(operation: Operation, first: number, count: number): Promise<number>;
}

function trackServer(server: ServerProcess): Measured {
  const known: string[] = [];
  return {
    async send(operation, first, count) {
      const before = server.cpuSeconds();
      await sendUnique(new URL(server.url).origin, {
        count,
        make: (index) => operation.make(first + index, known),
        received: (body) => {
          const id = operation.name.startsWith('POST') ? /"id":(\d+)/.exec(body)?.[1] : undefined;
          if (id !== undefined) known.push(id);
        },
      });
      return ((server.cpuSeconds() - before) / count) * 1e6;
    },
  };
}

async function compare(
  operation: Operation,
  { ours, theirs }: { readonly ours: Measured; readonly theirs: Measured },
): Promise<Figure> {
  for (const server of [ours, theirs]) await server.send(operation, 0, warmUp);
  const [own, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const first = warmUp + round * each;
    // The order alternates, so that neither always comes second.
    for (const server of round % 2 === 0 ? [ours, theirs] : [theirs, ours])
      (server === ours ? own : other).push(await server.send(operation, first, each));
  }
  const ratio = ratiosOf(own, other);
  const [mine, peer] = [spreadOf(own), spreadOf(other)];
  return {
    measure: operation.name,
    measured:
      `${writeSpread(ratio)} of the processor time of Express with Ajv: ` +
      `${mine.median.toFixed(1)} µs a request, Express ${peer.median.toFixed(1)} µs`,
    promised: `at most ${String(bound)}`,
    kept: ratio.median <= bound,
    data: { ratio, microseconds: mine, express: peer },
  };
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? '';
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
