import { coverageOf } from '../../check/engine/coverage/coverage-meter.ts';
import { touchingOf } from '../../check/engine/judge/summary.ts';
import { latencyOf } from '../../check/reading/latency.ts';
import { separate } from '../../check/engine/judge/evidence.ts';
import { reachOf } from '../../check/engine/judge/reach.ts';
import type { Finding } from '../../check/model/finding.ts';
import type {
  ClassCoverage,
  Coverage,
  IdentityAccess,
  InputCoverage,
  OperationAccess,
  OperationCoverage,
  OperationSummary,
  RunSummary,
  SkippedFinding,
  StatusCoverage,
  WorkflowSummary,
} from '../../check/model/run-summary.ts';
import { defined } from '../../json/value.ts';
import { joinVerdicts, type Judged } from './join-verdicts.ts';
import { countsOf } from './match-shards.ts';

/** The input for the end of a merged run. */
export interface MergedRun extends Judged {
  /** How long each answer took, in milliseconds, by its operation. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
}

/** The end of the merged run: counts added, findings counted once, and the worst verdict. */
export function joinSummaries(merged: MergedRun): RunSummary {
  const { ends, findings } = merged;
  const summaries = ends.flatMap(({ summary }) => summary ?? []);
  const operations = [
    ...Map.groupBy(
      summaries.flatMap((summary) => summary.operations),
      ({ id }) => id,
    ).values(),
  ];
  const coverage = joinCoverage(summaries.flatMap((summary) => summary.coverage ?? []));
  const all = findings.flatMap(separate);
  const cleanup = sum(summaries.map((summary) => summary.cleanup ?? 0));
  const checks = [
    ...Map.groupBy(
      summaries.flatMap((summary) => summary.checks),
      ({ id }) => id,
    ),
  ];
  const joined = operations.flatMap((alike) => joinOperation(alike, findings));
  const isMeasured = summaries.length > 0 && summaries.every(({ reach }) => reach !== undefined);
  return {
    ...joinVerdicts(merged),
    ...(isMeasured ? { reach: reachOf(joined) } : {}),
    requests: sum(summaries.map(({ requests }) => requests)),
    ...(cleanup === 0 ? {} : { cleanup }),
    durationMs: Math.max(0, ...summaries.map(({ durationMs }) => durationMs)),
    findings: countsOf(findings),
    operations: joined,
    checks: checks.map(([id, alike]) => ({
      id,
      inspected: sum(alike.map(({ inspected }) => inspected)),
      findings: all.filter(({ check }) => check === id).length,
    })),
    latency: Object.fromEntries(
      [...merged.durations].flatMap(([operation, each]) => {
        const latency = latencyOf(each);
        return latency === undefined ? [] : [[operation, latency]];
      }),
    ),
    ...(summaries.every(({ skippedFindings }) => skippedFindings === undefined)
      ? {}
      : {
          skippedFindings: joinSkips(
            summaries.flatMap(({ skippedFindings }) => skippedFindings ?? []),
          ),
        }),
    ...defined({ coverage }),
    ...joinParts(summaries),
  };
}

/** What each identity was allowed in any of the shards. */
/** Each shard runs every workflow: the worst result counts. */
function joinWorkflows(summaries: readonly RunSummary[]): Pick<RunSummary, 'workflows'> {
  const all: readonly WorkflowSummary[] = summaries.flatMap(({ workflows }) => workflows ?? []);
  if (all.length === 0) return {};
  const ranks = { failed: 0, 'not-run': 1, passed: 2 };
  const byName = Map.groupBy(all, ({ id, place }) => `${place.file} ${id}`);
  const workflows = [...byName.values()].flatMap(
    (alike) => alike.toSorted((one, other) => ranks[one.outcome] - ranks[other.outcome])[0] ?? [],
  );
  return { workflows };
}

/** What only some runs have: workflows, and other identities. */
function joinParts(summaries: readonly RunSummary[]): Partial<RunSummary> {
  const access = summaries.flatMap(({ identities }) => identities ?? []);
  return { ...joinWorkflows(summaries), ...joinAccess(access) };
}

function joinAccess(all: readonly IdentityAccess[]): Pick<RunSummary, 'identities'> {
  if (all.length === 0) return {};
  const worth = ['not-asked', 'shut-out', 'unproven', 'asked'] as const;
  const identities = [...Map.groupBy(all, ({ name }) => name)].map(([name, alike]) => ({
    name,
    state: worth.findLast((state) => alike.some((each) => each.state === state)) ?? 'not-asked',
    operations: joinOperations(alike.map(({ operations }) => operations)),
  }));
  return { identities };
}

function joinOperations(
  parts: readonly IdentityAccess['operations'][],
): IdentityAccess['operations'] {
  const joined: Record<string, OperationAccess> = {};
  for (const [id, access] of parts.flatMap((part) => Object.entries(part)))
    if (joined[id] !== 'allowed' && (joined[id] !== 'unclear' || access === 'allowed'))
      joined[id] = access;
  return joined;
}

function joinOperation(
  alike: readonly OperationSummary[],
  findings: readonly Finding[],
): OperationSummary[] {
  const [first] = alike;
  if (first === undefined) return [];
  const touching = countsOf(touchingOf(findings, first.id));
  const requests = sum(alike.map((each) => each.requests));
  const { skipped: _, shut: _shut, ...rest } = first;
  const isReached = alike.some(({ shut }) => shut === undefined);
  const judged = alike.flatMap((each) => each.judged ?? []);
  const skipped = alike.map((each) => each.skipped).find((reason) => reason !== undefined);
  return [
    {
      ...rest,
      ...(isReached ? {} : { shut: first.shut }),
      requests,
      errors: touching.error,
      warnings: touching.warning,
      notes: touching.note,
      ...(judged.length === 0 ? {} : { judged: sum(judged) }),
      ...(requests > 0 || skipped === undefined ? {} : { skipped }),
      statuses: addUp(alike.map(({ statuses }) => statuses)),
      checks: addUp(alike.map(({ checks }) => checks)),
    },
  ];
}

function joinSkips(skips: readonly SkippedFinding[]): SkippedFinding[] {
  const alike = Map.groupBy(skips, ({ check, operation, message, reason }) =>
    [check, operation, message, reason].join('\n'),
  );
  return [...alike.values()].flatMap((each) =>
    each[0] === undefined ? [] : [{ ...each[0], count: sum(each.map(({ count }) => count)) }],
  );
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const entries = counts.flatMap((each) => Object.entries(each));
  return Object.fromEntries(
    [...Map.groupBy(entries, ([key]) => key)]
      .map(([key, alike]): [string, number] => [key, sum(alike.map(([, number]) => number))])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The combined coverage of several shards. `why` stays where none of them reached a class. */
function joinCoverage(parts: readonly Coverage[]): Coverage | undefined {
  if (parts.length === 0) return undefined;
  const byOperation = Map.groupBy(
    parts.flatMap(({ operations }) => operations),
    ({ operation }) => operation,
  );
  return coverageOf([...byOperation.values()].flatMap(joinOperationCoverage));
}

/** Ignores shards that sent nothing to an operation if another one did. */
function joinOperationCoverage(alike: readonly OperationCoverage[]): OperationCoverage[] {
  const asked = alike.filter(({ why }) => why === undefined);
  const [first] = asked;
  if (first === undefined) return alike.slice(0, 1);
  const statuses = [
    ...Map.groupBy(
      asked.flatMap((each) => each.statuses),
      ({ status, media }) => `${status} ${media ?? ''}`,
    ).values(),
  ].flatMap(reachedOf<StatusCoverage>);
  const inputs = [
    ...Map.groupBy(
      asked.flatMap((each) => each.inputs),
      (input) => `${input.in} ${input.name}`,
    ).values(),
  ].flatMap(joinInput);
  return [{ operation: first.operation, statuses, inputs }];
}

function joinInput(alike: readonly InputCoverage[]): InputCoverage[] {
  const classes = [
    ...Map.groupBy(
      alike.flatMap((each) => each.classes),
      (each) => each.class,
    ).values(),
  ].flatMap(reachedOf<ClassCoverage>);
  return alike.slice(0, 1).map((input) => ({ ...input, classes }));
}

function reachedOf<Item extends { readonly reached: boolean }>(alike: readonly Item[]): Item[] {
  return [alike.find(({ reached }) => reached) ?? alike[0]].filter((item) => item !== undefined);
}
