import { isDeepStrictEqual } from 'node:util';
import { VouchError } from '../../errors.ts';
import { type CheckOptions, runCheck } from '../check-target.ts';
import type { CleanupLedger } from '../cleanup/cleanup-ledger.ts';
import { hash } from '../model/case.ts';
import type { RunEvent } from '../model/event.ts';
import { asRunIdentity } from '../secrets/identities.ts';
import type { GivenHeaders, TokenSource } from '../secrets/run-credentials.ts';
import { type Settings, resolveSettings } from '../settings.ts';
import { compareGaps, compareProfiles } from './compare-profiles.ts';
import { TargetProfile } from './profile.ts';

/** The other deployment of a comparison. */
export interface AgainstOptions {
  readonly url: string;
  readonly servers?: Readonly<Record<string, string>>;
  /** Its own credentials: any of them takes the place of all those of the first deployment. */
  readonly token?: string;
  readonly tokens?: Readonly<Record<string, string>>;
  readonly tokenSource?: TokenSource;
  /** Headers for its requests; those of the first deployment where there are none. */
  readonly headers?: GivenHeaders;
  /** Where records left on it are noted: never in the ledger of the first deployment. */
  readonly cleanupLedger?: CleanupLedger;
  /** Sees the events of its run, which are no part of the stream. */
  readonly watch?: (event: RunEvent) => void;
}

type RunFinished = Extract<RunEvent, { readonly type: 'run-finished' }>;

/**
 * Checks a deployment, sends the same cases to another one, and reports the differences. The other
 * one is not judged. The events are those of the first run, then the differences; `run-finished` is
 * the last.
 */
export async function* compareTargets(
  options: CheckOptions,
  against: AgainstOptions,
): AsyncGenerator<RunEvent, void> {
  refuseSame(options, against);
  const seed =
    options.seed ?? hash((options.clock ?? (() => new Date()))().toISOString()).slice(0, 8);
  const ours = new TargetObservation();
  let finished: RunFinished | undefined;
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
  // Without checks nothing is suspected, and so nothing is sent twice.
  const { watch, ...there } = against;
  const { cleanupLedger: _ours, ...shared } = sharedOptions(options, against);
  for await (const event of runCheck({ ...shared, ...there, seed, only: [] })) {
    theirs.take(event);
    watch?.(event);
    if (event.type === 'record-left')
      yield { ...event, record: `${event.record} at ${against.url}` };
  }
  // A deployment that was not reached has no differences to report.
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
 * What is wrong with the other deployment is known before anything is sent. Another credential is
 * reason enough to compare.
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
    throw new VouchError('usage', `${theirs.url} would be compared with itself.`, {
      hint:
        'Name another deployment with --against, or another credential with ' +
        '--against-auth env:NAME.',
    });
}

/**
 * The options of both runs. A token of the first deployment is never sent to one that has
 * credentials itself.
 */
function sharedOptions(given: CheckOptions, { token, tokens }: AgainstOptions): CheckOptions {
  const options: CheckOptions = asRunIdentity(given);
  if (token === undefined && tokens === undefined) return options;
  const { token: _token, tokens: _tokens, tokenSource: _source, ...shared } = options;
  return shared;
}

/** What goes with every request. */
function sentWith({ credentials: { token, tokens, headers } }: Settings): readonly unknown[] {
  return [token, tokens, headers];
}

function sameWords(left: Readonly<Record<string, string>> = {}, right = left): boolean {
  return sortedWords(left) === sortedWords(right);
}

function sortedWords(words: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(words).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What is kept of a run to compare it: not its exchanges. */
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
