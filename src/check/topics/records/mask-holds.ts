import type { Resource, Contract, Parameter } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, memberOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isSuccess } from '../../../http/message.ts';
import { mediaOf } from '../../model/case.ts';
import { hasSuccess, showValue, type Step } from '../../model/step.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { saysSomething, shownForms } from '../../reading/shown-fields.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { planMasks } from './plan-masks.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { withoutQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** An update with a mask changes the fields that the mask names, and no other. */
export const maskHolds = check({
  id: 'mask-holds',
  basis: 'inferred',
  harm: 'data',
  rule:
    'An update changes the fields that its mask names, and no other that it sends; one that it ' +
    'does not send gets its default. A mask of fields that no record has is refused, and the ' +
    'mask * replaces the record (AIP-134, AIP-161). Fields of the service in it are ignored ' +
    '(AIP-203).',
  reason:
    'A client sends the whole record with a mask, so that it overwrites nothing that others ' +
    'changed; a service that ignores the mask loses their changes.',
  example: [
    '> PATCH /items/7?update_mask=size',
    '> {"name": "new", "size": 2}',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "name": "new", "size": 2}   (before: "old")',
  ],
  traits: ['machinery'],
  plan: [{ at: 'stories', resource: planMasks }],
  mutants: [() => maskMutants],
  relations: {
    masked: notMasked,
    cleared: notCleared,
    'unknown-mask': notRefused,
    replaced: notReplaced,
    'output-mask': isRefused,
  },
});

/** A mask that is refused for a field of the service, which an update without it does not have. */
function isRefused({ subject, intent, status }: Related): RelationFaults {
  if (isSuccess(status)) return [];
  if (![400, 409, 422].includes(status)) return undefined;
  const { id } = subject.operation;
  const { field = '' } = intent;
  return {
    message:
      `${id} was refused with ${String(status)} because its mask names ${field}, which the ` +
      'service sets itself.',
    expected: `a success that ignores ${field}`,
    actual: String(status),
    cause: 'output only field in the mask',
  };
}

/** The record before an update, what the update sent, and the record that is read after it. */
interface Change {
  readonly resource: Resource;
  readonly update: Step;
  readonly former: JsonObject;
  readonly sent: JsonObject;
  readonly latter: JsonObject;
  /** What comes before the names of members: `address.` of those of an address. */
  readonly path: string;
}

function changeOf({ subject, resource, of }: Related): Change | undefined {
  const [before, update] = of;
  if (resource === undefined || before === undefined || update === undefined) return undefined;
  const [former, latter] = [before, subject].map((step) => shownRecord(resource, step.answer));
  const sent = update.sent.body ?? null;
  // With 202, the change is still to come.
  const isLater = update.exchange.response?.status === 202;
  if (former === undefined || latter === undefined || !isJsonObject(sent) || isLater)
    return undefined;
  return { resource, update, former, sent, latter, path: '' };
}

/** Whether a record shows a value in a field. */
function shows(
  { resource, update }: Change,
  record: JsonObject,
  [field, value]: readonly [string, JsonValue],
): boolean {
  const schema = mediaOf(update.case)?.schema ?? resource.record;
  const shown = shownForms(resource);
  const expected = { [field]: value };
  return (
    compareRecords(expected, record, { schema, shown, absent: 'different', except: [] }).length ===
    0
  );
}

/** A change of one member of a field, as a change of that field's members. */
function within(change: Change, field: string): Change | undefined {
  const [former, latter, sent] = [change.former, change.latter, change.sent].map(
    (record) => record[field],
  );
  if (former === undefined || latter === undefined || sent === undefined) return undefined;
  if (!isJsonObject(former) || !isJsonObject(latter) || !isJsonObject(sent)) return undefined;
  return { ...change, former, latter, sent, path: `${field}.` };
}

/** The field of the mask as it was, or another one that the update sent changed. */
function notMasked(related: Related): RelationFaults {
  const whole = changeOf(related);
  const [name = '', member] = (related.intent.field ?? '').split('.');
  const change = member === undefined ? whole : whole && within(whole, name);
  return change && maskedFaults(change, member ?? name);
}

