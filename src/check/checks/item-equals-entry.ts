import type { Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { compareRecords } from '../evidence/compare-records.ts';
import { pageOf, sameIdentifier } from '../evidence/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import { jsonOf } from '../evidence/read-answer.ts';
import { isSuccess } from '../evidence/refusal.ts';
import { roleOf, type Step, type Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** Reading a record by its identifier gives that record, with the values that the list shows. */
export const itemEqualsEntry = {
  id: 'item-equals-entry',
  basis: 'inferred',
  severity: 'error',
  rule: 'A record read by its identifier has that identifier and the values that the list showed before and after.',
  reason: 'A detail page that shows another record than the one that was clicked is wrong in the worst way.',
  proof: 'again',
  inspect(subject) {
    const after = pageOf(subject, subject);
    const [listed, read] = subject.earlier.slice(-2);
    if (after === undefined || listed === undefined || read === undefined) return undefined;
    const before = pageOf(subject, listed);
    const item = before && itemOf(subject, before.resource, read);
    if (before === undefined || item === undefined) return undefined;
    const { field } = before.resource.identifier;
    const [entry, again] = [before, after].map(({ records }) => records.find((record) => sameIdentifier(record[field], item.asked)));
    // An entry that changed between the two lists may have been changed by somebody else.
    if (entry === undefined || again === undefined || !equalJson(entry, again)) return undefined;
    return compareItem(before.resource, item, entry);
  },
} as const satisfies Check;

interface Item {
  readonly asked: JsonValue;
  readonly record: JsonObject;
}

function itemOf({ contract }: Subject, resource: Resource, step: Step): Item | undefined {
  const role = roleOf(contract, step.case.operation);
  const parameter = step.case.operation.parameters.find(({ name }) => name === resource.identifier.parameter);
  const asked = parameter && step.sent.arguments.get(parameter);
  const record = jsonOf(step.answer);
  if (role?.action !== 'read' || role.resource !== resource || asked === undefined || !isJsonObject(record)) return undefined;
  return isSuccess(step.exchange.response?.status ?? 0) ? { asked, record } : undefined;
}

function compareItem(resource: Resource, { asked, record }: Item, entry: JsonObject): Violation[] {
  const { field } = resource.identifier;
  const own = record[field];
  if (own !== undefined && !sameIdentifier(own, asked)) {
    const property = resource.record.flatten().properties.get(field);
    return [{ at: property?.pointer ?? resource.record.pointer, message: `A read by ${field} ${String(asked)} got the record whose ${field} is ${showValue(own)}.`, expected: `${field} is ${showValue(asked)}`, actual: `${field} is ${showValue(own)}` }];
  }
  const differences = compareRecords(entry, record, { schema: resource.record, absent: 'fine', except: [field] });
  return differences.map(({ field: name, pointer, wanted, got }) => ({
    at: pointer,
    message: `A record has another ${name} when it is read than in the list: ${showValue(got)} instead of ${showValue(wanted)}.`,
    expected: `${name} is ${showValue(wanted)}, as in the list before and after`,
    actual: `${name} is ${showValue(got)}`,
    // A list may shorten or translate what it shows.
    ...(typeof wanted === 'string' ? { severity: 'warning' } : {}),
  }));
}
