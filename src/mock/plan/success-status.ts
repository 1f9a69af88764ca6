import type { Operation } from '../../contract/model.ts';
import { documents } from '../../contract/select-response.ts';
import type { ResourceRole } from './operation-plan.ts';

/** Statuses that fit an action best, where the contract documents several. */
const preferred: Readonly<Partial<Record<ResourceRole['action'], readonly number[]>>> = {
  create: [201],
  delete: [204],
  clear: [204],
  'create-many': [201],
};

/**
 * The status of an operation's success: what is assumed where the contract leaves it open, else the
 * documented one that fits the action, else the lowest; a redirect where the operation does nothing
 * else; what else it documents where that can be no success, and nothing is a refusal either; else
 * 200.
 */
export function chooseSuccessStatus(
  operation: Operation,
  action: ResourceRole['action'] | undefined,
  assumed: number | undefined,
): number {
  if (assumed !== undefined) return assumed;
  const exact = exactStatuses(operation, '2');
  const fitting = (action === undefined ? [] : (preferred[action] ?? [])).find((status) =>
    exact.includes(status),
  );
  // 206 is for requests with `Range` (RFC 9110, section 15.3.7), which is not served.
  const whole = exact.find((status) => status !== 206);
  const silent = exact.length === 0 && !documents(operation, '2XX');
  return (
    fitting ??
    whole ??
    (silent ? exactStatuses(operation, '3')[0] : undefined) ??
    exact[0] ??
    (silent && action === undefined ? otherStatus(operation) : undefined) ??
    200
  );
}

/**
 * What is answered where no success is documented; nothing where refusals are, because then the
 * success was but left out.
 */
function otherStatus(operation: Operation): number | undefined {
  if (
    documents(operation, 'default') ||
    operation.responses.some(({ status }) => status.startsWith('4'))
  )
    return undefined;
  if (documents(operation, '3XX')) return 302;
  return (
    exactStatuses(operation, '5')[0] ??
    (documents(operation, '5XX') ? 500 : exactStatuses(operation, '1')[0])
  );
}

function exactStatuses({ responses }: Operation, digit: '1' | '2' | '3' | '5'): number[] {
  const statuses = responses
    .map(({ status }) => status)
    .filter((status) => status.startsWith(digit) && /^\d+$/.test(status));
  return statuses.map(Number).sort((left, right) => left - right);
}
