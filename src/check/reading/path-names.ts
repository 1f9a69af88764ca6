import { plainName, singularOf } from '../../contract/infer/infer-names.ts';
import {
  lastWord,
  pathKey,
  wholeParameters,
} from '../../contract/infer/conventions/path-styles.ts';
import { hasKnownRecords, recordFields } from '../../contract/infer/record-fields.ts';
import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  ValueOperation,
} from '../../contract/model.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import type { Source } from '../model/request-template.ts';
import { creatorOf, roleOf } from '../model/step.ts';
import { isReference } from './identifiers.ts';

/** A path parameter that names a record of the contract. */
export interface PathName {
  readonly parameter: Parameter;
  /** The resource of that record. */
  readonly resource: Resource;
  /** Set if it names a parent of that record: the segment of the path that it fills, from 0. */
  readonly parent?: number;
  /** The resource of the operation itself, if it is another one: a collection below the record. */
  readonly below?: Resource;
  /** Whether the path is not below the parents of that record, which it has. */
  readonly elsewhere?: true;
  /** Whether the run can create such a record. */
  readonly creatable: boolean;
  /** What the document shows, or the user gave, if no record is known. */
  readonly otherwise?: JsonValue;
}

/**
 * How a request identifies its records: any known one, one of the run's own, or one that an earlier
 * step of its sequence created or listed.
 */
export type RecordKind = 'known' | 'own' | 'created' | 'listed';

/**
 * The parameters of an operation's path that identify records: by the item path of a resource at
 * its end or on the way (`/owners/{ownerId}/things`, `/things/{thingId}/photos`), and those beside
 * it by their names. The last one is the record that the operation is about.
 */
export function pathNames(contract: Contract, operation: Operation): PathName[] {
  const known = remember(namesOf, contract, () => new Map());
  return remember(known, operation, () => {
    const names = namesOnPath(contract, operation);
    return [...namedElsewhere(contract, operation, names), ...names];
  });
}

// Each request of a run asks for them.
const namesOf = new WeakMap<Contract, Map<Operation, PathName[]>>();

function namesOnPath(contract: Contract, operation: Operation): PathName[] {
  const path = contract.inference.pathOf(operation);
  const role = roleOf(contract, operation);
  const isNamedAlone = role === undefined || !hasKnownRecords(role.resource);
  const beside = isNamedAlone ? resourceBeside(contract, path) : undefined;
  const through = beside ?? resourceOnPath(contract, path);
  if (through === undefined) return namedParents(contract, operation);
  const identifierAt = segmentOf(through);
  return wholeParameters(path).flatMap(({ name, segment }): PathName[] => {
    const parameter = operation.parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === name,
    );
    if (parameter === undefined || segment > identifierAt) return [];
    const below = role !== undefined && role.resource !== through ? { below: role.resource } : {};
    return [
      {
        parameter,
        resource: through,
        creatable: isCreatable(contract, through),
        ...(segment === identifierAt ? {} : { parent: segment }),
        ...below,
      },
    ];
  });
}

/** The names in the path of a request that makes a record: its parents are there before it is. */
export function namesBefore(
  contract: Contract,
  own: Resource,
  names: readonly PathName[],
): PathName[] {
  return names.map((name) => {
    const above = own.parents.find(({ segment }) => segment === name.parent)?.resource;
    return above === undefined
      ? name
      : {
          parameter: name.parameter,
          resource: above,
          creatable: isCreatable(contract, above),
        };
  });
}

// A contract has far fewer names than parameters.
const keyedIn = new WeakMap<Contract, Map<string, Resource | undefined>>();

/**
 * The parameters beside the path of a record that have the name of its key there:
 * `/archive/{thingName}` where `/owners/{ownerId}/things/{thingName}` is a thing.
 */
function namedElsewhere(
  contract: Contract,
  operation: Operation,
  names: readonly PathName[],
): PathName[] {
  const own = roleOf(contract, operation)?.resource;
  const keys = new Set(wholeParameters(own?.itemPath ?? '').map(({ name }) => name));
  const taken = new Set(names.map(({ parameter }) => parameter));
  return operation.parameters.flatMap((parameter): PathName[] => {
    const { in: location, name } = parameter;
    if (location !== 'path' || taken.has(parameter) || keys.has(name)) return [];
    const keyed = remember(keyedIn, contract, () => new Map());
    const resource = remember(
      keyed,
      name,
      () => namedResource(contract, name) ?? resourceOfKey(contract, name),
    );
    if (resource === undefined || !isKnowable(contract, resource)) return [];
    if (partField(contract, operation, parameter) !== undefined) return [];
    const found = { parameter, resource, creatable: isCreatable(contract, resource) };
    return [resource.parents.length > 0 ? { ...found, elsewhere: true } : found];
  });
}

