import { isSecured } from '../secrets/credential.ts';
import { asksToWait } from '../../http/status.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import type { Check } from './check.ts';
import { securityPointer } from './credential-required.ts';

/** The credential that some secured operations take is not refused as unknown by others. */
export const credentialAccepted = {
  id: 'credential-accepted',
  basis: 'contract',
  severity: 'error',
  rule:
    'A credential that the target takes for one secured operation gets no ' +
    '401 from another one.',
  reason:
    'A client holds one credential for the interface, and cannot tell which ' +
    'operation wants another.',
  proof: 'again',
  needs: ['authorised'],
  intents: ['valid'],
  covers: ['status-documented'],
  inspect({ case: tried, contract, operation, exchange: { response }, knowledge, sent }) {
    if (
      tried.intent.kind !== 'valid' ||
      tried.request.credential !== 'given' ||
      response === undefined ||
      asksToWait(response)
    )
      return undefined;
    if (!isSecured(operation) || sent.credential === undefined) return undefined;
    if (!knowledge.authorised.has(sent.credential)) return undefined;
    if (response.status !== 401) return [];
    return [
      {
        at: securityPointer(contract, operation),
        message:
          `The server answered 401 to ${requestPhrase(tried)}, though it takes the ` +
          'same credential elsewhere.',
        expected: 'any answer but 401',
        actual: '401',
        cause: operation.id,
      },
    ];
  },
} as const satisfies Check;
