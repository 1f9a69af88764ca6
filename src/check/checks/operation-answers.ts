import { requestPhrase } from '../evidence/phrases.ts';
import type { TransportFault } from '../finding.ts';
import type { Check } from './check.ts';

/** What says nothing of one operation: nobody was reached. */
const nobodyThere: readonly TransportFault[] = ['connection-refused', 'name-not-found', 'tls-failed'];

/** An operation answers whole while others do; a target that answers nobody is no finding but an inconclusive run. */
export const operationAnswers = {
  id: 'operation-answers',
  basis: 'protocol',
  severity: 'error',
  rule: 'Every request gets a whole HTTP answer in time: no hanging, no reset, no answer that breaks off or is not HTTP.',
  reason: 'A client that gets no answer can only wait, and does not know whether its request took effect.',
  proof: 'repeat',
  inspect({ case: tried, operation, exchange: { fault }, knowledge }) {
    if (fault === undefined) return [];
    if (nobodyThere.includes(fault.kind) || knowledge.answers.size === 0) return undefined;
    return [
      {
        at: operation.pointer,
        message: `The server gave no whole answer to ${requestPhrase(tried)}: ${fault.message}`,
        expected: 'a whole HTTP answer',
        actual: fault.message,
        cause: fault.kind,
        // A server may close an idle connection just as a request leaves, and an unsafe one is not sent twice.
        fleeting: fault.kind === 'connection-reset',
      },
    ];
  },
} as const satisfies Check;
