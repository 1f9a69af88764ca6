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

/** How many of the possible mutations a check kills, and whether it has false positives. */
export const proof: Benchmark = {
  name: 'proof',
  description:
    '`vouch check --prove`: mutations that are killed, survive or are equivalent, and ' +
    'false positives',
  async measure(say) {
    const figures = [];
    for (const { name, contract, promisedSeconds } of proofs) {
      const summary = await proveOne(contract);
      const { killed, survived, noCoverage, equivalent, falsePositives, durationMs } = summary;
      const seconds = Math.round(durationMs / 100) / 10;
      say(
        `${name}: ${String(killed)} killed, ${String(survived.length)} survived, ` +
          `${String(noCoverage.length)} without coverage, ${String(equivalent.length)} ` +
          `equivalent, ${String(falsePositives.length)} false positives, ${String(seconds)} s`,
      );
      figures.push(
        {
          measure: `${name}: mutations killed`,
          measured:
            `${String(killed)} of ${String(killed + survived.length + noCoverage.length)}, ` +
            `${String(equivalent.length)} equivalent`,
          promised: 'at least 95 %',
          kept: summary.mutationScore >= 95,
          data: {
            killed,
            survived: titlesOf(survived),
            noCoverage: titlesOf(noCoverage),
            equivalent: titlesOf(equivalent),
          },
        },
        {
          measure: `${name}: variants with false positives`,
          measured: String(falsePositives.length),
          promised: 'none',
          kept: falsePositives.length === 0,
          data: falsePositives.map(({ variant, findings }) => ({
            variant,
            findings: findings.map(({ message }) => message),
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

function titlesOf(results: ProofSummary['survived']): string[] {
  return results.map(({ mutator, title }) => `${mutator}: ${title}`);
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
