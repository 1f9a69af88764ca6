import type { RunInfo } from '../../check/event.ts';
import { VouchError } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { joinWords } from '../../text/counts.ts';

/** A blob whose run has begun. */
export interface BegunRun {
  readonly file: string;
  readonly run: RunInfo;
}

/** What the blobs are together: how many shards the plan has, and which of them nobody gave. */
export interface ShardCount {
  readonly count: number;
  readonly missing: readonly number[];
}

const sameInAll: readonly (readonly [noun: string, of: (run: RunInfo) => string])[] = [
  ['target', ({ target }) => (isOnThisMachine(target) ? 'this machine' : target)],
  ['contract', ({ contract }) => `${contract.title} ${contract.version}`],
  ['deployment to compare with', ({ against = 'none' }) => (isOnThisMachine(against) ? 'this machine' : against)],
  ['mode', ({ mode }) => mode],
  ['seed', ({ seed }) => seed],
  ['number of shards', ({ shard }) => String(shard?.count ?? 1)],
];

/** Each job may have started the service for itself, on whatever port was free. */
function isOnThisMachine(target: string): boolean {
  return URL.canParse(target) && isLoopbackHost(hostOf(new URL(target)));
}

/** Holds the blobs against each other. Throws a VouchError where they are not parts of one plan. */
export function matchShards(runs: readonly BegunRun[]): ShardCount {
  const [first, ...rest] = runs;
  if (first === undefined) throw new VouchError('usage', 'None of the blobs tells of a run that began.', { hint: 'Look at the logs of the jobs that should have written them.' });
  for (const other of rest) refuseDifference(first, other);
  if (rest.length > 0 && first.run.shard === undefined) {
    throw new VouchError('usage', `${first.file} and ${rest[0]?.file ?? ''} are whole runs, and no shards of one.`, { hint: 'Give each run a part of the plan, with --shard 1/2 and --shard 2/2, or show one of them with: vouch report show FILE' });
  }
  const count = first.run.shard?.count ?? 1;
  const given = runs.map(({ run }) => run.shard?.index ?? 1);
  const twice = given.find((index, at) => given.indexOf(index) !== at);
  if (twice !== undefined) {
    const files = runs.filter(({ run }) => run.shard?.index === twice).map(({ file }) => file);
    throw new VouchError('usage', `Shard ${String(twice)} is given twice: ${joinWords(files)}.`, { hint: 'Leave one of them out.' });
  }
  return { count, missing: Array.from({ length: count }, (_, at) => at + 1).filter((index) => !given.includes(index)) };
}

function refuseDifference(first: BegunRun, other: BegunRun): void {
  const different = sameInAll.find(([, of]) => of(first.run) !== of(other.run));
  if (different === undefined) return;
  const [noun, of] = different;
  throw new VouchError('usage', `${first.file} and ${other.file} are no shards of one run: the ${noun} is ${of(first.run)} in one and ${of(other.run)} in the other.`, {
    hint: noun === 'seed' ? 'Give every shard the same --seed, so that they share out one plan.' : 'Merge only blobs that one pipeline wrote.',
  });
}
