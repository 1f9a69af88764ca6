import { fileURLToPath } from 'node:url';
import type { Benchmark } from '../measure/figures.ts';
import { prove } from '../../src/prove/prove.ts';
import type { ProofSummary } from '../../src/prove/proof.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { inspectedDepots } from '../../test/check/fixture/inspected-depots.ts';
import { magazineDocument } from '../../test/check/fixture/magazine.ts';
import { newsroom } from '../../test/check/fixture/newsroom.ts';
import { linkList, tokenList } from '../../test/check/fixture/paged.ts';
import { shelfDocument } from '../../test/check/fixture/shelf.ts';
import { vanDocument } from '../../test/check/fixture/vans.ts';
import { workshopContract } from '../../test/check/fixture/workshop-service.ts';

/** A contract that is proved, and the time that its proof may take. */
interface Proved {
  readonly name: string;
  /** The Pet Store of this repository's own configuration without one. */
  readonly contract?: string | JsonObject;
  readonly promisedSeconds?: number;
}

/** The contracts of the tests, with those of the protocols: all that mutants are planted in. */
const proofs: readonly Proved[] = [
  { name: 'pets', promisedSeconds: 120 },
  ...[
    'notes',
    'tasks',
    'documents',
    'orders',
    'audit',
    'tickets',
    'parcels',
    'exports',
    'comments',
    'stock',
  ].map((name) => ({
    name,
    contract: fileURLToPath(new URL(`../../test/prove/${name}.yaml`, import.meta.url)),
  })),
  { name: 'depots', contract: documentOf(inspectedDepots) },
  { name: 'newsroom', contract: documentOf(newsroom().contract.document) },
  { name: 'magazine', contract: documentOf(magazineDocument) },
  { name: 'vans', contract: documentOf(vanDocument) },
  { name: 'shelf', contract: documentOf(shelfDocument) },
  { name: 'tokens', contract: documentOf(tokenList().document) },
  { name: 'links', contract: documentOf(linkList().document) },
  { name: 'workshop in AIP', contract: documentOf(workshopContract('AIP').document) },
  { name: 'workshop in OData', contract: documentOf(workshopContract('OData').document) },
];

/** A document as JSON: threads get a copy of it. */
function documentOf(document: object): JsonObject {
  const reading = parseJson(JSON.stringify(document));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the document is no object');
  return reading.value;
}

/** The lowest mutation score that is promised, in percent. */
const promisedScore = 98;

/**
 * How many of the possible mutations a check kills, and whether it has false positives.
 * `VOUCH_BENCH_CONTRACTS` restricts it: names with commas between them.
 */
export const proof: Benchmark = {
  name: 'proof',
  description:
    '`vouch check --prove`: mutations that are killed, survive or are equivalent, and ' +
    'false positives',
  async measure(say) {
    const figures = [];
    const chosen = process.env['VOUCH_BENCH_CONTRACTS']?.split(',').map((name) => name.trim());
    for (const { name, contract, promisedSeconds } of proofs) {
      if (chosen?.includes(name) === false) continue;
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
          promised: `at least ${String(promisedScore)} %`,
          kept: summary.mutationScore >= promisedScore,
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

async function proveOne(contract: Proved['contract']): Promise<ProofSummary> {
  const choice = contract === undefined ? {} : { contract, config: false as const };
  for await (const event of prove({ choice, settings: { seed: 'bench' } }))
    if (event.type === 'proof-finished') return event.summary;
  throw new Error('the proof has no end');
}
