import { isAtLeast } from '../../contract/model/severity.ts';
import type { Contract } from '../../contract/model.ts';
import { splitPointer, isWithin } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Finding, Severity } from '../model/finding.ts';

/**
 * Joins findings of several checks that have one cause: a finding that another one explains is
 * listed with that one, complete, in `alsoSeenAs`, and named in its evidence. A finding never
 * explains a worse one, or one that a baseline treats differently; notes are never joined.
 */
export function joinCauses(findings: readonly Finding[], contract: Contract): Finding[] {
  const facts = findings.map((finding) => readFacts(finding, contract));
  const leaders = new Map<FindingFacts, FindingFacts>();
  const rootOf = (one: FindingFacts): FindingFacts => {
    const leader = leaders.get(one);
    return leader === undefined ? one : rootOf(leader);
  };
  const follow = (leader: FindingFacts, explains: CauseLink['explains']): void => {
    for (const other of facts) {
      const root = rootOf(leader);
      if (
        other !== leader &&
        !leaders.has(other) &&
        root !== other &&
        mayLead(root, other) &&
        explains(leader, other)
      )
        leaders.set(other, root);
    }
  };
  for (const [leader, ...others] of familiesIn(facts))
    if (leader !== undefined) follow(leader, (_leader, other) => others.includes(other));
  for (const { leads, explains } of causeLinks)
    for (const leader of facts.filter(leads)) follow(leader, explains);
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

/** From so many findings on, over so many operations, one keyword of schemas is the cause. */
const family = { findings: 5, operations: 3 };

/** Checks of which one cause, such as a lenient parser, shows wherever a schema has a keyword. */
const ofKeyword: readonly string[] = ['invalid-refused', 'body-matches-schema'];

/**
 * Findings with one cause over many operations, the first of which stands for all: a service that
 * takes null for every object, or writes every number as a text.
 */
function familiesIn(facts: readonly FindingFacts[]): FindingFacts[][] {
  const alike = facts.filter(({ check }) => ofKeyword.includes(check));
  return [...Map.groupBy(alike, familyOf).values()].filter(
    (members) =>
      members.length >= family.findings &&
      new Set(members.map(({ operation }) => operation)).size >= family.operations,
  );
}

function familyOf({ check, finding, intent, cause }: FindingFacts): string {
  const keyword = splitPointer(finding.pointer).at(-1) ?? '';
  const isEvery = cause === 'every one';
  const kind = check === 'body-matches-schema' ? typeOfShown(finding.actual) : intent['class'];
  return [check, cause, intent['kind'], own(finding), ...(isEvery ? [] : [keyword, kind])]
    .map(String)
    .join(' ');
}

/** The JSON type of a value as it is shown: null for an object is not a number for a text. */
function typeOfShown(value: string): string {
  const [first = ''] = value;
  return first === '-' || (first >= '0' && first <= '9') ? 'number' : first;
}

function mayLead({ finding: leader }: FindingFacts, { finding: other }: FindingFacts): boolean {
  return (
    isAtLeast(own(leader), own(other)) &&
    own(other) !== 'note' &&
    leader.accepted === other.accepted &&
    leader.blame === other.blame
  );
}

/** The severity without a baseline. */
function own({ severity, accepted }: Finding): Severity {
  return accepted ?? severity;
}

/** A finding with the findings that it explains. */
export function withOthers(finding: Finding, others: readonly Finding[]): Finding {
  return others.length === 0 ? finding : withEvidence({ ...finding, alsoSeenAs: others });
}

/** A finding and the findings that it explains, separated again. */
export function separate(finding: Finding): Finding[] {
  const { alsoSeenAs, ...alone } = finding;
  if (alsoSeenAs === undefined) return [finding];
  return [withEvidence(alone), ...alsoSeenAs];
}

/** A finding, with the facts that identify its cause. */
interface FindingFacts {
  readonly finding: Finding;
  readonly check: string;
  readonly operation: string;
  /**
   * The beginning of the path, up to its first parameter: operations on one kind of record share
   * it.
   */
  readonly root: string;
  /** The cause as the check names it. */
  readonly cause: string;
  /** The status of the response; undefined without one. */
  readonly status: number | undefined;
  /** The intent of the shown request; empty without an exchange. */
  readonly intent: JsonObject;
  /** The name of the field that it concerns. */
  readonly field: string | undefined;
  /** The name of the parameter that it concerns. */
  readonly parameter: string | undefined;
}

/** Extracts the facts of a finding. */
export function readFacts(finding: Finding, { operations }: Contract): FindingFacts {
  const { check, operation, replay } = finding;
  const intent = replay?.steps.at(-1)?.intent ?? {};
  const parameters = operations.find(({ id }) => id === operation.id)?.parameters ?? [];
  const asked = parameters.find(
    ({ pointer, schema }) =>
      isBelow(finding.pointer, pointer) ||
      finding.pointer === `${schema.flatten().pointer}/default`,
  );
  const cause = finding.cause ?? replay?.cause ?? '';
  return {
    finding,
    check,
    operation: operation.id,
    root: operation.path.split('/{')[0] ?? '',
    cause,
    intent,
    status: finding.exchange?.response?.status,
    field: fieldOf(finding, cause),
    parameter:
      intent['kind'] === 'invalid' && intent['part'] !== 'body'
        ? String(intent['subject'])
        : asked?.name,
  };
}

function isBelow(pointer: string, holder: string): boolean {
  return isWithin(pointer, holder);
}

/** `name` of `…/properties/name/maxLength`, and of `…/required` if it is missing. */
function fieldOf({ pointer, check }: Finding, cause: string): string | undefined {
  const tokens = splitPointer(pointer);
  let field: string | undefined;
  for (let at = 0; at < tokens.length - 1; at += 1) {
    // The next segment is a name, and may be `properties` again: GeoJSON has such a field.
    if (tokens[at] === 'properties') field = tokens[(at += 1)];
  }
  if (field !== undefined) return field;
  return check === 'body-matches-schema' && tokens.at(-1) === 'required' && cause !== ''
    ? cause
    : undefined;
}

/** Why two findings have one cause: the first explains the second. */
interface CauseLink {
  leads(leader: FindingFacts): boolean;
  explains(leader: FindingFacts, other: FindingFacts): boolean;
}

const ofField = [
  'invalid-refused',
  'body-matches-schema',
  'created-is-returned',
  'created-is-readable',
  'replaced-is-persisted',
  'item-equals-entry',
];
const ofStatus = [
  'error-repeats-status',
  'valid-accepted',
  'missing-refused',
  'created-is-readable',
];
const tagFaults = ['tag stays', 'another tag each time'];
const ofList = ['filter-holds', 'limit-holds', 'page-holds', 'sort-holds'];

/** The links, the most certain first. */
const causeLinks: readonly CauseLink[] = [
  {
    // A server that cuts the list before it filters shows too few records, and counts them wrongly.
    leads: ({ check, cause }) => check === 'limit-holds' && cause === 'before the filter',
    explains: ({ operation }, other) =>
      other.operation === operation &&
      (['filter-holds', 'created-is-readable', 'page-holds'].includes(other.check) ||
        (other.check === 'total-holds' && other.cause === 'count')),
  },
  {
    // Pages that are cut at wrong places are wrong in every order.
    leads: ({ check, cause }) =>
      check === 'page-holds' && ['twice', 'left out', 'loop'].includes(cause),
    explains: ({ operation }, other) =>
      other.operation === operation &&
      other.check === 'sort-holds' &&
      other.cause === 'across pages',
  },
  {
    // A server that does not validate one parameter does not validate the next one either.
    leads: ({ check, cause }) => check === 'invalid-refused' && cause === 'every one',
    explains: ({ operation, intent }, other) =>
      other.check === 'invalid-refused' &&
      other.operation === operation &&
      (other.intent['part'] === 'body') === (intent['part'] === 'body'),
  },
  {
    // A parameter that is ignored has no invalid values either.
    leads: ({ check, parameter }) => ofList.includes(check) && parameter !== undefined,
    explains: ({ operation, parameter }, other) =>
      other.check === 'invalid-refused' &&
      other.operation === operation &&
      other.parameter === parameter,
  },
  {
    // One error handler stands before every operation: unreadable requests never reach an
    // operation.
    leads: isUnreadable500,
    explains: ({ status }, other) => isUnreadable500(other) && other.status === status,
  },
  {
    leads: ({ check }) => check === 'no-server-error' || check === 'status-documented',
    explains: (leader, other) =>
      other.operation === leader.operation &&
      other.status === leader.status &&
      ofStatus.includes(other.check) &&
      (other.check === 'error-repeats-status' || testsNothing(leader) || testSame(leader, other)),
  },
  {
    // HEAD is compared with GET: if GET is wrong, the two differ.
    leads: ({ check }) => check === 'status-documented' || check === 'content-type-documented',
    explains: ({ operation }, other) =>
      other.operation === operation &&
      other.check === 'http-semantics' &&
      other.intent['kind'] !== 'method' &&
      /^(HEAD |no HEAD$)/.test(other.cause),
  },
  {
    // A server whose tags do not identify states fails every condition.
    leads: ({ check, cause }) => check === 'condition-holds' && tagFaults.includes(cause),
    explains: ({ root }, other) =>
      other.check === 'condition-holds' && other.root === root && !tagFaults.includes(other.cause),
  },
  {
    // If any identifier finds a record, one that cannot be an identifier does too.
    leads: ({ check, status }) =>
      check === 'missing-refused' && status !== undefined && status < 300,
    explains: ({ operation }, other) =>
      other.operation === operation &&
      ((other.check === 'invalid-refused' && other.intent['part'] === 'path') ||
        (other.check === 'body-matches-schema' &&
          ['missing', 'invalid'].includes(String(other.intent['kind'])))),
  },
  {
    leads: ({ check }) => check === 'missing-refused',
    explains: ({ root, status }, other) =>
      other.check === 'missing-refused' && other.root === root && other.status === status,
  },
  {
    // An invalid value that was accepted or stored appears in later responses.
    leads: ({ check, field }) => ofField.includes(check) && field !== undefined,
    explains: ({ check, field, operation, root }, other) =>
      ofField.includes(other.check) &&
      other.field === field &&
      (other.check === check ? other.operation === operation : other.root === root),
  },
];

/** Whether the shown request is the plain one, which any other of the operation resembles. */
function testsNothing({ intent: { kind, at } }: FindingFacts): boolean {
  return kind !== 'invalid' && (typeof at !== 'string' || at === '' || at.endsWith('/responses'));
}

/** Whether two findings are about one tested place. */
function testSame(left: FindingFacts, right: FindingFacts): boolean {
  return (
    left.intent['at'] === right.intent['at'] ||
    (left.field !== undefined && left.field === right.field) ||
    (left.parameter !== undefined && left.parameter === right.parameter)
  );
}

function isUnreadable500({ check, intent, status }: FindingFacts): boolean {
  return check === 'no-server-error' && status !== undefined && intent['unreadable'] === true;
}

/**
 * The finding with its evidence text written from its fields; one of an older version is unchanged.
 */
export function withEvidence<Bare extends Omit<Finding, 'evidence'>>(
  finding: Bare,
): Bare & Pick<Finding, 'evidence'> {
  const { confirmation } = finding;
  if (confirmation === undefined) return { evidence: '', ...finding };
  const parts = [
    timesText(finding.count) + confirmation,
    ...(finding.accepted === undefined ? [] : [acceptedText(finding.accepted)]),
    ...(finding.alsoSeenAs === undefined ? [] : [othersText(finding.alsoSeenAs)]),
  ];
  return { ...finding, evidence: parts.join(' ') };
}

/** The beginning of the evidence of a finding: `Seen once`, `Seen 12 times`. */
export function timesText(count: number): string {
  return `Seen ${count === 1 ? 'once' : `${String(count)} times`}`;
}

function acceptedText(severity: NonNullable<Finding['accepted']>): string {
  const article = severity === 'error' ? 'an' : 'a';
  return `The baseline accepts it; without it, it is ${article} ${severity}.`;
}

const maxNamed = 5;

function othersText(others: readonly Finding[]): string {
  const named = others.slice(0, maxNamed).map(({ check, operation, message }) => {
    return `${check} on ${operation.method} ${operation.path} (${message.replace(/\.$/, '')})`;
  });
  const rest = others.length - named.length;
  const operations = new Set(others.flatMap((other) => other.operations)).size;
  const more =
    rest > 0
      ? [`${String(rest)} more, on ${String(operations)} operations, which the JSON report holds`]
      : [];
  return `Also seen as ${[...named, ...more].join('; ')}.`;
}
