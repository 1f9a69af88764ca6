import { defined } from '../../json/defined.ts';
import type {
  ListShape,
  Operation,
  Resource,
  ResourceAction,
  ResourceSettings,
  Schema,
} from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { takesMany } from './infer-bulk-action.ts';
import { inferIdentifier } from './infer-identifier.ts';
import { inferList, type ListReading, successSchema } from './infer-list.ts';
import { singularOf } from './infer-names.ts';
import { lastParameter, lastWord, type PathGroup } from './path-groups.ts';
import { isSameSchema, recordFields } from './record-fields.ts';

/** What a group of operations says by itself, without a look at other groups. */
export type ResourceReading = Omit<Resource, 'name' | 'collection' | 'parents' | 'foreignKeys'>;

/** What the contract's links and an override say of a group's operations. */
export interface GroupSettings {
  readonly settings: ResourceSettings;
  /** Finds an operation by its id. */
  find(id: string): Operation | undefined;
}

/**
 * Reads a group as the operations of one kind of record, or of the one record on a path of its own;
 * undefined where it is neither.
 */
export function inferGroup(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  return inferCollection(group, given) ?? inferSingleton(group, given);
}

/** Chooses the operation of an action: the one that the settings name, else the inferred one. */
type ChooseOperation = (
  action: ResourceAction,
  inferred: () => Operation | undefined,
) => Operation | undefined;

function makeChooser({ settings, find }: GroupSettings): ChooseOperation {
  return (action, inferred) => {
    const id = settings.operations?.[action];
    if (id === false) return undefined;
    return id === undefined ? inferred() : find(id);
  };
}

function inferCollection(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  const { settings } = given;
  const choose = makeChooser(given);
  const list = findList(group, settings, choose);
  const read = choose('read', () => itemOperation(group, 'GET'));
  const shown = list?.record ?? (read && recordSchema(read));
  const create = choose('create', () =>
    group.collection.find(
      (operation) => operation.method === 'POST' && createsRecord(operation, shown),
    ),
  );
  const record = shown ?? (create && recordSchema(create));
  if (record === undefined || (list === undefined && read === undefined)) return undefined;
  const identified = inferIdentifier(record, {
    item: read ?? group.items[0],
    word: lastWord(group.collectionPath),
    field: settings.identifier,
  });
  if (identified === undefined) return undefined;
  const replaceByBody = findReplaceByBody(group, record, settings);
  const changes = findChanges(group, { record, read, choose });
  const operations = present({ list: list?.operation, create, read, ...changes });
  return {
    kind: 'collection',
    operations,
    ...defined({ replaceByBody }),
    collectionPath: group.collectionPath,
    ...itemPathOf(group, read),
    identifier: identified.identifier,
    record,
    ...(list === undefined ? {} : { list: withFilters(list, settings) }),
    why: [
      ...explainActions(operations),
      ...explainReplaceByBody(replaceByBody),
      ...identified.why,
      ...(list?.why ?? []),
    ],
  };
}

function itemOperation(group: PathGroup, method: string): Operation | undefined {
  return group.items.find((operation) => operation.method === method);
}

function findList(
  group: PathGroup,
  settings: ResourceSettings,
  choose: ChooseOperation,
): ListReading | undefined {
  const listing = choose('list', () => group.collection.find(({ method }) => method === 'GET'));
  return listing === undefined || looksLikeSingleton(group, listing, settings)
    ? undefined
    : inferList(listing, settings.records);
}

interface KnownRecord {
  readonly record: Schema;
  readonly read: Operation | undefined;
  readonly choose: ChooseOperation;
}

/** The operations that change or delete one record. */
function findChanges(
  group: PathGroup,
  { record, read, choose }: KnownRecord,
): Readonly<Record<'replace' | 'update' | 'delete', Operation | undefined>> {
  const changesByPost = (operation: Operation): boolean =>
    operation.method === 'POST' && changesRecord(operation, record, read);
  return {
    replace: choose('replace', () => itemOperation(group, 'PUT')),
    update: choose(
      'update',
      () => itemOperation(group, 'PATCH') ?? group.items.find(changesByPost),
    ),
    delete: choose('delete', () => itemOperation(group, 'DELETE')),
  };
}

