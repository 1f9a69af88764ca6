import type { Operation, Resource } from '../../contract/model.ts';
import { fromInteger } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ExistingNames } from '../../mock/control/example-request.ts';
import type { Records } from '../../mock/control/record-browser.ts';
import type { RecordKind } from '../../mock/control/record-kinds.ts';
import type { Mock } from '../../mock/mock.ts';
import { fieldValue } from '../../store/field-values.ts';

/** How many records of a resource are looked at for one that an example names. */
const maxLooked = 100;

/**
 * The records of the session that a request of an operation can name: in its path, in its query,
 * and as references in its body.
 */
export async function existingNames(
  operation: Operation,
  { options: { contract }, records }: Pick<Mock, 'options' | 'records'>,
  session: string,
): Promise<ExistingNames> {
  const path = await existingValues(operation, records, session);
  const parameters = new Map<string, string>();
  for (const [name, value] of path) parameters.set(`path ${name}`, value);
  const members = new Map<string, readonly JsonValue[]>();
  const role = contract.resources.map((each) => roleIn(each, operation)).find(Boolean);
  if (role === undefined) return { parameters, members };
  const { resource, names } = role;
  const valuesOf = async (
    { name }: Resource,
    field: string,
    limit = maxLooked,
  ): Promise<readonly JsonValue[]> => {
    const page = await records.list({ session, resource: name }, { offset: 0, limit });
    return (page?.records ?? []).map(({ id, record }) => fieldValue(record, field) ?? id);
  };
  for (const { field, resource: named, by } of resource.foreignKeys) {
    const values = await valuesOf(named, by);
    const [first] = values;
    if (first === undefined) continue;
    members.set(field, values);
    for (const filter of resource.list?.filters ?? [])
      if (filter.field === field && filter.member === undefined)
        parameters.set(`query ${filter.parameter.name}`, String(first));
  }
  for (const { field, parameter, resource: parent } of resource.parents)
    setNamed(members, field, parent && typed(path.get(parameter), parent));
  if (names === 'by path') {
    const [last = ''] = operation.path.split('/').flatMap(parameterOf).slice(-1);
    setNamed(members, resource.identifier.field, typed(path.get(last), resource));
    // Any state of the record that is there (RFC 9110, section 13.1.1).
    for (const { in: place, name } of operation.parameters)
      if (place === 'header' && /^if-match$/i.test(name)) parameters.set(`header ${name}`, '*');
  } else if (names !== undefined) {
    const [id] = await valuesOf(resource, resource.identifier.field, 1);
    if (names.in === 'body') setNamed(members, names.name, id);
    else if (id !== undefined) parameters.set(`query ${names.name}`, String(id));
  }
  return { parameters, members };
}

function setNamed(
  members: Map<string, readonly JsonValue[]>,
  field: string | undefined,
  value: JsonValue | undefined,
): void {
  if (field !== undefined && field !== '' && value !== undefined) members.set(field, [value]);
}

function typed(
  text: string | undefined,
  { identifier: { type } }: Resource,
): JsonValue | undefined {
  return text !== undefined && type === 'integer' && /^-?\d+$/.test(text)
    ? fromInteger(BigInt(text))
    : text;
}

/** How a request names the record that it is for; undefined if it names none. */
interface Role {
  readonly resource: Resource;
  readonly names: 'by path' | Resource['byValue'][number] | undefined;
}

function roleIn(resource: Resource, operation: Operation): Role | undefined {
  const { list, create, ...ofOne } = resource.operations;
  const isIt = (other: Operation | undefined): boolean => other?.responses === operation.responses;
  if (Object.values(ofOne).some(isIt)) return { resource, names: 'by path' };
  const byValue = resource.byValue.find((each) => isIt(each.operation));
  if (byValue !== undefined) return { resource, names: byValue };
  const others = [list, create, resource.namedCreate];
  return others.some(isIt) ? { resource, names: undefined } : undefined;
}

/**
 * Values for the path parameters of an operation that name a record of the session, so that a
 * request with them finds something. Empty if there is no such record.
 */
export async function existingValues(
  { path }: Pick<Operation, 'path'>,
  records: Pick<Records, 'kinds' | 'list'>,
  session: string,
): Promise<ReadonlyMap<string, string>> {
  const segments = path.split('/');
  const above = records.kinds
    .filter((kind) => isAbove(kind, segments))
    .toSorted((left, right) => right.path.length - left.path.length);
  for (const { name, path: collection } of above) {
    const page = await records.list({ session, resource: name }, { offset: 0, limit: 1 });
    const [record] = page?.records ?? [];
    if (record === undefined) continue;
    const names = segments.slice(0, collection.split('/').length + 1).flatMap(parameterOf);
    const ids = [...record.parents, record.id];
    return new Map(names.map((parameter, index) => [parameter, ids[index] ?? '']));
  }
  return new Map();
}

/** Whether the path begins with that of the collection and of one of its records. */
function isAbove({ kind, path }: RecordKind, segments: readonly string[]): boolean {
  const collection = path.split('/');
  return (
    kind === 'collection' &&
    collection.every((segment, index) => isSame(segment, segments[index] ?? '')) &&
    parameterOf(segments[collection.length] ?? '').length > 0
  );
}

/** Parameters of the same place may have different names. */
function isSame(left: string, right: string): boolean {
  return left === right || (parameterOf(left).length > 0 && parameterOf(right).length > 0);
}

function parameterOf(segment: string): string[] {
  const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
  return name === undefined ? [] : [name];
}
