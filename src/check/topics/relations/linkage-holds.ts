import { keysOfLinkage, type Linkage, linkageShown, toldLinkage } from './told-linkage.ts';
import { planLinkage } from './plan-linkage.ts';
import { isSuccess } from '../../../http/status.ts';
import { requestPhrase } from '../../model/phrases.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';

/** A relationship names what its own operations have told it. */
export const linkageHolds = check({
  id: 'linkage-holds',
  basis: 'contract',
  severity: 'error',
  harm: 'results',
  rule:
    'PATCH replaces what a relationship names, POST adds what is not there yet, DELETE removes ' +
    'what it names and nothing else, null clears it, and a refused change does nothing (JSON:API ' +
    '1.1, section 9.3; OData 4.01, protocol, section 11.4.6).',
  reason: 'A client that adds one tag to an article loses the others, or gets one twice.',
  example: [
    '> POST /articles/1/relationships/tags',
    '> {"data": [{"type": "tags", "id": "2"}]}',
    '< 204 No Content',
    '> GET /articles/1/relationships/tags',
    '< {"data": []}',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planLinkage }],
  intents: ['relation'],
  covers: ['status-documented'],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'relation' && intent.rule === 'link-refused',
  relations: { linked: otherLinkage, related: otherRelated, 'link-refused': notRefused },
});

/** A relationship that names other records than the changes before have told it. */
function otherLinkage(related: Related): RelationFault[] | undefined {
  const { subject, intent } = related;
  const { field = '' } = intent;
  const told = toldLinkage(related);
  const shown = isSuccess(related.status) ? linkageShown(subject, told?.relationship) : undefined;
  if (told === undefined || shown === undefined) return undefined;
  const [expected, got] = [keysOfLinkage(told.linkage), keysOfLinkage(shown)];
  const twice = got.find((key, at) => got.indexOf(key) !== at);
  const isSame = twice === undefined && new Set([...expected, ...got]).size === expected.length;
  if (isSame && expected.length === got.length) return [];
  const name = (keys: readonly string[]): string =>
    keys.length === 0 ? 'nothing' : keys.join(', ');
  const { case: changing, exchange } = told.last;
  const status = String(exchange.response?.status);
  return [
    {
      message:
        `After ${requestPhrase(changing)} (${status}), ` +
        (twice === undefined
          ? `${field} names ${name(got)} instead of ${name(expected)}.`
          : `${field} names ${twice} twice.`),
      expected: `${field} names ${name(expected)}`,
      actual: `${field} names ${name(got)}`,
      operation: changing.operation,
      at: changing.operation.pointer,
      cause: twice === undefined ? `linked ${changing.operation.id}` : 'linked twice',
    },
  ];
}

/** The related record is another one than the relationship names, or is missing. */
function otherRelated(related: Related): RelationFault[] | undefined {
  const { subject, intent, status } = related;
  const { field = '' } = intent;
  const told = toldLinkage(related);
  if (told === undefined || [401, 403].includes(status)) return undefined;
  const [wanted] = keysOfLinkage(told.linkage);
  const expected = wanted ?? 'no record';
  const fault = (actual: string): RelationFault[] => [
    {
      message: `${field} names ${expected}, and ${requestPhrase(subject.case)} shows ${actual}.`,
      expected,
      actual,
    },
  ];
  if (!isSuccess(status)) {
    const isOpen = wanted === undefined && told.relationship.form.kind === 'address';
    const isEmptyDocumented = subject.operation.responses.some((one) => one.status === '204');
    return isOpen && !isEmptyDocumented ? undefined : fault(String(status));
  }
  const shown: Linkage | undefined = linkageShown(subject, told.relationship, 'related');
  if (shown === undefined) return undefined;
  const [got] = keysOfLinkage(shown);
  return got === wanted ? [] : fault(got ?? 'no record');
}
