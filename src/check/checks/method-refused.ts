import { isSuccess } from '../../http/status.ts';
import { parentPointer } from '../../json/pointer.ts';
import { listedRecords } from '../evidence/record/shown-records.ts';
import { roleOf } from '../model/step.ts';
import type { Check } from './check.ts';

/** A method that the contract does not declare for a path is not served there. */
export const methodRefused = {
  id: 'method-refused',
  basis: 'protocol',
  severity: 'warning',
  rule:
    'A method that the contract does not declare for a path gets 405, 404 or ' +
    '501, and no success.',
  reason:
    'What is served and stands in no contract is neither reviewed nor ' +
    'tested, and may do what nobody meant to allow.',
  proof: 'repeat',
  intents: ['method'],
  inspect({ case: { intent }, contract, operation, answer, exchange: { response } }) {
    if (intent.kind !== 'method' || intent.wanted !== 'refused' || response === undefined)
      return undefined;
    const { method } = intent;
    if (!isSuccess(response.status)) return [];
    const role = roleOf(contract, operation);
    if (
      method !== 'GET' &&
      role?.action === 'list' &&
      listedRecords(role.resource, answer) !== undefined
    ) {
      return [
        {
          at: parentPointer(operation.pointer),
          message:
            `The server answered ${String(response.status)} to ${method} ` +
            `${operation.path} with the list, as if it were a GET: so it may well ` +
            'answer a PUT or a DELETE that does nothing.',
          expected: '405 with Allow, 404 or 501',
          actual: `${String(response.status)} and the list`,
          cause: 'as GET',
          severity: 'error',
          basis: 'inferred',
        },
      ];
    }
    return [
      {
        at: parentPointer(operation.pointer),
        message:
          `The server answered ${String(response.status)} to ${method} ` +
          `${operation.path}, which the contract does not declare.`,
        expected: '405 with Allow, 404 or 501',
        actual: String(response.status),
        cause: method,
        blame: 'undecided',
      },
    ];
  },
} as const satisfies Check;
