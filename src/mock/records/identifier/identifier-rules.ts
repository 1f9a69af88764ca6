import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import { recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Parameter, Resource, Schema } from '../../../contract/model.ts';
import { shownValues } from '../../../contract/model/operation.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { fromInteger } from '../../../json/decimal.ts';
import type { JsonValue } from '../../../json/value.ts';
import { type MaybePromise, type Collection, type Store, whenReady } from '../../../store/store.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { regexText } from '../../../values/regex-text.ts';
import { fieldsOf } from '../record-fields.ts';
import { hasFullNames } from './full-name.ts';
import { areOrdered, laterIdentifiers } from './ordered-identifier.ts';

/** The rules of an identifier: the schema of the record's field, and of the path parameter. */
export interface IdentifierRules {
  readonly field: Schema | undefined;
  readonly parameter: Schema | undefined;
  /** The examples of that path parameter. */
  readonly shown: readonly JsonValue[];
  /** Whether the answer to a create shows it as an integer, whatever the records do. */
  readonly isAnsweredAsInteger: boolean;
}

export const identifierRules = oncePerResource(readRules);

function readRules(resource: Resource): IdentifierRules {
  const { record, identifier } = resource;
  // What is made here may be read there: `POST /users/{user}/things`, `GET /things/{id}`.
  const carrier = carrierOf(resource) ?? (resource.shows && carrierOf(resource.shows));
  return {
    field: hasFullNames(resource) ? undefined : fieldsOf(record).get(identifier.field)?.schema,
    parameter: carrier?.schema,
    shown: carrier === undefined ? [] : shownValues(carrier),
    isAnsweredAsInteger: isAnsweredAsInteger(resource),
  };
}

/** The path parameter that carries the identifier. */
function carrierOf({ identifier, operations }: Resource): Parameter | undefined {
  const { read, replace, update, delete: remove } = operations;
  return [read, replace, update, remove].flatMap(
    (operation) =>
      operation?.parameters.find(
        (parameter) => parameter.in === 'path' && parameter.name === identifier.parameter,
      ) ?? [],
  )[0];
}

function isAnsweredAsInteger({ record, identifier, operations }: Resource): boolean {
  const { create } = operations;
  const answer = create && recordPlace(create, record)?.schema;
  const types = answer && fieldsOf(answer).get(identifier.field)?.flat.types;
  return types?.length === 1 && types[0] === 'integer';
}

/** Whether an identifier is valid in the record's field. */
export function isFit({ field }: IdentifierRules, id: JsonValue): boolean {
  return field === undefined || field.validate(id, 'response').length === 0;
}

/**
 * Whether an identifier is valid in a path. Some contracts have a text in the path and an integer
 * in the record.
 */
export function isReachable({ parameter }: IdentifierRules, id: JsonValue): boolean {
  if (parameter === undefined) return true;
  // An empty segment would address the collection.
  return (
    id !== '' &&
    (parameter.validate(id, 'request').length === 0 ||
      parameter.validate(otherType(id), 'request').length === 0)
  );
}

/** An identifier in its other type: 5 for "5", and the reverse. */
function otherType(id: JsonValue): JsonValue {
  if (typeof id !== 'string') return String(id);
  return /^(0|[1-9]\d{0,30})$/.test(id) ? fromInteger(BigInt(id)) : id;
}

/**
 * Whether identifiers are texts in the record, and integers in the path or in answers to creates,
 * or texts of digits alone: one made at random may be what other records name already.
 */
export function areDigits(
  rules: IdentifierRules,
  { identifier }: Pick<Resource, 'identifier'>,
): boolean {
  const { parameter, isAnsweredAsInteger: isAnswered } = rules;
  const types = parameter?.flatten().types ?? [];
  const isCarried =
    types.length <= 2 && types.some((type) => type === 'integer' || type === 'number');
  const isOnly = isFit(rules, '7') && isFit(rules, '4031') && !isFit(rules, '7a');
  return identifier.type === 'string' && (isCarried || isAnswered || isOnly);
}

