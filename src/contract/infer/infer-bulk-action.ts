import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type {
  Batch,
  Clearing,
  ListShape,
  LocatedNode,
  Operation,
  Parameter,
  Resource,
  Schema,
} from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { explainClearing } from './explain-parameters.ts';
import { inferListParameters } from './infer-list-parameters.ts';
import { inferList } from './infer-list.ts';
import { plainName, singularOf } from './infer-names.ts';
import { lastWord } from './conventions/path-styles.ts';
import { saysChange, saysOnlyCreate } from '../words/effect-words.ts';
import { isList, isSameSchema, scalarTypes } from './record-fields.ts';

/**
 * Interprets an operation as one that adds several records at once, changes them, or replaces all;
 * undefined if its body is not clearly a list of records, or if the changed or replaced records
 * could not keep their identifiers. A PUT whose records bear what the service calls them, as the
 * `maker` beside it shows, replaces those alone.
 */
export function inferBatch(
  operation: Operation,
  resource: Resource,
  maker?: Operation,
): Batch | undefined {
  const found = findItems(operation, resource.record, resource.operations.create);
  const made = maker && findItems(maker, resource.record, undefined);
  const isNamedLater = made !== undefined && !namesRecords(made.item, resource);
  const told = deedOf(operation);
  const does = told === 'replace' && isNamedLater ? 'update' : told;
  if (found === undefined || (does !== 'create' && !namesRecords(found.item, resource)))
    return undefined;
  const shows = inferList(operation)?.shape;
  const [what, each] = deeds[does];
  const where = found.at === '' ? 'its body is' : `${found.at.slice(1)} in its body is`;
  return {
    does,
    operation,
    resource,
    records: found.at,
    item: found.item,
    wrapped: found.wrapped,
    shows,
    why:
      `it ${what} of ${resource.name}: ` +
      `${where} an array of them, and each is ${each} as if it were sent alone.`,
  };
}

/** What each kind of batch does, and what happens to each record of its body. */
const deeds = {
  create: ['adds records', 'added'],
  update: ['changes records', 'changed'],
  replace: ['replaces all records', 'added'],
} as const;

/** What a batch says that it does; otherwise, what its method does. */
function deedOf(operation: Operation): keyof typeof deeds {
  if (saysOnlyCreate(operation)) return 'create';
  if (operation.method === 'PUT') return 'replace';
  if (operation.method === 'PATCH') return 'update';
  return saysChange(operation) ? 'update' : 'create';
}

/**
 * Interprets a PUT on a collection that takes a list of identifiers, as `PUT /me/saved` with `{
 * "ids": [] }`: it adds what they name. Undefined if its body is no such list.
 */
export function inferAddition(operation: Operation, resource: Resource): Batch | undefined {
  const records = operation.method === 'PUT' ? identifiersIn(operation, resource) : undefined;
  const where = records === '' ? 'its body is' : `${records?.slice(1) ?? ''} in its body is`;
  return records === undefined
    ? undefined
    : {
        does: 'add',
        operation,
        resource,
        records,
        item: resource.record,
        why: `it adds records to ${resource.name}: ${where} a list of their identifiers.`,
      };
}

/** Whether the client chooses the identifier of each record. */
function namesRecords(item: Schema, { identifier }: Resource): boolean {
  const place = objectMembers(item).properties.get(identifier.field);
  return place !== undefined && item.flatten(place).node.readOnly !== true;
}

/** Whether a body holds many records, and not one. */
export function takesMany(operation: Operation, record: Schema): boolean {
  return findItems(operation, record, undefined) !== undefined;
}

interface FoundItems {
  readonly at: Pointer;
  readonly item: Schema;
  readonly wrapped?: string;
}

/**
 * The array that a body is, or the only one in it, if its items resemble the records and the body
 * itself does not.
 */
function findItems(
  { requestBody }: Operation,
  record: Schema,
  create: Operation | undefined,
): FoundItems | undefined {
  const schema = requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  if (schema === undefined) return undefined;
  const isRecord = (item: Schema): boolean =>
    isLike(item, record) ||
    create?.requestBody?.content.some(
      (alone) => alone.schema !== undefined && isSameSchema(alone.schema, item),
    ) === true;
  const bare = itemsOf(schema, schema);
  if (bare !== undefined) return isRecord(bare) ? { at: '', item: bare } : undefined;
  const known = objectMembers(record).properties;
  const members = objectMembers(schema).properties;
  // A body with a member of the record is one record that contains a list.
  if ([...members.keys()].some((name) => known.has(name))) return undefined;
  const lists = [...members].flatMap(([name, place]) => {
    const item = itemsOf(schema, place);
    return item === undefined ? [] : [{ name, item }];
  });
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) return undefined;
  const at = joinPointer('', only.name);
  if (isRecord(only.item)) return { at, item: only.item };
  const inner = recordIn(only.item, isRecord);
  return inner && { at, ...inner };
}

