import { writeUndone } from '../../reading/shared-causes.ts';
import { recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Identifier, Resource, SchemaObject } from '../../../contract/model.ts';
import { isRefusal } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, membersWhere, type JsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { withKeysAsSent } from '../../reading/identifiers.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { hasSuccess, operationFor, roleOf, showValue, type Step } from '../../model/step.ts';
import {
  compareRecords,
  type Difference,
  isAddedTo,
  ofForm,
} from '../../reading/compare-records.ts';
import { namesInPath, wasCreatedTwice } from '../../reading/created-record.ts';
import { isKeptByServer } from './refused-growth.ts';
import {
  canBeCleared,
  follows,
  isHidden,
  isOfList,
  isOneMore,
  shownBy,
  objectReplaced,
  planMergePatches,
} from './merge-patches.ts';
import { answersRecord, saysSomething, shownForms } from '../../reading/shown-fields.ts';
import { hasFieldsOf, shownRecord, wrapsRecord } from '../../reading/shown-records.ts';
import { type Related, type RelationFault } from '../../reading/related.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import {
  createOf,
  isRequiredByCreate,
  isShownByContract,
  wasGiven,
  wasSent,
} from '../../reading/sent-by-create.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** The next read shows the values of a successful replacement or update. */
export const replacedIsPersisted = check({
  id: 'replaced-is-persisted',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A replacement or an update returns and stores the values that were sent; an update ' +
    'keeps the other fields, and a replacement does not.',
  reason: 'Users lose edits that were confirmed, and notice it too late.',
  example: [
    '> PUT /items/7',
    '> {"name": "new"}',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "name": "old"}',
  ],
  explains: [
    writeUndone,
    {
      // A change that takes what is left out for empty does so with each member.
      findings: ['replaced-is-persisted'],
      leads: ({ cause }) => cause === 'besides',
      explains: ({ root }, other) => other.root === root && other.cause === 'besides',
    },
  ],
  traits: ['fields'],
  needs: ['creators', 'makers'],
  plan: [{ at: 'stories', made: planMergePatches }],
  intents: ['valid', 'relation'],
  actions: ['read', 'list'],
  covers: ['item-equals-entry'],
  mutants: [
    async () => (await import('./state-mutants.ts')).changeMutants,
    async () => (await import('./harm-mutants.ts')).replacementMutants,
    async () => (await import('./update-mutants.ts')).updateMutators,
  ],
  relations: { patched: notPatched },
  inspect: inspectChange,
});

/** The read after a replacement or an update, or the list where nothing reads one record. */
function inspectChange(subject: CheckInput): Violation[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  if (role === undefined || subject.case.intent.kind !== 'valid') return undefined;
  if (!hasSuccess(subject)) return undefined;
  const { resource, action } = role;
  const isList = action === 'list' && resource.operations.read === undefined;
  if (action !== 'read' && !isList) return undefined;
  const { parameter } = resource.identifier;
  const [replace, update] = (['replace', 'update'] as const).map((one) =>
    operationFor(subject.contract, resource, one),
  );
  const written = lastWrite(subject, [replace, update], isList ? undefined : parameter);
  const record = written && shownBy(subject, subject, written);
  if (written === undefined || record === undefined) return undefined;
  const { operation } = written.case;
  return changeFaults(subject, { resource, written, record })?.map((fault) => ({
    ...fault,
    operation,
  }));
}

interface Change {
  readonly resource: Resource;
  readonly written: Step;
  /** As it is read afterwards. */
  readonly record: JsonObject;
}

function changeFaults(
  subject: CheckInput,
  { resource, written, record }: Change,
): Violation[] | undefined {
  if (isJsonObject(written.sent.body) && showsNull(subject)) return [readAsNull(written)];
  const differences = differencesFrom(subject, resource, { written, record });
  if (differences === undefined) return undefined;
  const [first, ...others] = differences;
  if (first === undefined)
    return [
      ...nullIgnored(subject, written, record),
      ...objectReplaced(subject, written, { before: readBefore(subject, written), record }),
      ...answeredOtherwise(subject, written),
      ...besidesWhatWasSent(subject, written, record),
    ];
  // `ids-are-unique` reports two records with one identifier.
  if (wasCreatedTwice(subject)) return undefined;
  const isWhole = others.length > 0 || isLost(subject, written, record);
  return [readOtherwise(written, differences, isWhole ? undefined : first.pointer)];
}

