import { selectResponse } from '../../contract/select-response.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** A body is what its header says: its content codings can be undone, and JSON is JSON (RFC 8259) in UTF-8. */
export const bodyParses = {
  id: 'body-parses',
  basis: 'contract',
  severity: 'error',
  rule: 'A body is what its header says (JSON in UTF-8, the named Content-Encoding), and is there where the contract declares one.',
  reason: 'A body that cannot be parsed is an exception in the client, whatever the status says.',
  proof: 'once',
  inspect(subject) {
    const { exchange, answer, operation } = subject;
    const { response } = exchange;
    if (response === undefined) return undefined;
    const documented = selectResponse(operation, response.status);
    const at = documented?.pointer ?? joinPointer(operation.pointer, 'responses');
    if (answer.kind === 'unreadable') {
      const message = `The body of the ${String(response.status)} answer cannot be read: ${answer.reason}.`;
      return [{ at, message, expected: `a body that is ${answer.mediaType ?? 'readable'}`, actual: answer.reason, cause: answer.mediaType ?? '' }];
    }
    if (answer.kind !== 'empty') return [];
    return missesBody(subject) ? [emptyBody(at, response.status, documented?.content[0]?.mediaType ?? 'a body')] : undefined;
  },
} as const satisfies Check;

/** Whether a body must be there: the contract gives it a schema, and HTTP allows one (RFC 9110, section 6.4.1). */
function missesBody({ operation, exchange: { request, response } }: Subject): boolean {
  if (response === undefined || request.method === 'HEAD' || [204, 205, 304].includes(response.status)) return false;
  return selectResponse(operation, response.status)?.content.some((entry) => entry.schema !== undefined) === true;
}

function emptyBody(at: string, status: number, mediaType: string): Violation {
  return {
    at: joinPointer(at, 'content'),
    message: `The ${String(status)} answer has no body; the contract declares one in ${mediaType}.`,
    expected: `a body in ${mediaType}`,
    actual: 'no body',
    cause: 'empty',
  };
}
