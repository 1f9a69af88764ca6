import type { Operation, ResourceAction } from '../../contract/model.ts';

/** Statuses that fit an action best, where the contract documents several. */
const preferred: Readonly<Partial<Record<ResourceAction, readonly number[]>>> = { create: [201], delete: [204] };

/**
 * The status of an operation's success: what is assumed where the contract leaves it open, else the documented one that fits
 * the action, else the lowest; a redirect where the operation does nothing else; else 200.
 */
export function chooseSuccessStatus(operation: Operation, action: ResourceAction | undefined, assumed: number | undefined): number {
  if (assumed !== undefined) return assumed;
  const exact = exactStatuses(operation, '2');
  const fitting = (action === undefined ? [] : (preferred[action] ?? [])).find((status) => exact.includes(status));
  // 206 is for requests with `Range` (RFC 9110, section 15.3.7), which is not served.
  const whole = exact.find((status) => status !== 206);
  const silent = exact.length === 0 && !operation.responses.some(({ status }) => status === '2XX');
  return fitting ?? whole ?? (silent ? exactStatuses(operation, '3')[0] : undefined) ?? exact[0] ?? 200;
}

function exactStatuses({ responses }: Operation, digit: '2' | '3'): number[] {
  const statuses = responses.map(({ status }) => status).filter((status) => status.startsWith(digit) && /^\d+$/.test(status));
  return statuses.map(Number).sort((left, right) => left - right);
}
