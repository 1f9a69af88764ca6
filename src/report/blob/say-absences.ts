import type { RunInfo } from '../../check/model/event.ts';
import { countOf, joinWords } from '../../text/counts.ts';
import type { ShardCount } from './match-shards.ts';
import { lossOf, type ShardEnd } from './shard-end.ts';

/** Shards of one plan, and how it was asked for. */
export interface Gathered {
  readonly ends: readonly ShardEnd[];
  readonly shards: ShardCount;
  readonly run?: RunInfo | undefined;
}

/**
 * What is not there of a merged run, in a sentence or two each: the file or the shard, what is
 * wrong with it, and the way out.
 */
export function sayAbsences({ ends, shards, run }: Gathered): string[] {
  const again = (indexes: readonly number[]): string => sayAgain(indexes, shards.count, run);
  return [
    ...sayMissing(shards, again),
    ...ends.flatMap((end) => sayTorn(end, again) ?? sayLoss(end, again) ?? []),
  ];
}

type Again = (indexes: readonly number[]) => string;

function sayMissing({ count, missing }: ShardCount, again: Again): string[] {
  if (missing.length === 0) return [];
  const [noun, verb, pronoun, possessive] =
    missing.length === 1
      ? ['Shard', 'is', 'it', 'its blob']
      : ['Shards', 'are', 'they', 'their blobs'];
  return [
    `${noun} ${joinWords(missing.map(String))} of ${String(count)} ${verb} missing, and what ${pronoun} would have shown is not known. Merge ${possessive} too, or ${again(missing)}.`,
  ];
}

function sayTorn({ file, index, summary }: ShardEnd, again: Again): string | undefined {
  if (summary !== undefined) return undefined;
  return `${file} ends before its run did: its job was stopped, or the file was cut off on its way. Take it again from the job that wrote it, or ${again(index === undefined ? [] : [index])}.`;
}

function sayLoss(end: ShardEnd, again: Again): string | undefined {
  const loss = lossOf(end);
  if (loss === undefined) return undefined;
  const { severity, told, held } = loss;
  return `${end.file} is not whole: its run ended with ${countOf(told, 'finding')} of severity ${severity}, and the file holds ${held === 0 ? 'none' : String(held)}. Take it again from the job that wrote it, or ${again(end.index === undefined ? [] : [end.index])}.`;
}

/** The seed is named only where a shell takes it as it is. */
function sayAgain(indexes: readonly number[], count: number, run: RunInfo | undefined): string {
  const seed =
    run === undefined || !/^\w[\w.-]*$/.test(run.seed) ? 'the same --seed' : `--seed ${run.seed}`;
  const shards =
    count === 1 ? [] : indexes.map((index) => `--shard ${String(index)}/${String(count)}`);
  if (shards.length > 1) return `run them again with ${joinWords(shards)}, each with ${seed}`;
  return `run it again with ${joinWords([...shards, seed])}`;
}
