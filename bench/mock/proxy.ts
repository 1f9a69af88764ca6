import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { Benchmark } from '../measure/figures.ts';
import { publishedPackage } from '../measure/published.ts';
import {
  programHere,
  type ServerProcess,
  startServer,
  startVouch,
} from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';
import { roundsOf } from '../measure/trial.ts';

const rounds = 7;
const requests = 1_000;
/** A long session is measured after so many exchanges, from as many clients. */
const marks = [10_000, 60_000] as const;
const clients = 8;
const maxMoreMiB = 100;

/** The time that a proxy adds to a request, one after the other on one connection. */
export const proxy: Benchmark = {
  name: 'proxy',
  description: 'the time that the proxy adds to a request, and its memory in a long session',
  async measure(say) {
    const service = await startVouch(['--demo']);
    const origin = new URL(service.url).origin;
    const bare = await startServer(programHere('mock/bare-proxy.ts'), [origin]);
    const vouch = await startServer(join(publishedPackage(), 'bin/vouch.js'), [
      ...['proxy', `${origin}/v1`, '--demo', '--port', '0', '--quiet'],
      ...['--reporter', 'ndjson=/dev/null'],
    ]);
    const times: Record<'direct' | 'bare' | 'vouch', number[]> = {
      direct: [],
      bare: [],
      vouch: [],
    };
    const origins = { direct: origin, bare: bare.url, vouch: new URL(vouch.url).origin };
    for (const each of Object.values(origins)) await medianOf(each);
    for (let round = 1; round <= roundsOf(rounds); round += 1) {
      for (const name of ['direct', 'bare', 'vouch'] as const)
        times[name].push(await medianOf(origins[name]));
      const shown = Object.entries(times).map(([name, all]) => `${name} ${inMs(all.at(-1))}`);
      say(`round ${String(round)}: ${shown.join(', ')}`);
    }
    const [early = 0, late = 0] = await residentAfter(vouch, origins.vouch);
    say(
      `resident: ${early.toFixed(0)} MiB after 10,000 exchanges, ${late.toFixed(0)} after 60,000`,
    );
    await Promise.all([vouch.stop(), bare.stop()]);
    await service.stop();
    const added = spreadOf(times.vouch.map((time, round) => time - (times.direct[round] ?? 0)));
    const ratio = ratiosOf(times.vouch, times.bare);
    return [
      {
        measure: 'GET of one record through the proxy, judged: median',
        measured: `${writeSpread(ratio)} times a bare proxy, ${inMs(added.median)} added`,
        promised: 'at most 2 ms more',
        kept: added.median <= 2,
        data: { ratio, added, times },
      },
      {
        measure: 'resident memory after 60,000 exchanges, against 10,000',
        measured: `${late.toFixed(0)} MiB, ${(late - early).toFixed(0)} MiB more`,
        promised: `at most ${String(maxMoreMiB)} MiB more`,
        kept: late - early <= maxMoreMiB,
        data: { early, late },
      },
    ];
  },
};

/** The resident memory of the proxy after each mark, in MiB. */
async function residentAfter(vouch: ServerProcess, origin: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const taken: number[] = [];
  let sent = 0;
  for (const mark of marks) {
    for (; sent < mark; sent += clients)
      await Promise.all(
        Array.from({ length: clients }, (_, client) =>
          ask(`${origin}/v1/pets/${String(((sent + client) % 10) + 1)}`, agent),
        ),
      );
    taken.push(vouch.residentMiB());
  }
  agent.destroy();
  return taken;
}

function inMs(time = 0): string {
  return `${time.toFixed(2)} ms`;
}

/** The median time of a request, in milliseconds. */
async function medianOf(origin: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const began = performance.now();
    await ask(`${origin}/v1/pets/1`, agent);
    taken.push(performance.now() - began);
  }
  agent.destroy();
  return spreadOf(taken).median;
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: 'Bearer demo-key' } }, (response) => {
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
  });
}
