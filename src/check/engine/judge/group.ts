import type { Operation } from '../../../contract/model.ts';
import type { Pointer } from '../../../json/pointer.ts';
import type { Violation } from '../../model/knowledge.ts';
import type { Case } from '../../model/case.ts';
import { type Step, hasSuccess } from '../../model/step.ts';
import { compareSeverities } from '../../../contract/model/severity.ts';
import { severityOf, type Suspicion } from './judge.ts';

/** Suspicions with one cause. The first is the simplest: it is confirmed and reported. */
export interface SuspicionGroup {
  readonly suspicions: readonly [Suspicion, ...Suspicion[]];
  /** The violation that is reported for the group: the first one, or a combined one. */
  readonly violation: Violation;
  /** Set if it occurs at so many places that the first one is arbitrary. */
  readonly everywhere?: true;
  /** The operations that stored all that it is about, although that was invalid. */
  readonly storedBy?: readonly Operation[];
}

/**
 * From so many places on, groups of one check and one cause are joined: all responses share the
 * defect.
 */
const manyPlaces = 3;

/**
 * Groups suspicions by check, place in the contract and cause, over all operations that share the
 * place. The worst comes first.
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
  // A gap in the contract is not a milder form of a server's defect.
  return [check.id, violation.at, violation.cause ?? '', violation.blame ?? 'server'].join(' ');
}

function unjudgedBy(
  { check, steps }: Suspicion,
  unjudged: readonly UnjudgedInput[],
): UnjudgedInput | undefined {
  const last = steps.at(-1);
  return check.traits?.includes('inputs') !== true || last === undefined
    ? undefined
    : unjudged.find((input) => isUnjudged(last.case, input));
}

function toGroup(
  members: readonly Suspicion[],
  unjudged: readonly UnjudgedInput[],
): SuspicionGroup | undefined {
  const [first, ...rest] = members.toSorted(
    (left, right) =>
      Number(left.storedBy !== undefined) - Number(right.storedBy !== undefined) ||
      compareSeverities(severityOf(left), severityOf(right)) ||
      effort(left) - effort(right),
  );
  if (first === undefined) return undefined;
  const storedBy =
    first.storedBy === undefined
      ? {}
      : { storedBy: [...new Set(members.flatMap((member) => member.storedBy ?? []))] };
  const input = unjudgedBy(first, unjudged);
  const { violation } = first;
  const last = first.steps.at(-1);
  if (input === undefined || last === undefined)
    return { suspicions: [first, ...rest], violation, ...storedBy };
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

/**
 * How much a reader has to look at: earlier requests, arguments, bytes; plain requests come first.
 */
function effort({ steps }: Suspicion): number {
  const last = steps.at(-1);
  if (last === undefined) return 0;
  const { intent } = last.case;
  const plain = intent.kind === 'valid' && intent.rigour === 'plain';
  // How a value is spelled, such as `%zz`, matters only where no plain one has the same result.
  const isSpelling = intent.kind === 'invalid' && intent.unreadable === true;
  // A body that is not JSON is harder to read than one that only lacks a field.
  const unreadable = last.case.request.body?.kind === 'bytes';
  return (
    (steps.length - 1) * 10_000 +
    (plain ? 0 : 100) +
    (isSpelling ? 500 : 0) +
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
  // Half of them are enough: one of the requests may have deleted the record of the next.
  return (
    causes.some((cause) => isImplied(cause, groups)) ||
    own.filter((id) => covered.has(id)).length * 2 >= own.length
  );
}

/** Joins the groups of a defect that all responses share, at any documented place. */
function joinPlaces(groups: readonly SuspicionGroup[]): SuspicionGroup[] {
  const byCause = Map.groupBy(groups, ({ suspicions: [{ check }], violation }) =>
    [
      check.id,
      check.traits?.includes('shared') === true ? '' : violation.at,
      violation.cause ?? '',
    ].join(' '),
  );
  return [...byCause.values()].flatMap((alike) => {
    const [first, ...rest] = alike;
    if (first === undefined || alike.length < manyPlaces) return alike;
    const suspicions: SuspicionGroup['suspicions'] = [
      ...first.suspicions,
      ...rest.flatMap((group) => group.suspicions),
    ];
    return {
      suspicions,
      everywhere: true,
      violation: {
        ...first.violation,
        message:
          `${first.violation.message} The same holds at ${String(rest.length)} other ` +
          'places of the contract.',
      },
    };
  });
}

/** A parameter or body that a server does not validate: it accepted almost every invalid value. */
interface UnjudgedInput {
  readonly operation: Operation;
  readonly subject: string;
  readonly pointer: Pointer;
  readonly tried: number;
  readonly accepted: number;
}

const fewestRules = 3;
const share = 0.75;

/** Finds inputs of which the server validates nothing, so that no single rule is the cause. */
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
  const accepted = tries.filter(hasSuccess);
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

/** Whether a case tests such input. */
function isUnjudged(testCase: Case, { operation, subject }: UnjudgedInput): boolean {
  return (
    testCase.operation === operation &&
    testCase.intent.kind === 'invalid' &&
    testCase.intent.subject === subject
  );
}

/** In how many exchanges a group was seen; each counts once. */
export function timesSeen({ suspicions }: SuspicionGroup): number {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.exchange)).size;
}
