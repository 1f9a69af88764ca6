import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { makeRandom } from '../../values/random.ts';
import { prefixOf } from './identifier-prefix.ts';
import { fieldsOf } from './schema-fields.ts';

/** What an identifier is made from. */
export interface IdentifierSeed {
  readonly index: number;
  readonly seed: string;
  /** The texts of those that are given already. */
  readonly taken: ReadonlySet<string>;
  readonly suggested: JsonValue | undefined;
}

const mostAttempts = 20;

/** An identifier that keeps its schema and is free: a number counted from the smallest, or a text. Undefined where none is found. */
export function makeIdentifier(resource: Resource, need: IdentifierSeed): JsonValue | undefined {
  const schema = fieldsOf(resource.record).get(resource.identifier.field)?.schema;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const made = resource.identifier.type === 'integer' ? integerOf(schema?.flatten().node.minimum, need.index + attempt) : textOf(resource, need, attempt);
    if (made !== undefined && !need.taken.has(String(made)) && (schema === undefined || schema.validate(made, 'response').length === 0)) return made;
  }
  return undefined;
}

function integerOf(minimum: number | bigint | undefined, index: number): JsonValue {
  const least = minimum ?? 1;
  return typeof least === 'bigint' ? least + BigInt(index) : Math.ceil(least) + index;
}

function textOf({ identifier, record }: Resource, { seed, suggested, taken }: IdentifierSeed, attempt: number): JsonValue | undefined {
  const random = makeRandom(`${seed} identifier ${String(attempt)}`);
  const digits = (count: number): string => Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join('');
  if (identifier.format === 'uuid') return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
  const schema = fieldsOf(record).get(identifier.field)?.schema;
  const prefix = schema && prefixOf(schema);
  if (prefix !== undefined) return `${prefix}${digits(12)}`;
  if (attempt === 0 && typeof suggested === 'string' && !taken.has(suggested)) return suggested;
  const made = schema && plainValue(schema, { seed: `${seed} ${String(attempt)}`, direction: 'response' });
  const text = made?.ok === true ? made.value : undefined;
  return typeof text === 'string' && taken.has(text) ? `${text}-${digits(4)}` : text;
}
