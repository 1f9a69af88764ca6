import { listStatuses } from '../../reading/refusal.ts';
import { documentsInvalidPath, documentsRefusal } from '../../../contract/model/operation.ts';
import { planNegative } from './negative.ts';
import { requestPhrase } from '../../model/phrases.ts';
import { asksToWait, isSuccess } from '../../../http/status.ts';
import { check } from '../check.ts';

/** A request that breaks exactly one rule of the contract is refused. */
export const invalidRefused = check({
  id: 'invalid-refused',
  basis: 'contract',
  severity: 'error',
  harm: 'accepts',
  rule:
    'A valid request with one part made invalid (missing, wrong type, out of bounds, not ' +
    'in the enum, …) gets a 4xx.',
  reason: 'Invalid input that the server stores later becomes data that breaks its readers.',
  example: ['> GET /items?limit=101   (maximum: 100)', '< 200 OK'],
  confirm: 'control',
  traits: ['inputs', 'fields'],
  explains: [
    {
      // What the service stored of it is shown by reads and lists.
      findings: 'fields',
      leads: ({ intent }) => intent['part'] === 'body',
      explains: ({ operation }, { finding }) => finding.storedBy?.includes(operation) === true,
    },
    {
      // A server that does not validate one parameter does not validate the next one either.
      findings: ['invalid-refused'],
      leads: ({ cause }) => cause === 'every one',
      explains: ({ operation, intent }, other) =>
        other.operation === operation &&
        (other.intent['part'] === 'body') === (intent['part'] === 'body'),
    },
    {
      // What was accepted appears in answers; a valid value that is lost has another reason.
      findings: ['body-matches-schema'],
      leads: ({ field }) => field !== undefined,
      explains: ({ field, root }, other) => other.field === field && other.root === root,
      last: true,
    },
  ],
  sharedCause: ({ keyword, intent }) => `${keyword} ${String(intent['class'])}`,
  plan: [{ at: 'refusals', each: planNegative }],
  intents: ['invalid'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  mutants: [async () => (await import('./validation-mutants.ts')).validationMutators],
  leavesOpen: ({ operation, case: { intent } }) =>
    intent.kind === 'invalid' &&
    (intent.part === 'path' ? !documentsInvalidPath(operation) : !documentsRefusal(operation)),
  inspect({ case: testCase, operation, exchange: { response } }) {
    const { intent } = testCase;
    if (
      intent.kind !== 'invalid' ||
      intent.accepted === 'fine' ||
      response === undefined ||
      asksToWait(response)
    )
      return undefined;
    if (!isSuccess(response.status)) return [];
    const refusals = operation.responses
      .filter(({ status }) => status.startsWith('4'))
      .map(({ status }) => status);
    return [
      {
        at: intent.at,
        message: `The server accepted (${String(response.status)}) ${requestPhrase(testCase)}.`,
        expected:
          `a refusal (4xx), because ${intent.rule} (documented: ` +
          `${refusals.length === 0 ? listStatuses(operation) : refusals.join(', ')})`,
        actual: String(response.status),
        severity: intent.accepted,
      },
    ];
  },
});
