import { joinPointer } from '../../json/pointer.ts';
import { requestPhrase } from '../evidence/phrases.ts';
import { isSuccess } from '../../http/status.ts';
import { isOwnOfHttp } from '../evidence/refusal.ts';
import { wasCreatedTwice } from '../evidence/record/created-record.ts';
import { removedEarlier } from '../evidence/record/removed-record.ts';
import { listedRecords } from '../evidence/record/shown-records.ts';
import { roleOf, type Subject } from '../subject.ts';
import type { Check } from './check.ts';

/** A record that cannot exist is not found. */
export const missingRefused = {
  id: 'missing-refused',
  basis: 'contract',
  severity: 'error',
  rule: 'A well-formed identifier that no record has gets the 404 that the operation documents.',
  reason: 'A client that is shown a record for any identifier, or an odd error, cannot tell a wrong link from a real one.',
  proof: 'repeat',
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  inspect(subject) {
    const { case: tried, operation, exchange: { response } } = subject;
    const { intent } = tried;
    if (intent.kind !== 'missing' || response === undefined || response.status >= 500 || wasCreatedTwice(subject)) return undefined;
    const { status } = response;
    // That a deleted record is read is found by `deleted-is-gone`, which knows of records that are only marked.
    if (isSuccess(status) && (removedEarlier(subject) !== undefined || wasKept(subject))) return undefined;
    const documented = operation.responses.some((entry) => entry.status === '404' || entry.status === '410');
    // A second deletion may well succeed: HTTP calls the method idempotent (RFC 9110, section 9.2.2).
    if (!documented && operation.method === 'DELETE') return undefined;
    const hidden = [401, 403, 404, 410].includes(status) || isOwnOfHttp(response);
    const odd = documented && intent.rigour === 'plain' && !hidden;
    if (!isSuccess(status) && !odd) return [];
    return [
      {
        at: joinPointer(operation.pointer, 'responses', ...(documented ? ['404'] : [])),
        message: `The server answered ${String(status)} to ${requestPhrase(tried)}; no record has that identifier.`,
        expected: documented ? '404' : '404 or another refusal',
        actual: String(status),
        ...(documented && !isEmptyList(subject) ? {} : { basis: 'inferred', severity: 'warning' }),
      },
    ];
  },
} as const satisfies Check;

/** Whether the sequence was to delete the record, and the server refused: it may well be there. */
function wasKept({ contract, earlier }: Subject): boolean {
  return earlier.some((step) => roleOf(contract, step.case.operation)?.action === 'delete' && !isSuccess(step.exchange.response?.status ?? 0));
}

/** Nothing is what stands below a record that there is not: many a service does not look whether there is one. */
function isEmptyList(subject: Subject): boolean {
  const { resource } = roleOf(subject.contract, subject.operation) ?? {};
  return resource !== undefined && listedRecords(resource, subject.answer)?.length === 0;
}
