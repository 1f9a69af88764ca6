import type { Operation, ResponseSpec } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import type { HttpResponse } from '../../http/message.ts';
import { asksToWait, isRefusal } from '../../http/status.ts';
import { isJsonObject } from '../../json/value.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { type Answer, roleOf } from '../model/step.ts';

/**
 * The statuses that HTTP defines for faulty requests (RFC 9110, section 15.5; RFC 6585), whatever a
 * contract documents.
 */
const ownOfHttp = new Set([405, 406, 411, 413, 414, 415, 417, 428, 429, 431]);

/**
 * Whether a status needs no documentation: HTTP defines it for a faulty request, or it requests a
 * later retry.
 */
export function isOwnOfHttp(response: HttpResponse): boolean {
  return ownOfHttp.has(response.status) || asksToWait(response);
}

/**
 * Whether a response has a status that is documented only indirectly: a fault that HTTP itself
 * defines, such as a 414 from a proxy, under `default` or a range. Its body need not conform to the
 * contract's errors.
 */
export function isUnspecific(documented: ResponseSpec, response: HttpResponse): boolean {
  return isOwnOfHttp(response) && !/^\d{3}$/.test(documented.status);
}

/**
 * Whether a status is documented: exactly, by its range, or by `default`, which documents
 * everything except 5xx.
 */
export function isDocumented(operation: Operation, status: number): boolean {
  const response = selectResponse(operation, status);
  return response !== undefined && (response.status !== 'default' || status < 500);
}

/** Whether an operation documents the response to an invalid request. */
export function documentsRefusal(operation: Operation): boolean {
  return operation.responses.some(({ status }) =>
    ['400', '422', '4XX', 'default'].includes(status),
  );
}

/**
 * Whether an operation documents the status of its success; one that documents only `default`
 * leaves it open.
 */
export function documentsSuccess(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^2(\d\d|XX)$/.test(status));
}

/** Whether a refusal has a readable body. `body-parses` reports an invalid one. */
export function isHonest(answer: Answer): boolean {
  return answer.kind === 'empty' || answer.mediaType !== undefined;
}

/** The documented statuses as a clause: `200 or 401`; `nothing` if there are none. */
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
 * Whether a create is refused because its identifier is that of another record: with 409, whatever
 * the contract documents, or with any refusal if the run itself used the identifier before.
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
