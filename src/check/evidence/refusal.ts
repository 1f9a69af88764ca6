import type { Operation, ResponseSpec } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import type { HttpResponse } from '../../http/message.ts';
import { asksToWait, isRefusal } from '../../http/status.ts';
import { isJsonObject } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { type Answer, roleOf } from '../model/step.ts';

/**
 * What HTTP itself gives for a fault (RFC 9110, section 15.5; RFC 6585), whatever a contract says.
 */
const ownOfHttp = new Set([405, 406, 411, 413, 414, 415, 417, 428, 429, 431]);

/**
 * Whether a status needs no word in the contract: HTTP defines it for a fault of the request, or it
 * asks to come again later.
 */
export function isOwnOfHttp(response: HttpResponse): boolean {
  return ownOfHttp.has(response.status) || asksToWait(response);
}

/**
 * Whether a response speaks of a status only in passing: a fault that HTTP itself defines, such as
 * a 414 from a proxy, under `default` or a range. Its body is HTTP's matter, and no breach of what
 * the contract says of its own errors.
 */
export function isUnspecific(documented: ResponseSpec, response: HttpResponse): boolean {
  return isOwnOfHttp(response) && !/^\d{3}$/.test(documented.status);
}

/**
 * Whether a status is documented: exactly, by its range, or by `default`, which documents all but a
 * 5xx.
 */
export function isDocumented(operation: Operation, status: number): boolean {
  const response = selectResponse(operation, status);
  return response !== undefined && (response.status !== 'default' || status < 500);
}

/** Whether an operation says what an invalid request gets. */
export function documentsRefusal(operation: Operation): boolean {
  return operation.responses.some(({ status }) =>
    ['400', '422', '4XX', 'default'].includes(status),
  );
}

/**
 * Whether an operation names the status of its success; one that documents only `default` leaves
 * everything open.
 */
export function documentsSuccess(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^2(\d\d|XX)$/.test(status));
}

/** Whether a refusal says what its body is. One that says it wrongly is found by `body-parses`. */
export function isHonest(answer: Answer): boolean {
  return answer.kind === 'empty' || answer.mediaType !== undefined;
}

/** The documented statuses as a clause: `200 or 401`; `nothing` where there are none. */
export function listStatuses(operation: Operation): string {
  const named = operation.responses.map(({ status }) =>
    status === 'default' ? 'any below 500' : status,
  );
  if (named.length === 0) return 'nothing';
  return named.length === 1
    ? (named[0] ?? '')
    : `${named.slice(0, -1).join(', ')} or ${named.at(-1) ?? ''}`;
}

/**
 * Whether a create is refused because the identifier that the request itself chose is another
 * record's: with 409, whatever the contract says of that, or with any refusal where the run itself
 * has given it to a record before.
 */
export function isNameTaken({
  contract,
  operation,
  sent,
  exchange,
  knowledge,
}: CheckInput): boolean {
  const role = roleOf(contract, operation);
  const status = exchange.response?.status ?? 0;
  if (role?.action !== 'create' || !isRefusal(status)) return false;
  const chosen =
    isJsonObject(sent.body) && Object.hasOwn(sent.body, role.resource.identifier.field)
      ? sent.body[role.resource.identifier.field]
      : undefined;
  return (
    chosen !== undefined &&
    (status === 409 || knowledge.creators.has(`${role.resource.name} ${String(chosen)}`))
  );
}
