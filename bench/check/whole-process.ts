import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, Figure } from '../measure/figures.ts';
import {
  programHere,
  startServer,
  startVouch,
  type ServerProcess,
} from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';
import { runCheckProcess, runProcess } from './check-process.ts';
import { generateContract, resourceName } from './generated-contract.ts';

const rounds = 7;

interface Setting {
  readonly name: string;
  readonly promisedMs: number;
  readonly token: string;
  readonly contract: readonly string[];
  start(): Promise<ServerProcess>;
  /** The requests of the hand-written loop. */
  readonly loop: {
    readonly list: { readonly path: string; readonly schema: object };
    readonly record: { readonly schema: object };
    readonly body: object;
  };
}

/**
 * A whole `vouch check`: start, plan, requests, judging, confirmation, report; beside a loop by
 * hand, and a Node that does nothing.
 */
export const wholeProcess: Benchmark = {
  name: 'check-whole',
  description:
    'a whole `vouch check` on loopback, against a hand-written loop with Ajv and a bare node',
  async measure(say) {
    const figures: Figure[] = [];
    for (const setting of settings()) figures.push(await measureSetting(setting, say));
    return figures;
  },
};

function settings(): Setting[] {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-'));
  const crud = join(folder, 'crud.json');
  writeFileSync(crud, generateContract({ resources: 1, update: true }));
  const record = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  return [
    {
      name: 'Pet Store, against the mock',
      promisedMs: 1_000,
      token: 'demo-key',
      contract: [],
      start: () => startVouch(['--demo']),
      loop: {
        list: { path: '/pets', schema: { type: 'array', items: record } },
        record: { schema: record },
        body: { name: 'Biscuit', categoryId: 1, status: 'available' },
      },
    },
    {
      name: 'CRUD of six operations, against bare node:http',
      promisedMs: 2_000,
      token: 'bench-key',
      contract: [crud],
      start: () => startServer(programHere('check/stateful-server.ts')),
      loop: {
        list: { path: `/${resourceName(0)}`, schema: { type: 'array', items: record } },
        record: { schema: record },
        body: { name: 'One', status: 'open' },
      },
    },
  ];
}

async function measureSetting(
  { name, promisedMs, token, contract, start, loop }: Setting,
  say: (line: string) => void,
): Promise<Figure> {
  const file = join(mkdtempSync(join(tmpdir(), 'vouch-bench-')), 'loop.json');
  writeFileSync(file, JSON.stringify(loop));
  const [ours, loops, bare]: [number[], number[], number[]] = [[], [], []];
  let requests = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const server = await start();
    try {
      const check = await runCheckProcess(server.url, contract, { token });
      if (check.verdict !== 'passed') throw new Error(`${name}: ${check.verdict}. ${check.reason}`);
      const byHand = await runProcess([
        programHere('check/hand-written-loop.ts'),
        server.url,
        String(check.requests),
        token,
        file,
      ]);
      if (byHand.exitCode !== 0)
        throw new Error(`${name}: the hand-written loop got answers that it did not expect.`);
      const nothing = await runProcess(['--eval', '0']);
      requests = check.requests;
      // The first round warms the caches of the machine.
      if (round === 0) continue;
      ours.push(check.milliseconds);
      loops.push(byHand.milliseconds);
      bare.push(nothing.milliseconds);
      say(
        `${name}, round ${String(round)} of ${String(rounds)}: ` +
          `${check.milliseconds.toFixed(0)} ms, by hand ` +
          `${byHand.milliseconds.toFixed(0)} ms, node ` +
          `${nothing.milliseconds.toFixed(0)} ms`,
      );
    } finally {
      await server.stop();
    }
  }
  const [time, toLoop, toNode] = [spreadOf(ours), ratiosOf(ours, loops), ratiosOf(ours, bare)];
  return {
    measure: `${name}: ${String(requests)} requests`,
    measured:
      `${writeSpread(time, 0)} ms, ${writeSpread(toLoop)} times by hand, ` +
      `${writeSpread(toNode)} times node alone`,
    promised: `at most ${String(promisedMs)} ms`,
    kept: time.median <= promisedMs,
    data: { requests, milliseconds: time, toLoop, toNode },
  };
}
