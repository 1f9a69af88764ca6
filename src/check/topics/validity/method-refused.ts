import { sentForm } from '../../../contract/model/operation.ts';
import { planMethods } from './method.ts';
import { isSuccess } from '../../../http/status.ts';
import { parentPointer } from '../../../json/pointer.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { roleOf } from '../../model/step.ts';
import { check } from '../check.ts';

/** A method that the contract does not declare for a path is refused. */
export const methodRefused = check({
  id: 'method-refused',
  basis: 'protocol',
  severity: 'warning',
  harm: 'accepts',
  rule:
    'A method that the contract does not declare for a path gets 405, 404 or 501, and no ' +
    'success.',
  reason:
    'An undocumented method is neither reviewed nor tested, and may allow what should be ' +
    'forbidden.',
  example: ['> PATCH /items/1999999999   (the path has GET and PUT)', '< 200 OK'],
  confirm: 'repeat',
  plan: [{ at: 'refusals', all: planMethods }],
  intents: ['method'],
  mutants: [async () => (await import('./method-mutants.ts')).methodMutants],
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
            `${sentForm(operation).path} with the list, as it does to GET: it may also ` +
            'confirm a PUT or a DELETE without doing anything.',
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
          `${sentForm(operation).path}, which the contract does not declare.`,
        expected: '405 with Allow, 404 or 501',
        actual: String(response.status),
        cause: method,
        blame: 'undecided',
      },
    ];
  },
});
