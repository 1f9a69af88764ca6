import { isAtLeast } from '../../../contract/model/severity.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { Contract } from '../../../contract/model.ts';
import type { Finding, Severity } from '../../model/finding.ts';
import { type FindingFacts, readFacts, type Explanation } from '../../model/finding-facts.ts';
import type { Check } from '../../topics/check.ts';
import { checks, hasTrait } from '../../topics/index.ts';
import { withOthers } from './evidence.ts';
import type { Inspections } from './judge.ts';

const table: readonly Check[] = checks;
const sharedCauses = new Map(
  table
    .map(({ id, sharedCause }) => [id, sharedCause] as const)
    .filter(([, shared]) => shared !== undefined),
);

const crashes = new Set(table.filter(({ harm }) => harm === 'crash').map(({ id }) => id));

const explanations = new Map(table.map(({ id, explains = [] }) => [id, explains]));

/**
 * Joins findings of several checks that have one cause: a finding that another one explains is
 * listed with that one, complete, in `alsoSeenAs`, and named in its evidence. A finding never
 * explains a worse one, or one that a baseline treats differently; notes are never joined.
 *
 * @param inspected which operations each check looked at: what all of them do is one cause
 */
export function joinCauses(
  findings: readonly Finding[],
  contract: Contract,
  inspected: Inspections = new Map(),
): Finding[] {
  const facts = findings.map((finding) => readFacts(finding, contract));
  const leaders = new Map<FindingFacts, FindingFacts>();
  const rootOf = (one: FindingFacts): FindingFacts => {
    const leader = leaders.get(one);
    return leader === undefined ? one : rootOf(leader);
  };
  const follow = (leader: FindingFacts, explains: Explanation['explains']): void => {
    for (const other of facts) {
      const root = rootOf(leader);
      if (
        other !== leader &&
        !leaders.has(other) &&
        root !== other &&
        isAtLeast(own(root.finding), own(other.finding)) &&
        own(other.finding) !== 'note' &&
        root.finding.accepted === other.finding.accepted &&
        root.finding.blame === other.finding.blame &&
        explains(leader, other)
      )
        leaders.set(other, root);
    }
  };
  const families = [
    ...familiesIn(facts),
    ...unvalidatedIn(facts),
    ...everywhereIn(facts, { contract, inspected }),
  ];
  for (const [leader, ...others] of families)
    if (leader !== undefined) follow(leader, (_leader, other) => others.includes(other));
  const byCertainty = [false, true].flatMap((isLast) =>
    facts.flatMap((leader) =>
      (explanations.get(leader.check) ?? [])
        .filter(({ last = false }) => last === isLast)
        .map((explanation) => ({ leader, ...explanation })),
    ),
  );
  for (const { leader, findings: named, leads, explains } of byCertainty)
    if (leads?.(leader) !== false)
      follow(leader, (first, other) => isOneOf(named, other) && explains(first, other));
  // What was seen most often is nearest to the cause.
  const often = facts.toSorted((left, right) => right.finding.count - left.finding.count);
  for (const leader of often) follow(leader, isSameMatter);
  return facts
    .filter((one) => !leaders.has(one))
    .map((one) =>
      withOthers(
        one.finding,
        facts
          .filter((other) => other !== one && rootOf(other) === one)
          .map(({ finding }) => finding),
      ),
    );
}

/** From so many findings on, over so many operations, what they share is the cause. */
const family = { findings: 5, operations: 3 };

/**
 * Findings with one cause over many operations, the first of which stands for all: a service that
 * takes null for every object, or writes every number as a text.
 */
function familiesIn(facts: readonly FindingFacts[]): FindingFacts[][] {
  const alike = facts.filter((one) => sharedCauses.get(one.check)?.(one) !== undefined);
  return [...Map.groupBy(alike, familyOf).values()].filter(
    (members) =>
      members.length >= family.findings &&
      new Set(members.map(({ operation }) => operation)).size >= family.operations,
  );
}

function familyOf(facts: FindingFacts): string {
  const { check, finding, intent, cause } = facts;
  const shared = cause === 'every one' ? '' : sharedCauses.get(check)?.(facts);
  return [check, cause, intent['kind'], own(finding), shared].map(String).join(' ');
}

/** An operation that takes invalid values of so many fields or parameters validates none. */
const manyInputs = 3;

function unvalidatedIn(facts: readonly FindingFacts[]): FindingFacts[][] {
  const inputs = facts.filter(({ check }) => hasTrait(check, 'inputs'));
  const operations = Map.groupBy(inputs, ({ check, operation, intent, finding }) =>
    [check, operation, intent['part'], own(finding)].join(' '),
  );
  return [...operations.values()].filter(
    (members) =>
      new Set(members.flatMap(({ field, parameter }) => parameter ?? field ?? [])).size >=
      manyInputs,
  );
}

