import { hasTrait } from '../../topics/index.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { asksToWait, headerValue, isRedirect, isRefusal } from '../../../http/message.ts';
import { severities } from '../../../contract/model/severity.ts';
import { describeLeftOut, type LeftOut } from '../choose/prioritize.ts';
import { isRead } from '../../reading/read-answer.ts';
import { hasSpoken } from '../../reading/latency.ts';
import { countWords, type Step } from '../../model/step.ts';
import type { Finding, Severity } from '../../model/finding.ts';
import type { CensusReport, ReasonCode, Verdict } from '../../model/run-summary.ts';
import { answersOf, describeStop, type Stop } from '../../model/stop.ts';
import { describeUnread, isTelling, missedReadings, readingsOf } from './readings.ts';

export interface VerdictInput {
  readonly contract: Contract;
  readonly url: string;
  readonly hasToken: boolean;
  /**
   * Whether an operation requires a credential that was not given. Default: all do if none was
   * given.
   */
  readonly lacksCredential?: (operation: Operation) => boolean;
  readonly stop?: Stop | undefined;
  readonly crashed: boolean;
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  /** The mildest severity that fails the run. Default: `error`. */
  readonly failOn?: Severity;
  /** The requests that a budget left out. */
  readonly leftOut?: LeftOut;
  /** What happened to the records of other clients. */
  readonly census?: CensusReport | undefined;
  /** The version since which nothing changed, if only changes were to be checked. */
  readonly unchangedSince?: string;
}

export interface VerdictResult {
  readonly verdict: Verdict;
  /** The reason as a code, for programs. */
  readonly code: ReasonCode;
  /** The reason in a few sentences; the last ones are `remarks`. */
  readonly reason: string;
  /** Additional sentences after the main reason. */
  readonly remarks: readonly string[];
  /** Whether no finding is possible. */
  readonly nothingTested: boolean;
}

export function decideVerdict(account: VerdictInput): VerdictResult {
  const { stop } = account;
  if (account.crashed) return verdictResult('crashed', 'crashed', internalError);
  if (stop?.code === 'interrupted')
    return verdictResult('interrupted', 'stopped', describeStop(stop));
  const nothing = verdictOnNothing(account);
  const counts = account.findings.some(
    ({ check, severity }) =>
      hasTrait(check, 'workflows') || (hasTrait(check, 'failures') && severity === 'error'),
  );
  if (nothing !== undefined && !counts) return nothing;
  const broken = describeBroken(account);
  if (broken !== undefined) return verdictResult('failed', 'findings', broken);
  return (
    verdictOnOthers(account) ??
    verdictOnEnd(account) ??
    verdictOnUnread(account) ??
    verdictOnConforming(account)
  );
}

/** The verdict if records of other clients changed. */
function verdictOnOthers({ census }: VerdictInput): VerdictResult | undefined {
  if (census === undefined || census.isBusy) return undefined;
  const { gone, changed } = census;
  if (gone.length + changed.length === 0) return undefined;
  const parts = [
    ...(gone.length === 0 ? [] : [`${countWords(gone.length, 'record')} gone`]),
    ...(changed.length === 0 ? [] : [`${countWords(changed.length, 'record')} changed`]),
  ];
  const reason =
    `Of the records that were there before the run, ${parts.join(' and ')}; the ` +
    'run did not create them.';
  const remark =
    'Find the operation that did it, and withhold it with check.effects in the configuration.';
  return verdictResult('inconclusive', 'others-changed', reason, [remark]);
}

const internalError = 'vouch had an internal error; its report may be incomplete.';

function verdictResult(
  verdict: Verdict,
  code: ReasonCode,
  reason: string,
  remarks: readonly string[] = [],
): VerdictResult {
  return { verdict, code, reason: [reason, ...remarks].join(' '), remarks, nothingTested: false };
}

