import { isDeepStrictEqual } from 'node:util';
import { VouchError } from '../../errors.ts';
import { type CheckOptions, runCheck } from '../engine/check-target.ts';
import type { CleanupLedger } from '../engine/cleanup/cleanup-ledger.ts';
import { hash } from '../model/case.ts';
import type { RunEvent } from '../model/event.ts';
import { asRunIdentity } from '../secrets/identities.ts';
import type { GivenHeaders, TokenSource } from '../secrets/run-credentials.ts';
import { type Settings, resolveSettings } from '../engine/settings.ts';
import { compareGaps, compareProfiles } from './compare-profiles.ts';
import { TargetProfile } from './profile.ts';

/** The other deployment of a comparison. */
export interface AgainstOptions {
  readonly url: string;
  readonly servers?: Readonly<Record<string, string>>;
  /** Its credentials; any of them replaces all those of the first deployment. */
  readonly token?: string;
  readonly tokens?: Readonly<Record<string, string>>;
  readonly tokenSource?: TokenSource;
  /** Headers for its requests; default: those of the first deployment. */
  readonly headers?: GivenHeaders;
  /** Stores the records left on it: never in the ledger of the first deployment. */
  readonly cleanupLedger?: CleanupLedger;
  /** Receives the events of its run, which are not part of the stream. */
  readonly watch?: (event: RunEvent) => void;
}

type RunFinished = Extract<RunEvent, { readonly type: 'run-finished' }>;

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
    throw new VouchError('usage', `${theirs.url} would be compared with itself.`, {
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
