import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import {
  existsUnmade,
  hasKnownRecords,
  oncePerResource,
  staysWithParent,
} from '../../../contract/infer/record-fields.ts';
import type {
  Contract,
  Example,
  ForeignKey,
  Operation,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { isNamedExample, namedRequests } from '../../../contract/model/operation.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { successResponses } from '../../../contract/select-response.ts';
import { fromInteger } from '../../../json/decimal.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import { emptyCollection, FixtureCollection } from '../../../store/fixture-collection.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import type { Fixtures, StoredRecord } from '../../../store/store.ts';
import type { Pin } from '../../../values/build-orders.ts';
import { formPins } from '../../../values/forms.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { makeRandom, hex, plainUuid } from '../../../values/random.ts';
import { collectionOwner, collectionParents, parentCollection } from '../collection-name.ts';
import { onlyRecord, textOf } from '../find-record.ts';
import { exampleKey, hasFullNames, keyOf, writeName } from '../identifier/full-name.ts';
import {
  areDigits,
  identifierRules,
  isFit,
  isReachable,
  leastInteger,
  prefixOf,
} from '../identifier/identifier-rules.ts';
import { withOneResult } from '../make/operation-result.ts';
import { withField, withParents } from '../parent-fields.ts';
import { fieldsOf } from '../record-fields.ts';
import { listedForms } from '../show/listed-item.ts';
import { visible } from '../show/present-record.ts';
import { withComputed } from '../tallies.ts';
import { Labels } from './labels.ts';
import { settleLinks } from './settle-links.ts';
import { varyChoices } from './vary-choices.ts';
import { withoutExpansions } from './without-expansions.ts';

/** The input of the initial records of a session. */
export interface SeedSource {
  readonly contract: Pick<Contract, 'inference' | 'rules'>;
  readonly fixtures: Fixtures;
  /** The number of generated records without fixtures and examples; 0 starts empty. */
  readonly count: number;
  readonly seed: string;
}

/** The maximum number of cached collections below records that the contract does not determine. */
const maxCollections = 1_000;

const maxNamed = 20;

/**
 * The initial records of collections without fixtures: examples of the contract, otherwise
 * generated. Deterministic for a seed.
 */
export class SeedRecords {
  readonly #source: SeedSource;
  readonly #made = new RecentMap<string, FixtureCollection>(maxCollections);
  readonly #making = new Set<string>();

  constructor(source: SeedSource) {
    this.#source = source;
  }

  /** The initial records of a collection; undefined if it is empty, or if fixtures define it. */
  of(collection: string): FixtureCollection | undefined {
    if (this.#source.fixtures.has(collection)) return undefined;
    const known = this.#made.get(collection);
    // A cached undefined means that the collection starts empty.
    if (known !== undefined) return known === emptyCollection ? undefined : known;
    // In a cycle of references, the first collection gets none.
    if (this.#making.has(collection)) return undefined;
    this.#making.add(collection);
    const records = this.#make(collection);
    this.#making.delete(collection);
    const made =
      records.length === 0 ? emptyCollection : new FixtureCollection(collection, records);
    this.#made.set(collection, made);
    return records.length === 0 ? undefined : made;
  }

  /**
   * The record that an identifier names in a collection without makers, as a client finds it;
   * undefined if the collection has makers or fixtures, or the contract excludes the identifier.
   */
  unmade(collection: string, id: string): JsonObject | undefined {
    const resource = this.#unmadeOf(collection);
    if (resource === undefined) return undefined;
    const rules = identifierRules(resource);
    const value =
      resource.identifier.type === 'integer' && /^(0|[1-9]\d{0,30})$/.test(id)
        ? fromInteger(BigInt(id))
        : id;
    if (!isFit(rules, value) || !isReachable(rules, value)) return undefined;
    const seed = `${this.#source.seed} ${collection} ${id}`;
    const [shown] = exampleRecords(resource);
    const made = shown ?? this.#makeSettled(resource, seed, { index: 0 });
    const { field } = resource.identifier;
    return (
      made &&
      withParents(
        field === ''
          ? made
          : { ...made, [field]: writeName(resource, value, collectionParents(collection)) },
        resource,
        collectionParents(collection),
      )
    );
  }

  /** The resource of a collection whose records nothing makes. */
  #unmadeOf(collection: string): Resource | undefined {
    const { fixtures, contract } = this.#source;
    const resource = contract.inference.named(collectionOwner(collection));
    return resource !== undefined &&
      !fixtures.has(collection) &&
      existsUnmade(resource, contract.inference.resources)
      ? resource
      : undefined;
  }

  #make(collection: string): readonly StoredRecord[] {
    const parents = collectionParents(collection);
    const resource = this.#source.contract.inference.named(collectionOwner(collection));
    if (resource === undefined || resource.parents.length !== parents.length) return [];
    if (!this.#hasParents(resource, parents) && !staysWithParent(resource)) return [];
    if (resource.kind === 'singleton') return this.#makeOnly(resource, collection);
    if (this.#source.count === 0) return [];
    const shown = identified(exampleRecords(resource), resource, this.#source.seed).map((record) =>
      withParents(settleLinks(record, resource), resource, parents),
    );
    const records = shown.length > 0 ? shown : this.#makeUp(resource, collection, parents);
    const byId = new Map(
      records.map((record) => [keyOf(resource, record[resource.identifier.field] ?? ''), record]),
    );
    return [...byId].map(([id, record]) => ({ id, record }));
  }

  /** A record that a client added starts with nothing below it, unlike initial records. */
  #hasParents({ parents }: Resource, texts: readonly string[]): boolean {
    return parents.every(({ resource }, index) => {
      if (resource === undefined || !hasKnownRecords(resource)) return true;
      const collection = parentCollection(parents, index, texts) ?? '';
      return this.#start(collection).some(({ id }) => id === texts[index]);
    });
  }

  /** The initial records of a collection, from fixtures or generated. */
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
    // Records that clients cannot add exist for each listed identifier.
    const count =
      resource.operations.create === undefined
        ? Math.max(this.#source.count, Math.min(maxNamed, namedIdentifiers(resource).length))
        : this.#source.count;
    const taken = new Set<string>();
    const keys = new Set<string>();
    const labels = new Labels();
    for (let index = 0; index < count; index += 1) {
      const seed = `${this.#source.seed} ${collection} ${String(index)}`;
      const settled = labels.distinct(
        seed,
        (text) =>
          this.#makeSettled(resource, text, { index, pin: formOf(resource, index) }) ??
          this.#makeSettled(resource, text, { index }),
      );
      const { resources } = this.#source.contract.inference;
      const plain = settled && withoutExpansions(settled, resource, resources);
      const made = plain && withComputed(plain, resource);
      const id =
        made &&
        ((index === 0 ? (shownIdentifier(resource) ?? exampleKey(resource)) : undefined) ??
          makeIdentifier(resource, {
            index,
            seed,
            taken,
            suggested: made[resource.identifier.field],
          }));
      if (made === undefined || id === undefined) continue;
      const name = writeName(resource, id, parents);
      const named = withParents({ ...made, [resource.identifier.field]: name }, resource, parents);
      const pointed = this.#pointSomewhere(named, resource, index);
      const kept = [pointed, named].find(
        (record) => resource.record.validate(visible(record), 'response').length === 0,
      );
      if (kept === undefined) continue;
      const free = withFreeKeys(kept, resource, { index, taken: keys });
      records.push(settleLinks(free, resource, resources));
      taken.add(keyOf(resource, kept[resource.identifier.field] ?? ''));
    }
    return records;
  }

  /** A record that conforms to the contract's rules, if one is found. */
  #makeSettled(
    resource: Resource,
    seed: string,
    { index, pin }: { readonly index: number; readonly pin?: Pin | undefined },
  ): JsonObject | undefined {
    const { rules, inference } = this.#source.contract;
    const shownAs = listedForms(resource, inference.resources);
    const makeOne = (text: string): JsonObject | undefined => {
      const made = this.#makeOne(resource, text, pin);
      const varied = made && varyChoices(made, resource.record, { index, shownAs });
      return varied && withOneResult(varied, resource);
    };
    if (rules.all.length === 0) return makeOne(seed);
    let settled: JsonObject | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const made = makeOne(attempt === 0 ? seed : `${seed} ${attempt}`);
      if (made === undefined) return settled;
      const { value, broken } = rules.settle(resource.record, made);
      settled = isJsonObject(value) ? value : made;
      if (broken.length === 0) return settled;
    }
    return settled;
  }

  #makeOne({ record, collectionPath }: Resource, seed: string, pin?: Pin): JsonObject | undefined {
    const name = singularOf(lastWord(collectionPath));
    const made = plainValue(record, { seed, direction: 'response', pin, name });
    return made.ok &&
      typeof made.value === 'object' &&
      made.value !== null &&
      !Array.isArray(made.value)
      ? (made.value as JsonObject)
      : undefined;
  }

  /** References of a generated record point to initial records of its session. */
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

  #choose({ resource, by }: ForeignKey, index: number): JsonValue | undefined {
    const records = this.#start(resource.collection);
    const target = records[index % Math.max(1, records.length)];
    return target && fieldValue(target.record, by);
  }
}

