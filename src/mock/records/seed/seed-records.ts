import { answersAnyIdentifier, hasKnownRecords } from '../../../contract/infer/record-fields.ts';
import type { Contract, ForeignKey, Operation, Resource, Schema } from '../../../contract/model.ts';
import { successResponses } from '../../../contract/select-response.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import { emptyCollection, FixtureCollection } from '../../../store/fixture-collection.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import type { Fixtures, StoredRecord } from '../../../store/store.ts';
import type { Pin } from '../../../values/build-orders.ts';
import { formPins } from '../../../values/forms.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { makeRandom } from '../../../values/random.ts';
import { onlyRecord, textOf } from '../find-record.ts';
import {
  identifierRules,
  isFit,
  isReachable,
  leastInteger,
  prefixOf,
} from '../identifier/identifier-rules.ts';
import { fieldsOf, toInteger } from '../record-fields.ts';
import { withField, withParents } from '../parent-fields.ts';
import { collectionName, collectionOwner, collectionParents } from '../collection-name.ts';

/** What the records that a session starts with are made from. */
export interface SeedSource {
  readonly contract: Pick<Contract, 'inference'>;
  readonly fixtures: Fixtures;
  /**
   * How many records are made up where neither fixtures nor the contract have any; 0 starts empty.
   */
  readonly count: number;
  readonly seed: string;
}

/**
 * Collections below records of which nobody knows which there are may be any number; so many are
 * remembered.
 */
const mostCollections = 1_000;

const mostNamed = 20;

/**
 * The records with which collections start that no fixture fills: the contract's examples, else
 * made up. The same seed makes the same ones.
 */
export class SeedRecords {
  readonly #source: SeedSource;
  readonly #made = new RecentMap<string, FixtureCollection>(mostCollections);
  readonly #making = new Set<string>();

  constructor(source: SeedSource) {
    this.#source = source;
  }

  /**
   * The records of a collection; undefined where it starts empty, or the fixtures say what stands
   * there.
   */
  of(collection: string): FixtureCollection | undefined {
    if (this.#source.fixtures.has(collection)) return undefined;
    const known = this.#made.get(collection);
    // What is known to start empty is told apart from what nobody has asked for.
    if (known !== undefined) return known === emptyCollection ? undefined : known;
    // Records that refer to each other in a circle: the one that was begun first goes without.
    if (this.#making.has(collection)) return undefined;
    this.#making.add(collection);
    const records = this.#make(collection);
    this.#making.delete(collection);
    const made =
      records.length === 0 ? emptyCollection : new FixtureCollection(collection, records);
    this.#made.set(collection, made);
    return records.length === 0 ? undefined : made;
  }

  #make(collection: string): readonly StoredRecord[] {
    const parents = collectionParents(collection);
    const resource = this.#source.contract.inference.named(collectionOwner(collection));
    if (
      resource === undefined ||
      resource.parents.length !== parents.length ||
      !this.#hasParents(resource, parents)
    )
      return [];
    if (resource.kind === 'singleton') return this.#makeOnly(resource, collection);
    if (this.#source.count === 0 || answersAnyIdentifier(resource)) return [];
    const shown = exampleRecords(resource).map((record) => withParents(record, resource, parents));
    const records = shown.length > 0 ? shown : this.#makeUp(resource, collection, parents);
    const byId = new Map(
      records.map((record) => [textOf(record[resource.identifier.field] ?? ''), record]),
    );
    return [...byId].map(([id, record]) => ({ id, record }));
  }

  /**
   * A record that was added by a client starts with nothing below it; those that were there from
   * the start have had time.
   */
  #hasParents({ parents }: Resource, texts: readonly string[]): boolean {
    return parents.every(({ resource }, index) => {
      if (resource === undefined || !hasKnownRecords(resource)) return true;
      const collection = collectionName(resource, texts.slice(0, index));
      return this.#start(collection).some(({ id }) => id === texts[index]);
    });
  }

  /** What a collection starts with, from fixtures or made. */
  #start(collection: string): readonly StoredRecord[] {
    return this.#source.fixtures.get(collection) ?? this.of(collection)?.records ?? [];
  }