/** The verdict if nothing was tested. */
function verdictOnNothing(account: VerdictInput): VerdictResult | undefined {
  const { stop, unchangedSince } = account;
  // The reason why the target does not respond is more important than earlier responses.
  if (stop?.code === 'unreachable' || stop?.code === 'service-stopped') return undefined;
  if (unchangedSince !== undefined) {
    const reason =
      `No operation of the contract has changed since ${unchangedSince}: there was ` +
      'nothing to check.';
    return { ...verdictResult('passed', 'nothing-changed', reason), nothingTested: true };
  }
  // Planning alone can take all of the time.
  if (stop?.code === 'time-spent' && account.steps.length === 0) {
    return { ...verdictResult('inconclusive', 'stopped', describeStop(stop)), nothingTested: true };
  }
  const nothing = nothingTested(account);
  if (nothing === undefined) return undefined;
  return { ...verdictResult('inconclusive', 'nothing-tested', nothing), nothingTested: true };
}

/** The verdict if a run ended early, or the server postponed its requests. */
function verdictOnEnd({ stop, leftOut, steps }: VerdictInput): VerdictResult | undefined {
  const isEnough = stop?.code === 'budget-spent' && leftOut?.mattering === 0;
  if (stop !== undefined && !isEnough) {
    return verdictResult(
      'inconclusive',
      'stopped',
      describeStop(stop) + (leftOut === undefined ? '' : describeLeftOut(leftOut)),
    );
  }
  const responses = steps.flatMap(({ exchange: { response } }) => response ?? []);
  const waiting = responses.filter(asksToWait).length;
  if (waiting === 0) return undefined;
  const asked =
    `The server requested a later retry ${countWords(waiting, 'time')}, longer ` +
    'or more often than vouch waits';
  return verdictResult('inconclusive', 'rate-limited', `${asked}: those requests were not judged.`);
}

/** The verdict if a response was not read, or showed nothing. */
function verdictOnUnread({ steps, findings }: VerdictInput): VerdictResult | undefined {
  const missed = missedReadings(readingsOf(steps), findings);
  if (missed.length > 0)
    return verdictResult('inconclusive', 'unread', missed.map(describeUnread).join(' '));
  const valid = steps.filter((step) => step.case.intent.kind === 'valid' && isRead(step));
  if (valid.some(isTelling)) return undefined;
  const reason =
    valid.length === 0 ? 'no response to a valid request was read.' : `${everyAnswer(valid)}.`;
  return verdictResult('inconclusive', 'nothing-tested', `Nothing was tested: ${reason}`);
}

function verdictOnConforming(account: VerdictInput): VerdictResult {
  const { stop, leftOut, steps, findings } = account;
  const reason = describeUnbroken({ responses: steps.length, findings });
  const ended =
    stop === undefined || leftOut === undefined
      ? []
      : [`${describeStop(stop)}${describeLeftOut(leftOut)}`];
  return verdictResult('passed', 'no-findings', reason, [...lockedRemark(account), ...ended]);
}

/** Findings by severity, and the mildest severity that fails the run. */
interface CountedSeverities {
  readonly findings: readonly Pick<Finding, 'severity'>[];
  readonly failOn?: Severity;
}

/** Why the run failed, by the severity that it fails on; undefined if it did not. */
export function describeBroken({
  findings,
  failOn = 'error',
}: CountedSeverities): string | undefined {
  const counted = severities.slice(0, severities.indexOf(failOn) + 1).map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  }));
  const found = counted.filter(({ count }) => count > 0);
  const [first, ...rest] = found;
  if (first === undefined) return undefined;
  const others = rest.map(({ severity, count }) => ` and ${String(count)} of severity ${severity}`);
  const leading = `${countWords(first.count, 'finding')} of severity ${first.severity}`;
  const words = leading + others.join('');
  return first.severity === 'error'
    ? `The deployment violates the contract: ${words}.`
    : `The run fails on every ${failOn}: ${words}.`;
}

function lockedRemark({
  steps,
  hasToken,
  lacksCredential = () => !hasToken,
}: VerdictInput): string[] {
  const locked = lockedOperations(steps).filter(lacksCredential).length;
  if (locked === 0) return [];
  return [
    `${countWords(locked, 'operation')} could not be tested, because no ` +
      `credential was given. ${wayIn}`,
  ];
}

const wayIn = 'Set VOUCH_TOKEN, or name the variable with --auth env:NAME.';

/** A run without a finding that fails it. */
interface Conforming {
  readonly responses: number;
  /** Combined, if the responses are those of several shards. */
  readonly shards?: number;
  readonly findings: readonly Finding[];
}

/**
 * The sentence of a run without a finding that fails it. Errors that a baseline accepts are named.
 */