function maskedFaults(change: Change, field: string): RelationFault | RelationFault[] {
  const { former, sent, latter, update, path } = change;
  const { id } = update.case.operation;
  const value = sent[field];
  const isLost =
    value !== undefined && !shows(change, former, [field, value]) && isAsBefore(change, field);
  if (isLost)
    return {
      message:
        `${id} with a mask that names ${path}${field} did not change it: it is still ` +
        `${showValue(latter[field])}.`,
      expected: `${path}${field} is ${showValue(value)}`,
      actual: `${path}${field} is ${showValue(latter[field])}`,
      cause: 'masked field lost',
    };
  const other = Object.keys(sent).find((name) => name !== field && isChanged(change, name));
  if (other === undefined) return [];
  return {
    message:
      `${id} with a mask that names only ${path}${field} changed ${path}${other} too: it is ` +
      `${showValue(latter[other])} and was ${showValue(former[other])}.`,
    expected: `${path}${other} is ${showValue(former[other])}, as before`,
    actual: `${path}${other} is ${showValue(latter[other])}`,
    cause: 'mask ignored',
  };
}

/** Whether a field has another value: the one that was sent, or none of what it had. */
function isChanged(change: Change, name: string): boolean {
  const { former, latter, sent } = change;
  const value = sent[name];
  const isTaken =
    value !== undefined &&
    !shows(change, former, [name, value]) &&
    shows(change, latter, [name, value]);
  return isTaken || (saysSomething(former[name]) && !isAsBefore(change, name));
}

/** A field of the mask that the update did not send, and that is as before. */
function notCleared(related: Related): RelationFaults {
  const change = changeOf(related);
  const { field = '' } = related.intent;
  if (change === undefined || !hasSuccess(change.update)) return undefined;
  const { former, latter, update } = change;
  const schema = mediaOf(update.case)?.schema;
  const place = schema?.flatten().properties.get(field);
  const node = place && schema?.flatten(place).node;
  const was = former[field] ?? null;
  // Without a default, the first of few values may be what a new record has.
  const usual = node?.default ?? node?.enum?.[0] ?? null;
  if (!saysSomething(was) || equalJson(was, usual)) return undefined;
  if (!isAsBefore(change, field)) return [];
  return {
    message:
      `${update.case.operation.id} without ${field}, with a mask that names it, left it as ` +
      `it was: ${showValue(latter[field])}.`,
    expected: `no ${field}, or its default`,
    actual: `${field} is ${showValue(latter[field])}`,
    cause: 'masked field kept',
  };
}

function isAsBefore({ former, latter }: Change, field: string): boolean {
  return equalJson(former[field] ?? null, latter[field] ?? null);
}

/** A field that an update with the mask `*` left out, and that is as before. */
function notReplaced(related: Related): RelationFault[] | undefined {
  const change = changeOf(related);
  if (change === undefined) return undefined;
  const { former, latter, sent, resource, update } = change;
  const schema = mediaOf(update.case)?.schema;
  const flat = schema?.flatten();
  const kept = [...(flat?.properties ?? [])].filter(([name, place]) => {
    const node = schema?.flatten(place).node;
    const was = former[name];
    const isTelling =
      (typeof was === 'string' && was !== '') || (typeof was === 'number' && was > 1);
    return (
      isTelling &&
      !Object.hasOwn(sent, name) &&
      name !== resource.identifier.field &&
      flat?.required.has(name) === false &&
      node?.readOnly === undefined &&
      // Without a default, a field with few values may have to keep one of them.
      (node?.default === undefined ? node?.enum === undefined : !equalJson(node.default, was)) &&
      wasSent(related, name, was) &&
      equalJson(was, latter[name] ?? null)
    );
  });
  return kept.slice(0, 1).map(([name]) => ({
    message:
      `${update.case.operation.id} with the mask * and without ${name} did not replace the ` +
      `record: ${name} is as before.`,
    expected: `no ${name}, or its default`,
    actual: `${name} is ${showValue(latter[name])}`,
    cause: 'mask * merged',
  }));
}

/** Whether an earlier request of the sequence gave a field its value. */
function wasSent({ subject }: Related, name: string, value: JsonValue | undefined): boolean {
  return subject.earlier.some(({ sent: { body = null } }) => {
    const given = memberOf(body, name);
    return given !== undefined && value !== undefined && equalJson(given, value);
  });
}

const mutant = mutantsOf('state');

interface MaskPlace extends Place {
  readonly parameter: Parameter;
}

function masks(contract: Contract): MaskPlace[] {
  return contract.resources.flatMap((resource) => protocolsOf(contract, resource).mask ?? []);
}

/** Mutations of updates with a mask (AIP-134). */
const maskMutants: readonly Mutator[] = [
  mutant('ignores-mask', {
    rule: 'An update changes all fields that it sends, also those that its mask does not name.',
    where: masks,
    says: 'ignores its mask',
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
];
