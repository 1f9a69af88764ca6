import { inferIdentifier } from './infer-identifier.ts';
import { inferList, successSchema, type ListReading } from './infer-list.ts';
import type { Operation, Resource, ResourceAction, Schema, Unplaced } from './model.ts';

/** What inference found: the resources, and the operations left over with the reason. */
export interface Inference {
  readonly resources: readonly Resource[];
  readonly unplaced: readonly Unplaced[];
}

/** The operations of a collection's path and of its items' path. */
interface Group {
  readonly collectionPath: string;
  readonly collection: readonly Operation[];
  readonly itemPath?: string;
  readonly items: readonly Operation[];
}

/** Reads out of paths, methods and schemas which operations list, create, read, replace, update and delete one kind of record. */
export function inferResources(operations: readonly Operation[]): Inference {
  const groups = groupByCollection(operations);
  const resources = groups.flatMap((group) => inferResource(group) ?? []);
  const placed = new Set(resources.flatMap((resource) => Object.values(resource.operations)));
  const left = operations.filter((operation) => !placed.has(operation));
  return { resources, unplaced: left.map((operation) => ({ operation, why: whyUnplaced(operation, operations) })) };
}

function groupByCollection(operations: readonly Operation[]): Group[] {
  const collectionPaths = new Set(operations.map((operation) => collectionPathOf(operation.path)));
  return [...collectionPaths].map((collectionPath) => {
    const items = operations.filter((operation) => operation.path !== collectionPath && collectionPathOf(operation.path) === collectionPath);
    const itemPath = items[0]?.path;
    return {
      collectionPath,
      collection: operations.filter((operation) => operation.path === collectionPath),
      ...(itemPath === undefined ? {} : { itemPath }),
      items: items.filter((operation) => operation.path === itemPath),
    };
  });
}

/** `/pets/{petId}` belongs to `/pets`; any other path is a collection of its own. */
function collectionPathOf(path: string): string {
  return path.replace(/\/\{[^{}/]+\}$/, '') || path;
}

function inferResource(group: Group): Resource | undefined {
  if (group.collectionPath.includes('{')) return undefined;
  const list = group.collection.filter(({ method }) => method === 'GET').map(inferList)[0];
  const read = group.items.find(({ method }) => method === 'GET');
  const create = group.collection.find((operation) => operation.method === 'POST' && createsRecord(operation));
  const record = list?.record ?? (read && recordSchema(read)) ?? (create && recordSchema(create));
  if (record === undefined || (list === undefined && read === undefined)) return undefined;
  const identifier = inferIdentifier(record, group.itemPath);
  if (identifier === undefined) return undefined;
  const operations = actionsOf(group, { list, create });
  return {
    name: group.collectionPath.split('/').filter(Boolean).join('.'),
    operations,
    collectionPath: group.collectionPath,
    ...(group.itemPath === undefined ? {} : { itemPath: group.itemPath }),
    identifier: identifier.identifier,
    record,
    ...(list === undefined ? {} : { list: list.shape }),
    why: [...explainActions(operations), ...identifier.why, ...(list?.why ?? [])],
  };
}

function actionsOf(group: Group, found: { list: ListReading | undefined; create: Operation | undefined }): Resource['operations'] {
  const item = (method: string): Operation | undefined => group.items.find((operation) => operation.method === method);
  const actions: Record<ResourceAction, Operation | undefined> = {
    list: found.list?.operation,
    create: found.create,
    read: item('GET'),
    replace: item('PUT'),
    update: item('PATCH'),
    delete: item('DELETE'),
  };
  return Object.fromEntries(Object.entries(actions).filter(([, operation]) => operation !== undefined));
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
  return Object.entries(operations).map(([action, operation]) => `${operation.id} (${operation.method} ${operation.path}) is ${action}: ${reasons[action as ResourceAction]}.`);
}

function createsRecord(operation: Operation): boolean {
  return operation.requestBody !== undefined && recordSchema(operation) !== undefined;
}

function recordSchema(operation: Operation): Schema | undefined {
  const schema = successSchema(operation);
  return schema?.flatten().types.includes('object') === true && schema.flatten().properties.size > 0 ? schema : undefined;
}

function whyUnplaced(operation: Operation, all: readonly Operation[]): string {
  const collectionPath = collectionPathOf(operation.path);
  if (collectionPath.includes('{')) return `${operation.path} is nested under another record, and nested collections are not kept as state.`;
  if (successSchema(operation) === undefined) return 'its success has no JSON body with a schema, so there is no record to keep.';
  const lists = all.some((other) => other.method === 'GET' && collectionPathOf(other.path) === collectionPath);
  if (!lists) return `no operation lists or reads what it makes under ${collectionPath}.`;
  return 'its answer is not an array of records, or the records have no field that identifies them.';
}