/** The names of members that name what they stand in, the best first. */
export const partKeys = ['id', 'uuid', 'guid', 'name', 'key', 'slug', 'code'];

/**
 * The field of the record of the path by which a further parameter names a part of it:
 * `/things/{thing}/places/{place}` where things show `places`, each with a `name`.
 */
export function partField(
  contract: Contract,
  { path }: Operation,
  { name }: Parameter,
): { readonly resource: string; readonly field: string } | undefined {
  const through = resourceOnPath(contract, path);
  const at = path.split('/').indexOf(`{${name}}`) - 1;
  if (through === undefined || at - 1 !== segmentOf(through) + 1) return undefined;
  const word = plainName(path.split('/')[at] ?? '');
  const keys = [plainName(name), ...partKeys];
  const fields = recordFields(through.record).filter(
    ({ name: field, many }) => many && plainName(field.split('.')[0] ?? '') === word,
  );
  const [found] = keys.flatMap((key) =>
    fields.filter(({ name: field }) => plainName(field.split('.')[1] ?? '') === key),
  );
  return found && { resource: through.name, field: found.name };
}

/**
 * The one resource whose records have such a key in their own path, or whose collection has such a
 * name; of several, the one of which the run can create records.
 */
function resourceOfKey(contract: Contract, name: string): Resource | undefined {
  if (anyRecord.test(name)) return undefined;
  const plain = plainName(name);
  const word = singularOf(name.replace(/[-_]?(?:ids?|uuids?|ref|name)$/i, ''));
  const found = contract.resources.filter(
    ({ kind, collectionPath, identifier: { parameter } }) =>
      kind === 'collection' &&
      (plainName(parameter ?? '') === plain || singularOf(lastWord(collectionPath)) === word),
  );
  const own = found.filter((resource) => isCreatable(contract, resource));
  const [first, ...others] = own.length === 0 ? found : own;
  return others.every(({ collection }) => collection === first?.collection) ? first : undefined;
}

/** The records above a collection that the names of its parameters show: `/queues/{host}`. */
function namedParents(contract: Contract, operation: Operation): PathName[] {
  const named = namedByValue(contract, operation);
  if (named !== undefined) return namesByValue(operation, named);
  const below = roleOf(contract, operation)?.resource ?? leadingResource(contract, operation);
  if (below === undefined) return [];
  return below.parents.flatMap(({ parameter: name, resource }): PathName[] => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return parameter === undefined || resource === undefined || !isKnowable(contract, resource)
      ? []
      : [{ parameter, resource, creatable: isCreatable(contract, resource), below }];
  });
}

/** The resource on whose collection an operation is, or whose collection its path begins with. */
function leadingResource({ resources }: Contract, { path }: Operation): Resource | undefined {
  const key = `${pathKey(path)}/`;
  return resources.find(
    ({ kind, parents, collectionPath }) =>
      kind === 'collection' && parents.length > 0 && key.startsWith(`${pathKey(collectionPath)}/`),
  );
}

/** A record that a member of the body names, and not the path: `PUT /things` with an `id`. */
export interface BodyName {
  readonly resource: Resource;
  readonly member: string;
}

/** The record that the body of a change names; undefined if the run cannot create such a record. */
export function bodyName(contract: Contract, operation: Operation): BodyName | undefined {
  const named = namedByValue(contract, operation);
  return named?.by.in === 'body' && named.by.action !== 'read'
    ? { resource: named.resource, member: named.by.name }
    : undefined;
}

interface NamedByValue {
  readonly resource: Resource;
  readonly by: ValueOperation;
}

/** What an operation names in its body or query, if the run can create it. */
function namedByValue(contract: Contract, operation: Operation): NamedByValue | undefined {
  for (const resource of contract.resources) {
    const by = resource.byValue.find((value) => value.operation === operation);
    if (by !== undefined && isCreatable(contract, resource)) return { resource, by };
  }
  return undefined;
}

/** The parents in the path of a record that is named by a value. */
function namesByValue(operation: Operation, { resource }: NamedByValue): PathName[] {
  return operation.parameters.flatMap((parameter): PathName[] => {
    const parent = resource.parents.find(
      (one) => parameter.in === 'path' && one.parameter === parameter.name,
    );
    return parent === undefined
      ? []
      : [{ parameter, resource, creatable: true, parent: parent.segment }];
  });
}

/** The segment of an item's path that names the record. */
function segmentOf({ itemPath = '' }: Resource): number {
  return itemPath.split('/').length - 2;
}

