import { singularOf, plainName } from '../../../contract/infer/infer-names.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import { pathKey } from '../../../contract/infer/conventions/path-styles.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';

import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson, objectOf } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import { givenPathValues } from './ownership.ts';
import type { Source } from '../../model/request-template.ts';
import type { Step } from '../../model/step.ts';
import { keyOf } from '../../reading/collection-key.ts';
import { partKeys } from '../../reading/path-names.ts';

const deepest = 4;
const maxRecords = 100;
const maxListed = 1_000;
const maxAddresses = 2_000;

type SeenSource = Extract<Source, { readonly kind: 'seen' }>;

/** The objects in responses of one collection. */
interface SeenCollection {
  readonly records: JsonObject[];
  readonly known: Set<string>;
  /** The records of its lists, and their names, by the requested path. */
  readonly items: SeenItem[];
  /** The records of the first list with several: later lists show the same records. */
  listed: readonly (JsonObject | string)[];
}

/** One record of a collection, or only its name, with the values in the path that showed it. */
interface SeenItem {
  readonly item: JsonObject | string;
  readonly parents: ReadonlyMap<number, JsonValue>;
}

/**
 * Values in the responses of a run, by the path of the collection; also of records without a schema
 * in the contract. Later requests use them.
 */
export class SeenValues {
  readonly #collections = new Map<string, SeenCollection>();
  readonly #addresses = new Set<string>();

