import { requestPhrase } from '../evidence/phrases.ts';
import { streams } from '../evidence/answer/streams.ts';
import type { TransportFault } from '../finding.ts';
import type { Check } from './check.ts';

/** What says something of one operation: nobody was reached by the other faults, or what came is transport-sound's to judge. */
const noWholeAnswer: readonly TransportFault[] = ['timeout', 'connection.reset', 'connection.truncated'];

/** An operation answers whole while others do; a target that answers nobody is no finding but an inconclusive run. */
export const operationAnswers = {
  id: 'operation-answers',
  basis: 'protocol',
  severity: 'error',
  rule: 'Every request gets a whole answer in time: no hanging, no reset, no answer that breaks off.',
  reason: 'A client that gets no answer can only wait, and does not know whether its request took effect.',
  proof: 'repeat',
  inspect({ case: tried, operation, exchange: { fault }, knowledge }) {
    if (fault === undefined) return [];
    if (!noWholeAnswer.includes(fault.kind) || knowledge.answers.size === 0) return undefined;
    if (fault.kind === 'timeout' && streams(operation)) return undefined;
    return [
      {
        at: operation.pointer,
        message: `The server gave no whole answer to ${requestPhrase(tried)}: ${fault.message}`,
        expected: 'a whole HTTP answer',
        actual: fault.message,
        cause: fault.kind,
        // A server may close an idle connection just as a request leaves, and an unsafe one is not sent twice.
        fleeting: fault.kind === 'connection.reset',
      },
    ];
  },
} as const satisfies Check;
