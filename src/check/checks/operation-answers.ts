import { streams } from '../evidence/answer/streams.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { ServiceEnd, TransportFault } from '../model/exchange.ts';
import type { Check, Violation } from './check.ts';

/**
 * What says something of one operation: nobody was reached by the other faults, or what came is
 * transport-sound's to judge.
 */
const noWholeAnswer: readonly TransportFault[] = [
  'timeout',
  'connection.reset',
  'connection.truncated',
];

/**
 * An operation answers whole while others do; a target that answers nobody is no finding but an
 * inconclusive run.
 */
export const operationAnswers = {
  id: 'operation-answers',
  basis: 'protocol',
  severity: 'error',
  rule:
    'Every request gets a whole answer in time, and the service goes on ' +
    'answering: no hanging, no reset, no answer that breaks off, no request ' +
    'that stops the service.',
  reason:
    'A client that gets no answer can only wait, and does not know whether ' +
    'its request took effect.',
  proof: 'repeat',
  needs: ['answers'],
  inspect(subject) {
    const {
      case: tried,
      operation,
      exchange: { fault, serviceEnd },
      knowledge,
    } = subject;
    if (fault === undefined) return [];
    if (serviceEnd !== undefined)
      return serviceEnd.role === 'cause' ? [stopped(subject, serviceEnd)] : undefined;
    if (!noWholeAnswer.includes(fault.kind) || knowledge.answers.size === 0) return undefined;
    if (fault.kind === 'timeout' && streams(operation)) return undefined;
    return [
      {
        at: operation.pointer,
        message: `The server gave no whole answer to ${requestPhrase(tried)}: ${fault.message}`,
        expected: 'a whole HTTP answer',
        actual: fault.message,
        cause: fault.kind,
        // A server may close an idle connection just as a request leaves, and an unsafe one is not
        // sent twice.
        fleeting: fault.kind === 'connection.reset',
      },
    ];
  },
} as const satisfies Check;

const evidence: Readonly<Record<ServiceEnd['repeat'], string>> = {
  again: ' in the run, and again when it was repeated after the service had come back.',
  'not-again':
    ' in the run; the service came back, and did not stop when the request was repeated.',
  impossible: ' in the run; it could not be repeated, because the service did not come back.',
};

/** The service was gone after this request, and new connections were refused. */
function stopped(
  { case: tried, operation }: CheckInput,
  { others, repeat }: ServiceEnd,
): Violation {
  const beside =
    others.length === 0
      ? ''
      : ` ${inFlight(others)} in flight at the same time; this one was sent first.`;
  const closed = 'its connection was closed without an answer, and new connections were refused';
  return {
    at: operation.pointer,
    message:
      'The service stopped answering after this request ' +
      `(${requestPhrase(tried)}): ${closed}.${beside}`,
    expected: 'an answer, from a service that goes on answering',
    actual: 'the connection was closed, and new ones were refused',
    cause: 'service-stopped',
    conclusive: true,
    evidence: evidence[repeat],
    ...(repeat === 'not-again' ? { severity: 'warning' } : {}),
  };
}

const mostNamed = 5;

function inFlight(others: readonly string[]): string {
  const named = others.slice(0, mostNamed).join(', ');
  const more = others.length > mostNamed ? ` and ${String(others.length - mostNamed)} more` : '';
  return `${named}${more} ${others.length === 1 ? 'was' : 'were'}`;
}
