import { isSuccess } from '../../http/status.ts';
import { isJsonObject } from '../../json/value.ts';
import { showValue } from '../evidence/phrases.ts';
import { compareRecords } from '../evidence/record/compare-records.ts';
import { namesInPath } from '../evidence/record/created-record.ts';
import { answersRecord, shownForms } from '../evidence/record/shown-fields.ts';
import { shownRecord } from '../evidence/record/shown-records.ts';
import { mediaOf } from '../model/case.ts';
import { roleOf } from '../model/step.ts';
import type { Check } from './check.ts';

/**
 * The response to a create has the values that were sent, digit for digit and character for
 * character.
 */
export const createdIsReturned = {
  id: 'created-is-returned',
  basis: 'inferred',
  severity: 'error',
  rule:
    'The response to a create has the values that were sent: 64-bit integers digit for ' +
    'digit, text character for character.',
  reason: 'A value that changes on the way in is lost without notice.',
  proof: 'again',
  intents: ['valid'],
  actions: ['create'],
  inspect({ case: testCase, contract, operation, exchange: { response }, sent, answer }) {
    if (
      testCase.intent.kind !== 'valid' ||
      response === undefined ||
      !isSuccess(response.status) ||
      !isJsonObject(sent.body)
    )
      return undefined;
    const role = roleOf(contract, operation);
    if (role?.action !== 'create' || !answersRecord(operation, role.resource)) return undefined;
    const schema = mediaOf(testCase)?.schema;
    const got = shownRecord(role.resource, answer);
    if (schema === undefined || got === undefined) return undefined;
    const differences = compareRecords(sent.body, got, {
      schema,
      shown: shownForms(role.resource),
      absent: 'fine',
      except: [role.resource.identifier.field, ...namesInPath(operation)],
      blanks: 'told',
    });
    return differences.map(({ field, pointer, wanted, got: other, rewritten, trimmed }) => ({
      at: pointer,
      message:
        `The response to a create has another ${field} than was sent: ` +
        `${showValue(other)} instead of ${showValue(wanted)}.`,
      expected: `${field} is ${showValue(wanted)}, as it was sent`,
      actual: `${field} is ${showValue(other)}`,
      ...(rewritten === true ? { severity: 'warning' as const, cause: 'rewritten' } : {}),
      // Many servers trim texts, and may.
      ...(trimmed === true ? { severity: 'note' as const, cause: 'trimmed' } : {}),
    }));
  },
} as const satisfies Check;
