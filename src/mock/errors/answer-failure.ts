import type { Resource } from '../../contract/model.ts';
import { VouchError, type ErrorCode } from '../../errors.ts';
import type { HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import type { Answer } from '../mock.ts';
import { makeFault, type Fault } from '../model/fault.ts';

/**
 * The answer to a request that could not be handled. A contract with a schema that cannot be used
 * shows itself only when it is needed.
 */
export function answerFailure(error: unknown): Answer {
  const response = describeFailure(error);
  return { ...response, delayMs: 0, ...(response.status === 500 ? { failure: error } : {}) };
}

/** What there is no room for, by the code of the error. */
const noRoom: ReadonlyMap<ErrorCode, { readonly status: number; readonly code: string }> = new Map([
  ['store-full', { status: 409, code: 'store_full' }],
  // RFC 4918, section 11.5.
  ['store-out-of-bytes', { status: 507, code: 'insufficient_storage' }],
  ['record-too-large', { status: 413, code: 'record_too_large' }],
]);

function describeFailure(error: unknown): HttpResponse {
  if (error instanceof VouchError && error.code === 'contract-reference')
    return problemResponse(501, `The contract cannot be served here. ${error.message}`, {
      members: { code: 'not_implemented' },
    });
  if (error instanceof VouchError && error.code === 'store-unavailable')
    return storeUnavailable(error);
  const room = error instanceof VouchError ? noRoom.get(error.code) : undefined;
  if (error instanceof VouchError && room !== undefined)
    return problemResponse(room.status, `${error.message} ${error.hint ?? ''}`.trim(), {
      members: { code: room.code },
    });
  return problemResponse(
    500,
    'vouch failed to answer. This is a fault of its own, not of the request.',
    { members: { code: 'internal' } },
  );
}

const retrySeconds = '1';

/** The store is out of reach (RFC 9110, section 15.6.4): the request may be sent again. */
function storeUnavailable({ message }: VouchError): HttpResponse {
  return problemResponse(503, message, {
    headers: [['Retry-After', retrySeconds]],
    members: { code: 'store_unavailable' },
  });
}

/** Says that the mock holds as many added records as it may. */
export function storeFull({ name }: Resource): Fault {
  return makeFault(
    'conflict',
    'store_full',
    `The mock holds as many added records as it may, so this record of ${name} was not added. ` +
      'Delete records, reset the mock, or start it with a greater --max-records.',
  );
}