export function describeUnbroken({ responses, shards = 1, findings }: Conforming): string {
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (severity) => findings.filter(({ accepted }) => accepted === severity).length,
  ) as [number, number];
  const ofShards = shards > 1 ? ` of ${countWords(shards, 'shard')}` : '';
  const of = `${countWords(responses, 'response')}${ofShards}`;
  if (errors === 0) return responses === 1 ? `${of} conforms.` : `All ${of} conform.`;
  const accepted = [
    countWords(errors, 'error'),
    ...(warnings === 0 ? [] : [countWords(warnings, 'warning')]),
  ].join(' and ');
  return `No new errors in ${of}; the baseline accepts ${accepted}.`;
}

/**
 * Whether the responses of an operation only show that access is refused, or that the method is
 * unknown.
 */
export function isLockedOut(statuses: readonly number[]): boolean {
  return (
    statuses.includes(401) && statuses.every((status) => [401, 403, 405, 501].includes(status))
  );
}

function lockedOperations(steps: readonly Step[]): Operation[] {
  const byOperation = [...Map.groupBy(steps, (step) => step.case.operation)];
  return byOperation.flatMap(([operation, own]) => {
    const statuses = own.flatMap((step) => step.exchange.response?.status ?? []);
    return isLockedOut(statuses) ? [operation] : [];
  });
}

/**
 * The sentence that says why a run tested nothing: every valid request was refused for a reason
 * that does not concern the operation.
 */
function nothingTested({ steps, hasToken, url, contract, stop }: VerdictInput): string | undefined {
  const valid = steps.filter((step) => step.case.intent.kind === 'valid' && isRead(step));
  const statuses = valid.flatMap((step) => step.exchange.response?.status ?? []);
  // A response that cannot be read can have a finding.
  if (statuses.length === 0)
    return steps.some((step) => hasSpoken(step.exchange))
      ? undefined
      : 'Nothing was tested: no operation got a request.';
  if (stop?.code === 'wrong-base-url' && stop.answers.startsWith('pages'))
    return (
      `Nothing was tested: every valid request was answered with ${answersOf(stop)}, and no ` +
      `operation documents a page. Is ${url} the right base URL?${basePathHint(contract, url)}`
    );
  if (statuses.every(isRedirect) && !valid.some(isTelling))
    return (
      'Nothing was tested: every valid request was ' +
      `redirected${redirectedTo(steps)}. Is ${url} the right base URL?`
    );
  if (!statuses.every((status) => [401, 403, 404, 429].includes(status))) return undefined;
  if (
    steps.some(
      (step) =>
        step.case.intent.kind === 'credential' && !isRefusal(step.exchange.response?.status ?? 400),
    )
  )
    return undefined;
  if (statuses.every((status) => status === 401 || status === 403)) {
    return hasToken
      ? 'Nothing was tested: the target refused the credential on every request ' +
          `(${String(statuses[0])}).`
      : `Nothing was tested: the target requires a credential, and none was given. ${wayIn}`;
  }
  if (statuses.every((status) => status === 404))
    return (
      `Nothing was tested: every valid request was answered 404. Is ${url} the ` +
      `right base URL?${basePathHint(contract, url)}`
    );
  if (statuses.every((status) => status === 429))
    return 'Nothing was tested: the target answered 429 to every request.';
  return (
    'Nothing was tested: ' +
    `${everyAnswer(steps.filter((step) => step.case.intent.kind === 'valid'))}.`
  );
}

function everyAnswer(steps: readonly Step[]): string {
  const statuses = new Set(steps.flatMap((step) => step.exchange.response?.status ?? []));
  const listed = [...statuses].sort((left, right) => left - right).join(' or ');
  return `every valid request was answered ${listed}`;
}

function redirectedTo(steps: readonly Step[]): string {
  const location = steps.flatMap(({ exchange }) =>
    exchange.response === undefined
      ? []
      : (headerValue(exchange.response.headers, 'location') ?? []),
  )[0];
  return location === undefined ? '' : ` (to ${location})`;
}

function basePathHint({ servers }: Contract, url: string): string {
  const basePath = servers
    .map((server) => server.basePath)
    .find((path) => path !== '' && !url.endsWith(path));
  return basePath === undefined ? '' : ` The contract's servers end in ${basePath}.`;
}
