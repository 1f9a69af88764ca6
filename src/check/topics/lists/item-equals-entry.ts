import { planChanges } from './change-sequences.ts';
import { type Operation, type Resource, shownValues } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { showValue } from '../../model/phrases.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';

/** A read by identifier returns that record, with the values that the list shows. */
export const itemEqualsEntry = check({
  id: 'item-equals-entry',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'A record that is read by its identifier has that identifier, and the values that the ' +
    'list shows before and after.',
  reason: 'A detail page must show the record that the user selected.',
  example: [
    '> GET /items',
    '< [{"id": 7, "name": "one"}]',
    '> GET /items/7',
    '< {"id": 7, "name": "another"}',
  ],
  confirm: 'again',
  traits: ['fields'],
  plan: [{ at: 'stories', all: planChanges }],
  intents: ['valid'],
  actions: ['read', 'list'],
  mutants: [async () => (await import('./list-mutants.ts')).entryMutants],
  inspect(subject) {
    const item = itemOf(subject, subject);
    return item === undefined ? inspectBracket(subject) : inspectItem(item);
  },
});

/** A record, and the identifier in the request. */
interface Item {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly asked: JsonValue;
  readonly record: JsonObject;
}

function itemOf({ contract }: Pick<CheckInput, 'contract'>, step: Step): Item | undefined {
  const role = roleOf(contract, step.case.operation);
  if (
    role?.action !== 'read' ||
    step.case.intent.kind !== 'valid' ||
    !isSuccess(step.exchange.response?.status ?? 0)
  )
    return undefined;
  const parameter = step.case.operation.parameters.find(
    ({ name }) => name === role.resource.identifier.parameter,
  );
  const asked = parameter && step.sent.arguments.get(parameter);
  const record = shownRecord(role.resource, step.answer);
  return asked === undefined || record === undefined
    ? undefined
    : { operation: step.case.operation, resource: role.resource, asked, record };
}

/** Whether the document shows a record under a name that it does not have there, as an example. */
function isShownByDocument({ operation, resource, asked, record }: Item): boolean {
  const { field, parameter } = resource.identifier;
  const named = operation.parameters.find(({ name }) => name === parameter);
  const shown = operation.responses.flatMap(({ content }) =>
    content.flatMap(({ examples }) => examples.map(({ value }) => value)),
  );
  return (
    named !== undefined &&
    shownValues(named).some((value) => sameIdentifier(value, asked)) &&
    shown.some(
      (value) => isJsonObject(value) && equalJson(value[field] ?? null, record[field] ?? null),
    )
  );
}

function inspectItem(item: Item): Violation[] {
  const { resource, asked, record } = item;
  const { field } = resource.identifier;
  const own = record[field];
  const property = resource.record.flatten().properties.get(field);
  if (
    own === undefined ||
    property === undefined ||
    sameIdentifier(own, asked) ||
    isShownByDocument(item) ||
    resource.record.part(property).validate(own, 'response').length > 0
  )
    return [];
  return [
    {
      at: property.pointer,
      message:
        `Reading ${field} ${String(asked)} returned the record whose ${field} is ` +
        `${showValue(own)}.`,
      expected: `${field} is ${showValue(asked)}`,
      actual: `${field} is ${showValue(own)}`,
    },
  ];
}

/**
 * A read between two lists: an entry that differs between them may have been changed by another
 * client.
 */
function inspectBracket(subject: CheckInput): Violation[] | undefined {
  const after = subject.earlier.length < 2 ? undefined : pageOf(subject, subject);
  if (after === undefined) return undefined;
  const [listed, read] = [subject.earlier.at(-2), subject.earlier.at(-1)];
  const before = listed && pageOf(subject, listed);
  const item = read && itemOf(subject, read);
  if (before === undefined || item === undefined) return undefined;
  const { field } = item.resource.identifier;
  const [entry, again] = [before, after].map(({ records }) =>
    records.find((record) => sameIdentifier(record[field], item.asked)),
  );
  if (
    entry === undefined ||
    again === undefined ||
    !equalJson(entry, again) ||
    !sameIdentifier(item.record[field], item.asked)
  )
    return undefined;
  return compareItem(item, entry);
}

function compareItem({ resource, record }: Item, entry: JsonObject): Violation[] {
  const differences = compareRecords(entry, record, {
    schema: resource.record,
    absent: 'fine',
    except: [resource.identifier.field],
  });
  return differences.map(({ field, pointer, expected, got }) => ({
    at: pointer,
    message:
      `A record has another ${field} when it is read than in the list: ` +
      `${showValue(got)} instead of ${showValue(expected)}.`,
    expected: `${field} is ${showValue(expected)}, as in the list before and after`,
    actual: `${field} is ${showValue(got)}`,
    // A list may shorten or translate values.
    ...(typeof expected === 'string' ? { severity: 'warning' } : {}),
  }));
}
