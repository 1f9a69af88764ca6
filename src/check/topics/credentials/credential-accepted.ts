import { isSecured } from '../../../contract/model/operation.ts';
import { asksToWait } from '../../../http/message.ts';
import { requestPhrase } from '../../model/step.ts';
import { check } from '../check.ts';
import { securityPointer } from '../../reading/security-pointer.ts';

/** A credential that some secured operations accept gets no 401 from others. */
export const credentialAccepted = check({
  id: 'credential-accepted',
  basis: 'contract',
  harm: 'refuses',
  rule:
    'A credential that the target accepts for one secured operation gets no 401 from ' +
    'another one.',
  reason:
    'A client has one credential for the API, and cannot know which operation needs ' +
    'another one.',
  example: [
    '> GET /items      with the key',
    '< 200 OK',
    '> GET /items/1    with the same key',
    '< 401 Unauthorized',
  ],
  traits: ['state', 'credentials'],
  needs: ['authorised'],
  intents: ['valid'],
  covers: ['status-documented'],
  inspect({ case: testCase, contract, operation, exchange: { response }, knowledge, sent }) {
    if (
      testCase.intent.kind !== 'valid' ||
      testCase.request.credential !== 'given' ||
      response === undefined ||
      asksToWait(response)
    )
      return undefined;
    if (!isSecured(operation) || sent.credential === undefined) return undefined;
    if (!knowledge.authorised.has(sent.credential)) return undefined;
    if (response.status !== 401) return [];
    return {
      at: securityPointer(contract, operation),
      message:
        `The server answered 401 to ${requestPhrase(testCase)}, though it accepts the ` +
        'same credential for other operations.',
      expected: 'any status except 401',
      actual: '401',
      cause: operation.id,
    };
  },
});
