import { hasKnownRecords } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { makeRandom } from '../../../values/random.ts';
import {
  identifierRules,
  isFit,
  isReachable,
  leastInteger,
} from '../identifier/identifier-rules.ts';
import { prefixOf } from '../identifier/identifier-prefix.ts';
import { toInteger } from '../known-values.ts';
import { fieldsOf } from '../schema-fields.ts';

/** What an identifier is made from. */
export interface IdentifierSeed {
  readonly index: number;
  readonly seed: string;
  /** The texts of those that are given already. */
  readonly taken: ReadonlySet<string>;
  readonly suggested: JsonValue | undefined;
}

const mostAttempts = 20;

/**
 * An identifier that keeps its schema and is free, and that a path can carry where there is one: a
 * number counted from the smallest, or a text. Undefined where none is found.
 */
export function makeIdentifier(resource: Resource, need: IdentifierSeed): JsonValue | undefined {
  const rules = identifierRules(resource);
  let unreachable: JsonValue | undefined;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const made =
      resource.identifier.type === 'integer'
        ? toInteger(leastInteger(rules) + BigInt(need.index + attempt))
        : textOf(resource, need, attempt);
    if (made === undefined || need.taken.has(String(made)) || !isFit(rules, made)) continue;
    if (isReachable(rules, made)) return made;
    unreachable ??= made;
  }
  return unreachable;
}

/**
 * The identifier that the contract itself asks for, where no operation tells a client of another.
 */
export function shownIdentifier(resource: Resource): JsonValue | undefined {
  if (hasKnownRecords(resource)) return undefined;
  const rules = identifierRules(resource);
  return rules.shown.find(
    (shown) => isScalar(shown) && shown !== '' && isFit(rules, shown) && isReachable(rules, shown),
  );
}

/** All identifiers there can be, where the contract names them one by one; else none. */
export function namedIdentifiers(resource: Resource): readonly string[] {
  const { parameter, field } = identifierRules(resource);
  const values = parameter?.flatten().node.enum ?? field?.flatten().node.enum ?? [];
  return values.filter((value) => typeof value === 'string');
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

function textOf(
  resource: Resource,
  { seed, suggested, taken }: IdentifierSeed,
  attempt: number,
): JsonValue | undefined {
  const { identifier, record } = resource;
  const named = namedIdentifiers(resource);
  if (named.length > 0) return named.find((name) => !taken.has(name));
  const random = makeRandom(`${seed} identifier ${String(attempt)}`);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join('');
  if (identifier.format === 'uuid')
    return `${digits(8)}-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(12)}`;
  const schema = fieldsOf(record).get(identifier.field)?.schema;
  const prefix = schema && prefixOf(schema);
  if (prefix !== undefined) return `${prefix}${digits(12)}`;
  if (attempt === 0 && typeof suggested === 'string' && !taken.has(suggested)) return suggested;
  // The path may want more of it than the record, or the other way round: they take turns.
  const maker = attempt % 2 === 1 ? (identifierRules(resource).parameter ?? schema) : schema;
  const made =
    maker && plainValue(maker, { seed: `${seed} ${String(attempt)}`, direction: 'response' });
  const text = made?.ok === true ? made.value : undefined;
  return typeof text === 'string' && taken.has(text) ? `${text}-${digits(4)}` : text;
}
