import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateContract, resourceName } from '../check/generated-contract.ts';
import { groupBars, type Benchmark, type Figure } from '../measure/figures.ts';
import { requestsPerSecond, type LoadRequest } from '../measure/load.ts';
import { publishedPackage } from '../measure/published.ts';
import {
  programHere,
  startServer,
  startVouch,
  type ServerProcess,
} from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread, type Spread } from '../measure/statistics.ts';
import { roundsOf } from '../measure/trial.ts';

/** One size of one thing: a server, what it is asked, and over how many connections. */
interface Step {
  readonly label: string;
  readonly server: ServerProcess;
  readonly request: LoadRequest;
  readonly connections: number;
}

/**
 * What a step reached, and that against the first step, by the clock and by the processor time that
 * a request takes.
 */
interface Reached {
  readonly rates: Spread;
  readonly ratio: Spread;
  readonly costRatio: Spread;
}

const headers = { Authorization: 'Bearer demo-key' };
const operationCounts = [10, 100, 500, 1_000, 2_000];
const connectionCounts = [1, 4, 16, 64];
const recordCounts = [1_000, 10_000, 100_000, 1_000_000];
/** Those of `generateContract` for one resource. */
const operationsOfResource = 5;
const readOne: LoadRequest = { path: '/v1/pets/1', headers };

/** How the mock's speed and memory go with operations, connections and records. */
export const scale: Benchmark = {
  name: 'scale',
  description:
    'requests per second and memory over 10 to 2,000 operations, 1 to 64 ' +
    'connections, 1,000 to 1,000,000 records',
  async measure(say) {
    return [
      ...(await overOperations(say)),
      ...(await overConnections(say)),
      ...(await overRecords(say)),
    ];
  },
  picture: (figures) => ({
    title: 'The mock over the size of what it serves',
    description:
      'Requests per second against the first row of each group, with the ' +
      'spread of the rounds; resident memory beside it. A group is flat where ' +
      'size makes no difference.',
    ownScales: true,
    groups: groupBars(figures),
  }),
};

async function overOperations(say: (line: string) => void): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-scale-'));
  const steps: Step[] = [];
  try {
    for (const count of operationCounts) {
      const file = join(folder, `${String(count)}.json`);
      const resources = count / operationsOfResource;
      writeFileSync(file, generateContract({ resources }));
      // The last record: a linear search would visit all of them.
      steps.push({
        label: count.toLocaleString('en'),
        server: await startVouch([file, '--auth', 'off']),
        request: { path: `/v1/${resourceName(resources - 1)}?limit=20` },
        connections: 32,
      });
    }
    return await climb('operations', steps, say);
  } finally {
    await Promise.all(steps.map(({ server }) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}

async function overConnections(say: (line: string) => void): Promise<Figure[]> {
  const server = await startVouch(['--demo']);
  try {
    const steps = connectionCounts.map((connections) => ({
      label: String(connections),
      server,
      request: readOne,
      connections,
    }));
    return await climb('connections', steps, say);
  } finally {
    await server.stop();
  }
}

async function overRecords(say: (line: string) => void): Promise<Figure[]> {
  const folder = publishedPackage();
  const steps: Step[] = [];
  try {
    for (const count of recordCounts) {
      const server = await startServer(programHere('mock/serve-generated.ts'), [
        join(folder, 'dist/index.js'),
        String(count),
        join(folder, 'openapi/petstore.v1.yaml'),
      ]);
      steps.push({
        label: count.toLocaleString('en'),
        server,
        request: { path: '/v1/pets?status=available&limit=20', headers },
        connections: 32,
      });
    }
    return await climb('records', steps, say);
  } finally {
    await Promise.all(steps.map(({ server }) => server.stop()));
  }
}

/** Loads every step in turn, round after round, after one that is not counted. */
async function climb(
  what: string,
  steps: readonly Step[],
  say: (line: string) => void,
): Promise<Figure[]> {
  const rounds = roundsOf(5);
  const [rates, costs] = [steps.map((): number[] => []), steps.map((): number[] => [])];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { server, request, connections }] of steps.entries()) {
      const before = server.cpuSeconds();
      const rate = await requestsPerSecond(new URL(server.url).origin, request, {
        seconds: 1,
        connections,
      });
      if (round === 0) continue;
      rates[index]?.push(rate);
      costs[index]?.push((server.cpuSeconds() - before) / rate);
    }
    if (round > 0)
      say(
        `${what}, round ${String(round)} of ${String(rounds)}: ` +
          steps
            .map(({ label }, index) => `${label}: ${rates[index]?.at(-1)?.toFixed(0) ?? ''}/s`)
            .join(', '),
      );
  }
  return steps.map((step, index) =>
    figureOf(what, step, {
      rates: spreadOf(rates[index] ?? []),
      ratio: ratiosOf(rates[index] ?? [], rates[0] ?? []),
      costRatio: ratiosOf(costs[index] ?? [], costs[0] ?? []),
    }),
  );
}

function figureOf(
  what: string,
  { label, server }: Step,
  { rates, ratio, costRatio }: Reached,
): Figure {
  const residentMiB = server.residentMiB();
  const size = `${label} ${label === '1' ? what.slice(0, -1) : what}`;
  return {
    measure: size,
    measured:
      `${writeSpread(ratio)} of the first, processor time of a request ` +
      `${writeSpread(costRatio)} times, ${rates.median.toFixed(0)} requests/s, ` +
      `${residentMiB.toFixed(0)} MiB`,
    data: {
      what,
      size: Number(label.replaceAll(',', '')),
      ratio,
      costRatio,
      requestsPerSecond: rates,
      residentMiB,
    },
    bar: {
      group: `Over ${what}`,
      label: size,
      value: ratio.median,
      spread: { lowest: ratio.lowest, highest: ratio.highest },
      text: `${ratio.median.toFixed(2)}, ${residentMiB.toFixed(0)} MiB`,
      own: true,
    },
  };
}
