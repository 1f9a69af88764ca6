import type { Identifier, Resource } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { sameIdentifier } from '../evidence/list/list-page.ts';
import { showValue } from '../evidence/phrases.ts';
import { compareRecords, type Difference } from '../evidence/record/compare-records.ts';
import { namesInPath, wasCreatedTwice } from '../evidence/record/created-record.ts';
import { isKeptByServer } from '../evidence/record/refused-growth.ts';
import { answersRecord, saysSomething, shownForms } from '../evidence/record/shown-fields.ts';
import { hasFieldsOf, shownRecord } from '../evidence/record/shown-records.ts';
import { argumentNamed } from '../evidence/request/find-request-fault.ts';
import { mediaOf } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import { roleOf, type Step } from '../model/step.ts';
import type { Check, Violation } from './check.ts';

/** What a successful replacement or update was given is what the next read shows. */
export const replacedIsPersisted = {
  id: 'replaced-is-persisted',
  basis: 'inferred',
  severity: 'error',
  rule:
    'A record that was replaced or updated is answered and read back with ' +
    'the values that were sent; an update leaves the other fields as they ' +
    'were, and a replacement does not.',
  reason: 'An edit that is confirmed and then gone is found by users, and too late.',
  proof: 'again',
  needs: ['creators'],
  intents: ['valid'],
  actions: ['read'],
  covers: ['item-equals-entry'],
  inspect(subject) {
    const role = roleOf(subject.contract, subject.operation);
    if (
      role?.action !== 'read' ||
      subject.case.intent.kind !== 'valid' ||
      !isSuccess(subject.exchange.response?.status ?? 0)
    )
      return undefined;
    const { resource } = role;
    const written = lastWrite(
      subject,
      [resource.operations.replace, resource.operations.update],
      resource.identifier.parameter,
    );
    const record = written && shownRecord(resource, subject.answer);
    if (written === undefined || record === undefined) return undefined;
    const differences = differencesFrom(subject, resource, { written, record });
    if (differences === undefined) return undefined;
    const [first, ...others] = differences;
    if (first === undefined)
      return [
        ...answeredOtherwise(subject, written),
        ...besidesWhatWasSent(subject, written, record),
      ];
    // Two records under one identifier are found by `ids-are-unique`.
    if (wasCreatedTwice(subject)) return undefined;
    const isWhole = others.length > 0 || isLost(subject, written, record);
    return [readOtherwise(written, differences, isWhole ? undefined : first.pointer)];
  },
} as const satisfies Check;

/** Where a record is not shown as it was sent; undefined where that cannot be told. */
function differencesFrom(
  subject: CheckInput,
  resource: Resource,
  { written, record }: { readonly written: Step; readonly record: JsonObject },
): readonly Difference[] | undefined {
  if (isAnother(subject, record, resource.identifier)) return undefined;
  const schema = mediaOf(written.case)?.schema;
  const { body } = written.sent;
  if (schema === undefined || !isJsonObject(body) || !hasFieldsOf(resource, body)) return undefined;
  // A required field that is not shown at all is found by `body-matches-schema`.
  const { required } = resource.record.flatten();
  return compareRecords(body, record, {
    schema,
    shown: shownForms(resource),
    absent: 'different',
    except: [resource.identifier.field, ...namesInPath(written.case.operation, subject.operation)],
  }).filter(({ field, got }) => got !== undefined || !required.has(field));
}

function readOtherwise(
  written: Step,
  differences: readonly Difference[],
  field: Pointer | undefined,
): Violation {
  const names = differences.map(({ field: name }) => name).join(', ');
  const values = differences
    .map(({ wanted, got }) => `${showValue(got)} instead of ${showValue(wanted)}`)
    .join(', ');
  // What is not shown at all may just not be shown.
  const isDoubtful = differences.every(
    ({ got, rewritten }) => got === undefined || rewritten === true,
  );
  return {
    at: field ?? written.case.operation.pointer,
    message:
      `A record that was changed by ${written.case.operation.id} is read back ` +
      `with another ${names} than was sent: ${values}.`,
    expected: differences
      .map(({ field: name, wanted }) => `${name} is ${showValue(wanted)}`)
      .join(', '),
    actual: differences.map(({ field: name, got }) => `${name} is ${showValue(got)}`).join(', '),
    ...(isDoubtful ? { severity: 'warning' } : {}),
  };
}

