import { contentForm, parseMediaType } from '../../../http/media-type.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { readContent } from '../../reading/read-content.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** A body is what its header says: JSON is JSON (RFC 8259) in UTF-8. */
export const bodyParses = check({
  id: 'body-parses',
  basis: 'contract',
  harm: 'types',
  rule:
    'A body is valid for its Content-Type (JSON in UTF-8, lines of JSON, a form, XML, ' +
    'text in its charset), and is present where the contract declares one.',
  reason: 'A body that cannot be parsed throws an exception in the client, whatever the status is.',
  example: ['> GET /items', '< 200 OK', '< [{"id": 1, "price": NaN'],
  confirm: 'once',
  traits: ['one response', 'shared'],
  inspect(subject) {
    const { exchange, answer, operation } = subject;
    const { response } = exchange;
    if (response === undefined || subject.case.intent.kind === 'method') return undefined;
    const documented = selectResponse(operation, response.status);
    const at = documented?.pointer ?? joinPointer(operation.pointer, 'responses');
    if (answer.kind === 'unreadable') {
      // transport-sound reports a faulty content coding: the body below it cannot be judged.
      if (answer.content !== undefined) return undefined;
      const status = String(response.status);
      const message = `The body of the ${status} response cannot be parsed: ${answer.reason}.`;
      return {
        at,
        message,
        expected: `a body that is ${answer.mediaType ?? 'readable'}`,
        actual: answer.reason,
        cause: answer.mediaType ?? '',
      };
    }
    if (answer.kind === 'bytes') return inspectBytes(subject, at);
    if (answer.kind !== 'empty') return [];
    return missesBody(subject)
      ? emptyBody(at, response.status, documented?.content[0]?.mediaType ?? 'a body')
      : undefined;
  },
});

/** A body that is not JSON: sequences, forms, XML and texts that name their charset. */
function inspectBytes(
  { answer, exchange: { response }, operation }: CheckInput,
  at: Pointer,
): Violation | Violation[] {
  if (answer.kind !== 'bytes' || answer.mediaType === undefined || response === undefined)
    return [];
  const media = selectMediaType(
    selectResponse(operation, response.status)?.content ?? [],
    answer.mediaType,
  );
  const reading = readContent(answer, media);
  if (reading.kind !== 'unreadable') return [];
  const { essence = answer.mediaType } = parseMediaType(answer.mediaType) ?? {};
  return {
    at,
    message:
      `The body of the ${String(response.status)} response is labelled ` +
      `${essence}, and ${reading.reason}.`,
    expected: `a body that is ${essence}`,
    actual: reading.reason,
    cause: essence,
  };
}

/**
 * Whether a body is required: the contract gives it a schema, and HTTP allows one (RFC 9110,
 * section 6.4.1). A text and a sequence may be empty.
 */
function missesBody(subject: CheckInput): boolean {
  const { operation, exchange } = subject;
  const { request, response } = exchange;
  if (
    response === undefined ||
    request.method === 'HEAD' ||
    [204, 205, 304].includes(response.status)
  )
    return false;
  const content = selectResponse(operation, response.status)?.content ?? [];
  const isDocument =
    content.length > 0 &&
    content.every(
      ({ schema, mediaType }) =>
        schema !== undefined && ['json', 'xml'].includes(contentForm(mediaType)),
    );
  return isDocument || missesFile(subject);
}

/** Formats of files that begin with a signature: a file without bytes is none of them. */
const signed = new Set([
  'application/pdf',
  'application/zip',
  'application/gzip',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** Whether a file that the service makes has no bytes; an uploaded one is what was sent. */
function missesFile({ contract, operation, answer, exchange: { response, request } }: CheckInput) {
  const type = answer.kind === 'empty' ? parseMediaType(answer.mediaType ?? '')?.essence : '';
  if (request.method !== 'GET' || response?.status !== 200 || !signed.has(type ?? '')) return false;
  return contract.operations.every(
    ({ path, method }) => path !== operation.path || method === 'GET' || method === 'HEAD',
  );
}

function emptyBody(at: string, status: number, mediaType: string): Violation {
  return {
    at: joinPointer(at, 'content'),
    message: `The ${String(status)} response has no body; the contract declares ${mediaType}.`,
    expected: `a body in ${mediaType}`,
    actual: 'no body',
    cause: 'empty',
  };
}