  #makeOnly(resource: Resource, collection: string): readonly StoredRecord[] {
    const [shown] = exampleRecords(resource);
    const record = shown ?? this.#makeOne(resource, `${collection} ${onlyRecord}`);
    return record === undefined ? [] : [{ id: onlyRecord, record }];
  }

  #makeUp(resource: Resource, collection: string, parents: readonly string[]): JsonObject[] {
    const records: JsonObject[] = [];
    // Records that nobody can add are there, each of those that have a name.
    const count =
      resource.operations.create === undefined
        ? Math.max(this.#source.count, Math.min(mostNamed, namedIdentifiers(resource).length))
        : this.#source.count;
    for (let index = 0; index < count; index += 1) {
      const taken = new Set(
        records.map((record) => textOf(record[resource.identifier.field] ?? '')),
      );
      const seed = `${this.#source.seed} ${collection} ${String(index)}`;
      const made =
        this.#makeOne(resource, seed, formOf(resource, index)) ?? this.#makeOne(resource, seed);
      const id =
        made &&
        ((index === 0 ? shownIdentifier(resource) : undefined) ??
          makeIdentifier(resource, {
            index,
            seed,
            taken,
            suggested: made[resource.identifier.field],
          }));
      if (made === undefined || id === undefined) continue;
      const named = withParents({ ...made, [resource.identifier.field]: id }, resource, parents);
      const pointed = this.#pointSomewhere(named, resource, index);
      const kept = [pointed, named].find(
        (record) => resource.record.validate(record, 'response').length === 0,
      );
      if (kept !== undefined) records.push(kept);
    }
    return records;
  }

  #makeOne({ record }: Pick<Resource, 'record'>, seed: string, pin?: Pin): JsonObject | undefined {
    const made = plainValue(record, {
      seed,
      direction: 'response',
      ...(pin === undefined ? {} : { pin }),
    });
    return made.ok &&
      typeof made.value === 'object' &&
      made.value !== null &&
      !Array.isArray(made.value)
      ? (made.value as JsonObject)
      : undefined;
  }

  /** References of a made-up record name records that its session starts with. */
  #pointSomewhere(
    record: JsonObject,
    { foreignKeys, parents }: Resource,
    index: number,
  ): JsonObject {
    const own = new Set(parents.map(({ field }) => field));
    return foreignKeys
      .filter(({ field }) => !own.has(field))
      .reduce((held, key) => {
        const target = this.#choose(key, index);
        return target === undefined || fieldValue(held, key.field) === undefined
          ? held
          : withField(held, key.field.split('.'), key.many ? [target] : target);
      }, record);
  }

  #choose({ resource }: ForeignKey, index: number): JsonValue | undefined {
    const records = this.#start(resource.collection);
    return records[index % Math.max(1, records.length)]?.record[resource.identifier.field];
  }
}

/**
 * Records that may have one of several forms have each of them in turn: which one is told within
 * the whole, so that a discriminator names it.
 */
function formOf({ record }: Resource, index: number): Pin | undefined {
  const pins = formPins(record);
  return pins[index % Math.max(1, pins.length)];
}

/** What an identifier is made from. */
interface IdentifierSeed {
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
function makeIdentifier(resource: Resource, need: IdentifierSeed): JsonValue | undefined {
  const rules = identifierRules(resource);
  let unreachable: JsonValue | undefined;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const made =
      resource.identifier.type === 'integer'
        ? toInteger(leastInteger(rules) + BigInt(need.index + attempt))
        : identifierText(resource, need, attempt);
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
function namedIdentifiers(resource: Resource): readonly string[] {
  const { parameter, field } = identifierRules(resource);
  const values = parameter?.flatten().node.enum ?? field?.flatten().node.enum ?? [];
  return values.filter((value) => typeof value === 'string');
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

function identifierText(
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
  const text = maker && madeText(maker, `${seed} ${String(attempt)}`);
  return typeof text === 'string' && taken.has(text) ? `${text}-${digits(4)}` : text;
}

function madeText(schema: Schema, seed: string): JsonValue | undefined {
  const made = plainValue(schema, { seed, direction: 'response' });
  return made.ok ? made.value : undefined;
}

/**
 * The records of a resource that the contract itself shows and allows: those of its list, then
 * those that other operations answer.
 */
function exampleRecords(resource: Resource): JsonObject[] {
  const { list, read, create, replace, update } = resource.operations;
  const listed = examplesOf(list).flatMap((example) => {
    const records = valueAt(example, resource.list?.records ?? '');
    if (isJsonArray(records)) return records;
    return resource.list?.form === 'map' && isJsonObject(records) ? Object.values(records) : [];
  });
  const shown = [read, create, replace, update].flatMap(examplesOf);
  const own = resource.record.flatten().node;
  const declared = [
    ...(own.examples ?? []),
    ...(own['example'] === undefined ? [] : [own['example']]),
  ];
  // Examples of a schema are whatever the document holds there.
  const candidates = [...listed, ...shown.flatMap(unwrap), ...(declared as JsonValue[])];
  return candidates
    .filter(isJsonObject)
    .filter(
      (record) =>
        names(record, resource) && resource.record.validate(record, 'response').length === 0,
    );
}

function examplesOf(operation: Operation | undefined): JsonValue[] {
  if (operation === undefined) return [];
  return successResponses(operation).flatMap(({ content }) =>
    content.flatMap(({ schema, examples }) => [
      ...examples.map(({ value }) => value),
      ...schemaExamples(schema),
    ]),
  );
}

function schemaExamples(schema: Resource['record'] | undefined): JsonValue[] {
  const node = schema?.flatten().node;
  return node === undefined
    ? []
    : [
        ...(node.examples ?? []),
        ...(node['example'] === undefined ? [] : [node['example'] as JsonValue]),
      ];
}

/** A record may stand alone, or in one member of the answer. */
function unwrap(value: JsonValue): JsonValue[] {
  return isJsonObject(value) ? [value, ...Object.values(value).filter(isJsonObject)] : [];
}

function names(record: JsonObject, { kind, identifier }: Resource): boolean {
  const id = record[identifier.field];
  return (
    kind === 'singleton' ||
    typeof id === 'string' ||
    typeof id === 'number' ||
    typeof id === 'bigint'
  );
}