/** The smallest integer that both schemas allow; 1 without a minimum. */
export function leastInteger({ field, parameter }: IdentifierRules): bigint {
  const [max] = [field, parameter]
    .flatMap((schema) => leastOf(schema) ?? [])
    .sort((left, right) => Number(right - left));
  return max ?? 1n;
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

export interface IdentifierNeed {
  readonly resource: Resource;
  readonly store: Store;
  readonly collection: Collection;
  readonly makeId: () => string;
  readonly now: Date;
}

const maxAttempts = 100;

/**
 * The first candidate for a new identifier: the next integer of the store's counter, or a generated
 * text. Undefined if no valid one exists.
 */
export function firstIdentifier({
  resource,
  store,
  collection,
  makeId,
  now,
}: IdentifierNeed): MaybePromise<JsonValue | undefined> {
  const rules = identifierRules(resource);
  if (areOrdered(resource))
    return whenReady(store.list(collection), (records) =>
      [...laterIdentifiers(records, now), ...makeTexts(makeId, rules)].find((text) =>
        isFit(rules, text),
      ),
    );
  const isText = areDigits(rules, resource);
  if (resource.identifier.type !== 'integer' && !isText) return makeTexts(makeId, rules)[0];
  return whenReady(store.nextInteger(collection), (integer) => {
    const next = isText ? String(integer) : fromInteger(integer);
    return isFit(rules, next) && isReachable(rules, next) ? next : undefined;
  });
}

/**
 * Further valid identifiers; the caller uses the first free one. Integers count up from the
 * smallest. Those that no path can contain come last.
 */
export async function* otherIdentifiers(need: IdentifierNeed): AsyncGenerator<JsonValue> {
  const rules = identifierRules(need.resource);
  if (need.resource.identifier.type === 'integer') yield* proposeIntegers(need, rules);
  else yield* proposeTexts(need, rules);
}

async function* proposeIntegers(
  { store, collection }: IdentifierNeed,
  rules: IdentifierRules,
): AsyncGenerator<JsonValue> {
  const taken = new Set((await store.list(collection)).map(({ id }) => id));
  const least = leastInteger(rules);
  const fitting = (candidate: bigint): boolean => isFit(rules, fromInteger(candidate));
  for (
    let candidate = least;
    fitting(candidate) && isReachable(rules, fromInteger(candidate));
    candidate += 1n
  ) {
    if (!taken.has(String(candidate))) yield fromInteger(candidate);
  }
  const greatest = [...taken]
    .flatMap((id) => (/^\d{1,30}$/.test(id) ? [BigInt(id)] : []))
    .reduce((max, id) => (id > max ? id : max), least);
  for (let candidate = fitting(greatest) ? greatest : least; fitting(candidate); candidate += 1n) {
    if (!taken.has(String(candidate))) yield fromInteger(candidate);
  }
}

function* proposeTexts({ makeId }: IdentifierNeed, rules: IdentifierRules): Generator<JsonValue> {
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    yield* makeTexts(makeId, rules);
  }
}

/**
 * A generated text; for schemas that do not allow it, such as those with a pattern, another one.
 * Those that no path can contain come last.
 */
function makeTexts(makeId: () => string, rules: IdentifierRules): JsonValue[] {
  const prefix = rules.field && prefixOf(rules.field);
  const id = prefix === undefined ? makeId() : prefix + makeId().replaceAll('-', '');
  const suits = (candidate: JsonValue): boolean =>
    isFit(rules, candidate) && isReachable(rules, candidate);
  if (suits(id)) return [id];
  const made = [rules.parameter, rules.field].flatMap((schema) => madeBy(schema, id));
  const reachable = made.filter(suits);
  return reachable.length > 0
    ? reachable
    : [id, ...made].filter((candidate) => isFit(rules, candidate));
}

/** First the example of the contract, which is always the same; then texts from the seed. */
function madeBy(schema: Schema | undefined, seed: string): JsonValue[] {
  if (schema === undefined) return [];
  const made = plainValue(schema, { seed, direction: 'response' });
  const { pattern, minLength = 1, maxLength = Infinity } = schema.flatten().node;
  const matching =
    pattern === undefined
      ? seed
          .replaceAll('-', '')
          .padStart(Math.min(Number(minLength), 100), '0')
          .slice(0, Number(maxLength))
      : regexText(pattern, { min: minLength, max: maxLength }, seed);
  return [
    ...(made.ok && typeof made.value === 'string' ? [made.value] : []),
    ...(matching === undefined ? [] : [matching]),
  ];
}

/** The prefix of identifiers in an example: `cus_` of `cus_9s6XKzkNRiz8i3`. */
export function prefixOf(schema: Schema): string | undefined {
  const { node } = schema.flatten();
  if (node.format !== undefined || node.pattern !== undefined || node.enum !== undefined)
    return undefined;
  const shown = [...shownBy(node), node.default];
  const [prefix] = shown.flatMap((example) =>
    typeof example === 'string'
      ? (/^[A-Za-z]{2,12}[_-](?=[A-Za-z0-9]*\d)/.exec(example)?.[0] ?? [])
      : [],
  );
  return prefix;
}
