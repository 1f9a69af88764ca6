import { fileURLToPath } from 'node:url';
import { checkTarget, type CheckOptions } from '../../src/check/engine/check-target.ts';
import type { Contract } from '../../src/contract/model.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { programHere, startServer } from '../measure/server-process.ts';
import { isTrial } from '../measure/trial.ts';
import { key as catalogKey } from '../servers/catalog/store.ts';
import { corpora } from '../servers/corpora.ts';
import { key as depotKey } from '../servers/depots/store.ts';
import { key as newsroomKey } from '../servers/newsroom/store.ts';
import { key as ordersKey } from '../servers/orders/store.ts';
import { tokens as talkTokens } from '../servers/talk/store.ts';

const delayMs = 300;
const promisedSeconds = 90;

/** The credential of each service, by its security scheme. */
const credentials: Readonly<Record<string, NonNullable<CheckOptions['tokens']>>> = {
  depots: { bearer: depotKey },
  talk: { token: talkTokens.U0ANA },
  newsroom: { bearer: newsroomKey },
  orders: { apiKey: ordersKey },
  catalog: { bearer: catalogKey },
};

/** What a run came to. */
interface Run {
  readonly requests: number;
  readonly seconds: number;
  /** Severity, operation and check of each finding, sorted, without those about time. */
  readonly findings: readonly string[];
}

/**
 * Runs of `vouch check` against services on this machine, in processes of their own, without and
 * behind latency. `VOUCH_BENCH_CORPORA` restricts the services, with commas between their names.
 */
export const behindLatency: Benchmark = {
  name: 'behind-latency',
  description: `\`vouch check\` where each answer takes ${String(delayMs)} ms longer, against none`,
  async measure(say) {
    const chosen = process.env['VOUCH_BENCH_CORPORA']?.split(',');
    const named = corpora.filter(
      ({ name }) => credentials[name] !== undefined && (chosen?.includes(name) ?? true),
    );
    const figures: Figure[] = [];
    for (const { name, contract: file } of isTrial() ? named.slice(0, 1) : named) {
      const contract = await loadContract(fileURLToPath(file));
      const near = await check(name, contract, 0);
      const far = await check(name, contract, delayMs);
      for (const [run, delay] of [
        [near, 0],
        [far, delayMs],
      ] as const)
        say(
          `${name}, ${String(delay)} ms: ${String(run.requests)} requests, ` +
            `${run.seconds.toFixed(1)} s, ${String(run.findings.length)} findings`,
        );
      figures.push(figureOf(name, near, far));
    }
    return figures;
  },
};

async function check(name: string, contract: Contract, delay: number): Promise<Run> {
  const service = await startServer(programHere('check/slow-service.ts'), [name, String(delay)]);
  try {
    const began = performance.now();
    const { summary, findings } = await checkTarget({
      url: service.url,
      contract,
      seed: 'bench',
      tokens: credentials[name] ?? {},
    });
    return {
      requests: summary.requests,
      seconds: (performance.now() - began) / 1_000,
      findings: findings
        .filter(({ check: id }) => id !== 'answers-in-time')
        .map(({ severity, operation, check: id }) => `${severity} ${operation.id}: ${id}`)
        .toSorted(),
    };
  } finally {
    await service.stop();
  }
}

function figureOf(name: string, near: Run, far: Run): Figure {
  const isSame = near.findings.join('\n') === far.findings.join('\n');
  return {
    measure: `${name}: seconds of a run behind ${String(delayMs)} ms`,
    measured:
      `${far.seconds.toFixed(1)} (${near.seconds.toFixed(1)} without), ` +
      (isSame ? 'the same findings' : 'other findings'),
    promised: `at most ${String(promisedSeconds)} s, and the same findings`,
    kept: isSame && far.seconds <= promisedSeconds,
    data: { near, far },
  };
}