function findReplaceByBody(
  group: PathGroup,
  record: Schema,
  { operations }: ResourceSettings,
): Operation | undefined {
  if (operations?.replace !== undefined) return undefined;
  return group.collection.find(
    (operation) => operation.method === 'PUT' && takesRecord(operation, record),
  );
}

function explainReplaceByBody(operation: Operation | undefined): string[] {
  if (operation === undefined) return [];
  return [
    `${named(operation)} is replace: ` +
      'it is a PUT on the collection, and its body names the record.',
  ];
}

/**
 * A GET of one object that can be replaced or changed in its place is a record, even where the
 * object has one list in it.
 */
function looksLikeSingleton(
  group: PathGroup,
  listing: Operation,
  { operations, records }: ResourceSettings,
): boolean {
  if (operations?.list !== undefined || records !== undefined || group.items.length > 0)
    return false;
  const changes = group.collection.some(({ method }) => method === 'PUT' || method === 'PATCH');
  return changes && recordSchema(listing) !== undefined;
}

function inferSingleton(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  // `/versions/{major}.{minor}` has as many records as there are values.
  const isPartial = (segment: string): boolean =>
    segment.includes('{') && !/^\{[^{}]+\}$/.test(segment);
  if (group.items.length > 0 || group.collectionPath.split('/').some(isPartial)) return undefined;
  const choose = makeChooser(given);
  const onPath = (method: string) => (): Operation | undefined =>
    group.collection.find((operation) => operation.method === method);
  const read = choose('read', onPath('GET'));
  const record = read && recordSchema(read);
  const operations = present({
    read,
    replace: choose('replace', onPath('PUT')),
    update: choose('update', onPath('PATCH')),
    delete: choose('delete', onPath('DELETE')),
  });
  if (record === undefined || Object.keys(operations).length < 2) return undefined;
  return {
    kind: 'singleton',
    operations,
    collectionPath: group.collectionPath,
    identifier: { field: '', type: 'string' },
    record,
    why: Object.entries(operations).map(
      ([action, operation]) =>
        `${named(operation)} is ${action}: ` +
        `it is a ${operation.method} on a path that has one record and no items.`,
    ),
  };
}

function present(
  operations: Readonly<Record<string, Operation | undefined>>,
): Resource['operations'] {
  return Object.fromEntries(
    Object.entries(operations).filter(([, operation]) => operation !== undefined),
  );
}

function withFilters(
  { operation, record, shape }: ListReading,
  { filters }: ResourceSettings,
): ListShape {
  if (filters === undefined) return shape;
  if (filters === false) return { ...shape, filters: [], ranges: [] };
  const isSaid = ({ name }: { readonly name: string }): boolean => Object.hasOwn(filters, name);
  const own = operation.parameters
    .filter((parameter) => parameter.in === 'query' && isSaid(parameter))
    .flatMap((parameter) => {
      const field = recordFields(record).find(({ name }) => name === filters[parameter.name]);
      return field === undefined ? [] : [{ parameter, field: field.name }];
    });
  return {
    ...shape,
    filters: [...shape.filters.filter(({ parameter }) => !isSaid(parameter)), ...own],
    ranges: shape.ranges.filter(({ parameter }) => !isSaid(parameter)),
  };
}

const reasons: Readonly<Record<ResourceAction, string>> = {
  list: 'it is a GET on the collection and answers an array of records',
  create: 'it is a POST on the collection, takes a body and answers an object',
  read: "it is a GET on an item's path and answers an object",
  replace: "it is a PUT on an item's path",
  update: "it is a PATCH on an item's path",
  delete: "it is a DELETE on an item's path",
};

function explainActions(operations: Resource['operations']): string[] {
  // `Object.entries` forgets which keys an object has; these are the actions of a resource.
  return (Object.entries(operations) as [ResourceAction, Operation][]).map(
    ([action, operation]) => `${named(operation)} is ${action}: ${reasonFor(action, operation)}.`,
  );
}