/**
 * The resource whose record the last parameter of a path names beside the record's own path, below
 * the same parents: `/stores/{store_id}/assertions/{model_id}` names a model of
 * `/stores/{store_id}/models/{id}`.
 */
function resourceBeside({ resources }: Contract, path: string): Resource | undefined {
  const last = wholeParameters(path).at(-1);
  if (last === undefined || !path.endsWith('}') || !isReference(last.name)) return undefined;
  const word = singularOf(last.name.replace(/[-_]?(?:ids?|uuids?|ref)$/i, ''));
  const above = path.split('/').slice(1, last.segment);
  const found = resources.filter((resource) => {
    const { kind, parents, collectionPath, itemPath = '' } = resource;
    return (
      kind === 'collection' &&
      parents.length > 0 &&
      segmentOf(resource) === last.segment &&
      pathKey(itemPath) !== pathKey(path) &&
      pathKey(itemPath).startsWith(pathKey(`/${above.join('/')}/`)) &&
      singularOf(lastWord(collectionPath)) === word
    );
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The resource of known records with the longest item path that a path begins with. */
function resourceOnPath(contract: Contract, path: string): Resource | undefined {
  const { resources } = contract;
  const key = pathKey(path);
  let found: Resource | undefined;
  let length = 0;
  for (const resource of resources) {
    const { kind, itemPath } = resource;
    if (kind !== 'collection' || itemPath?.endsWith('}') !== true) continue;
    // Cheap, and false for most resources: a contract may have hundreds.
    if (!path.startsWith(itemPath.slice(0, itemPath.indexOf('{')))) continue;
    const itemKey = pathKey(itemPath);
    const leads = key === itemKey || key.startsWith(`${itemKey}/`);
    if (!leads || itemKey.length < length || !isKnowable(contract, resource)) continue;
    found = resource;
    length = itemKey.length;
  }
  return found;
}

/** Names that do not show the kind of record. */
const anyRecord = /^_?(id|uuid|guid|name|key|code|slug|ref)s?$/i;

/**
 * The resource to which a query parameter or a member of a body refers, by its name: `siteName` if
 * a path has `{siteName}`, `customerId` if there are customers. Undefined if there is none, or
 * several.
 */
export function namedResource({ resources }: Contract, name: string): Resource | undefined {
  if (anyRecord.test(name)) return undefined;
  const plain = plainName(name);
  const word = /^(.+?)[-_]?(?:ids?|uuids?|ref)$/i.exec(name)?.[1];
  const one = word === undefined || !isReference(name) ? undefined : singularOf(word);
  const found = resources.filter(({ kind, parents, collectionPath, identifier: { parameter } }) => {
    if (kind !== 'collection' || parents.length > 0) return false;
    if (parameter !== undefined && plainName(parameter) === plain) return true;
    const last = collectionPath.split('/').findLast((segment) => segment !== '') ?? '';
    return one === singularOf(last);
  });
  const [first, ...others] = found;
  return others.every(({ collection }) => collection === first?.collection) ? first : undefined;
}

/**
 * The resource that a member of a body refers to by a name of its records: `work_queue_name` where
 * there are `work_queues`. Some services make a record that they do not find by such a name.
 */
export function resourceNamedBy({ resources }: Contract, member: string): Resource | undefined {
  const word = /^(.+?)[-_]?name$/i.exec(member)?.[1];
  if (word === undefined) return undefined;
  return resources.find(
    ({ kind, collectionPath }) =>
      kind === 'collection' && singularOf(lastWord(collectionPath)) === singularOf(word),
  );
}

/** Whether a response can show a record: a list shows it, or a create made it. */
function isKnowable(contract: Contract, resource: Resource): boolean {
  return resource.operations.list !== undefined || isCreatable(contract, resource);
}

/** Whether an operation creates records of a resource, or of another path to the same set. */
function isCreatable(contract: Contract, { collection }: Resource): boolean {
  return contract.resources.some(
    (other) => other.collection === collection && creatorOf(contract, other) !== undefined,
  );
}

/** The source of the value of a path parameter. */
export function sourceOf(
  { resource, parent, below, creatable, otherwise }: PathName,
  kind: RecordKind,
): Source {
  // What an earlier step created or listed is below the record that the step named.
  if (below !== undefined && (kind === 'created' || kind === 'listed')) {
    const last = (resource.itemPath ?? '').split('/').length - 2;
    return { kind, resource: below.name, parent: parent ?? last };
  }
  const named = { resource: resource.name, ...defined({ parent }) };
  const isKnown = kind === 'known' || (below !== undefined && !creatable);
  return isKnown ? { kind: 'known', ...named, ...defined({ otherwise }) } : { kind, ...named };
}