  /** Adds a step: the objects of a success, at any depth. */
  note(step: Step): void {
    const {
      case: { operation, intent },
      exchange: { response },
      answer,
    } = step;
    if (intent.kind !== 'valid' || response === undefined || !isSuccess(response.status)) return;
    const key = collectionKey(operation);
    const collection = this.#collections.get(key) ?? {
      records: [],
      known: new Set(),
      items: [],
      listed: [],
    };
    const value = jsonOf(answer);
    if (value === undefined) return;
    this.#noteAddresses(value);
    if (collection.records.length >= maxRecords) return;
    this.#collections.set(key, collection);
    collect(value, collection);
    const parents = givenPathValues(operation, step.sent);
    const room = maxRecords - collection.items.length;
    const items = itemsIn(value);
    if (collection.listed.length === 0 && items.length > 1)
      collection.listed = items.slice(0, maxListed);
    collection.items.push(...items.slice(0, room).map((item) => ({ item, parents })));
  }

  /**
   * The value for a segment of a record's path (`/things/{}`), from the first record in a list, a
   * map or a create on the path before it.
   */
  pathValue({ path, segment, name }: SeenSource): JsonValue | undefined {
    const collection = this.#collections.get(keyOf(path));
    const [first] = collection?.items ?? [];
    if (collection === undefined || first === undefined) return this.#addressed(path, segment);
    const isOwn = segment === path.split('/').length - 2;
    if (!isOwn) return first.parents.get(segment);
    const own = nameOf(first.item, name, collection);
    return typeof own === 'string' ? (readAddress(path, own)?.get(segment) ?? own) : own;
  }

  /** What stands in the place of a segment in an address that a response showed. */
  #addressed(path: string, segment: number): JsonValue | undefined {
    for (const text of this.#addresses) {
      const value = readAddress(path, text)?.get(segment);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #noteAddresses(value: JsonValue): void {
    if (typeof value === 'string') {
      if (/[/(]/.test(value) && this.#addresses.size < maxAddresses) this.#addresses.add(value);
    } else if (isJsonArray(value)) for (const item of value) this.#noteAddresses(item);
    else if (isJsonObject(value))
      for (const member of Object.values(value)) this.#noteAddresses(member);
  }

  /** The values of a member in the objects of a collection. */
  valuesAt(operation: Operation, name: string): JsonValue[] {
    return membersNamed(this.#collections.get(collectionKey(operation))?.records ?? [], name);
  }

  /**
   * The same for the records in its lists, without their nested objects. Those of which a text
   * tells a value come first: `The plan is not Active.`
   */
  listedAt(operation: Operation, name: string, told = ''): JsonValue[] {
    const items = this.#collections.get(collectionKey(operation))?.listed ?? [];
    const records = items.filter((item) => typeof item !== 'string');
    const words = new Set(told.toLowerCase().match(/[\p{L}\d_-]+/gu));
    const isTold = (record: JsonObject): boolean =>
      Object.values(record).some(
        (value) => typeof value === 'string' && words.has(value.toLowerCase()),
      );
    return membersNamed(
      told === '' ? records : records.toSorted((one, other) => +isTold(other) - +isTold(one)),
      name,
    );
  }

  /**
   * Identifiers of the records to which a name refers: `ownerId`, `owner_id` and `owner` refer to
   * the collection `owners`.
   */
  identifiersFor(name: string): JsonValue[] {
    const word = plainName(name.replace(/[-_]?(?:ids?|uuid|ref)$/i, ''));
    if (word === '') return [];
    for (const [key, { records }] of this.#collections) {
      const last = key.split('/').findLast((segment) => segment !== '' && segment !== '{}') ?? '';
      if (plainName(singularOf(last)) !== word && plainName(last) !== word) continue;
      const found = ['id', name, `${word}_id`, `${word}Id`, 'uuid', 'name', 'key'].flatMap(
        (field) => membersNamed(records, field),
      );
      if (found.length > 0) return found;
    }
    return [];
  }
}

function collectionKey({ path }: Operation): string {
  return keyOf(pathKey(path));
}

/**
 * The records in a response: the items of the first list in it, the members of a map, the names
 * that it lists, or the one record that it shows.
 */
function itemsIn(value: JsonValue): (JsonObject | string)[] {
  if (isJsonArray(value)) return value.filter((item) => isJsonObject(item) || isName(item));
  if (!isJsonObject(value)) return [];
  const inner = Object.entries(value);
  const list = inner.find(([, member]) => isJsonArray(member) && itemsIn(member).length > 0);
  if (list !== undefined) return itemsIn(list[1]);
  const isMap = inner.length > 1 && inner.every(([, member]) => isJsonObject(member));
  if (isMap) return inner.map(([name]) => name);
  const [envelope] = inner.flatMap(([, member]) => (isJsonObject(member) ? [member] : []));
  const isBare = inner.some(([name]) => identifying.test(name));
  return envelope === undefined || isBare ? [value] : [...itemsIn(envelope), value];
}

function isName(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '';
}

const identifying = /^_?(id|uuid|guid|key|name|slug|code)$/i;

/**
 * The name of a record in paths: the member with the parameter's name, or one of the usual ones, if
 * no two records of the collection share it.
 */
function nameOf(
  item: JsonObject | string,
  parameter: string,
  { items }: SeenCollection,
): JsonValue | undefined {
  if (typeof item === 'string') return item;
  const own = plainName(parameter);
  const end = plainName(/[A-Z_-]?[a-z]+$|[A-Z]+$/.exec(parameter)?.[0] ?? '');
  const ranks = [own, end, ...partKeys];
  const names = Object.keys(item).toSorted((left, right) => rankOf(left) - rankOf(right));
  function rankOf(name: string): number {
    const rank = ranks.indexOf(plainName(name));
    return rank === -1 ? ranks.length : rank;
  }
  return names
    .filter((name) => rankOf(name) < ranks.length)
    .map((name) => ({ name, value: item[name] }))
    .find(({ name, value }) => isIdentifier(value) && isUnique(name, value, items))?.value;
}

function isUnique(name: string, value: JsonValue, items: readonly SeenItem[]): boolean {
  const others = items.filter(({ item }) => typeof item === 'object' && item[name] === value);
  return others.length < 2 || others.length < items.length / 2;
}

function collect(value: JsonValue, { records, known }: SeenCollection): void {
  let layer: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= deepest && layer.length > 0; depth += 1) {
    for (const one of layer) {
      if (!isJsonObject(one) || records.length >= maxRecords) continue;
      const text = stringifyJson(one);
      if (!known.has(text)) records.push(one);
      known.add(text);
    }
    layer = layer.flatMap((one): readonly JsonValue[] =>
      isJsonArray(one) ? one.slice(0, maxRecords) : Object.values(objectOf(one)),
    );
  }
}

function membersNamed(records: readonly JsonObject[], name: string): JsonValue[] {
  return records.flatMap((record) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    return value === undefined || value === null || typeof value === 'object' ? [] : [value];
  });
}
