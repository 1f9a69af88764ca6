import { parentPointer } from '../../json/pointer.ts';
import { isSuccess } from '../../http/status.ts';
import type { Check } from './check.ts';

/** A method that the contract does not declare for a path is not served there. */
export const methodRefused = {
  id: 'method-refused',
  basis: 'protocol',
  severity: 'warning',
  rule: 'A method that the contract does not declare for a path gets 405, 404 or 501, and no success.',
  reason: 'What is served and stands in no contract is neither reviewed nor tested, and may do what nobody meant to allow.',
  proof: 'repeat',
  inspect({ case: { intent }, operation, exchange: { response } }) {
    if (intent.kind !== 'method' || intent.wanted !== 'refused' || response === undefined) return undefined;
    const { method } = intent;
    if (!isSuccess(response.status)) return [];
    return [
      {
        at: parentPointer(operation.pointer),
        message: `The server answered ${String(response.status)} to ${method} ${operation.path}, which the contract does not declare.`,
        expected: '405 with Allow, 404 or 501',
        actual: String(response.status),
        cause: method,
        blame: 'undecided',
      },
    ];
  },
} as const satisfies Check;