/**
 * Records with several forms alternate between them; the form is chosen within the whole schema, so
 * that a discriminator is set.
 */
function formOf({ record }: Resource, index: number): Pin | undefined {
  const pins = formPins(record);
  return pins[index % Math.max(1, pins.length)];
}

/** The input of an identifier. */
interface IdentifierSeed {
  readonly index: number;
  readonly seed: string;
  /** The texts of identifiers in use. */
  readonly taken: ReadonlySet<string>;
  readonly suggested: JsonValue | undefined;
}

const maxAttempts = 20;

/**
 * A free and valid identifier that a path can contain, if there is one: an integer counted from the
 * smallest, or a text. Undefined if none is found.
 */
function makeIdentifier(resource: Resource, need: IdentifierSeed): JsonValue | undefined {
  const rules = identifierRules(resource);
  let unreachable: JsonValue | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const made =
      resource.identifier.type === 'integer'
        ? fromInteger(leastInteger(rules) + BigInt(need.index + attempt))
        : areDigits(rules, resource)
          ? String(leastInteger(rules) + BigInt(need.index + attempt))
          : identifierText(resource, need, attempt);
    if (made === undefined || need.taken.has(String(made)) || !isFit(rules, made)) continue;
    if (isReachable(rules, made)) return made;
    unreachable ??= made;
  }
  return unreachable;
}