/** That a read gets another record is found by `item-equals-entry`. */
function isAnother(
  { sent }: CheckInput,
  record: JsonObject,
  { field, parameter }: Identifier,
): boolean {
  const asked = argumentNamed(sent, parameter);
  return record[field] !== undefined && !sameIdentifier(record[field], asked);
}

/** The successful change just before, of the same record. */
function lastWrite(
  { earlier, sent }: CheckInput,
  writers: readonly unknown[],
  parameter: string | undefined,
): Step | undefined {
  const last = earlier.at(-1);
  // What should have been refused is found by `invalid-refused`, whatever became of it.
  if (
    last?.case.intent.kind !== 'valid' ||
    !writers.includes(last.case.operation) ||
    !isSuccess(last.exchange.response?.status ?? 0)
  )
    return undefined;
  return String(argumentNamed(last.sent, parameter)) === String(argumentNamed(sent, parameter))
    ? last
    : undefined;
}

/**
 * What a change answered that was kept as it was sent: the record that it shows has to be that one,
 * and not the one before.
 */
function answeredOtherwise({ contract, operation }: CheckInput, written: Step): Violation[] {
  const resource = roleOf(contract, operation)?.resource;
  const [schema, { body }] = [mediaOf(written.case)?.schema, written.sent];
  // A 202 shows what is still to be changed.
  const isRecord =
    resource !== undefined &&
    written.exchange.response?.status !== 202 &&
    answersRecord(written.case.operation, resource);
  const shown = isRecord ? shownRecord(resource, written.answer) : undefined;
  if (resource === undefined || schema === undefined || shown === undefined || !isJsonObject(body))
    return [];
  const differences = compareRecords(body, shown, {
    schema,
    shown: shownForms(resource),
    absent: 'fine',
    except: [resource.identifier.field, ...namesInPath(written.case.operation, operation)],
  });
  return differences
    .filter(({ rewritten }) => rewritten !== true)
    .slice(0, 1)
    .map(({ field, wanted, got }) => ({
      at: written.case.operation.pointer,
      message:
        `${written.case.operation.id} answered another ${field} than it keeps: ` +
        `${showValue(got)} instead of ${showValue(wanted)}, which was sent and ` +
        'is read back.',
      expected: `${field} is ${showValue(wanted)}`,
      actual: `${field} is ${showValue(got)}`,
      cause: 'answered',
    }));
}

/** Whether nothing at all of what a change sent was kept. */
function isLost(subject: CheckInput, written: Step, record: JsonObject): boolean {
  const before = readBefore(subject, written);
  const { body } = written.sent;
  if (before === undefined || !isJsonObject(body)) return false;
  const changed = Object.entries(body).filter(
    ([name, value]) => !equalJson(value, before[name] ?? null),
  );
  return (
    changed.length > 0 &&
    changed.every(([name]) => equalJson(record[name] ?? null, before[name] ?? null))
  );
}

/**
 * What a change did to the fields that it did not name: a PATCH leaves them (RFC 7396), a PUT does
 * not (RFC 9110, section 9.3.4).
 */
function besidesWhatWasSent(subject: CheckInput, written: Step, record: JsonObject): Violation[] {
  const role = roleOf(subject.contract, subject.operation);
  const before = readBefore(subject, written);
  const { body } = written.sent;
  if (role === undefined || before === undefined || !isJsonObject(body)) return [];
  const { operations, identifier, record: schema } = role.resource;
  const unsent = Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => !Object.hasOwn(body, name) && name !== identifier.field && value !== null,
    ),
  );
  const differences = compareRecords(unsent, record, {
    schema,
    absent: 'different',
    except: [identifier.field],
  });
  if (written.case.operation === operations.update)
    return differences
      .filter(({ field }) => !isKeptByServer(field))
      .slice(0, 1)
      .map(({ field, pointer, wanted, got }) => ({
        at: pointer,
        message:
          `An update that did not name ${field} changed it: ${showValue(got)} ` +
          `instead of ${showValue(wanted)}.`,
        expected: `${field} is ${showValue(wanted)}, as before`,
        actual: `${field} is ${showValue(got)}`,
        cause: 'besides',
        // What follows from another field, such as a sum, changes with it. What a client set, and
        // what is empty now, follows from nothing.
        ...(got === undefined ||
        got === null ||
        (typeof got !== 'number' &&
          typeof got !== 'boolean' &&
          !saysSomething(got) &&
          isSettable(written, field))
          ? {}
          : { severity: 'warning' as const }),
      }));
  const same = Object.entries(unsent).filter(
    ([name, value]) => Object.hasOwn(record, name) && equalJson(record[name] ?? null, value),
  );
  return staying(subject, written, Object.fromEntries(same));
}

