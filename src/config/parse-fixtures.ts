import type { Contract, Resource } from '../contract/model.ts';
import { suggestWord, VouchError } from '../errors.ts';
import { joinPointer, type Pointer, splitPointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { servedContract } from '../mock/plan/served-contract.ts';
import { onlyRecord } from '../mock/records/find-record.ts';
import {
  exampleCollection,
  findCollection as findNamedCollection,
} from '../mock/records/collection-name.ts';
import type { Fixtures, StoredRecord } from '../store/store.ts';

/** Records as a user writes them, with a function that reports errors in them. */
export interface FixtureData {
  /** The name of the data in messages. */
  readonly file: string;
  readonly value: JsonValue;
  fault(pointer: Pointer, message: string, hint?: string): VouchError;
}

/**
 * The initial records of every session: maps a resource name to a list of records, the path of a
 * nested collection (`/owners/17/things`) to its records, or a singleton to its record. Validates
 * every record against the contract. Throws a VouchError ('fixture-invalid') with the location.
 */
export function parseFixtures(files: readonly FixtureData[], contract: Contract): Fixtures {
  const fixtures = new Map<string, readonly StoredRecord[]>();
  for (const data of files) {
    for (const [name, records] of readResources(data, contract))
      fixtures.set(name, [...(fixtures.get(name) ?? []), ...records]);
  }
  return fixtures;
}

/** The same for records that a program passes. */
export function parseGivenFixtures(
  value: Readonly<Record<string, JsonValue>>,
  contract: Contract,
): Fixtures {
  const fault = (_at: Pointer, message: string, hint?: string): VouchError =>
    new VouchError('fixture-invalid', message, { hint });
  return parseFixtures([{ file: 'fixtures', value, fault }], contract);
}

/** The destination of the records under one key: a resource and its collection. */
interface FixtureCollection {
  readonly key: string;
  readonly resource: Resource;
  readonly collection: string;
}

function readResources(
  data: FixtureData,
  contract: Contract,
): [collection: string, records: StoredRecord[]][] {
  if (!isJsonObject(data.value))
    throw data.fault(
      '',
      `${data.file} must map resources to their records.`,
      'Write the name of a resource, and a list of records below it.',
    );
  return Object.entries(data.value).map(([key, records]) => {
    const found = findCollection(key, data, contract);
    return [found.collection, readRecords(data, found, records)];
  });
}

/** Finds a resource by name, or by path if it is nested: `/owners/17/things`. */
function findCollection(key: string, data: FixtureData, contract: Contract): FixtureCollection {
  const { resources } = servedContract(contract);
  const { resource, collection } = findNamedCollection(key, resources) ?? {};
  if (resource === undefined)
    throw data.fault(
      joinPointer('', key),
      `${data.file}: the contract has no resource ${key}.`,
      suggestWord(
        key,
        resources.map(({ name }) => name),
      ),
    );
  if (collection === undefined)
    throw data.fault(
      joinPointer('', key),
      `${data.file}: records of ${key} are kept for each of those above them.`,
      `Write the path instead of the name: ${exampleCollection(resource)}.`,
    );
  return { key, resource, collection };
}

function readRecords(
  data: FixtureData,
  { key, resource }: FixtureCollection,
  records: JsonValue,
): StoredRecord[] {
  if (resource.kind === 'singleton')
    return [{ id: onlyRecord, record: readRecord(data, joinPointer('', key), resource, records) }];
  if (!isJsonArray(records))
    throw data.fault(joinPointer('', key), `${data.file}: ${key} must be a list of records.`);
  const seen = new Set<string>();
  return records.map((value, index) => {
    const pointer = joinPointer('', key, index);
    const record = readRecord(data, pointer, resource, value);
    const id = idOf(record, resource);
    if (id === undefined)
      throw data.fault(
        pointer,
        `${data.file}: ${key}[${String(index)}] has no ` +
          `${resource.identifier.field}, by which records are found.`,
      );
    if (seen.has(id))
      throw data.fault(
        joinPointer(pointer, resource.identifier.field),
        `${data.file}: two records of ${key} have the ${resource.identifier.field} ${id}.`,
        'Give each record a unique identifier.',
      );
    seen.add(id);
    return { id, record };
  });
}

function readRecord(
  data: FixtureData,
  pointer: string,
  resource: Resource,
  record: JsonValue,
): JsonObject {
  const [, key = '', index] = ['', ...splitPointer(pointer)];
  const place = index === undefined ? key : `${key}[${index}]`;
  const [issue] = resource.record.validate(record, 'response');
  if (issue !== undefined)
    throw data.fault(
      pointer + issue.at,
      `${data.file}: ${place}${issue.at.replaceAll('/', '.')} ${issue.message}.`,
      'Fix the record, or the contract.',
    );
  if (!isJsonObject(record)) throw data.fault(pointer, `${data.file}: ${place} must be an object.`);
  return record;
}

/** The identifier of a record as text; undefined if it has none. */
function idOf(record: JsonObject, { identifier }: Resource): string | undefined {
  const id = record[identifier.field];
  return id === undefined || id === null || typeof id === 'object' ? undefined : String(id);
}