function reasonFor(action: ResourceAction, { method, requestBody }: Operation): string {
  if (action === 'update' && method === 'POST')
    return "it is a POST on an item's path and answers the record";
  return action === 'create' && requestBody === undefined
    ? 'it is a POST on the collection, and answers 201 with the record'
    : reasons[action];
}

function named({ id, method, path }: Operation): string {
  return id === `${method} ${path}` ? id : `${id} (${method} ${path})`;
}

/**
 * Whether a POST adds a record: it takes a body and answers an object; or it answers nothing, and
 * its body is a record, or much like one and 201 comes of it (RFC 9110, section 15.3.2).
 */
function createsRecord(operation: Operation, record: Schema | undefined): boolean {
  if (operation.requestBody === undefined)
    return record !== undefined && makesRecord(operation, record);
  if (record !== undefined && takesMany(operation, record)) return false;
  return (
    recordSchema(operation) !== undefined ||
    (successSchema(operation) === undefined &&
      record !== undefined &&
      (takesRecord(operation, record) || makesOneLike(operation, record)))
  );
}

/**
 * Whether a POST without a body makes a record nevertheless: 201 comes of it, and shows one. `POST
 * /carts` is an empty cart.
 */
function makesRecord(operation: Operation, record: Schema): boolean {
  const shown = recordSchema(operation);
  return (
    operation.responses.some(({ status }) => status === '201') &&
    shown !== undefined &&
    isSameSchema(shown, record)
  );
}

/**
 * Whether a POST on an item's path changes it: it takes a body and answers the record. Services of
 * one kind have no PATCH.
 */
function changesRecord(operation: Operation, record: Schema, read: Operation | undefined): boolean {
  const shown = recordSchema(operation);
  const form = read && recordSchema(read);
  return (
    operation.requestBody !== undefined &&
    shown !== undefined &&
    (isSameSchema(shown, record) || (form !== undefined && isSameSchema(shown, form)))
  );
}

function takesRecord({ requestBody }: Operation, record: Schema): boolean {
  return (
    requestBody?.content.some(
      ({ schema }) => schema !== undefined && isSameSchema(schema, record),
    ) === true
  );
}

function makesOneLike({ requestBody, responses }: Operation, record: Schema): boolean {
  const known = objectMembers(record).properties;
  const names =
    requestBody?.content.flatMap(({ schema }) =>
      schema === undefined ? [] : [...objectMembers(schema).properties.keys()],
    ) ?? [];
  return (
    responses.some(({ status }) => status === '201') &&
    names.length > 0 &&
    names.every((name) => known.has(name))
  );
}

function itemPathOf({ itemPath }: PathGroup, read: Operation | undefined): { itemPath?: string } {
  const path =
    itemPath ??
    (read !== undefined && lastParameter(read.path) !== undefined ? read.path : undefined);
  return path === undefined ? {} : { itemPath: path };
}

/**
 * The schema of the record that an operation's success shows: an object with members, or the one
 * that such an object wraps.
 */
export function recordSchema(operation: Operation): Schema | undefined {
  const schema = successSchema(operation);
  return schema !== undefined && isObject(schema)
    ? (wrappedRecord(schema, lastWord(operation.path)) ?? schema)
    : undefined;
}

function isObject(schema: Schema): boolean {
  return schema.flatten().types.includes('object') && objectMembers(schema).properties.size > 0;
}

/**
 * `{ "data": { … } }`: the one object in an answer that has no identifier of its own, under a name
 * that says nothing else.
 */
function wrappedRecord(schema: Schema, word: string): Schema | undefined {
  const { properties } = schema.flatten();
  const names = [...properties.keys()];
  if (names.some((name) => /^(id|uuid|slug|key|name|code)$/i.test(name))) return undefined;
  const inner = [...properties]
    .filter(([name]) => wrapping.test(name) || singularOf(name) === singularOf(word))
    .map(([, place]) => schema.part(schema.follow(place.node, place.pointer)));
  const [record, ...others] = inner.filter(isObject);
  return others.length === 0 ? record : undefined;
}

const wrapping = /^(data|result|item|record|response|payload|resource|object)$/i;