/** Whether a client may set a field by the operation of a change. */
function isSettable(written: Step, field: string): boolean {
  const schema = mediaOf(written.case)?.schema;
  const place = schema?.flatten().properties.get(field);
  return place !== undefined && schema?.flatten(place.node, place.pointer).node.readOnly !== true;
}

/**
 * Optional fields that a replacement left out and that are as they were: it was merged, as many
 * servers do that have no other change. One whose contract has an update beside it has no reason
 * to: a PUT replaces the whole (RFC 5789, section 1).
 */
function staying(subject: CheckInput, written: Step, unsent: JsonObject): Violation[] {
  const schema = mediaOf(written.case)?.schema;
  const flat = schema?.flatten();
  const left = Object.keys(unsent).filter((name) => {
    const place = flat?.properties.get(name);
    const node = place && schema?.flatten(place.node, place.pointer).node;
    return (
      node !== undefined &&
      node.readOnly !== true &&
      node.default === undefined &&
      node.enum === undefined &&
      wasSent(subject, unsent[name], name) &&
      !isShownByContract(subject, unsent[name], name)
    );
  });
  const [name] = left;
  if (name === undefined) return [];
  return [
    {
      at: written.case.operation.pointer,
      message:
        `A replacement that left ${left.join(', ')} out did not replace the ` +
        `whole record: ${left.length === 1 ? 'it is' : 'they are'} as before ` +
        `(${name} is ${showValue(unsent[name])}).`,
      expected: `no ${name}, or the default of the server`,
      actual: `${name} is ${showValue(unsent[name])}`,
      ...(roleOf(subject.contract, subject.operation)?.resource.operations.update === undefined
        ? { severity: 'warning' as const }
        : {}),
      cause: 'merged',
    },
  ];
}

/**
 * Whether the create gave the field a value that no server would come upon by itself: one of a few
 * may be its default.
 */
function wasSent(
  { earlier, contract, operation }: CheckInput,
  value: JsonValue | undefined,
  name: string,
): boolean {
  const create = roleOf(contract, operation)?.resource.operations.create;
  const created = earlier.findLast((step) => step.case.operation === create);
  const telling =
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'number' && value !== 0 && value !== 1);
  return telling && isJsonObject(created?.sent.body) && created.sent.body[name] === value;
}

/**
 * A field that every answer has to have gets some value where none was sent: the one that the
 * contract shows is as good as any.
 */
function isShownByContract(
  { contract, operation }: CheckInput,
  value: JsonValue | undefined,
  name: string,
): boolean {
  const schema = roleOf(contract, operation)?.resource.record;
  const flat = schema?.flatten();
  const place = flat?.required.has(name) === true ? flat.properties.get(name) : undefined;
  const examples = (place && schema?.flatten(place.node, place.pointer).node.examples) ?? [];
  return value !== undefined && examples.some((example) => equalJson(example, value));
}

/** The record as it was read just before it was changed. */
function readBefore(
  { contract, earlier, operation }: CheckInput,
  written: Step,
): JsonObject | undefined {
  const step = earlier[earlier.indexOf(written) - 1];
  const resource = roleOf(contract, operation)?.resource;
  const value = resource && step && shownRecord(resource, step.answer);
  return step?.case.operation === operation &&
    isSuccess(step.exchange.response?.status ?? 0) &&
    isJsonObject(value)
    ? value
    : undefined;
}
