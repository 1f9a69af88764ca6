import type { Contract, Operation } from '../../contract/model.ts';
import { headerValue } from '../../http/message.ts';
import type { Verdict } from '../event.ts';
import { countWords } from '../evidence/phrases.ts';
import { hasSpoken } from '../evidence/has-spoken.ts';
import { asksToWait, isRedirect, isRefusal } from '../../http/status.ts';
import { describeLeftOut, type LeftOut } from '../choose/left-out.ts';
import type { Finding, Severity } from '../finding.ts';
import type { Step } from '../subject.ts';

/** Why a run ended before its plan did. */
export type Stop =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'unreachable'; readonly sentence: string }
  | { readonly kind: 'shut-out' }
  | { readonly kind: 'requests-spent'; readonly limit: number }
  | { readonly kind: 'time-spent'; readonly limitMs: number }
  /** The same where what is left out was chosen: the most telling requests came first. */
  | { readonly kind: 'budget-spent'; readonly limitMs: number }
  | { readonly kind: 'rate-limited'; readonly sentence: string };

/** What a verdict is reached from. */
export interface Account {
  readonly contract: Contract;
  readonly url: string;
  readonly hasToken: boolean;
  /**
   * Whether an operation asks for a credential that was not given; all do where none was given,
   * unless told.
   */
  readonly lacksCredential?: (operation: Operation) => boolean;
  readonly stop?: Stop;
  readonly crashed: boolean;
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  /** The mildest severity that breaks the contract: `error` unless told. */
  readonly failOn?: Severity;
  /** What a budget did not let through. */
  readonly leftOut?: LeftOut;
  /** Since when nothing changed, where only what changed was to be checked. */
  readonly unchangedSince?: string;
}

/** A verdict with its reason, in one sentence or two. `nothingTested`: no finding can be made of what was seen. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly nothingTested: boolean;
}

/** Says what a run has shown. */
export function rule(account: Account): Ruling {
  const { stop, crashed } = account;
  const say = (verdict: Verdict, reason: string, nothingTested = false): Ruling => ({ verdict, reason, nothingTested });
  if (crashed) return say('crashed', 'A part of vouch itself failed; what it reports may not be whole.');
  if (stop?.kind === 'interrupted') return say('interrupted', 'The run was interrupted before it was done.');
  if (stop?.kind === 'unreachable') return say('inconclusive', stop.sentence);
  if (account.unchangedSince !== undefined) return say('kept', `No operation of the contract has changed since ${account.unchangedSince}: there was nothing to check.`, true);
  const nothing = nothingTested(account);
  if (nothing !== undefined) return say('inconclusive', nothing, true);
  const broken = describeBroken(account);
  if (broken !== undefined) return say('broken', broken);
  const { leftOut } = account;
  const enough = stop?.kind === 'budget-spent' && leftOut?.mattering === 0;
  if (stop !== undefined && !enough) return say('inconclusive', `${describeStop(stop)}${leftOut === undefined ? '' : describeLeftOut(leftOut)}`);
  const waiting = account.steps.filter((step) => step.exchange.response !== undefined && asksToWait(step.exchange.response)).length;
  if (waiting > 0) return say('inconclusive', `The server asked to come back later ${countWords(waiting, 'time')}, longer or more often than vouch waits: those requests were not judged.`);
  return say('kept', `${describeKept(account)}${stop !== undefined && leftOut !== undefined ? ` ${describeStop(stop)}${describeLeftOut(leftOut)}` : ''}`);
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Findings by their severity, and the mildest that is to be failed on. */
interface Told {
  readonly findings: readonly Pick<Finding, 'severity'>[];
  readonly failOn?: Severity;
}

/** Why the deployment counts as broken, by what it was asked to fail on; undefined where it does not. */
export function describeBroken({ findings, failOn = 'error' }: Told): string | undefined {
  const counted = severities.slice(0, severities.indexOf(failOn) + 1).map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }));
  const found = counted.filter(({ count }) => count > 0);
  const [first, ...rest] = found;
  if (first === undefined) return undefined;
  const words = `${countWords(first.count, 'finding')} of severity ${first.severity}${rest.map(({ severity, count }) => ` and ${String(count)} of severity ${severity}`).join('')}`;
  return first.severity === 'error' ? `The deployment breaks the contract: ${words}.` : `The run was asked to fail on every ${failOn}: ${words}.`;
}

