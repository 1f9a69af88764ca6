import type { Pointer } from '../../../json/pointer.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { isSuccess } from '../../../http/message.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { readFields, type UndocumentedFields } from '../../reading/undocumented-fields.ts';
import { showValue } from '../../model/step.ts';
import type {
  CheckInput,
  Drift,
  RunKnowledge,
  SeenField,
  Violation,
} from '../../model/knowledge.ts';
import { check } from '../check.ts';

/**
 * Responses have only the fields that the contract documents. Others are reported once for each
 * schema, with a proposal for the contract.
 */
export const fieldsDocumented = check({
  id: 'fields-documented',
  basis: 'advice',
  severity: 'note',
  harm: 'form',
  rule:
    'The objects in a response have only the fields that their schemas declare. ' +
    'Undocumented fields are reported with a schema that would declare them. A success that has ' +
    'none of the documented fields and has others is a warning.',
  reason:
    'Clients use the fields that they see: an undocumented field becomes a dependency, ' +
    'and its removal breaks them.',
  example: [
    '> GET /items/7',
    '< {"id": 7, "name": "one", "internalRank": 4}   (the contract names id and name)',
  ],
  confirm: 'once',
  needs: ['drift'],
  inspect(subject) {
    const objects = readFields(subject);
    if (objects.length === 0) return undefined;
    if (!objects.some(isBeyond)) return [];
    const another = anotherObject(subject, objects);
    // The knowledge of the whole run is read only if this response has such fields.
    return [
      ...(another === undefined ? [] : [another]),
      ...violationsOf(objects, subject.knowledge),
    ];
  },
});

function isBeyond({ fields }: UndocumentedFields): boolean {
  return fields.length > 0;
}

/**
 * A success whose body has members, and none of those that the contract documents, although its
 * schema allows that; `body-matches-schema` reports a schema that does not.
 */
function anotherObject(
  { answer, operation, exchange: { response } }: CheckInput,
  objects: readonly UndocumentedFields[],
): Violation | undefined {
  // The body itself is read after what it holds.
  const whole = objects.at(-1);
  if (whole === undefined || answer.kind !== 'json' || !isJsonObject(answer.value))
    return undefined;
  const { value, mediaType } = answer;
  const names = Object.keys(value);
  const isWhole =
    whole.fields.length === names.length &&
    whole.fields.every(([name, member]) => value[name] === member);
  const { status = 0 } = response ?? {};
  if (!isWhole || names.length === 0 || !isSuccess(status)) return undefined;
  const { content = [] } = selectResponse(operation, status) ?? {};
  const { schema } = selectMediaType(content, mediaType) ?? {};
  if (schema === undefined || schema.validate(value, 'response').length > 0) return undefined;
  const shown = names.slice(0, maxNamed).join(', ');
  return {
    at: whole.pointer,
    message:
      `${operation.id} answered ${String(status)} with none of the fields that the ` +
      `contract documents, and with ${shown}.`,
    expected: 'the documented fields, or some of them',
    actual: shown,
    severity: 'warning',
    cause: 'another object',
  };
}

/** One violation for each schema. */
function violationsOf(
  objects: readonly UndocumentedFields[],
  knowledge: RunKnowledge,
): Violation[] {
  const drifted = new Set(objects.filter(isBeyond).map(({ pointer }) => pointer));
  return [...drifted].flatMap((pointer) => {
    const drift = knowledge.drift.get(pointer);
    return drift === undefined ? [] : [violationOf(pointer, drift)];
  });
}

const maxNamed = 12;

function violationOf(at: Pointer, { objects, fields }: Drift): Violation {
  const proposed: JsonObject = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  return {
    at,
    message:
      'Responses have ' +
      `${fields.length === 1 ? 'a field' : `${String(fields.length)} fields`} ` +
      `that the contract does not document: ${listed(fields, objects)}.`,
    expected: `only documented fields; the contract could add these properties: ${fields
      .slice(0, maxNamed)
      .map(({ name, schema }) => `${name}: ${showSchema(schema)}`)
      .join(', ')}`,
    actual: fields
      .slice(0, maxNamed)
      .map(({ name }) => name)
      .join(', '),
    blame: 'contract',
    proposal: { at, update: { properties: proposed } },
  };
}

function listed(fields: readonly SeenField[], objects: number): string {
  const named = fields
    .slice(0, maxNamed)
    .map(({ name, count }) =>
      count >= objects ? name : `${name} (in ${String(count)} of ${String(objects)})`,
    );
  return [
    ...named,
    ...(fields.length > maxNamed ? [`${String(fields.length - maxNamed)} others`] : []),
  ].join(', ');
}

/** A schema in the flow style of YAML, ready to be pasted. */
function showSchema(schema: JsonObject): string {
  return showValue(schema)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ')
    .replaceAll(/[{]/g, '{ ')
    .replaceAll(/[}]/g, ' }');
}
