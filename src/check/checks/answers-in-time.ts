import { isSuccess } from '../../http/status.ts';
import { latencyOf } from '../evidence/latency.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import type { CheckInput, Latency, RunKnowledge } from '../model/knowledge.ts';
import type { Check, Violation } from './check.ts';

/**
 * An operation answers within the time that is set for it, and is not far slower than the others.
 */
export const answersInTime = {
  id: 'answers-in-time',
  basis: 'advice',
  severity: 'warning',
  rule:
    'Of an operation’s successful answers, 19 of 20 come within a second ' +
    '(`slowMs`), also when it is asked alone. That its peers are ten times ' +
    'as fast is a note.',
  reason: 'People wait for what a page needs most slowly, and give up on it.',
  proof: 'repeat',
  needs: ['latencies'],
  inspect: (subject) => inspectWithin(subject, defaultSlowMs),
} as const satisfies Check;

/** The check with another time than a second. */
export function answersWithin(slowMs: number): Check {
  return { ...answersInTime, inspect: (subject) => inspectWithin(subject, slowMs) };
}

function inspectWithin(
  { case: tried, operation, exchange: { response, durationMs }, knowledge }: CheckInput,
  slowMs: number,
): Violation[] | undefined {
  if (response === undefined || tried.intent.kind === 'method' || !isSuccess(response.status))
    return undefined;
  // What the whole run knows is asked for only where there is something to say.
  if (durationMs < Math.min(slowMs, fewestMs)) return [];
  const latency = knowledge.latencies.get(operation.id);
  const slow =
    latency === undefined
      ? undefined
      : whySlow(operation.id, latency, { slowMs, latencies: knowledge.latencies });
  if (
    latency === undefined ||
    slow === undefined ||
    durationMs < Math.min(slow.thresholdMs, latency.p95)
  )
    return [];
  return [
    {
      at: operation.pointer,
      message:
        `${operation.method} ${operation.path} is slow: 95% of its ` +
        `${String(latency.count)} successful answers came within ` +
        `${ms(latency.p95)}, the slowest in ${ms(latency.max)}; ${slow.clause}.`,
      expected: `95% of the answers within ${ms(slow.thresholdMs)}`,
      actual:
        `${ms(latency.p95)}, and ${ms(latency.max)} at most; this one, to ` +
        `${requestPhrase(tried)}, took ${ms(durationMs)}`,
      alone: true,
      ...(slow.relative ? { severity: 'note', cause: 'slower than its peers' } : { cause: 'slow' }),
    },
  ];
}

/** What counts as slow unless told. */
const defaultSlowMs = 1_000;
/** Nothing below this is felt, however fast its peers are. */
const fewestMs = 250;
/** With fewer answers, chance has too large a part. */
const fewestAnswers = 3;
const fewestPeers = 3;
const timesSlower = 10;

/** What a latency is held against. */
interface Standard {
  readonly slowMs: number;
  readonly latencies: RunKnowledge['latencies'];
}

interface Slowness {
  /** Only beside its peers: nobody set the time that it exceeds. */
  readonly relative: boolean;
  readonly thresholdMs: number;
  readonly clause: string;
}

function whySlow(
  id: string,
  { count, p95 }: Latency,
  { latencies, slowMs }: Standard,
): Slowness | undefined {
  if (count < fewestAnswers) return undefined;
  if (p95 >= slowMs)
    return {
      relative: false,
      thresholdMs: slowMs,
      clause: `what takes longer than ${ms(slowMs)} counts as slow`,
    };
  const peers = [...latencies]
    .filter(([other, { count: answers }]) => other !== id && answers >= fewestAnswers)
    .map(([, peer]) => peer.p95);
  const usual = latencyOf(peers)?.p50;
  if (
    usual === undefined ||
    peers.length < fewestPeers ||
    p95 < fewestMs ||
    p95 < usual * timesSlower
  )
    return undefined;
  return {
    relative: true,
    thresholdMs: Math.max(fewestMs, usual * timesSlower),
    clause: `half of the other operations answer within ${ms(usual)}`,
  };
}

function ms(duration: number): string {
  return duration < 10 ? `${duration.toFixed(1)} ms` : `${String(Math.round(duration))} ms`;
}
