import type { Case } from '../case.ts';
import type { Violation } from '../checks/check.ts';
import { isSuccess } from '../evidence/refusal.ts';
import type { Severity } from '../finding.ts';
import type { Step } from '../subject.ts';
import { severityOf, type Suspicion } from './judge.ts';

/** Suspicions that have one cause. The first shows it with the least: it is the one that is confirmed and reported. */
export interface SuspicionGroup {
  readonly key: string;
  readonly suspicions: readonly [Suspicion, ...Suspicion[]];
  /** Replaces what the first says, where the group as a whole says more. */
  readonly violation: Violation;
}

/** One cause, one group: by check, place in the contract and cause; over all operations that share the place. */
export function groupSuspicions(suspicions: readonly Suspicion[], steps: readonly Step[]): SuspicionGroup[] {
  const merged = suspicions.map((suspicion) => ({ suspicion, whole: wholeSubject(suspicion, steps) }));
  const byKey = Map.groupBy(merged, ({ suspicion, whole }) => keyOf(suspicion, whole ?? suspicion.violation));
  const groups = [...byKey].flatMap(([key, members]) => {
    const [first, ...rest] = members.toSorted((left, right) => effort(left.suspicion) - effort(right.suspicion));
    if (first === undefined) return [];
    const group: SuspicionGroup = { key, suspicions: [first.suspicion, ...rest.map(({ suspicion }) => suspicion)], violation: first.whole ?? first.suspicion.violation };
    return [group];
  });
  return groups.filter((group) => !isImplied(group, groups));
}

function keyOf({ check, violation }: Suspicion, shown: Violation): string {
  return [check.id, shown.at, shown.cause ?? '', severityOf({ check, violation })].join(' ');
}

/** How much a reader has to look at: requests before it, arguments, bytes; what is plain comes before what is not. */
function effort({ steps }: Suspicion): number {
  const last = steps.at(-1);
  if (last === undefined) return 0;
  const exotic = last.case.intent.kind === 'valid' && last.case.intent.rigour === 'plain' ? 0 : 100;
  return (steps.length - 1) * 10_000 + exotic + last.sent.arguments.size * 50 + Math.min(5_000, last.exchange.request.body.length);
}

function operationsOf({ suspicions }: SuspicionGroup): Set<string> {
  return new Set(suspicions.map(({ steps }) => steps.at(-1)?.case.operation.id ?? ''));
}

function isImplied(group: SuspicionGroup, groups: readonly SuspicionGroup[]): boolean {
  const { impliedBy, at } = group.violation;
  if (impliedBy === undefined) return false;
  const [{ check }] = group.suspicions;
  const causes = groups.filter((other) => other.suspicions[0].check === check && other.violation.at === at && other.violation.cause === impliedBy);
  const covered = new Set(causes.flatMap((other) => [...operationsOf(other)]));
  return causes.some((cause) => isImplied(cause, groups)) || [...operationsOf(group)].every((id) => covered.has(id));
}

const fewestForWhole = 3;

/**
 * Where every invalid value of a parameter, or every invalid body, was accepted, the cause is not this rule or that one:
 * the server does not look. The violation that says so, or undefined.
 */
function wholeSubject({ check, violation, steps }: Suspicion, all: readonly Step[]): Violation | undefined {
  const last = steps.at(-1);
  if (last === undefined || last.case.intent.kind !== 'invalid' || check.id !== 'invalid-refused') return undefined;
  const { operation, intent } = last.case;
  const tried = all.filter((step) => step.case.operation === operation && isBroken(step.case, intent.subject, severityOf({ check, violation })));
  const accepted = tried.filter((step) => isSuccess(step.exchange.response?.status ?? 0));
  const rules = new Set(tried.map((step) => (step.case.intent.kind === 'invalid' ? step.case.intent.at : '')));
  if (rules.size < fewestForWhole || accepted.length < tried.length) return undefined;
  const what = intent.subject === 'the body' ? 'body' : `${intent.subject}`;
  return {
    ...violation,
    at: wholePlace(last.case, intent.subject) ?? violation.at,
    message: `The server accepted every invalid ${what} that was tried (${String(tried.length)}), such as one in which ${last.case.title}.`,
    cause: 'every one',
  };
}

function isBroken({ intent }: Case, subject: string, severity: Severity): boolean {
  return intent.kind === 'invalid' && intent.subject === subject && intent.accepted === severity;
}

function wholePlace({ operation, intent }: Case, subject: string): string | undefined {
  if (intent.kind === 'invalid' && intent.part === 'body') return operation.requestBody?.pointer;
  return operation.parameters.find(({ name }) => name === subject)?.pointer;
}
