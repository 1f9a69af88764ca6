import { severities } from '../../contract/model/severity.ts';
import type { RunInfo } from '../../check/model/event.ts';
import type { Finding, Severity } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { usage } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { countOf, joinWords } from '../../text/counts.ts';

/** A blob whose run has begun. */
export interface BegunRun {
  readonly file: string;
  readonly run: RunInfo;
}

/** The combination of the blobs: how many shards the plan has, and which are missing. */
export interface ShardCount {
  readonly count: number;
  readonly missing: readonly number[];
}

/** What must be equal in all shards, and the hint if it is not. */
const sameInAll: readonly {
  readonly noun: string;
  readonly of: (run: RunInfo) => string;
  readonly hint?: string;
}[] = [
  { noun: 'target', of: ({ target }) => (isOnThisMachine(target) ? 'this machine' : target) },
  { noun: 'contract', of: ({ contract }) => `${contract.title} ${contract.version}` },
  {
    noun: 'deployment to compare with',
    of: ({ against = 'none' }) => (isOnThisMachine(against) ? 'this machine' : against),
  },
  { noun: 'mode', of: ({ mode }) => mode, hint: 'Give every shard the same --mode.' },
  {
    noun: 'severity that fails the run',
    of: ({ failOn = 'error' }) => failOn,
    hint: 'Give every shard the same --fail-on.',
  },
  {
    noun: 'version of vouch',
    of: ({ version }) => version,
    hint: 'Use the same version of vouch in every job: versions may plan differently.',
  },
  {
    noun: 'seed',
    of: ({ seed }) => seed,
    hint: 'Give every shard the same --seed, so that they split one plan.',
  },
  {
    noun: 'number of shards',
    of: ({ shard }) => String(shard?.count ?? 1),
    hint: 'Give every shard the same number of parts: --shard 1/3, --shard 2/3 and --shard 3/3.',
  },
];

/** Each job may have started the service itself, on any free port. */
function isOnThisMachine(target: string): boolean {
  return URL.canParse(target) && isLoopbackHost(hostOf(new URL(target)));
}

/** Compares the blobs. Throws a VouchError if they are not parts of one plan. */
export function matchShards(runs: readonly BegunRun[]): ShardCount {
  const [first, ...rest] = runs;
  if (first === undefined)
    throw usage('None of the blobs contains a run.', {
      hint: 'Check the logs of the jobs that wrote them.',
    });
  if (rest.length > 0) refuseWholeRuns(runs);
  for (const other of rest) refuseDifference(first, other);
  const count = first.run.shard?.count ?? 1;
  const given = runs.map(({ run }) => run.shard?.index ?? 1);
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !given.includes(index),
  );
  const twice = given.find((index, at) => given.indexOf(index) !== at);
  if (twice === undefined) return { count, missing };
  const files = runs.filter(({ run }) => run.shard?.index === twice).map(({ file }) => file);
  const lacking =
    missing.length === 0
      ? ''
      : ', and add the missing ' +
        `${missing.length === 1 ? 'blob of shard' : 'blobs of shards'} ` +
        joinWords(missing.map(String));
  throw usage(
    `Shard ${String(twice)} of ${String(count)} was given ` +
      `${files.length === 2 ? 'twice' : `${String(files.length)} times`}: ` +
      `${joinWords(files)}.`,
    { hint: `Pass only one of them${lacking}.` },
  );
}

function refuseWholeRuns(runs: readonly BegunRun[]): void {
  const whole = runs.filter(({ run }) => run.shard === undefined).map(({ file }) => file);
  if (whole.length === 0) return;
  throw usage(
    `${joinWords(whole)} ` +
      `${whole.length === 1 ? 'is a complete run, not a shard' : 'are complete runs, not shards'}.`,
    {
      hint:
        'Split the plan with --shard 1/2 and --shard 2/2, or render one run ' +
        'with: vouch report show FILE',
    },
  );
}

function refuseDifference(first: BegunRun, other: BegunRun): void {
  const different = sameInAll.find(({ of }) => of(first.run) !== of(other.run));
  if (different === undefined) return;
  const { noun, of, hint = 'Merge only blobs of one pipeline.' } = different;
  throw usage(
    `${first.file} and ${other.file} are not shards of one run: the ${noun} ` +
      `is ${of(first.run)} in one and ${of(other.run)} in the other.`,
    { hint },
  );
}

