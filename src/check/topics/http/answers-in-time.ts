import { sentForm } from '../../../contract/model/operation.ts';
import { planRepeats } from './read.ts';
import { saysItTakes } from '../../../contract/words/read-job.ts';
import { isSuccess } from '../../../http/message.ts';
import { latencyOf } from '../../reading/latency.ts';
import { requestPhrase } from '../../model/step.ts';
import type { CheckInput, Latency, RunKnowledge, Violations } from '../../model/knowledge.ts';
import { check, type Check } from '../check.ts';

/**
 * Successful responses arrive within the time limit, and an operation is not far slower than the
 * others.
 */
export const answersInTime = check({
  id: 'answers-in-time',
  basis: 'advice',
  severity: 'warning',
  harm: 'form',
  rule:
    'Of the successful responses of an operation, 19 of 20 arrive within one second ' +
    '(`slowMs`), also when the request is repeated alone. Being ten times slower than the ' +
    'other operations is a note.',
  reason: 'Users wait for the slowest request of a page, and leave if it takes too long.',
  example: ['> GET /reports', '< 200 OK   (after 2.4 s, as nearly every time)'],
  confirm: 'repeat',
  plan: [{ at: 'repeats', all: planRepeats }],
  needs: ['latencies'],
  mutants: [async () => (await import('./transport-mutants.ts')).slowness],
  within: answersWithin,
  inspect: (subject) => inspectWithin(subject, defaultSlowMs),
});

/** The check with another time limit than a second. */
function answersWithin(slowMs: number): Check {
  return check({ ...answersInTime, inspect: (subject) => inspectWithin(subject, slowMs) });
}

function inspectWithin(
  { case: testCase, operation, exchange: { response, durationMs }, knowledge }: CheckInput,
  slowMs: number,
): Violations {
  if (response === undefined || testCase.intent.kind === 'method' || !isSuccess(response.status))
    return undefined;
  // The latencies of the whole run are computed only if this response was slow.
  if (durationMs < Math.min(slowMs, fewestMs)) return [];
  // An operation that says how long it may take keeps its word.
  if (saysItTakes(operation, durationMs)) return [];
  const latency = knowledge.latencies.get(operation.id);
  const slow = latency && whySlow(operation.id, latency, knowledge.latencies, slowMs);
  if (
    latency === undefined ||
    slow === undefined ||
    durationMs < Math.min(slow.thresholdMs, latency.p95)
  )
    return [];
  return {
    at: operation.pointer,
    message:
      `${sentForm(operation).method} ${sentForm(operation).path} is slow: 95% of its ` +
      `${String(latency.count)} successful responses arrived within ` +
      `${ms(latency.p95)}, the slowest in ${ms(latency.max)}; ${slow.clause}.`,
    expected: `95% of the responses within ${ms(slow.thresholdMs)}`,
    actual:
      `${ms(latency.p95)}, and ${ms(latency.max)} at most; this one, to ` +
      `${requestPhrase(testCase)}, took ${ms(durationMs)}`,
    alone: true,
    ...(slow.relative ? { severity: 'note', cause: 'slower than its peers' } : { cause: 'slow' }),
  };
}

/** The default time limit. */
const defaultSlowMs = 1_000;
/** Users do not notice less than this, however fast the other operations are. */
const fewestMs = 250;
/** With fewer responses, chance has too much influence. */
const fewestAnswers = 3;
const fewestPeers = 3;
const timesSlower = 10;

interface Slowness {
  /** Whether the limit comes from the other operations and not from the user. */
  readonly relative: boolean;
  readonly thresholdMs: number;
  readonly clause: string;
}

function whySlow(
  id: string,
  { count, p95 }: Latency,
  latencies: RunKnowledge['latencies'],
  slowMs: number,
): Slowness | undefined {
  if (count < fewestAnswers) return undefined;
  if (p95 >= slowMs)
    return {
      relative: false,
      thresholdMs: slowMs,
      clause: `the limit is ${ms(slowMs)}`,
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
    clause: `half of the other operations respond within ${ms(usual)}`,
  };
}

function ms(duration: number): string {
  return duration < 10 ? `${duration.toFixed(1)} ms` : `${String(Math.round(duration))} ms`;
}
