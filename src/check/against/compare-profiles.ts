import type { Contract, Operation } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { hash } from '../model/case.ts';
import type { DifferenceKind, TargetDifference } from '../model/event.ts';
import { nameOperation } from '../model/finding.ts';
import {
  type AnswerProfile,
  type CaseOutcome,
  maxWords,
  parentOf,
  type TargetProfile,
  type ShapePlace,
} from './profile.ts';

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

interface Found {
  readonly kind: DifferenceKind;
  readonly severity: TargetDifference['severity'];
  readonly at: string;
  readonly trying: string;
  readonly count: number;
  readonly left: string;
  readonly right: string;
}

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
    return [
      report(operation, {
        kind,
        severity: 'warning',
        at: '',
        trying: `${ours.title} (${ours.request})`,
        count: alike.length,
        left: ours.outcome,
        right: theirs.outcome,
      }),
    ];
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

function answerPhrase({ status }: AnswerPair): string {
  return `the ${String(status)} answers`;
}

function compareMedia(pair: AnswerPair): TargetDifference[] {
  const { operation, ours, theirs } = pair;
  const [left, right] = [ours, theirs].map(({ mediaTypes }) =>
    [...mediaTypes.keys()].sort().join(' and '),
  );
  if (left === undefined || right === undefined || left === right) return [];
  return [
    report(operation, {
      kind: 'media-type',
      severity: 'warning',
      at: String(pair.status),
      trying: answerPhrase(pair),
      count: ours.answers,
      left,
      right,
    }),
  ];
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
      return report(operation, {
        kind: 'header',
        severity: documented.has(name) ? 'warning' : 'note',
        at: name,
        trying: answerPhrase(pair),
        count: ours.answers,
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
  const common = { at, trying: answerPhrase(pair), count: ours.seen };
  // A price of 3 and one of 3.5 have the same kind.
  const kinds = (types: readonly string[]): string =>
    [...new Set(types.map((type) => (type === 'integer' ? 'number' : type)))].join(' ');
  if (left.length > 0 && right.length > 0 && kinds(left) !== kinds(right)) {
    return [
      report(pair.operation, {
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
        report(pair.operation, {
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
  const { ours, theirs, operation } = pair;
  const parents = [ours, theirs].map(({ shape }) => shape.get(parentOf(at)));
  const enough = parents.every(
    (parent) => parent !== undefined && parent.seen >= fewestSeen && parent.types.has('object'),
  );
  if (!enough || at === '' || spot === undefined) return [];
  const words = (profile: AnswerProfile): string =>
    profile.shape.has(at) ? [...spot.types].sort().join(' or ') : 'not there';
  return [
    report(operation, {
      kind: 'shape',
      severity: 'warning',
      at,
      trying: answerPhrase(pair),
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
export function compareGaps(
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
