import type { Operation } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { Violation } from '../checks/check.ts';
import type { Case } from '../model/case.ts';
import type { Severity } from '../model/finding.ts';
import type { Step } from '../model/step.ts';
import { severityOf, type Suspicion } from './judge.ts';

/**
 * Suspicions that have one cause. The first shows it with the least: it is the one that is
 * confirmed and reported.
 */
export interface SuspicionGroup {
  readonly suspicions: readonly [Suspicion, ...Suspicion[]];
  /** What is said of the group: by the first, or by all of them together. */
  readonly violation: Violation;
  /** Set where it holds at so many places that the first of them says nothing. */
  readonly everywhere?: true;
}

/**
 * Groups of one check and one cause at so many places are one cause: what all answers share is no
 * matter of this one or that one.
 */
const manyPlaces = 3;
const sharedByAnswers: readonly string[] = [
  'content-type-documented',
  'body-parses',
  'error-repeats-status',
  'transport-sound',
];

/**
 * One cause, one group: by check, place in the contract and cause; over all operations that share
 * the place. The worst leads.
 */
export function groupSuspicions(
  suspicions: readonly Suspicion[],
  steps: readonly Step[],
): SuspicionGroup[] {
  const unjudged = findUnjudged(steps);
  const byCause = Map.groupBy(suspicions, (suspicion) => keyOf(suspicion, unjudged));
  const groups = [...byCause.values()].flatMap((members) => toGroup(members, unjudged) ?? []);
  return joinPlaces(groups.filter((group) => !isImplied(group, groups)));
}

function keyOf(suspicion: Suspicion, unjudged: readonly UnjudgedInput[]): string {
  const { check, violation } = suspicion;
  const input = unjudgedBy(suspicion, unjudged);
  if (input !== undefined) return `${check.id} every ${input.operation.id} ${input.subject}`;
  // A contract's gap is no milder form of a server's fault.
  return [check.id, violation.at, violation.cause ?? '', violation.blame ?? 'server'].join(' ');
}

function unjudgedBy(
  { check, steps }: Suspicion,
  unjudged: readonly UnjudgedInput[],
): UnjudgedInput | undefined {
  const last = steps.at(-1);
  return check.id !== 'invalid-refused' || last === undefined
    ? undefined
    : unjudged.find((input) => isUnjudged(last.case, input));
}

function toGroup(
  members: readonly Suspicion[],
  unjudged: readonly UnjudgedInput[],
): SuspicionGroup | undefined {
  const [first, ...rest] = members.toSorted(
    (left, right) => rank(right) - rank(left) || effort(left) - effort(right),
  );
  if (first === undefined) return undefined;
  const input = unjudgedBy(first, unjudged);
  const { violation } = first;
  const last = first.steps.at(-1);
  if (input === undefined || last === undefined) return { suspicions: [first, ...rest], violation };
  const accepted = `${String(input.accepted)} of ${String(input.tried)} that were tried`;
  const message =
    'The server accepts ' +
    `${input.subject === 'the body' ? 'invalid bodies' : `invalid values of ${input.subject}`} ` +
    `(${accepted}), such as one in which ${last.case.title}.`;
  return {
    suspicions: [first, ...rest],
    violation: { ...violation, at: input.pointer, cause: 'every one', message },
  };
}

const ranks: Readonly<Record<Severity, number>> = { note: 0, warning: 1, error: 2 };

function rank(suspicion: Suspicion): number {
  return ranks[severityOf(suspicion)];
}

/**
 * How much a reader has to look at: requests before it, arguments, bytes; what is plain comes
 * before what is not.
 */
function effort({ steps }: Suspicion): number {
  const last = steps.at(-1);
  if (last === undefined) return 0;
  const plain = last.case.intent.kind === 'valid' && last.case.intent.rigour === 'plain';
  // A body that is no JSON is harder to read, and to believe, than one that only lacks a field.
  const unreadable = last.case.request.body?.kind === 'bytes';
  return (
    (steps.length - 1) * 10_000 +
    (plain ? 0 : 100) +
    (unreadable ? 1_000 : 0) +
    last.sent.arguments.size * 50 +
    Math.min(5_000, last.exchange.request.body.length)
  );
}

