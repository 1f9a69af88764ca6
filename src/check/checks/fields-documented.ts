import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import { readFields, type UndocumentedFields } from '../evidence/fields/undocumented-fields.ts';
import { showValue } from '../evidence/phrases.ts';
import type { Drift, RunKnowledge, SeenField } from '../model/knowledge.ts';
import type { Check, Violation } from './check.ts';

/**
 * Answers show only what the contract names: what they show besides is told once for each schema,
 * with what the contract could say.
 */
export const fieldsDocumented = {
  id: 'fields-documented',
  basis: 'advice',
  severity: 'note',
  rule:
    'The objects in an answer have only the fields that their schemas name; ' +
    'what else is seen comes with a schema that would name it.',
  reason:
    'Clients use what they see: a field that no contract names is built ' +
    'upon, and breaks them when it goes.',
  proof: 'once',
  needs: ['drift'],
  inspect(subject) {
    const objects = readFields(subject);
    if (objects.length === 0) return undefined;
    // What the whole run knows is asked for only where there is something to say.
    return objects.some(isBeyond) ? tellAll(objects, subject.knowledge) : [];
  },
} as const satisfies Check;

function isBeyond({ fields }: UndocumentedFields): boolean {
  return fields.length > 0;
}

/** One for each schema. */
function tellAll(objects: readonly UndocumentedFields[], knowledge: RunKnowledge): Violation[] {
  const drifted = new Set(objects.filter(isBeyond).map(({ pointer }) => pointer));
  return [...drifted].flatMap((pointer) => {
    const drift = knowledge.drift.get(pointer);
    return drift === undefined ? [] : [tell(pointer, drift)];
  });
}

const mostNamed = 12;

function tell(at: Pointer, { objects, fields }: Drift): Violation {
  const proposed: JsonObject = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  return {
    at,
    message:
      'Answers show ' +
      `${fields.length === 1 ? 'a field' : `${String(fields.length)} fields`} ` +
      `that the contract does not name: ${listed(fields, objects)}.`,
    expected: `only fields that the contract names; it could name ${fields.length === 1 ? 'this one' : 'these'} under properties: ${fields
      .slice(0, mostNamed)
      .map(({ name, schema }) => `${name}: ${showSchema(schema)}`)
      .join(', ')}`,
    actual: fields
      .slice(0, mostNamed)
      .map(({ name }) => name)
      .join(', '),
    blame: 'contract',
    proposal: { at, update: { properties: proposed } },
  };
}

function listed(fields: readonly SeenField[], objects: number): string {
  const named = fields
    .slice(0, mostNamed)
    .map(({ name, count }) =>
      count >= objects ? name : `${name} (in ${String(count)} of ${String(objects)})`,
    );
  return [
    ...named,
    ...(fields.length > mostNamed ? [`${String(fields.length - mostNamed)} others`] : []),
  ].join(', ');
}

/** A schema in the flow style of YAML, which is how it can be pasted. */
function showSchema(schema: JsonObject): string {
  return showValue(schema)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ')
    .replaceAll(/[{]/g, '{ ')
    .replaceAll(/[}]/g, ' }');
}
