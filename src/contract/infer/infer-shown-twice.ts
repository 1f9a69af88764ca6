import type { CopyField, CountField, LinkField, Operation, Resource } from '../model.ts';
import { plainName, singularOf } from './infer-names.ts';
import { lastWord, pathKey } from './conventions/path-styles.ts';
import { recordFields, type RecordField } from './record-fields.ts';
import { countsAll } from '../words/read-counts.ts';

/** What is known of the rest of the contract. */
export interface ShownElsewhere {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
}

/** Fields that say how many records belong to one: `roomCount`, `numberOfRooms`. */
export function inferCounts(resource: Resource, elsewhere: ShownElsewhere): CountField[] {
  return recordFields(resource.record).flatMap((field): CountField[] => {
    const noun = countedNoun(field);
    if (noun === undefined) return [];
    const child = elsewhere.resources.find(
      (other) =>
        singularOf(lastWord(other.collectionPath)) === noun &&
        other.operations.create !== undefined &&
        belongsTo(other, resource),
    );
    const isExact = countsAll(field.flat, noun);
    if (child !== undefined) return [{ field: field.name, child, isExact }];
    const add = partsOf(resource, elsewhere, 'POST').find(
      ({ path }) => singularOf(lastWord(path)) === noun,
    );
    if (add === undefined) return [];
    return [{ field: field.name, add, isExact }];
  });
}

/** What a field counts by its name: `reply` of `reply_count`, `member` of `num_members`. */
export function countedNoun({ own, types, many }: RecordField): string | undefined {
  if (many || !types.includes('integer') || own.includes('.')) return undefined;
  const [, before, after] =
    /^(?:(.+?)[_-]?count|(?:number|count|num)[_-]?of[_-]?(.+))$/i.exec(own) ?? [];
  const noun = before ?? after ?? /^num(?:_|(?=[A-Z]))(.+)$/.exec(own)?.[1];
  return noun === undefined ? undefined : singularOf(noun);
}

/** Whether the records of a resource stand below those of another, or refer to them. */
export function belongsTo(child: Resource, { collection }: Resource): boolean {
  return (
    child.parents.at(-1)?.resource?.collection === collection ||
    child.foreignKeys.some(({ resource, many }) => !many && resource.collection === collection)
  );
}

/** Objects in a record that show fields of another one: `customer` beside `customerId`. */
export function inferCopies(resource: Resource, { resources }: ShownElsewhere): CopyField[] {
  const { record } = resource;
  return [...record.flatten().properties].flatMap(([field, place]): CopyField[] => {
    const flat = record.flatten(place);
    const key = keyBeside(resource, field);
    const target = resources.find(
      (other) => other.collection === key?.collection && other.operations.read !== undefined,
    );
    if (!flat.types.includes('object') || target === undefined || key === undefined) return [];
    const known = target.record.flatten().properties;
    const shared = [...flat.properties.keys()].filter((name) => known.has(name));
    if (shared.every((name) => name === target.identifier.field)) return [];
    return [{ field, resource: target, key: key.field }];
  });
}

/** What names the record that an object shows: `customerId` or `customer.id` for `customer`. */
function keyBeside(
  { foreignKeys, parents }: Resource,
  field: string,
): { readonly field: string; readonly collection: string } | undefined {
  const word = singularOf(field);
  const key = foreignKeys
    .filter(({ many }) => !many)
    .filter((one) => one.field.startsWith(`${field}.`) || plainName(one.field).startsWith(word))
    .toSorted((left, right) => left.field.split('.').length - right.field.split('.').length)[0];
  if (key !== undefined) return { field: key.field, collection: key.resource.collection };
  const above = parents.find(
    (parent) => parent.field !== undefined && plainName(parent.field).startsWith(word),
  );
  return above?.field === undefined || above.resource === undefined
    ? undefined
    : { field: above.field, collection: above.resource.collection };
}

/** Fields that hold the address of the record itself, or of something below it. */
export function inferLinks(resource: Resource, elsewhere: ShownElsewhere): LinkField[] {
  const read = resource.operations.read ?? readerOf(resource, elsewhere);
  return recordFields(resource.record).flatMap((field): LinkField[] => {
    const { name, many, types, flat } = field;
    const isAddress = /^(uri|uri-reference|iri|iri-reference|url)$/.test(flat.node.format ?? '');
    if (many || name.includes('.') || !types.includes('string') || !isAddress) return [];
    if (flat.node.readOnly !== true || read === undefined) return [];
    if (/^(href|self|url|uri|link)$/i.test(name))
      return [{ field: name, to: 'self', operation: read }];
    const word = /^(.+?)[_-]?(?:href|ur[il]|link)$/i.exec(name)?.[1];
    const operation = partsOf(resource, elsewhere, 'GET').find(
      ({ path }) => word !== undefined && plainName(lastWord(path)) === plainName(word),
    );
    return operation === undefined ? [] : [{ field: name, to: 'part', operation }];
  });
}

function readerOf({ collection }: Resource, { resources }: ShownElsewhere): Operation | undefined {
  return resources.find((other) => other.collection === collection && other.operations.read)
    ?.operations.read;
}

/** The operations directly below the records of a resource: `GET /things/{thingId}/parts`. */
function partsOf(
  { collection }: Resource,
  { operations, resources }: ShownElsewhere,
  method: string,
): Operation[] {
  const keys = resources.flatMap(({ itemPath, collection: own }) =>
    own === collection && itemPath !== undefined ? [pathKey(itemPath)] : [],
  );
  return operations.filter((operation) => {
    if (operation.method !== method) return false;
    const key = pathKey(operation.path);
    return keys.some((item) => key.startsWith(item) && /^\/[^/{}]+$/.test(key.slice(item.length)));
  });
}
