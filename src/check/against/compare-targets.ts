import { isDeepStrictEqual } from 'node:util';
import { usage } from '../../errors.ts';
import { type CheckOptions, runCheck } from '../engine/check-target.ts';
import type { CleanupLedger } from '../engine/cleanup/cleanup-ledger.ts';
import { hash } from '../model/case.ts';
import type { RunEvent, TargetDifference } from '../model/event.ts';
import { asRunIdentity } from '../secrets/identities.ts';
import type { CredentialOptions } from '../secrets/run-credentials.ts';
import { type Settings, resolveSettings } from '../engine/settings.ts';
import type { AnswerProfile, CaseOutcome, ShapePlace } from './profile.ts';
import { TargetProfile, maxWords, parentOf } from './profile.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { nameOperation } from '../model/finding.ts';

/**
 * The other deployment of a comparison. Any of its credentials replaces all those of the first one;
 * its headers are by default those of the first one.
 */
export interface AgainstOptions extends CredentialOptions, Pick<CheckOptions, 'url' | 'servers'> {
  /** Stores the records left on it: never in the ledger of the first deployment. */
  readonly cleanupLedger?: CleanupLedger;
  /** Receives the events of its run, which are not part of the stream. */
  readonly watch?: (event: RunEvent) => void;
}

/**
 * Checks a deployment, sends the same cases to another one, and reports the differences. The other
 * one is not checked. Yields the events of the first run, then the differences; `run-finished` is
 * last.
 */
export async function* compareTargets(
  options: CheckOptions,
  against: AgainstOptions,
): AsyncGenerator<RunEvent, void> {
  refuseSame(options, against);
  const seed =
    options.seed ?? hash((options.clock ?? (() => new Date()))().toISOString()).slice(0, 8);
  const ours = new TargetObservation();
  let finished: Extract<RunEvent, { readonly type: 'run-finished' }> | undefined;
  for await (const event of runCheck({ ...options, seed })) {
    ours.take(event);
    if (event.type === 'run-finished') finished = event;
    else
      yield event.type === 'run-started'
        ? { ...event, run: { ...event.run, against: against.url } }
        : event;
  }
  if (finished === undefined) return;
  if (finished.summary.verdict === 'interrupted') {
    yield finished;
    return;
  }
  const theirs = new TargetObservation();
  // Without checks there are no suspicions, and therefore no replays.
  const { watch, ...there } = against;
  const { cleanupLedger: _ours, ...shared } = sharedOptions(options, against);
  for await (const event of runCheck({ ...shared, ...there, seed, only: [] })) {
    theirs.take(event);
    watch?.(event);
    if (event.type === 'record-left')
      yield { ...event, record: `${event.record} at ${against.url}` };
  }
  // An unreachable deployment has no differences to report.
  const differences = !theirs.profile.hasAnswers
    ? []
    : [
        ...compareProfiles(options.contract, ours.profile, theirs.profile),
        ...compareGaps(options.contract, ours.gaps, theirs.gaps),
      ];
  for (const difference of differences) yield { type: 'difference-found', difference };
  const compared = conclude(theirs, against.url, differences.length);
  const { summary } = finished;
  const remarks = [...(summary.remarks ?? []), compared];
  yield { ...finished, summary: { ...summary, reason: `${summary.reason} ${compared}`, remarks } };
}

/**
 * Validates the other deployment before any request. A different credential alone is a reason to
 * compare.
 */
function refuseSame(options: CheckOptions, against: AgainstOptions): void {
  const [ours, theirs] = [
    resolveSettings(options),
    resolveSettings({ ...sharedOptions(options, against), ...against }),
  ];
  const isSame =
    ours.url === theirs.url &&
    isDeepStrictEqual(sentWith(ours), sentWith(theirs)) &&
    sameWords(options.servers, against.servers);
  if (isSame)
    throw usage(`${theirs.url} would be compared with itself.`, {
      hint:
        'Name another deployment with --against, or another credential with ' +
        '--against-auth env:NAME.',
    });
}

/**
 * The options of both runs. A token of the first deployment is never sent to one with its own
 * credentials.
 */
function sharedOptions(given: CheckOptions, { token, tokens }: AgainstOptions): CheckOptions {
  const options: CheckOptions = asRunIdentity(given);
  if (token === undefined && tokens === undefined) return options;
  const { token: _token, tokens: _tokens, tokenSource: _source, ...shared } = options;
  return shared;
}

/** The credentials and headers of every request. */
function sentWith({ credentials: { token, tokens, headers } }: Settings): readonly unknown[] {
  return [token, tokens, headers];
}

function sameWords(left: Readonly<Record<string, string>> = {}, right = left): boolean {
  return sortedWords(left) === sortedWords(right);
}

