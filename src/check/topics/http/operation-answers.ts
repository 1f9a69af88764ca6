import { planOpeners, planAllowed } from '../../plan/actions.ts';
import { planProbe, planRead } from './read.ts';
import { saysItTakes } from '../../../contract/words/read-job.ts';
import { streams } from '../../reading/read-answer.ts';
import { nameRequest, requestPhrase } from '../../model/step.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import type { ServiceEnd, TransportFault } from '../../model/exchange.ts';
import { check } from '../check.ts';

/**
 * Faults that concern one operation. The others mean that no server was reached, or transport-sound
 * reports them.
 */
const noWholeAnswer: readonly TransportFault[] = [
  'timeout',
  'connection.reset',
  'connection.truncated',
];

/**
 * An operation responds completely while others do. A target that does not respond at all makes the
 * run inconclusive and is no finding.
 */
export const operationAnswers = check({
  id: 'operation-answers',
  basis: 'protocol',
  harm: 'crash',
  rule:
    'Every request gets a complete response in time, and the service keeps running: no ' +
    'timeout, no reset, no truncated response, no request that stops the service.',
  reason:
    'A client without a response can only wait, and does not know whether its request ' +
    'took effect.',
  example: ['> GET /reports', '< (nothing, until the time is up)'],
  confirm: 'repeat',
  plan: [
    { at: 'probe', all: planProbe },
    { at: 'reads', all: planRead },
    { at: 'creates', all: planOpeners },
    { at: 'allowed', all: planAllowed },
  ],
  needs: ['answers'],
  inspect(subject) {
    const { case: testCase, operation, knowledge } = subject;
    const { durationMs, fault, serviceEnd } = subject.exchange;
    if (serviceEnd !== undefined)
      return serviceEnd.role === 'beside' ? undefined : stopped(subject, serviceEnd);
    if (fault === undefined) return [];
    if (!noWholeAnswer.includes(fault.kind) || knowledge.answers.size === 0) return undefined;
    const mayTakeLong = streams(operation) || saysItTakes(operation, durationMs);
    if (fault.kind === 'timeout' && mayTakeLong) return undefined;
    return {
      at: operation.pointer,
      message:
        `The server sent no complete response to ${requestPhrase(testCase)}: ` + fault.message,
      expected: 'a complete HTTP response',
      actual: fault.message,
      cause: fault.kind,
      // A server may close an idle connection just when a request is sent, and an unsafe request
      // is not resent.
      fleeting: fault.kind === 'connection.reset',
    };
  },
});

const evidence: Readonly<Record<ServiceEnd['repeat'], string>> = {
  again: ' in the run, and again when it was repeated after the service had come back.',
  'not-again':
    ' in the run; the service came back, and did not stop when the request was repeated.',
  impossible: ' in the run; it could not be repeated, because the service did not come back.',
};

/** The service stopped, after this request or while it was in flight with others. */
function stopped(
  { case: testCase, operation, exchange: { fault } }: CheckInput,
  { role, others, repeat }: ServiceEnd,
): Violation {
  const isSilent = fault?.kind === 'timeout';
  const closed = isSilent
    ? 'no response came in time, nor to a request that was answered before'
    : 'its connection was closed without a response, and new connections were refused';
  const own = requestPhrase(testCase);
  const rest = others.map(({ name }) => name).join(', ');
  const beside = others.length === 0 ? '' : ` In flight with it: ${rest}.`;
  return {
    at: operation.pointer,
    message:
      role === 'open'
        ? `The service stopped responding while ${String(others.length + 1)} requests were in ` +
          `flight, and any of them may be the cause: ${nameRequest(testCase)}, ${rest}.`
        : `The service stopped responding after this request (${own}): ${closed}.${beside}`,
    expected: 'a response, and a service that keeps running',
    actual: isSilent
      ? 'no response in time, nor to later requests'
      : 'the connection was closed, and new ones were refused',
    cause: 'service-stopped',
    conclusive: true,
    evidence: evidence[repeat],
    ...(repeat === 'not-again' ? { severity: 'warning' } : {}),
  };
}