function operationsOf({ suspicions }: SuspicionGroup): Set<string> {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.case.operation.id ?? ''));
}

function isImplied(group: SuspicionGroup, groups: readonly SuspicionGroup[]): boolean {
  const { impliedBy } = group.violation;
  if (impliedBy === undefined) return false;
  const [{ check }] = group.suspicions;
  const causes = groups.filter(
    (other) =>
      other.suspicions[0].check === check &&
      [impliedBy].flat().includes(other.violation.cause ?? ''),
  );
  const covered = new Set(causes.flatMap((other) => [...operationsOf(other)]));
  const own = [...operationsOf(group)];
  // Half of them will do: what one of the requests deleted is gone for the next.
  return (
    causes.some((cause) => isImplied(cause, groups)) ||
    own.filter((id) => covered.has(id)).length * 2 >= own.length
  );
}

/** What is wrong with all answers alike, whatever the place that documents them, is said once. */
function joinPlaces(groups: readonly SuspicionGroup[]): SuspicionGroup[] {
  const byCause = Map.groupBy(groups, ({ suspicions: [{ check }], violation }) =>
    [check.id, sharedByAnswers.includes(check.id) ? '' : violation.at, violation.cause ?? ''].join(
      ' ',
    ),
  );
  return [...byCause.values()].flatMap((alike) => {
    const [first, ...rest] = alike;
    if (first === undefined || alike.length < manyPlaces) return alike;
    const suspicions: SuspicionGroup['suspicions'] = [
      ...first.suspicions,
      ...rest.flatMap((group) => group.suspicions),
    ];
    return [
      {
        suspicions,
        everywhere: true,
        violation: {
          ...first.violation,
          message:
            `${first.violation.message} The same holds at ${String(rest.length)} other ` +
            'places of the contract.',
        },
      },
    ];
  });
}

/**
 * A parameter, or the body, that a server does not look at: nearly every invalid value of it was
 * accepted.
 */
interface UnjudgedInput {
  readonly operation: Operation;
  readonly subject: string;
  readonly pointer: Pointer;
  readonly tried: number;
  readonly accepted: number;
}

const fewestRules = 3;
const share = 0.75;

/** Finds input for which this rule or that one is not the cause: the server judges none of them. */
function findUnjudged(steps: readonly Step[]): UnjudgedInput[] {
  const broken = steps.filter(
    ({ case: { intent }, exchange }) =>
      intent.kind === 'invalid' && intent.accepted === 'error' && exchange.response !== undefined,
  );
  const byInput = Map.groupBy(
    broken,
    ({ case: testCase }) => `${testCase.operation.id} ${subjectOf(testCase)}`,
  );
  return [...byInput.values()].flatMap((tries) => toInput(tries) ?? []);
}

function toInput(tries: readonly Step[]): UnjudgedInput | undefined {
  const [first] = tries;
  const accepted = tries.filter(({ exchange }) => isSuccess(exchange.response?.status ?? 0));
  const rules = new Set(
    accepted.map(({ case: { intent } }) => (intent.kind === 'invalid' ? intent.at : '')),
  );
  if (first === undefined || rules.size < fewestRules || accepted.length < tries.length * share)
    return undefined;
  const { operation } = first.case;
  const subject = subjectOf(first.case);
  const pointer =
    operation.parameters.find(({ name }) => name === subject)?.pointer ??
    operation.requestBody?.pointer ??
    operation.pointer;
  return { operation, subject, pointer, tried: tries.length, accepted: accepted.length };
}

function subjectOf({ intent }: Case): string {
  return intent.kind === 'invalid' ? intent.subject : '';
}

/** Whether a case tries such input. */
function isUnjudged(testCase: Case, { operation, subject }: UnjudgedInput): boolean {
  return (
    testCase.operation === operation &&
    testCase.intent.kind === 'invalid' &&
    testCase.intent.subject === subject
  );
}

/** In how many exchanges a group was seen: one that shows it in several ways counts once. */
export function timesSeen({ suspicions }: SuspicionGroup): number {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.exchange)).size;
}