function sortedWords(words: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(words).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The facts of a run that are compared, without its exchanges. */
class TargetObservation {
  readonly profile = new TargetProfile();
  readonly gaps = new Map<string, string>();
  unreachable: string | undefined;

  take(event: RunEvent): void {
    if (event.type === 'gap-observed') this.gaps.set(event.gap.id, event.observed);
    if (
      event.type === 'exchange-recorded' &&
      event.case.phase !== 'confirm' &&
      event.case.phase !== 'cleanup'
    )
      this.profile.add(event.case, event.exchange);
    // A run without checks has no findings, so incomplete cases were not sent.
    if (event.type === 'run-finished' && event.summary.verdict !== 'passed')
      this.unreachable = event.summary.reason;
  }
}

function conclude({ unreachable }: TargetObservation, url: string, differences: number): string {
  if (unreachable !== undefined) return `The comparison with ${url} is not whole: ${unreachable}`;
  return differences === 0
    ? `${url} answered alike.`
    : `${url} answered otherwise in ${String(differences)} ${differences === 1 ? 'way' : 'ways'}.`;
}

/** The differences between two deployments under the same plan, in the order of the contract. */
export function compareProfiles(
  contract: Contract,
  left: TargetProfile,
  right: TargetProfile,
): TargetDifference[] {
  return contract.operations.flatMap((operation) => [
    ...compareOutcomes(operation, left, right),
    ...compareAnswers(operation, left, right),
  ]);
}

type Found = Omit<TargetDifference, 'id' | 'operation'>;

function report(operation: Operation, found: Found): TargetDifference {
  return {
    id: hash(
      [
        'difference',
        operation.id,
        found.kind,
        found.at,
        found.kind === 'status' ? `${found.left} ${found.right}` : '',
      ].join('\n'),
    ),
    operation: nameOperation(operation),
    ...found,
  };
}

/** Cases that were sent to both, grouped by outcome. */
function compareOutcomes(
  operation: Operation,
  left: TargetProfile,
  right: TargetProfile,
): TargetDifference[] {
  const pairs = [...left.cases].flatMap(([id, ours]): [CaseOutcome, CaseOutcome][] => {
    const theirs = right.cases.get(id);
    return ours.operation === operation.id &&
      theirs !== undefined &&
      theirs.outcome !== ours.outcome
      ? [[ours, theirs]]
      : [];
  });
  const byOutcome = Map.groupBy(pairs, ([ours, theirs]) => `${ours.outcome} ${theirs.outcome}`);
  return [...byOutcome.values()].flatMap((alike) => {
    const [ours, theirs] = alike[0] ?? [];
    if (ours === undefined || theirs === undefined) return [];
    const kind = ours.answered && theirs.answered ? 'status' : 'answer';
    return report(operation, {
      kind,
      severity: 'warning',
      at: '',
      trying: `${ours.title} (${ours.request})`,
      count: alike.length,
      left: ours.outcome,
      right: theirs.outcome,
    });
  });
}

function compareAnswers(
  operation: Operation,
  left: TargetProfile,
  right: TargetProfile,
): TargetDifference[] {
  return [...(left.answers.get(operation.id) ?? [])].flatMap(([status, ours]) => {
    const theirs = right.answers.get(operation.id)?.get(status);
    if (theirs === undefined) return [];
    const pair: AnswerPair = { operation, status, ours, theirs };
    return [...compareMedia(pair), ...compareHeaders(pair), ...compareShapes(pair)];
  });
}

/** The responses of both deployments to one operation with one status. */
interface AnswerPair {
  readonly operation: Operation;
  readonly status: number;
  readonly ours: AnswerProfile;
  readonly theirs: AnswerProfile;
}

/** A difference of two such responses. */
function reportPair(
  { operation, status, ours }: AnswerPair,
  found: Omit<Found, 'trying' | 'count'> & { readonly count?: number },
): TargetDifference {
  const trying = `the ${String(status)} answers`;
  return report(operation, { trying, count: ours.answers, ...found });
}

function compareMedia(pair: AnswerPair): TargetDifference[] {
  const [left, right] = [pair.ours, pair.theirs].map(({ mediaTypes }) =>
    [...mediaTypes.keys()].sort().join(' and '),
  );
  if (left === undefined || right === undefined || left === right) return [];
  const at = String(pair.status);
  return [reportPair(pair, { kind: 'media-type', severity: 'warning', at, left, right })];
}

/** Headers that proxies, frameworks and connections add are not compared. */
const volatile = new RegExp(
  '^(date|server|via|connection|keep-alive|transfer-encoding|content-(length|encoding|type)|vary|' +
    'etag|last-modified|age|expires|x-powered-by|x-(request|correlation|trace)-id|traceparent|' +
    'tracestate|x-runtime|x-response-time|server-timing|alt-svc|nel|report-to|set-cookie|' +
    'strict-transport-security|x-cache.*|cf-.*|x-amz.*|x-envoy.*|x-served-by|x-timer)$',
);

function compareHeaders(pair: AnswerPair): TargetDifference[] {
  const { operation, status, ours, theirs } = pair;
  const documented = new Set(
    selectResponse(operation, status)?.headers.map(({ name }) => name.toLowerCase()),
  );
  const names = [...new Set([...ours.headers.keys(), ...theirs.headers.keys()])]
    .filter((name) => !volatile.test(name))
    .sort();
  return names
    .filter((name) => ours.headers.has(name) !== theirs.headers.has(name))
    .map((name) => {
      const words = (profile: AnswerProfile): string =>
        profile.headers.has(name) ? 'there' : 'not there';
      return reportPair(pair, {
        kind: 'header',
        severity: documented.has(name) ? 'warning' : 'note',
        at: name,
        left: words(ours),
        right: words(theirs),
      });
    });
}

/** A single response may show temporary data. */
const fewestSeen = 2;

function compareShapes(pair: AnswerPair): TargetDifference[] {
  const { ours, theirs } = pair;
  const places = [...new Set([...ours.shape.keys(), ...theirs.shape.keys()])].sort();
  return places.flatMap((at) => compareSpot(pair, at, [ours.shape.get(at), theirs.shape.get(at)]));
}

function compareSpot(
  pair: AnswerPair,
  at: string,
  [ours, theirs]: readonly [ShapePlace | undefined, ShapePlace | undefined],
): TargetDifference[] {
  if (ours === undefined || theirs === undefined) return comparePresence(pair, at, ours ?? theirs);
  const [left, right] = [ours, theirs].map(({ types }) =>
    [...types].filter((type) => type !== 'null').sort(),
  );
  if (left === undefined || right === undefined) return [];
  const common = { at, count: ours.seen };
  // A price of 3 and one of 3.5 have the same kind.
  const kinds = (types: readonly string[]): string =>
    [...new Set(types.map((type) => (type === 'integer' ? 'number' : type)))].join(' ');
  if (left.length > 0 && right.length > 0 && kinds(left) !== kinds(right)) {
    return [
      reportPair(pair, {
        ...common,
        kind: 'shape',
        severity: 'warning',
        left: left.join(' or '),
        right: right.join(' or '),
      }),
    ];
  }
  return areOtherWords(ours, theirs)
    ? [
        reportPair(pair, {
          ...common,
          kind: 'value',
          severity: 'note',
          left: wordsOf(ours),
          right: wordsOf(theirs),
        }),
      ]
    : [];
}

/** A member that only one of them has, if both have its parent. */
function comparePresence(
  pair: AnswerPair,
  at: string,
  spot: ShapePlace | undefined,
): TargetDifference[] {
  const { ours, theirs } = pair;
  const parents = [ours, theirs].map(({ shape }) => shape.get(parentOf(at)));
  const enough = parents.every(
    (parent) => parent !== undefined && parent.seen >= fewestSeen && parent.types.has('object'),
  );
  if (!enough || at === '' || spot === undefined) return [];
  const words = (profile: AnswerProfile): string =>
    profile.shape.has(at) ? [...spot.types].sort().join(' or ') : 'not there';
  return [
    reportPair(pair, {
      kind: 'shape',
      severity: 'warning',
      at,
      count: spot.seen,
      left: words(ours),
      right: words(theirs),
    }),
  ];
}

/**
 * Enum words without a common one: `AVAILABLE` here, `available` there. Free text is not compared.
 */
function areOtherWords(left: ShapePlace, right: ShapePlace): boolean {
  const few = [left, right].every(
    ({ words, seen }) =>
      words.size > 0 &&
      words.size < maxWords &&
      seen >= words.size * 3 &&
      [...words].every((word) => /^[A-Za-z][\w-]{0,23}$/.test(word)),
  );
  return few && [...left.words].every((word) => !right.words.has(word));
}

function wordsOf({ words }: ShapePlace): string {
  return [...words].sort().join(', ');
}

/** Gaps of the contract that two deployments fill differently, side by side and without counts. */
function compareGaps(
  contract: Contract,
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
): TargetDifference[] {
  return contract.gaps.flatMap(({ id, operation, message }) => {
    const [ours, theirs] = [left.get(id), right.get(id)];
    if (
      ours === undefined ||
      theirs === undefined ||
      withoutCounts(ours) === withoutCounts(theirs) ||
      operation === undefined
    )
      return [];
    return [
      {
        id: hash(`difference gap ${id}`),
        operation: nameOperation(operation),
        kind: 'gap',
        severity: 'note',
        at: id,
        trying: message,
        count: 1,
        left: ours,
        right: theirs,
      } satisfies TargetDifference,
    ];
  });
}

function withoutCounts(observed: string): string {
  return observed.replaceAll(/ \(\d+ times?\)/g, '');
}
