import type { Contract, Resource } from '../contract/model.ts';
import { joinPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { suggestWord } from '../nearest-word.ts';
import type { Fixtures, StoredRecord } from '../store/store.ts';
import { readDataFolder, type DataFile } from './read-data.ts';

/**
 * Reads the records that every session starts with: each file of the folder maps resources, by name, to lists of records.
 * Every record is held against the contract. Throws a VouchError ('fixture-invalid') with place and code frame.
 */
export async function loadFixtures(folder: string, contract: Contract): Promise<Fixtures> {
  const fixtures = new Map<string, readonly StoredRecord[]>();
  for (const data of await readDataFolder(folder, 'fixture-invalid')) {
    for (const [name, records] of readResources(data, contract)) fixtures.set(name, [...(fixtures.get(name) ?? []), ...records]);
  }
  return fixtures;
}

function readResources(data: DataFile, contract: Contract): [name: string, records: StoredRecord[]][] {
  if (!isJsonObject(data.value)) throw data.fault('', `${data.file} must map resources to their records.`, 'Write the name of a resource, and a list of records below it.');
  return Object.entries(data.value).map(([name, records]) => {
    const resource = contract.resources.find((candidate) => candidate.name === name);
    const known = contract.resources.map((candidate) => candidate.name);
    if (resource === undefined) throw data.fault(joinPointer('', name), `${data.file}: the contract has no resource ${name}.`, suggestWord(name, known));
    return [name, readRecords(data, name, resource, records)];
  });
}

function readRecords(data: DataFile, name: string, resource: Resource, records: JsonValue): StoredRecord[] {
  if (!Array.isArray(records)) throw data.fault(joinPointer('', name), `${data.file}: ${name} must be a list of records.`);
  const seen = new Set<string>();
  return records.map((record: JsonValue, index) => {
    const pointer = joinPointer('', name, index);
    const issue = resource.record.validate(record, 'response')[0];
    if (issue !== undefined) throw data.fault(pointer + issue.at, `${data.file}: ${name}[${String(index)}]${issue.at.replaceAll('/', '.')} ${issue.message}.`, 'Mend the record, or the contract.');
    const stored = toStored(record, resource);
    if (stored === undefined) throw data.fault(pointer, `${data.file}: ${name}[${String(index)}] has no ${resource.identifier.field}, by which records are found.`);
    if (seen.has(stored.id)) throw data.fault(joinPointer(pointer, resource.identifier.field), `${data.file}: two records of ${name} have the ${resource.identifier.field} ${stored.id}.`, 'Give each record an identifier of its own.');
    seen.add(stored.id);
    return stored;
  });
}

/** A record with the text of its identifier, or undefined where it has none. */
function toStored(record: JsonValue, resource: Resource): StoredRecord | undefined {
  const id = isJsonObject(record) ? record[resource.identifier.field] : undefined;
  if (!isJsonObject(record) || id === undefined || id === null || typeof id === 'object') return undefined;
  return { id: String(id), record };
}