/** The identifier that the contract shows, if no operation returns another one. */
export function shownIdentifier(resource: Resource): JsonValue | undefined {
  if (hasKnownRecords(resource)) return undefined;
  const rules = identifierRules(resource);
  return rules.shown.find(
    (shown) => isScalar(shown) && shown !== '' && isFit(rules, shown) && isReachable(rules, shown),
  );
}

/** All identifiers that the contract lists; empty if it lists none. */
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
  { seed, suggested, taken, index }: IdentifierSeed,
  attempt: number,
): JsonValue | undefined {
  const { identifier, record } = resource;
  const named = namedIdentifiers(resource);
  if (named.length > 0) return named.find((name) => !taken.has(name));
  const random = makeRandom(`${seed} identifier ${String(attempt)}`);
  if (identifier.format === 'uuid') return plainUuid(random);
  const schema = fieldsOf(record).get(identifier.field)?.schema;
  const prefix = schema && prefixOf(schema);
  if (prefix !== undefined) return `${prefix}${hex(random, 12)}`;
  if (hasFullNames(resource))
    return `${singularOf(lastWord(resource.collectionPath))}-${hex(random, 6)}`;
  if (attempt === 0 && typeof suggested === 'string' && suggested !== '')
    return taken.has(suggested) ? `${suggested}-${String(index + 1)}` : suggested;
  // The schemas of the path and the record can differ, so they alternate.
  const maker = attempt % 2 === 1 ? (identifierRules(resource).parameter ?? schema) : schema;
  const text = maker && madeText(maker, `${seed} ${String(attempt)}`);
  return typeof text === 'string' && taken.has(text) ? `${text}-${hex(random, 4)}` : text;
}

function madeText(schema: Schema, seed: string): JsonValue | undefined {
  const made = plainValue(schema, { seed, direction: 'response' });
  return made.ok ? made.value : undefined;
}

/** The valid example records of a resource: those of its list, then those of other operations. */
const exampleRecords = oncePerResource(readExamples);

