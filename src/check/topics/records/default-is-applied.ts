import { planFieldRules } from './field-rules.ts';
import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { LocatedNode, Operation, Resource, Schema } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { hasSuccess, roleOf, showValue, type Step } from '../../model/step.ts';
import { compareRecords, isHidden } from '../../reading/compare-records.ts';
import { answersRecord, saysSomething } from '../../reading/shown-fields.ts';
import { creates } from '../../reading/created-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { mediaOf } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { operationSays } from '../../../contract/words/facts.ts';

/** A field that a new record was not sent has its default. */
export const defaultIsApplied = check({
  id: 'default-is-applied',
  basis: 'contract',
  harm: 'results',
  rule:
    'A field with a `default` that a create or a replacement does not send has that default in ' +
    'the response.',
  reason: 'Clients leave fields out because the contract states what the service assumes then.',
  example: [
    '> POST /items',
    '> {"name": "one"}',
    '< 201 Created',
    '< {"id": 7, "name": "one", "currency": "CHF"}   (currency has the default EUR)',
  ],
  plan: [{ at: 'stories', all: planFieldRules }],
  intents: ['valid'],
  inspect(subject) {
    const written = unshownCreate(subject) ?? subject;
    const { case: testCase, sent, exchange } = written;
    const { operation } = testCase;
    const schema = mediaOf(testCase)?.schema;
    if (
      testCase.intent.kind !== 'valid' ||
      schema === undefined ||
      !isJsonObject(sent.body) ||
      !isWhole(subject, operation) ||
      !hasSuccess({ exchange })
    )
      return undefined;
    const resource = roleOf(subject.contract, operation)?.resource;
    const record =
      written === subject
        ? recordIn(subject, subject)
        : resource && shownRecord(resource, subject.answer);
    if (record === undefined) return undefined;
    const { body } = sent;
    return [...schema.flatten().properties].flatMap(([name, place]) =>
      Object.hasOwn(body, name)
        ? []
        : [missed(subject, { name, place, schema, record })].flat().map((fault) => ({
            ...fault,
            operation,
          })),
    );
  },
});

/** The create right before a read of its record, whose own answer does not show it. */
function unshownCreate({ contract, operation, earlier, exchange }: CheckInput): Step | undefined {
  const { resource, action } = roleOf(contract, operation) ?? {};
  const last = earlier.at(-1);
  if (action !== 'read' || resource === undefined || last === undefined) return undefined;
  const isMade = creates(resource, last.case) && hasSuccess(last) && hasSuccess({ exchange });
  return isMade && !answersRecord(last.case.operation, resource) ? last : undefined;
}

/** Whether the body of a request is all that a client says of the record. */
function isWhole({ contract }: CheckInput, operation: Operation): boolean {
  const role = roleOf(contract, operation);
  if (role !== undefined) return role.action === 'create' || role.action === 'replace';
  return operation.method === 'POST';
}

/** The record in a response; undefined where the response is not what the request describes. */
function recordIn({ contract, operation }: CheckInput, step: Step): JsonObject | undefined {
  const resource: Resource | undefined = roleOf(contract, operation)?.resource;
  if (resource !== undefined)
    return answersRecord(operation, resource) ? shownRecord(resource, step.answer) : undefined;
  const value = jsonOf(step.answer);
  const [asked, answered] = [mediaOf(step.case)?.schema, successSchema(operation)].map(
    (schema) => schema?.flatten().pointer,
  );
  return asked !== undefined && asked === answered && isJsonObject(value) ? value : undefined;
}

interface Field {
  readonly name: string;
  readonly place: LocatedNode;
  readonly schema: Schema;
  readonly record: JsonObject;
}

function missed(
  subject: CheckInput,
  { name, place, schema, record }: Field,
): Violation | Violation[] {
  const { default: assumed } = schema.flatten(place).node;
  if (assumed === undefined || isHidden(schema, place)) return [];
  const got = Object.hasOwn(record, name) ? record[name] : undefined;
  // Many services leave out 0, false and what is empty.
  if (got === undefined && (!saysSomething(assumed) || !isShownBefore(subject, name))) return [];
  const isSame =
    got !== undefined &&
    compareRecords(
      { [name]: assumed },
      { [name]: got },
      { schema, absent: 'different', except: [] },
    ).length === 0;
  // `body-matches-schema` reports a value that the schema rejects.
  if (isSame || breaksResponse(subject, name, got)) return [];
  const others = roleOf(subject.contract, subject.operation);
  return {
    at: place.pointer,
    message:
      `A record that was sent without ${name} has ` +
      `${got === undefined ? 'none' : `the ${name} ${showValue(got)}`}; the contract states ` +
      `the default ${showValue(assumed)}.`,
    expected: `${name} is ${showValue(assumed)}, the default`,
    actual: got === undefined ? `no ${name}` : `${name} is ${showValue(got)}`,
    momentary: true,
    // Services that have no other change merge what a PUT sends.
    ...(others?.action === 'replace' && others.resource.operations.update === undefined
      ? mergedSeverity(subject, name, got)
      : {}),
  };
}

/** A value that an earlier step of the sequence sent, and a replacement did not, was merged. */
function mergedSeverity(
  { earlier, operation }: CheckInput,
  name: string,
  got: JsonValue | undefined,
): Pick<Violation, 'severity'> {
  const wasSent = earlier.some(
    ({ sent: { body } }) => isJsonObject(body) && Object.hasOwn(body, name) && got !== undefined,
  );
  return wasSent && !operationSays(operation, 'applies-defaults') ? { severity: 'warning' } : {};
}

/** Whether an earlier response to the operation had the field: the service shows it. */
function isShownBefore(subject: CheckInput, name: string): boolean {
  return subject.earlier.some((step) => {
    const record = step.case.operation === subject.operation ? recordIn(subject, step) : undefined;
    return record !== undefined && (record[name] ?? null) !== null;
  });
}

function breaksResponse(
  { contract, operation }: CheckInput,
  name: string,
  got: JsonValue | undefined,
): boolean {
  const shown = roleOf(contract, operation)?.resource.record ?? successSchema(operation);
  const place = shown?.flatten().properties.get(name);
  if (got === undefined) return shown?.flatten().required.has(name) === true;
  return (
    place !== undefined &&
    shown !== undefined &&
    shown.part(place).validate(got, 'response').length > 0
  );
}
