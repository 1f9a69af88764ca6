import type { Identifier } from '../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { compareRecords } from '../evidence/compare-records.ts';
import { sameIdentifier } from '../evidence/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import { jsonOf } from '../evidence/read-answer.ts';
import { isSuccess } from '../evidence/refusal.ts';
import { roleOf, type Step, type Subject } from '../subject.ts';
import type { Check } from './check.ts';

/** What a successful replacement or update was given is what the next read shows. */
export const replacedIsPersisted = {
  id: 'replaced-is-persisted',
  basis: 'inferred',
  severity: 'error',
  rule: 'A record that was replaced or updated is read back with the values that were sent.',
  reason: 'An edit that is confirmed and then gone is found by users, and too late.',
  proof: 'again',
  covers: ['item-equals-entry'],
  inspect(subject) {
    const role = roleOf(subject.contract, subject.operation);
    const record = jsonOf(subject.answer);
    if (role?.action !== 'read' || subject.case.intent.kind !== 'valid' || !isJsonObject(record) || !isSuccess(subject.exchange.response?.status ?? 0)) return undefined;
    const { field, parameter } = role.resource.identifier;
    const written = lastWrite(subject, [role.resource.operations.replace, role.resource.operations.update], parameter);
    const schema = written?.case.operation.requestBody?.content.find(({ mediaType }) => mediaType === written.case.request.body?.mediaType)?.schema;
    if (written === undefined || schema === undefined || !isJsonObject(written.sent.body) || isAnother(subject, record, role.resource.identifier)) return undefined;
    // A required field that is not shown at all is found by `body-matches-schema`.
    const { required } = role.resource.record.flatten();
    const differences = compareRecords(written.sent.body, record, { schema, absent: 'different', except: [field] }).filter(({ field: name, got }) => got !== undefined || !required.has(name));
    const [first, ...others] = differences;
    if (first === undefined) return [];
    const names = differences.map(({ field: name }) => name).join(', ');
    const values = differences.map(({ wanted, got }) => `${showValue(got)} instead of ${showValue(wanted)}`).join(', ');
    return [
      {
        at: others.length === 0 ? first.pointer : written.case.operation.pointer,
        message: `A record that was changed by ${written.case.operation.id} is read back with another ${names} than was sent: ${values}.`,
        expected: differences.map(({ field: name, wanted }) => `${name} is ${showValue(wanted)}`).join(', '),
        actual: differences.map(({ field: name, got }) => `${name} is ${showValue(got)}`).join(', '),
        // What is not shown at all may just not be shown.
        ...(differences.every(({ got }) => got === undefined) ? { severity: 'warning' } : {}),
      },
    ];
  },
} as const satisfies Check;

/** That a read gets another record is found by `item-equals-entry`. */
function isAnother({ sent }: Subject, record: JsonObject, { field, parameter }: Identifier): boolean {
  const asked = [...sent.arguments].find(([{ name }]) => name === parameter)?.[1];
  return record[field] !== undefined && !sameIdentifier(record[field], asked);
}

/** The successful change just before, of the same record. */
function lastWrite({ earlier, sent }: Subject, writers: readonly unknown[], parameter: string | undefined): Step | undefined {
  const identifierOf = (step: Pick<Step, 'sent'>): unknown => [...step.sent.arguments].find(([{ name }]) => name === parameter)?.[1];
  const [asked, last] = [identifierOf({ sent }), earlier.at(-1)];
  if (last === undefined || !writers.includes(last.case.operation) || !isSuccess(last.exchange.response?.status ?? 0)) return undefined;
  return sameIdentifier(String(identifierOf(last)), String(asked)) ? last : undefined;
}