/**
 * Two documents may have one title and version, but shards of one plan have the same operations.
 * Throws a VouchError if they do not.
 */
export function refuseOtherOperations(ends: readonly ShardEnd[]): void {
  const [first, ...rest] = ends.flatMap(({ file, summary }) =>
    summary === undefined
      ? []
      : [{ file, operations: new Set(summary.operations.map(({ id }) => id)) }],
  );
  if (first === undefined) return;
  for (const other of rest) {
    const [alone] = [...onlyIn(first, other), ...onlyIn(other, first)];
    if (alone !== undefined)
      throw usage(`${first.file} and ${other.file} are not shards of one run: ${alone}.`, {
        hint: 'Give every shard the same document, and merge only blobs of one pipeline.',
      });
  }
}

interface Known {
  readonly file: string;
  readonly operations: ReadonlySet<string>;
}

function onlyIn(here: Known, there: Known): string[] {
  return [...here.operations]
    .filter((id) => !there.operations.has(id))
    .map((id) => `only the contract of ${here.file} has the operation ${id}`);
}

/** How one shard ended, and what its blob contains. */
export interface ShardEnd {
  readonly file: string;
  /** From 1; undefined if the run was not split, or the blob is truncated before it. */
  readonly index?: number | undefined;
  /** Missing if the blob is truncated. */
  readonly summary?: RunSummary | undefined;
  /** The findings that were read, by severity. */
  readonly held: RunSummary['findings'];
}

/** Findings that a run counted at its end, if its blob has another number of them. */
interface Loss {
  readonly severity: Severity;
  readonly stated: number;
  readonly held: number;
}

/**
 * The findings that a blob lost between its start and its end, the worst first. A truncated blob
 * has no end to compare with.
 */
export function lossOf({ summary, held }: ShardEnd): Loss | undefined {
  if (summary === undefined) return undefined;
  return severities
    .map((severity) => ({ severity, stated: summary.findings[severity], held: held[severity] }))
    .find((loss) => loss.stated !== loss.held);
}

export function countsOf(findings: readonly Pick<Finding, 'severity'>[]): RunSummary['findings'] {
  const having = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { error: having('error'), warning: having('warning'), note: having('note') };
}

/** Shards of one plan, and their settings. */
export interface Gathered {
  readonly ends: readonly ShardEnd[];
  readonly shards: ShardCount;
  readonly run?: RunInfo | undefined;
}

/**
 * The missing parts of a merged run, in a sentence or two each: the file or the shard, the problem,
 * and the solution.
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
    `${noun} ${joinWords(missing.map(String))} of ${String(count)} ${verb} ` +
      `missing, so ${pronoun} could not be judged. Merge ${possessive} too, or ` +
      `${again(missing)}.`,
  ];
}

function sayTorn({ file, index, summary }: ShardEnd, again: Again): string | undefined {
  if (summary !== undefined) return undefined;
  return (
    `${file} is incomplete: its job was stopped, or the file was truncated. ` +
    'Download it again from its job, or ' +
    `${again(index === undefined ? [] : [index])}.`
  );
}

function sayLoss(end: ShardEnd, again: Again): string | undefined {
  const loss = lossOf(end);
  if (loss === undefined) return undefined;
  const { severity, stated, held } = loss;
  return (
    `${end.file} is incomplete: its run ended with ` +
    `${countOf(stated, 'finding')} of severity ${severity}, the file has ` +
    `${held === 0 ? 'none' : String(held)}. Download it again from its job, ` +
    `or ${again(end.index === undefined ? [] : [end.index])}.`
  );
}

/** The seed is named only if a shell needs no quotes for it. */
function sayAgain(indexes: readonly number[], count: number, run: RunInfo | undefined): string {
  const seed =
    run === undefined || !/^\w[\w.-]*$/.test(run.seed) ? 'the same --seed' : `--seed ${run.seed}`;
  const shards =
    count === 1 ? [] : indexes.map((index) => `--shard ${String(index)}/${String(count)}`);
  if (shards.length > 1) return `run them again with ${joinWords(shards)}, each with ${seed}`;
  return `run it again with ${joinWords([...shards, seed])}`;
}
