import type {
  ListShape,
  Operation,
  Resource,
  ResourceAction,
  ResourceSettings,
  Schema,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { creationStyles, namingStyles } from './conventions/creation-styles.ts';
import {
  findRecord,
  isAnyObject,
  recordPlace,
  successSchema,
} from './conventions/envelope-styles.ts';
import { takesMany } from './infer-bulk-action.ts';
import { explainActions, explainNaming, explainValueOperation } from './explain-resource.ts';
import { findValueOperations } from './infer-action.ts';
import { inferIdentifier } from './infer-identifier.ts';
import { type Identified, identifiedAs, sentName } from './sent-name.ts';
import { inferListParameters } from './infer-list-parameters.ts';
import { inferList, type ListReading } from './infer-list.ts';
import { operationName } from './infer-names.ts';
import type { PathGroup } from './operation-paths.ts';
import { lastParameter, lastWord } from './conventions/path-styles.ts';
import { isSameSchema, recordFields } from './record-fields.ts';
import { objectMembers } from '../schema/object-members.ts';
import { defined } from '../../json/value.ts';

/** What a group of operations shows without the other groups. */
export type ResourceReading = Omit<
  Resource,
  'name' | 'collection' | 'sharing' | 'parents' | 'foreignKeys' | 'counts' | 'copies' | 'links'
>;

/** What the links of the contract and an override state about a group's operations. */
export interface GroupSettings {
  readonly settings: ResourceSettings;
  /** Finds an operation by its id. */
  find(id: string): Operation | undefined;
  /** Whether another resource reads the records that are created on a path with this last word. */
  isReadElsewhere(made: Schema, word: string): boolean;
  /** Whether a list or create below another record, which has no items, shows such records. */
  isMadeBelow(changed: Schema, word: string): boolean;
}

/**
 * Interprets a group as the operations of one kind of record, or of a singleton; undefined if it is
 * neither.
 */
export function inferGroup(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  return inferCollection(group, given) ?? inferSingleton(group, given);
}

/**
 * Selects the operation of an action: the one that the settings name, otherwise the inferred one.
 */
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

/** The operations of a group with the methods that their paths mean. */
function onPath(
  operations: readonly Operation[],
  { paths }: PathGroup,
  method: string,
): Operation | undefined {
  return operations.find((operation) => paths.of(operation).method === method);
}

/**
 * The operations that create, list and read the records of a group, before their identifier is
 * known.
 */
interface GroupRecords {
  readonly list: ListReading | undefined;
  readonly read: Operation | undefined;
  readonly create: Operation | undefined;
  /** The convention that identified `create`; undefined if the settings name it. */
  readonly creation: string | undefined;
  readonly naming: FoundCreate | undefined;
  readonly record: Schema;
}

function findRecords(
  group: PathGroup,
  given: GroupSettings,
  choose: ChooseOperation,
): GroupRecords | undefined {
  const list = findList(group, given.settings, choose);
  const read = choose('read', () => {
    const shown = itemOperation(group, 'GET');
    return shown === undefined || isListOf(list, shown) ? undefined : shown;
  });
  if (list === undefined && read === undefined)
    return findMade(group, given) ?? findChanged(group, given);
  const shown = list?.record ?? (read && (recordSchema(read) ?? freeRecord(group, read)));
  const found = findCreate(group, shown);
  const create = choose('create', () => found?.operation);
  const record = shown ?? (create && recordSchema(create));
  if (record === undefined) return undefined;
  return {
    list,
    read,
    create,
    creation: create === found?.operation ? found?.convention : undefined,
    naming: findNaming(group, create !== undefined),
    record,
  };
}

/** Whether an operation answers with the list of a collection: `GET /instances/{zone}`. */
function isListOf(list: ListReading | undefined, operation: Operation): boolean {
  const [whole, part] = [list && successSchema(list.operation), successSchema(operation)];
  return whole !== undefined && part !== undefined && isSameSchema(whole, part);
}

/** What a read shows, if it is an object of any members and a POST on its collection takes such. */
function freeRecord({ collection }: PathGroup, read: Operation): Schema | undefined {
  const [shown, taken] = [
    successSchema(read),
    ...collection.filter(({ method }) => method === 'POST').map(bodySchema),
  ];
  const isFree = [shown, taken].every((schema) => schema !== undefined && isAnyObject(schema));
  return isFree ? shown : undefined;
}

/** What a create makes below a parent, if another path reads it: `POST /users/{user}/things`. */
function findMade(group: PathGroup, { isReadElsewhere }: GroupSettings): GroupRecords | undefined {
  const found = group.items.length === 0 ? findCreate(group, undefined) : undefined;
  const record = found && recordSchema(found.operation);
  const isRead =
    record !== undefined &&
    group.key.includes('{') &&
    isReadElsewhere(record, lastWord(group.collectionPath));
  // What is made has things or actions below it: `POST /drafts`, `POST /drafts/{id}/complete`.
  if (record === undefined || !(isRead || group.itemPath !== undefined)) return undefined;
  return {
    ...nothingFound,
    create: found?.operation,
    creation: found?.convention,
    record,
  };
}

/**
 * What a change shows, where records are made and listed below others: `PUT /parts/{id}`, `POST
 * /machines/{machine}/parts`.
 */
function findChanged(group: PathGroup, given: GroupSettings): GroupRecords | undefined {
  const change = itemOperation(group, 'PUT') ?? itemOperation(group, 'PATCH');
  const record = change && recordSchema(change);
  const isFlat = group.collection.length === 0 && !group.key.includes('{');
  return record !== undefined && isFlat && given.isMadeBelow(record, lastWord(group.collectionPath))
    ? { ...nothingFound, record }
    : undefined;
}

const nothingFound = {
  list: undefined,
  read: undefined,
  create: undefined,
  creation: undefined,
  naming: undefined,
};

function inferCollection(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  const { settings } = given;
  const choose = makeChooser(given);
  const records = findRecords(group, given, choose);
  const identified = records && identify(group, records, settings);
  if (records === undefined || identified === undefined) return undefined;
  const { list, read, create, naming } = records;
  const { identifier, record } = identified;
  const byValue = findValueOperations(group, { record, identifier, settings });
  const operations = present({
    list: list?.operation,
    create,
    read,
    ...findChanges(group, { records, choose }),
  });
  return {
    kind: 'collection',
    operations,
    namedCreate: naming?.operation,
    byValue,
    collectionPath: group.collectionPath,
    ...itemPathOf(group, read),
    identifier,
    record,
    list: list && withUnshown(withFilters(list, settings), records),
    conventions: [
      ...conventionsOf(group, records),
      ...identified.conventions,
      ...(byValue.length === 0 ? [] : ['identity.by-value']),
    ],
    why: [
      ...explainActions(operations),
      ...explainNaming(naming?.operation, operations),
      ...byValue.map(explainValueOperation),
      ...identified.why,
      ...(list?.why ?? []),
    ],
  };
}

function conventionsOf(
  group: PathGroup,
  { list, read, creation, naming, record }: GroupRecords,
): string[] {
  const paths = [...group.collection, ...group.items].flatMap(
    (operation) => group.paths.of(operation).conventions,
  );
  return [
    ...new Set([
      ...paths,
      ...(list?.conventions ?? []),
      ...((read && recordPlace(read, record)?.conventions) ?? []),
      ...(creation === undefined ? [] : [creation]),
      ...(naming === undefined ? [] : [naming.convention]),
    ]),
  ];
}

/**
 * The identifier, in the first form of a record that has one: a list may show fewer fields than a
 * read.
 */
function identify(
  group: PathGroup,
  { record, read, create, naming }: GroupRecords,
  settings: ResourceSettings,
): Identified | undefined {
  const source = {
    item: read ?? group.items[0],
    parameter: group.itemPath === undefined ? undefined : lastParameter(group.itemPath),
    itemPath: group.itemPath,
    word: lastWord(group.collectionPath),
    field: settings.identifier,
    isNamedByService: create !== undefined && create.requestBody === undefined,
  };
  const forms = [record, read && recordSchema(read), create && recordPlace(create, record)?.schema];
  for (const form of forms) {
    const found = form && inferIdentifier(form, source);
    if (found !== undefined && form !== undefined) return { ...found, record: form };
  }
  const sent = create && settings.identifier === undefined ? sentName(create, source) : undefined;
  const named = sent === undefined ? undefined : identifiedAs(sent, forms, source);
  if (named !== undefined) return named;
  const isMade = create !== undefined || naming !== undefined;
  const found = inferIdentifier(record, { ...source, isMade });
  return found && { ...found, record };
}

interface FoundCreate {
  readonly operation: Operation;
  readonly convention: string;
}

/** The POST on the collection that creates one record, and the convention that identified it. */
function findCreate(group: PathGroup, record: Schema | undefined): FoundCreate | undefined {
  const posts = group.collection.filter(
    (operation) => group.paths.of(operation).method === 'POST' && !takesOnlyMany(operation, record),
  );
  const source = {
    record,
    word: lastWord(group.collectionPath),
    hasItems: group.items.length > 0,
  };
  for (const { id, makes } of creationStyles) {
    const operation = posts.find((post) => makes(post, source));
    if (operation !== undefined) return { operation, convention: id };
  }
  return undefined;
}

function takesOnlyMany(operation: Operation, record: Schema | undefined): boolean {
  return record !== undefined && takesMany(operation, record) && !takesOne(operation, record);
}

/** Whether a body may also be one record: `{ "thing": { … } }` if it may be `{ "things": [] }`. */
function takesOne(operation: Operation, record: Schema): boolean {
  const schema = bodySchema(operation);
  const word = lastWord(operation.path);
  const place = schema && findRecord(schema, { word, known: record });
  const isList = place?.conventions.includes('envelope.list-of-one') === true;
  return place !== undefined && place.at !== '' && !isList;
}

/** The operation on an item's path that creates it under the name in the path. */
function findNaming(group: PathGroup, hasCreate: boolean): FoundCreate | undefined {
  const methods = group.items.map((operation) => group.paths.of(operation).method);
  for (const { id, makes } of namingStyles) {
    const operation = group.items.find(
      (item) => item.method === group.paths.of(item).method && makes(item, { methods, hasCreate }),
    );
    if (operation !== undefined) return { operation, convention: id };
  }
  return undefined;
}

function itemOperation(group: PathGroup, method: string): Operation | undefined {
  return onPath(group.items, group, method);
}

function findList(
  group: PathGroup,
  settings: ResourceSettings,
  choose: ChooseOperation,
): ListReading | undefined {
  const listing = choose('list', () => onPath(group.collection, group, 'GET'));
  return listing === undefined || looksLikeSingleton(group, listing, settings)
    ? undefined
    : inferList(listing, settings.records);
}

interface KnownRecord {
  readonly records: GroupRecords;
  readonly choose: ChooseOperation;
}

/** The operations that change or delete one record. */
function findChanges(
  group: PathGroup,
  { records: { record, read, naming }, choose }: KnownRecord,
): Readonly<Record<'replace' | 'update' | 'delete', Operation | undefined>> {
  const changesByPost = (operation: Operation): boolean =>
    operation !== naming?.operation &&
    group.paths.of(operation).method === 'POST' &&
    changesRecord(operation, record, read);
  const put = itemOperation(group, 'PUT');
  const changing = put?.changesPart === true ? put : undefined;
  return {
    replace: choose('replace', () => (changing === undefined ? put : undefined)),
    update: choose(
      'update',
      () => itemOperation(group, 'PATCH') ?? changing ?? group.items.find(changesByPost),
    ),
    delete: choose('delete', () => itemOperation(group, 'DELETE')),
  };
}

/**
 * A GET of one object that can be replaced or updated is a record, even if the object contains one
 * list: a change takes members of that object. `PUT /me/saved` with `{ "ids": [] }` changes a list.
 */
function looksLikeSingleton(
  group: PathGroup,
  listing: Operation,
  { operations, records }: ResourceSettings,
): boolean {
  if (operations?.list !== undefined || records !== undefined || group.items.length > 0)
    return false;
  const shown = recordSchema(listing);
  return (
    shown !== undefined &&
    group.collection.some(
      (operation) =>
        (operation.method === 'PUT' || operation.method === 'PATCH') &&
        mayTakeMembersOf(shown, operation),
    )
  );
}

/** Whether the body of an operation may have members of an object, as far as its schema says. */
function mayTakeMembersOf(shown: Schema, operation: Operation): boolean {
  const body = bodySchema(operation);
  const [own, taken] = [shown, body].map((schema) => schema && objectMembers(schema).properties);
  if (own === undefined || taken === undefined || own.size === 0 || taken.size === 0) return true;
  return [...taken.keys()].some((name) => own.has(name));
}

function inferSingleton(group: PathGroup, given: GroupSettings): ResourceReading | undefined {
  // `/versions/{major}.{minor}` has as many records as there are values.
  const isPartial = (segment: string): boolean =>
    segment.includes('{') && !/^\{[^{}]+\}$/.test(segment);
  if (group.items.length > 0 || group.collectionPath.split('/').some(isPartial)) return undefined;
  const choose = makeChooser(given);
  const ofMethod = (method: string) => (): Operation | undefined =>
    onPath(group.collection, group, method);
  const read = choose('read', ofMethod('GET'));
  const record = read && recordSchema(read);
  const operations = present({
    read,
    replace: choose('replace', ofMethod('PUT')),
    update: choose('update', ofMethod('PATCH')),
    delete: choose('delete', ofMethod('DELETE')),
  });
  if (read === undefined || record === undefined || Object.keys(operations).length < 2)
    return undefined;
  // `GET /levels` shows a list, and `POST /levels/set` changes one of them.
  const { replace, update } = operations;
  const isOfItem = [replace, update].some((change) => change && !mayTakeMembersOf(record, change));
  if (isOfItem && inferList(read) !== undefined) return undefined;
  return {
    kind: 'singleton',
    operations,
    collectionPath: group.collectionPath,
    identifier: { field: '', type: 'string' },
    record,
    byValue: [],
    conventions: [...new Set(group.collection.flatMap((one) => group.paths.of(one).conventions))],
    why: Object.entries(operations).map(
      ([action, operation]) =>
        `${operationName(operation)} is ${action}: ` +
        `it is a ${operation.method} on a path that has one record and no items.`,
    ),
  };
}

function present(
  operations: Readonly<Record<string, Operation | undefined>>,
): Resource['operations'] {
  return defined(operations);
}

/** A list may show fewer fields than a read, and be filtered by the others. */
function withUnshown(shape: ListShape, { list, read }: GroupRecords): ListShape {
  const record = read && recordSchema(read);
  if (list === undefined || record === undefined || isSameSchema(record, list.record)) return shape;
  const shown = new Set([
    ...shape.filters.map(({ parameter }) => parameter),
    ...shape.ranges.map(({ parameter }) => parameter),
  ]);
  const unshown = inferListParameters(list.operation, record).filters.filter(
    ({ parameter }) => !shown.has(parameter),
  );
  return unshown.length === 0 ? shape : { ...shape, unshown };
}

function withFilters(
  { operation, record, shape }: ListReading,
  { filters }: ResourceSettings,
): ListShape {
  if (filters === undefined) return shape;
  if (filters === false) return { ...shape, filters: [], ranges: [], expressions: undefined };
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
    expressions: shape.expressions?.filter(({ parameter }) => !isSaid(parameter)),
  };
}
/**
 * Whether a POST on an item's path updates it: it takes a body and returns the record. Some
 * services have no PATCH.
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

function itemPathOf({ itemPath }: PathGroup, read: Operation | undefined): { itemPath?: string } {
  const path =
    itemPath ??
    (read !== undefined && lastParameter(read.path) !== undefined ? read.path : undefined);
  return path === undefined ? {} : { itemPath: path };
}

/**
 * The schema of the record in an operation's success: an object with members, or the one that such
 * an object wraps.
 */
export function recordSchema(operation: Operation): Schema | undefined {
  return recordPlace(operation)?.schema;
}
