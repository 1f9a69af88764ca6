import { parseJson } from '../../src/json/parse-json.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { isTrial } from '../measure/trial.ts';
import {
  hostilePairs,
  hostileTexts,
  schemaOf,
  type HostilePair,
} from '../../test/contract/schema/hostile-pairs.ts';

/** A second of one processor is promised for any body of 1 MiB. */
const maxMs = 1_000;
const shown = 5;

/** Processor time of the judgement of hostile bodies: pairs of a schema and a body of 1 MiB. */
export const judging: Benchmark = {
  name: 'judging',
  description: 'processor time to judge hostile bodies of up to 1 MiB',
  async measure(say) {
    const pairs = isTrial() ? hostilePairs.slice(0, shown) : [...hostilePairs, ...hostileTexts()];
    const measured = pairs.map((pair) => ({ name: pair.name, ms: millisecondsOf(pair) }));
    const slowest = measured.toSorted((left, right) => right.ms - left.ms).slice(0, shown);
    say(`${String(pairs.length)} pairs of a schema and a body`);
    return slowest.map(toFigure);
  },
};

function toFigure({ name, ms }: { readonly name: string; readonly ms: number }): Figure {
  return {
    measure: name,
    measured: `${ms.toFixed(0)} ms`,
    promised: `at most ${String(maxMs)} ms`,
    kept: ms <= maxMs,
    data: { ms },
  };
}

function millisecondsOf(pair: HostilePair): number {
  const [schema, reading] = [schemaOf(pair), parseJson(pair.body)];
  if (!reading.ok) throw new Error(`${pair.name} is not JSON: ${reading.problem.reason}`);
  const began = process.cpuUsage();
  schema.validate(reading.value, 'request');
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