/** The only member of an entry that is a record, beside texts about it (Google AIP-233). */
function recordIn(
  entry: Schema,
  isRecord: (item: Schema) => boolean,
): Pick<FoundItems, 'item' | 'wrapped'> | undefined {
  const members = [...objectMembers(entry).properties].map(([name, place]) => ({
    wrapped: name,
    item: entry.part(entry.follow(place)),
  }));
  const isText = (item: Schema): boolean => item.flatten().types.join() === 'string';
  const [record, ...others] = members.filter(({ item }) => !isText(item));
  const isOne = record !== undefined && objectMembers(record.item).properties.size > 0;
  return isOne && others.length === 0 && isRecord(record.item) ? record : undefined;
}

function itemsOf(schema: Schema, place: LocatedNode): Schema | undefined {
  const flat = schema.flatten(place);
  if (flat.types.length !== 1 || flat.types[0] !== 'array' || flat.items === undefined)
    return undefined;
  const item = schema.part(schema.follow(flat.items));
  return objectMembers(item).properties.size > 0 ? item : undefined;
}

function isLike(item: Schema, record: Schema): boolean {
  const known = objectMembers(record).properties;
  return (
    isSameSchema(item, record) ||
    [...objectMembers(item).properties.keys()].every((name) => known.has(name))
  );
}

/**
 * Interprets an operation as one that deletes all records of a collection, or those that its query
 * and body select. Undefined if it requires a body whose meaning is unknown.
 */
export function inferClearing(operation: Operation, resource: Resource): Clearing | undefined {
  const identifiers = identifiersIn(operation, resource);
  if (operation.requestBody?.required === true && identifiers === undefined) return undefined;
  const shows = inferList(operation)?.shape;
  const named = namesToDelete(operation);
  const told = inferListParameters(operation, resource.record);
  const { field } = resource.identifier;
  const parameters =
    named === undefined
      ? told
      : { ...told, filters: [...told.filters, { parameter: named, field }] };
  // The default page size of the list does not limit a deletion.
  const limit = parameters.limit && { limit: { parameter: parameters.limit.parameter } };
  const shape: ListShape = {
    records: '',
    form: 'array',
    links: false,
    ...parameters,
    ...limit,
    paging: [],
  };
  const chosen = [
    ...[...parameters.filters, ...parameters.ranges].map(({ parameter }) => parameter),
    parameters.search,
    parameters.limit?.parameter,
    parameters.sort?.by,
    parameters.sort?.direction,
  ];
  const unread = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && !chosen.includes(parameter),
  );
  return {
    does: 'clear',
    operation,
    resource,
    shape,
    shows,
    identifiers,
    named,
    unread,
    why: explainClearing({ shape, identifiers, unread }, resource),
  };
}

/**
 * A body that is a list of identifiers, or an object with a list of that name: `ids`, `thingIds`.
 */
function identifiersIn(
  { requestBody }: Operation,
  { identifier, collectionPath }: Resource,
): Pointer | undefined {
  const schema = requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  if (schema === undefined) return undefined;
  const flat = schema.flatten();
  const isIdentifiers = (place: typeof flat): boolean =>
    isList(place) && scalarTypes(schema, place).includes(identifier.type);
  if (isIdentifiers(flat)) return '';
  const field = plainName(identifier.field);
  const names = new Set([field, singularOf(lastWord(collectionPath)) + field]);
  const fitting = [...flat.properties].filter(
    ([name, place]) => names.has(singularOf(name)) && isIdentifiers(schema.flatten(place)),
  );
  const [name] = fitting[0] ?? [];
  return name === undefined || fitting.length > 1 ? undefined : joinPointer('', name);
}

/** What a DELETE on a collection cannot do without: `records[]`, the identifiers of some records. */
export function namesToDelete({ method, parameters }: Operation): Parameter | undefined {
  const [only, ...others] = parameters.filter((one) => one.in === 'query' && one.required);
  const isMany = only?.schema.flatten().types.includes('array') === true;
  const isNames = /^(?:record|id)s?(?:\[\])?$/i.test(only?.name ?? '');
  return method === 'DELETE' && isMany && isNames && others.length === 0 ? only : undefined;
}
