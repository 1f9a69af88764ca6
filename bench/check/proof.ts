import { fileURLToPath } from 'node:url';
import type { Benchmark } from '../measure/figures.ts';
import { prove } from '../../src/prove/prove.ts';
import type { ProofSummary } from '../../src/prove/proof.ts';

/**
 * The contracts that are proved, each with the time that its proof may take; the Pet Store is the
 * one of this repository's own configuration.
 */
const proofs: readonly {
  readonly name: string;
  readonly contract?: string;
  readonly promisedSeconds?: number;
}[] = [
  { name: 'pets', promisedSeconds: 120 },
  { name: 'notes', contract: '../../test/prove/notes.yaml' },
  { name: 'tasks', contract: '../../test/prove/tasks.yaml' },
  { name: 'documents', contract: '../../test/prove/documents.yaml' },
];

/**
 * How many of the deviations that can be planted a check notices, and whether it accuses a sound
 * service.
 */
export const proof: Benchmark = {
  name: 'proof',
  description:
    '`vouch check --prove`: planted deviations that are caught, missed and ' +
    'dormant, and false alarms',
  async measure(say) {
    const figures = [];
    for (const { name, contract, promisedSeconds } of proofs) {
      const summary = await proveOne(contract);
      const { caught, missed, dormant, falseAlarms, durationMs } = summary;
      const seconds = Math.round(durationMs / 100) / 10;
      say(
        `${name}: ${String(caught)} caught, ${String(missed.length)} missed, ` +
          `${String(dormant.length)} dormant, ${String(falseAlarms.length)} false ` +
          `alarms, ${String(seconds)} s`,
      );
      figures.push(
        {
          measure: `${name}: deviations caught`,
          measured:
            `${String(caught)} of ${String(caught + missed.length)}, ` +
            `${String(dormant.length)} dormant`,
          promised: 'at least 95 %',
          kept: summary.caughtPercent >= 95,
          data: { caught, missed: titlesOf(missed), dormant: titlesOf(dormant) },
        },
        {
          measure: `${name}: sound services accused`,
          measured: String(falseAlarms.length),
          promised: 'none',
          kept: falseAlarms.length === 0,
          data: falseAlarms.map(({ temper, alarms }) => ({
            temper,
            alarms: alarms.map(({ message }) => message),
          })),
        },
        {
          measure: `${name}: time`,
          measured: `${String(seconds)} s`,
          ...(promisedSeconds === undefined
            ? {}
            : {
                promised: `at most ${String(promisedSeconds)} s`,
                kept: seconds <= promisedSeconds,
              }),
          data: { seconds, requests: summary.requests },
        },
      );
    }
    return figures;
  },
};

function titlesOf(results: ProofSummary['missed']): string[] {
  return results.map(({ operator, title }) => `${operator}: ${title}`);
}

async function proveOne(contract: string | undefined): Promise<ProofSummary> {
  const choice =
    contract === undefined
      ? {}
      : { contract: fileURLToPath(new URL(contract, import.meta.url)), config: false as const };
  for await (const event of prove({ choice, settings: { seed: 'bench' } }))
    if (event.type === 'proof-finished') return event.summary;
  throw new Error('the proof has no end');
}
