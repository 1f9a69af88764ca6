import type { Resource, Schema } from '../../../contract/model.ts';
import { shownValues } from '../../../contract/model/operation.ts';
import type { JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../schema-fields.ts';

/**
 * What an identifier has to keep: the schema of the record's field, and that of the path parameter
 * which carries it.
 */
export interface IdentifierRules {
  readonly field: Schema | undefined;
  readonly parameter: Schema | undefined;
  /** The examples that the contract has for that path parameter. */
  readonly shown: readonly JsonValue[];
}

const known = new WeakMap<Resource, IdentifierRules>();

/** The rules of a resource's identifiers. */
export function identifierRules(resource: Resource): IdentifierRules {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const { record, identifier, operations } = resource;
  const items = [operations.read, operations.replace, operations.update, operations.delete].filter(
    (operation) => operation !== undefined,
  );
  const carrier = items.flatMap(
    ({ parameters }) =>
      parameters.find(
        (parameter) => parameter.in === 'path' && parameter.name === identifier.parameter,
      ) ?? [],
  )[0];
  const rules = {
    field: fieldsOf(record).get(identifier.field)?.schema,
    parameter: carrier?.schema,
    shown: carrier === undefined ? [] : shownValues(carrier),
  };
  known.set(resource, rules);
  return rules;
}

/** Whether the record's field may hold an identifier. */
export function isFit({ field }: IdentifierRules, id: JsonValue): boolean {
  return field === undefined || field.validate(id, 'response').length === 0;
}

/**
 * Whether a path can carry an identifier too. Some contracts have as a text in the path what is an
 * integer in the record.
 */
export function isReachable({ parameter }: IdentifierRules, id: JsonValue): boolean {
  if (parameter === undefined) return true;
  // A segment that is empty leads to the collection.
  return (
    id !== '' &&
    (parameter.validate(id, 'request').length === 0 ||
      (typeof id !== 'string' && parameter.validate(String(id), 'request').length === 0))
  );
}

/** The smallest integer that both allow; 1 where neither says. */
export function leastInteger({ field, parameter }: IdentifierRules): bigint {
  const [most] = [field, parameter]
    .flatMap((schema) => leastOf(schema) ?? [])
    .sort((left, right) => Number(right - left));
  return most ?? 1n;
}

function leastOf(schema: Schema | undefined): bigint | undefined {
  const { minimum, exclusiveMinimum } = schema?.flatten().node ?? {};
  const whole = (bound: number | bigint): bigint =>
    typeof bound === 'bigint' ? bound : BigInt(Math.ceil(bound));
  if (minimum !== undefined) return whole(minimum);
  return exclusiveMinimum === undefined
    ? undefined
    : whole(
        typeof exclusiveMinimum === 'bigint' ? exclusiveMinimum : Math.floor(exclusiveMinimum),
      ) + 1n;
}