/** Whether a response has null in the place of its record. */
function showsNull({ operation, answer }: CheckInput): boolean {
  return valueAt(jsonOf(answer), recordPlace(operation)?.at ?? '') === null;
}

function readAsNull(written: Step): Violation {
  const { id, pointer } = written.case.operation;
  return {
    at: pointer,
    message: `A record that was changed by ${id} is read back as null.`,
    expected: 'the values that were sent',
    actual: 'null',
  };
}

/**
 * A member that a JSON Patch replaced or removed, and that a read shows as it was (RFC 6902), or a
 * list without the entry at whose place another one was added.
 */
function notPatched({ subject, resource, of }: Related): RelationFault[] | undefined {
  const [before, patch] = of;
  const [former, latter] = [before, subject].map(
    (step) => step && resource && shownRecord(resource, step.answer),
  );
  const steps = patch?.sent.body;
  if (former === undefined || latter === undefined || !isJsonArray(steps)) return undefined;
  if (patch === undefined || patch.exchange.response?.status === 202) return undefined;
  return steps.flatMap((step): RelationFault[] => {
    if (!isJsonObject(step)) return [];
    const { op, value = null } = step;
    const [name = ''] = splitPointer(String(step['path']));
    const [was, is] = [former[name] ?? null, latter[name] ?? null];
    const isAdded = op === 'add' && isJsonArray(was) && isJsonArray(is);
    const lacksEntry = isAdded && !was.every((one) => is.some((other) => equalJson(one, other)));
    const isDone = op === 'remove' ? was === null : equalJson(was, value);
    if (isDone || (!equalJson(was, is) && !lacksEntry)) return [];
    const wanted = isAdded ? [value, ...was] : value;
    return [
      {
        message:
          `The ${name} of a record is ${lacksEntry ? 'only' : 'still'} ${showValue(is)} after a ` +
          `JSON Patch with the operation ${String(op)} for it.`,
        expected: op === 'remove' ? `no ${name}` : `${name} is ${showValue(wanted)}`,
        actual: `${name} is ${showValue(is)}`,
        cause: `patched ${String(op)}`,
        operation: patch.case.operation,
      },
    ];
  });
}

/**
 * A field that an update set to null, and that is as before: null clears it (RFC 7396, section 1),
 * or puts its default there. A field that every record shows with a value cannot be cleared.
 */
function nullIgnored(subject: CheckInput, written: Step, record: JsonObject): Violation[] {
  const before = readBefore(subject, written);
  const { body } = written.sent;
  const { resource } = roleOf(subject.contract, subject.operation) ?? {};
  if (before === undefined || !isJsonObject(body) || resource === undefined) return [];
  const created = createOf(subject)?.sent.body;
  const kept = Object.keys(body).find((name) => {
    const value = before[name];
    // A value that the create was not sent may be the default.
    const isOwn = isJsonObject(created) && equalJson(created[name] ?? null, value ?? null);
    return (
      body[name] === null &&
      isOwn &&
      canBeCleared(resource.record, name) &&
      saysSomething(value) &&
      equalJson(record[name] ?? null, value ?? null)
    );
  });
  if (kept === undefined) return [];
  return [
    {
      at: written.case.operation.pointer,
      message: `An update to null left ${kept} as it was: ${showValue(record[kept])}.`,
      expected: `no ${kept}, or its default`,
      actual: `${kept} is ${showValue(record[kept])}`,
      cause: 'null ignored',
    },
  ];
}

/** The fields whose values differ from those sent; undefined if that cannot be decided. */
function differencesFrom(
  subject: CheckInput,
  resource: Resource,
  { written, record }: { readonly written: Step; readonly record: JsonObject },
): readonly Difference[] | undefined {
  if (!isOfList(subject) && isAnother(subject, record, resource.identifier)) return undefined;
  const schema = mediaOf(written.case)?.schema;
  const { body } = written.sent;
  if (schema === undefined || !isJsonObject(body)) return undefined;
  if (Object.keys(body).length > 0 && !hasFieldsOf(resource, body)) return undefined;
  if (wrapsRecord(resource, body)) return undefined;
  // `body-matches-schema` reports a required field that is missing.
  const { required } = resource.record.flatten();
  return compareRecords(body, withKeysAsSent(resource, body, record), {
    schema,
    shown: shownForms(resource),
    absent: 'different',
    except: [resource.identifier.field, ...namesInPath(written.case.operation, subject.operation)],
  })
    .filter(({ field, got }) => got !== undefined || !(required.has(field) || isOfList(subject)))
    .filter((difference) => !isCompleted(subject, difference));
}