function describeStop(stop: Stop): string {
  switch (stop.kind) {
    case 'requests-spent':
      return `The budget of ${countWords(stop.limit, 'request')} was spent before the plan was done.`;
    case 'time-spent':
      return `The time of ${String(stop.limitMs / 1000)} s was spent before the plan was done.`;
    case 'budget-spent':
      return `The budget of ${String(stop.limitMs / 1000)} s was spent before the plan was done.`;
    case 'rate-limited':
      return stop.sentence;
    default:
      return 'The run ended before the plan was done.';
  }
}

function describeKept({
  steps,
  hasToken,
  lacksCredential = () => !hasToken,
  findings,
}: Account): string {
  const asked = describeUnbroken(countWords(steps.length, 'answer'), findings);
  const locked = lockedOperations(steps).filter(lacksCredential).length;
  return locked === 0
    ? asked
    : `${asked} ${countWords(locked, 'operation')} could not be tested, because no credential was given. ${wayIn}`;
}

const wayIn = 'Set VOUCH_TOKEN, or name the variable with --auth env:NAME.';

/** The sentence of a run that found nothing to fail on, of so many answers in words: what a baseline accepts is still broken. */
export function describeUnbroken(answers: string, findings: readonly Finding[]): string {
  const [errors, warnings] = (['error', 'warning'] as const).map((severity) => findings.filter(({ accepted }) => accepted === severity).length) as [number, number];
  if (errors === 0) return `Nothing in ${answers} breaks the contract.`;
  return `Nothing new in ${answers} breaks the contract: the baseline accepts ${countWords(errors, 'error')}${warnings === 0 ? '' : ` and ${countWords(warnings, 'warning')}`}.`;
}

/** Whether the answers of an operation say nothing but that nobody is let in, or that it knows no such method. */
export function isLockedOut(statuses: readonly number[]): boolean {
  return statuses.includes(401) && statuses.every((status) => [401, 403, 405, 501].includes(status));
}

function lockedOperations(steps: readonly Step[]): Operation[] {
  const byOperation = [...Map.groupBy(steps, (step) => step.case.operation)];
  return byOperation.flatMap(([operation, own]) => {
    const statuses = own.flatMap((step) => step.exchange.response?.status ?? []);
    return isLockedOut(statuses) ? [operation] : [];
  });
}

/** The sentence that says why a run proved nothing: no valid request got beyond a refusal that says nothing of the operation. */
function nothingTested({ steps, hasToken, url, contract }: Account): string | undefined {
  const statuses = steps.filter((step) => step.case.intent.kind === 'valid').flatMap((step) => step.exchange.response?.status ?? []);
  // An answer that cannot be read shows something too.
  if (statuses.length === 0) return steps.some((step) => hasSpoken(step.exchange)) ? undefined : 'Nothing was tested: no operation got a request.';
  if (statuses.every(isRedirect)) return `Nothing was tested: every valid request was redirected${redirectedTo(steps)}. Is ${url} the right base URL?`;
  if (!statuses.every((status) => [401, 403, 404, 429].includes(status))) return undefined;
  if (steps.some((step) => step.case.intent.kind === 'credential' && !isRefusal(step.exchange.response?.status ?? 400))) return undefined;
  if (statuses.every((status) => status === 401 || status === 403)) {
    return hasToken
      ? `Nothing was tested: the target refused the credential on every request (${String(statuses[0])}).`
      : `Nothing was tested: the target asks for a credential, and none was given. ${wayIn}`;
  }
  if (statuses.every((status) => status === 404)) return `Nothing was tested: every valid request was answered 404. Is ${url} the right base URL?${basePathHint(contract, url)}`;
  if (statuses.every((status) => status === 429)) return 'Nothing was tested: the target answered 429 to every request.';
  return `Nothing was tested: every valid request was answered ${[...new Set(statuses)].sort().join(' or ')}.`;
}

function redirectedTo(steps: readonly Step[]): string {
  const location = steps.flatMap(({ exchange }) => (exchange.response === undefined ? [] : (headerValue(exchange.response.headers, 'location') ?? [])))[0];
  return location === undefined ? '' : ` (to ${location})`;
}

function basePathHint({ servers }: Contract, url: string): string {
  const basePath = servers.map((server) => server.basePath).find((path) => path !== '' && !url.endsWith(path));
  return basePath === undefined ? '' : ` The contract's servers end in ${basePath}.`;
}