/** How many operations, and what share of those that a check looked at, show one cause. */
const everywhere = {
  /** One part does it for all operations, */
  machinery: { least: 2, share: 0 },
  /** or for all with the parameter. */
  parameter: { least: 2, share: 1 / 3 },
  nothing: { least: 2, share: 1 },
  something: { least: 3, share: 1 },
};

/**
 * Findings of one check on every operation that it looked at: a service that validates no body,
 * asks nowhere for a credential, or ignores the limits of all its lists.
 */
function everywhereIn(
  facts: readonly FindingFacts[],
  { contract, inspected }: { readonly contract: Contract; readonly inspected: Inspections },
): FindingFacts[][] {
  return [...Map.groupBy(facts, mechanismOf).values()].filter((members) => {
    const [{ check, cause, intent, parameter } = {}] = members;
    if (check === undefined || intent === undefined) return false;
    const looked = contract.operations.filter(
      ({ id, requestBody, parameters }) =>
        inspected.get(id)?.has(check) === true &&
        (intent['part'] !== 'body' || requestBody !== undefined) &&
        (parameter === undefined ||
          hasTrait(check, 'machinery') ||
          parameters.some(({ name }) => name === parameter)),
    );
    const found = new Set(members.flatMap(({ finding }) => finding.operations));
    const { least, share } =
      everywhere[
        hasTrait(check, 'machinery')
          ? 'machinery'
          : hasTrait(check, 'credentials') || isOfParameter(check, parameter)
            ? 'parameter'
            : cause === 'every one'
              ? 'nothing'
              : 'something'
      ];
    const count = looked.filter(({ id }) => found.has(id)).length;
    return count >= least && count >= share * looked.length;
  });
}

/** Whether a finding says that a parameter does not do what it is for: no crash, no bad input. */
function isOfParameter(check: string, parameter: string | undefined): boolean {
  const isOther = hasTrait(check, 'inputs') || crashes.has(check);
  return parameter !== undefined && (hasTrait(check, 'machinery') || !isOther);
}

function mechanismOf({ check, cause, intent, parameter, finding }: FindingFacts): string {
  // Where an operation wants two credentials, the cause says which of them.
  const [first = ''] = hasTrait(check, 'credentials') ? cause.split(' ') : [cause];
  // What a key of an operation fails at is one; a list may ignore one parameter in several ways.
  const isOne = isOfParameter(check, parameter) && !hasTrait(check, 'lists');
  const kind = isOne ? '' : first;
  const named = hasTrait(check, 'machinery') ? '' : parameter;
  return [check, kind, named, intent['kind'], intent['part'], own(finding)].map(String).join(' ');
}

/**
 * Whether two findings are about one thing of one operation, or one member of one kind of record:
 * a parameter that does nothing breaks all that it is for. Input that is accepted explains no wrong
 * result.
 */
function isSameMatter(leader: FindingFacts, other: FindingFacts): boolean {
  const isOfOperation = leader.operation === other.operation;
  const isOfCheck = leader.check === other.check;
  const isInput = hasTrait(leader.check, 'inputs') || leader.finding.storedBy !== undefined;
  if (isInput && !isOfCheck) return false;
  if (isOfCheck && isOfOperation)
    if (
      leader.finding.pointer === other.finding.pointer ||
      (isPlaceless(other) && leader.finding.message === other.finding.message) ||
      hasTrait(leader.check, 'machinery')
    )
      return true;
  // What only one request of a story shows has one cause.
  const isOfStory = leader.intent['kind'] === 'relation' && leader.lastWrite === other.lastWrite;
  if (isOfOperation && isOfStory && equalJson(leader.intent, other.intent)) return true;
  if (leader.field !== undefined || other.field !== undefined)
    return (
      leader.field === other.field &&
      leader.root === other.root &&
      leader.parameter === other.parameter
    );
  return isOfOperation && leader.parameter !== undefined && leader.parameter === other.parameter;
}

/** Whether a finding names no other place in the contract than its operation. */
function isPlaceless({ finding: { pointer } }: FindingFacts): boolean {
  return /^\/paths\/[^/]+\/[a-z]+$/.test(pointer);
}

/** The severity without a baseline. */
function own({ severity, accepted }: Finding): Severity {
  return accepted ?? severity;
}

/** Whether a finding is of one of some checks, which are named by their ids or by a trait. */
function isOneOf(named: Explanation['findings'], { check }: FindingFacts): boolean {
  if (named === 'any') return true;
  return typeof named === 'string' ? hasTrait(check, named) : named.includes(check);
}