/** Whether the service adds to a list, as it did when the record was created. */
function isCompleted(subject: CheckInput, difference: Difference): boolean {
  const create = createOf(subject);
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const body = create?.sent.body ?? null;
  if (create === undefined || resource === undefined || !isJsonObject(body)) return false;
  const shown = shownRecord(resource, create.answer) ?? {};
  const { field } = difference;
  return isAddedTo(difference) && isAddedTo({ expected: body[field] ?? null, got: shown[field] });
}

function readOtherwise(
  written: Step,
  differences: readonly Difference[],
  field: Pointer | undefined,
): Violation {
  const names = differences.map(({ field: name }) => name).join(', ');
  const values = differences
    .map(({ expected, got }) => `${showValue(got)} instead of ${showValue(expected)}`)
    .join(', ');
  // A field that is missing may be hidden.
  const isDoubtful = differences.every(
    ({ got, rewritten }) => got === undefined || rewritten === true,
  );
  return {
    at: field ?? written.case.operation.pointer,
    message:
      `A record that was changed by ${written.case.operation.id} is read back ` +
      `with another ${names} than was sent: ${values}.`,
    expected: differences
      .map(({ field: name, expected }) => `${name} is ${showValue(expected)}`)
      .join(', '),
    actual: differences.map(({ field: name, got }) => `${name} is ${showValue(got)}`).join(', '),
    ...(isDoubtful ? { severity: 'warning' } : {}),
  };
}

/** `item-equals-entry` reports a read that returns another record. */
function isAnother(
  { sent }: CheckInput,
  record: JsonObject,
  { field, parameter }: Identifier,
): boolean {
  const asked = argumentNamed(sent, parameter);
  return record[field] !== undefined && !sameIdentifier(record[field], asked);
}

/** The last successful change of the same record. */
function lastWrite(
  { earlier, sent }: CheckInput,
  writers: readonly unknown[],
  parameter: string | undefined,
): Step | undefined {
  const last = earlier.findLast((step) => !isRefusedGuess(step));
  // `invalid-refused` reports an invalid change that was accepted.
  if (
    last?.case.intent.kind !== 'valid' ||
    !writers.includes(last.case.operation) ||
    !hasSuccess(last)
  )
    return undefined;
  const isSame =
    parameter === undefined ||
    String(argumentNamed(last.sent, parameter)) === String(argumentNamed(sent, parameter));
  return isSame ? last : undefined;
}

/** Whether a service refused what the run made up, so that the change before it still holds. */
function isRefusedGuess({ case: { intent }, exchange: { response } }: Step): boolean {
  const isGuess = intent.kind === 'valid' && intent.rigour === 'invented';
  return isGuess && isRefusal(response?.status ?? 0);
}

/**
 * The response to a change that was stored as sent: the record in it must be the new one, not the
 * old one.
 */
function answeredOtherwise(subject: CheckInput, written: Step): Violation[] {
  const { contract, operation } = subject;
  const resource = roleOf(contract, operation)?.resource;
  const [schema, { body }] = [mediaOf(written.case)?.schema, written.sent];
  // With 202, the change is still to come.
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
    .filter((one) => one.rewritten !== true && !isCompleted(subject, one))
    .slice(0, 1)
    .map(({ field, expected, got }) => ({
      at: written.case.operation.pointer,
      message:
        `${written.case.operation.id} returned another ${field} than it stored: ` +
        `${showValue(got)} instead of ${showValue(expected)}, which was sent and ` +
        'is read back.',
      expected: `${field} is ${showValue(expected)}`,
      actual: `${field} is ${showValue(got)}`,
      cause: 'answered',
    }));
}

/** Whether no value of a change was stored. */
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
 * The effect of a change on fields that it did not send: a PATCH keeps them (RFC 7396), a PUT does
 * not (RFC 9110, section 9.3.4).
 */
