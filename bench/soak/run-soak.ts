import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRandom } from '../../src/values/random.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { Client } from './client.ts';
import { Worker, type Tally } from './worker.ts';

export interface SoakOptions {
  /** How long the load lasts, in seconds. */
  readonly seconds: number;
  readonly workers: number;
  readonly seed: string;
  /** Whether the mock keeps its records in a file, over a restart. */
  readonly persist: boolean;
  /** Starts the mock in a process of its own, with these words behind `mock`. */
  readonly start: (words: readonly string[]) => Promise<ServerProcess>;
  readonly say?: (line: string) => void;
}

export interface SoakResult extends Tally {
  /** How many notes were read back at the end. */
  readonly verified: number;
  /** Resident memory of the mock in MiB, once a second. */
  readonly memory: readonly number[];
}

/** The folder with the contract and the scenarios of the soak. */
const home = fileURLToPath(new URL('./', import.meta.url));

/**
 * Mixed load with faults on a mock in its own process: writes that are remembered and read back,
 * faults that are asked for, clients that reset, stall and send what is no HTTP. With `persist`,
 * everything is read back once more after a restart.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-soak-'));
  const words = [
    '--config',
    join(home, 'vouch.config.yaml'),
    ...(options.persist ? ['--persist', join(folder, 'records.db')] : []),
  ];
  let server = await options.start(words);
  const tally: Tally = { requests: 0, failures: [], lost: [] };
  try {
    const clients = Array.from({ length: options.workers }, () => new Client(server.url));
    const workers = clients.map(
      (client, index) =>
        new Worker(`w${String(index)}`, {
          client,
          random: makeRandom(`${options.seed} ${String(index)}`),
          tally,
        }),
    );
    const memory = await load(workers, server, { options, tally });
    for (const worker of workers) await worker.verify();
    for (const client of clients) client.close();
    if (options.persist) {
      await server.stop();
      server = await options.start(words);
      await verifyAnew(workers, server.url);
    }
    return { ...tally, memory, verified: workers.reduce((sum, { notes }) => sum + notes.size, 0) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(
  workers: readonly Worker[],
  server: ServerProcess,
  { options, tally }: { readonly options: SoakOptions; readonly tally: Tally },
): Promise<number[]> {
  const memory: number[] = [];
  const end = Date.now() + options.seconds * 1000;
  const watch = setInterval(() => {
    memory.push(server.residentMiB());
    if (memory.length % 15 === 0)
      options.say?.(
        `${String(memory.length)} s: ${String(tally.requests)} requests, ` +
          `${memory.at(-1)?.toFixed(0) ?? ''} MiB`,
      );
  }, 1000);
  try {
    await Promise.all(
      workers.map(async (worker) => {
        while (Date.now() < end) await worker.step();
      }),
    );
  } finally {
    clearInterval(watch);
  }
  return memory;
}

async function verifyAnew(workers: readonly Worker[], url: string): Promise<void> {
  const client = new Client(url);
  for (const worker of workers) await worker.verify(client);
  client.close();
}