function readExamples(resource: Resource): readonly JsonObject[] {
  const { list, read, create, replace, update } = resource.operations;
  const listed = examplesOf(list).flatMap((example) => {
    const records = valueAt(example, resource.list?.records ?? '');
    const item = resource.list?.item ?? '';
    if (isJsonArray(records)) return records.flatMap((record) => valueAt(record, item) ?? []);
    return resource.list?.form === 'map' && isJsonObject(records)
      ? recordsOfMap(records, resource)
      : [];
  });
  const shown = [
    ...examplesOf(read),
    ...unpairedExamples(create),
    ...examplesOf(replace),
    ...examplesOf(update),
  ];
  const declared = schemaExamples(resource.record);
  const candidates = [...listed, ...shown.flatMap(unwrap), ...declared];
  return candidates
    .filter(isJsonObject)
    .filter(
      (record) =>
        names(record, resource) &&
        resource.record.validate(visible(record), 'response').length === 0,
    );
}

/** Examples with generated identifiers, if the contract does not show what identifies them. */
function identified(
  records: readonly JsonObject[],
  resource: Resource,
  seed: string,
): readonly JsonObject[] {
  const { field } = resource.identifier;
  const taken = new Set<string>();
  return records.flatMap((record, index) => {
    if (Object.hasOwn(record, field)) return [record];
    const id = makeIdentifier(resource, { index, seed, taken, suggested: undefined });
    if (id === undefined) return [];
    taken.add(textOf(id));
    return [{ ...record, [field]: id }];
  });
}

function examplesOf(
  operation: Operation | undefined,
  isShown: (example: Example) => boolean = () => true,
): JsonValue[] {
  if (operation === undefined) return [];
  return successResponses(operation).flatMap(({ content }) =>
    content.flatMap(({ schema, examples }) => [
      ...examples.filter(isShown).map(({ value }) => value),
      ...schemaExamples(schema),
    ]),
  );
}

/** The examples of a create without those that belong to a request, which makes the record. */
function unpairedExamples(create: Operation | undefined): JsonValue[] {
  if (create === undefined) return [];
  const made = namedRequests(create);
  return examplesOf(create, (example) => !isNamedExample(example) || !made.has(example.name));
}

function schemaExamples(schema: Resource['record'] | undefined): JsonValue[] {
  return schema === undefined ? [] : shownBy(schema.flatten().node);
}

/** A record can be the response itself, or one of its members. */
function unwrap(value: JsonValue): JsonValue[] {
  return isJsonObject(value) ? [value, ...Object.values(value).filter(isJsonObject)] : [];
}

/** The records of a map, with their keys as identifiers if they do not contain any. */
function recordsOfMap(map: JsonObject, { identifier: { field }, record }: Resource): JsonValue[] {
  const isDeclared = fieldsOf(record).has(field);
  return Object.entries(map).flatMap(([key, value]) =>
    isJsonObject(value) ? [isDeclared ? value : { ...value, [field]: key }] : [],
  );
}

function names(record: JsonObject, { kind, identifier, record: schema }: Resource): boolean {
  const id = record[identifier.field];
  return (
    kind === 'singleton' ||
    !fieldsOf(schema).has(identifier.field) ||
    typeof id === 'string' ||
    typeof id === 'number' ||
    typeof id === 'bigint'
  );
}

const day = 86_400_000;

/**
 * A record of an index whose other keys, which a path may hold too, no earlier record has: those of
 * an example are the same in all. `taken` gets them. As it is where its schema allows no other one.
 */
function withFreeKeys(
  record: JsonObject,
  { identifier: { others = [] }, record: schema }: Resource,
  { index, taken }: { readonly index: number; readonly taken: Set<string> },
): JsonObject {
  return others.reduce((held, field) => {
    const value = fieldValue(held, field);
    if (typeof value !== 'string') return held;
    const isFree = (text: string): boolean => !taken.has(`${field} ${text}`);
    const free = [value, ...alike(value, index)].find((text) => {
      const made = withField(held, field.split('.'), text);
      return isFree(text) && schema.validate(visible(made), 'response').length === 0;
    });
    taken.add(`${field} ${free ?? value}`);
    return free === undefined ? held : withField(held, field.split('.'), free);
  }, record);
}

/** Other texts of the same kind: a later day, the last letter changed, a number behind it. */
function alike(text: string, index: number): string[] {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(moment)) {
    const later = new Date(moment + index * day).toISOString();
    return [text.length === 10 ? later.slice(0, 10) : later];
  }
  const letter = String.fromCharCode('A'.charCodeAt(0) + (index % 26));
  return [`${text.slice(0, -1)}${letter}`, `${text}-${String(index + 1)}`];
}