function besidesWhatWasSent(subject: CheckInput, written: Step, record: JsonObject): Violation[] {
  const role = roleOf(subject.contract, subject.operation);
  const before = readBefore(subject, written);
  const { body } = written.sent;
  if (role === undefined || before === undefined || !isJsonObject(body)) return [];
  const { operations, identifier, record: schema } = role.resource;
  const sent = new Set([identifier.field, ...Object.keys(body).map(ofForm)]);
  const unsent = membersWhere(before, (name, value) => !sent.has(name) && value !== null);
  const differences = compareRecords(unsent, record, {
    schema,
    absent: 'different',
    except: [identifier.field],
  });
  if (written.case.operation === operations.update)
    return (
      differences
        .filter(({ field, expected, got }) => !isKeptByServer(field) && !isOneMore(expected, got))
        .filter(({ field, got }) => !follows(role.resource, body, field) && !isHidden(subject, got))
        // A number that no client sets is computed; none may be left of it.
        .filter(({ field, expected, got }) => {
          const isNumber =
            typeof got === 'number' || (got === null && typeof expected === 'number');
          return !isNumber || isSettable(written, field);
        })
        .slice(0, 1)
        .map(({ field, pointer, expected, got }) => ({
          at: pointer,
          message:
            got === undefined
              ? `An update without ${field} removed it: it was ${showValue(expected)}.`
              : `An update without ${field} changed it: ${showValue(got)} ` +
                `instead of ${showValue(expected)}.`,
          expected: `${field} is ${showValue(expected)}, as before`,
          actual: `${field} is ${showValue(got)}`,
          cause: 'besides',
          // A field that is computed from another one changes with it. A field that a client set,
          // and one that is now empty, are not computed.
          ...(got === undefined ||
          got === null ||
          (typeof got !== 'number' &&
            typeof got !== 'boolean' &&
            !saysSomething(got) &&
            isSettable(written, field))
            ? {}
            : { severity: 'warning' as const }),
        }))
    );
  const same = Object.entries(unsent).filter(
    ([name, value]) => Object.hasOwn(record, name) && equalJson(record[name] ?? null, value),
  );
  return [staying(subject, written, Object.fromEntries(same))].flat();
}

/** Whether a client can set a field with the operation of a change. */
function isSettable(written: Step, field: string): boolean {
  const schema = mediaOf(written.case)?.schema;
  const properties = schema?.flatten().properties;
  const place = properties?.get(field) ?? properties?.get(`${field}[]`);
  return place !== undefined && schema?.flatten(place).node.readOnly !== true;
}

/**
 * Optional fields that a replacement left out and that are unchanged: it was merged, as in many
 * servers that have no other change. If the contract has an update too, a PUT must replace the
 * whole record (RFC 5789, section 1).
 */
function staying(subject: CheckInput, written: Step, unsent: JsonObject): Violation | Violation[] {
  const schema = mediaOf(written.case)?.schema;
  const flat = schema?.flatten();
  const nodeOf = (name: string): SchemaObject | undefined => {
    const place = flat?.properties.get(name);
    return place && schema?.flatten(place).node;
  };
  const isDefaulted = (name: string): boolean => nodeOf(name)?.default !== undefined;
  const left = Object.keys(unsent).filter((name) => {
    const node = nodeOf(name);
    if (node === undefined || node.readOnly === true) return false;
    if (isDefaulted(name))
      return (
        !equalJson(node.default ?? null, unsent[name] ?? null) && wasGiven(subject, unsent, name)
      );
    return (
      node.enum === undefined &&
      wasSent(subject, unsent[name], name) &&
      !isRequiredByCreate(subject, name) &&
      !isShownByContract(subject, unsent[name], name)
    );
  });
  const [name] = left;
  if (name === undefined) return [];
  return {
    at: written.case.operation.pointer,
    message:
      `A replacement without ${left.join(', ')} did not replace the ` +
      `whole record: ${left.length === 1 ? 'it is' : 'they are'} as before ` +
      `(${name} is ${showValue(unsent[name])}).`,
    expected: `no ${name}, or the default of the server`,
    actual: `${name} is ${showValue(unsent[name])}`,
    ...(roleOf(subject.contract, subject.operation)?.resource.operations.update === undefined &&
    !left.some(isDefaulted)
      ? { severity: 'warning' as const }
      : {}),
    cause: 'merged',
  };
}

/** The record as it was read just before the change. */
function readBefore(subject: CheckInput, written: Step): JsonObject | undefined {
  const { earlier, operation } = subject;
  const step = earlier[earlier.indexOf(written) - 1];
  const value = step && shownBy(subject, step, written);
  return step?.case.operation === operation && hasSuccess(step) && isJsonObject(value)
    ? value
    : undefined;
}
