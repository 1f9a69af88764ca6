import { isSuccess } from '../../../http/status.ts';
import { requestPhrase } from '../../model/phrases.ts';
import { isOfClient } from '../../reading/refusal.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';
import { planJsonApi } from './plan-json-api.ts';

/** What the standard refuses, whether the contract documents that status or not. */
const refusals = {
  'media-refused': accepted('415 or 406 (JSON:API 1.1, section 5)'),
  'no-parameter': accepted('400 (JSON:API 1.1, section 6.3)'),
  'client-named': accepted('403 (JSON:API 1.1, section 8.1.3)'),
  conflicting: noConflict,
};

/** What JSON:API says that a service must refuse. */
export const jsonApiHolds = check({
  id: 'json-api-holds',
  basis: 'protocol',
  severity: 'error',
  harm: 'types',
  rule:
    'A service of JSON:API refuses parameters of its media type, query parameters that it does ' +
    'not know, resource objects of another type or id than the endpoint, and ids of clients that ' +
    'it does not support (JSON:API 1.1, sections 5, 8 and 9).',
  reason:
    'A filter that is ignored returns every record, and an update under another id changes a ' +
    'record that nobody meant.',
  example: ['> GET /articles?filter[colour]=red', '< 200 OK   (JSON:API: 400)'],
  confirm: 'again',
  plan: [{ at: 'refusals', all: planJsonApi }],
  intents: ['relation'],
  mutants: [async () => (await import('./json-api-mutants.ts')).jsonApiMutants],
  leavesOpen: ({ case: { intent } }) => intent.kind === 'relation' && intent.rule in refusals,
  relations: refusals,
});

/** A success where the standard has a refusal. */
function accepted(expected: string): (related: Related) => readonly RelationFault[] {
  return ({ subject, status }) =>
    isSuccess(status)
      ? [
          {
            message: `The server accepted (${String(status)}) ${requestPhrase(subject.case)}.`,
            expected,
            actual: String(status),
            momentary: true,
            // The record that was made may be in the way of a repetition.
            conclusive: true,
          },
        ]
      : [];
}

/** Another answer than 409 to a resource object of another type or id than the endpoint. */
function noConflict(related: Related): readonly RelationFault[] {
  const { subject, status } = related;
  const expected = '409 (JSON:API 1.1, sections 8.1.4 and 8.2.3)';
  if (isSuccess(status)) return accepted(expected)(related);
  if (![400, 422].includes(status) || isOfClient(status)) return [];
  return [
    {
      message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
      expected,
      actual: String(status),
      cause: 'another status than 409',
    },
  ];
}
