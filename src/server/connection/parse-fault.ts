import type { HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { headerBlockLimit, targetLimit } from '../limits.ts';

/**
 * What Node tells of a connection on which it found no request: llhttp's code and reason, and the
 * packet it stopped in.
 */
export interface ParseFault {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly bytesParsed?: number | undefined;
  readonly rawPacket?: Uint8Array | undefined;
}

type FaultAnswer = (fault: ParseFault) => HttpResponse;

/** The faults that are told apart, by code; every other one is a 400. */
const answers: ReadonlyMap<string, FaultAnswer> = new Map<string, FaultAnswer>([
  ['ERR_HTTP_REQUEST_TIMEOUT', () => problemResponse(408, 'The request took too long to arrive.')],
  ['HPE_HEADER_OVERFLOW', overflow],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    () => problemResponse(413, 'The chunk extensions are too long.'),
  ],
  ['HPE_INVALID_METHOD', strangeMethod],
  ['HPE_INVALID_TRANSFER_ENCODING', strangeCoding],
]);

/** The answer to a connection that brought no well-formed request. Pure; never throws. */
export function answerParseFault(fault: ParseFault): HttpResponse {
  return answers.get(fault.code ?? '')?.(fault) ?? malformed(fault);
}

function malformed({ reason }: ParseFault): HttpResponse {
  return problemResponse(
    400,
    `This is no well-formed HTTP/1.1 request${reason ? `: ${reason}` : ''}.`,
  );
}

function overflow(fault: ParseFault): HttpResponse {
  const [, target = ''] = /^[A-Z-]+ (\S*)/.exec(textOf(fault)) ?? [];
  if (target.length > targetLimit)
    return problemResponse(414, `The request target has more than ${targetLimit} bytes.`);
  return problemResponse(
    431,
    `The header fields have more than ${headerBlockLimit} bytes together.`,
  );
}

/**
 * A method that nobody knows, where the line starts as a request does (RFC 9110, section 15.6.2).
 */
function strangeMethod(fault: ParseFault): HttpResponse {
  const before = textOf(fault).slice(0, fault.bytesParsed ?? 0);
  const line = textOf(fault).slice(before.lastIndexOf('\n') + 1);
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?: |$)/.test(line)
    ? problemResponse(501, 'No operation can have this method.')
    : malformed(fault);
}

/** llhttp says this of a last coding that it does not know; what else is wrong with the header is malformed (RFC 9112, section 6.1). */
function strangeCoding(fault: ParseFault): HttpResponse {
  if (!fault.reason?.startsWith('Request has invalid')) return malformed(fault);
  return problemResponse(501, 'The only transfer coding that is understood is chunked.');
}

function textOf({ rawPacket }: ParseFault): string {
  return rawPacket === undefined ? '' : Buffer.from(rawPacket).toString('latin1');
}
