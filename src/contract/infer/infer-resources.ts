import { remember } from '../../remember.ts';
import type {
  BulkAction,
  Inference,
  Operation,
  Placement,
  RecordAction,
  Resource,
  ResourceAction,
  ResourceOverrides,
  ResourceSettings,
  Schema,
  Unplaced,
} from '../model.ts';
import { verbalityOf } from '../words/verbality.ts';
import { explainUnplaced } from './explain-resource.ts';
import { inferAction } from './infer-action.ts';
import { inferAddition, inferBatch, inferClearing } from './infer-bulk-action.ts';
import { plainName, singularOf } from './infer-names.ts';
import { type OtherResources, relate } from './infer-relations.ts';
import { inferGroup } from './infer-resource.ts';
import type { PathGroup } from './operation-paths.ts';
import { groupByCollection, nameGroups, OperationPaths } from './operation-paths.ts';
import { actedPath, collectionPathOf, lastWord, pathKey } from './conventions/path-styles.ts';
import { isSameSchema } from './record-fields.ts';

/**
 * Infers from paths, methods and schemas which operations list, create, read, replace, update and
 * delete one kind of record. Everything is read on first access: the role of one operation needs
 * only the related paths.
 */
export function inferResources(
  operations: readonly Operation[],
  overrides: ResourceOverrides = {},
): Inference {
  return new LazyInference(operations, overrides);
}

class LazyInference implements Inference, OtherResources {
  readonly operations: readonly Operation[];
  readonly #overrides: ResourceOverrides;
  readonly #paths: OperationPaths;
  readonly #groups: ReadonlyMap<string, PathGroup>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #claimed: ReadonlyMap<string, string>;
  readonly #found = new Map<string, Resource | undefined>();
  readonly #placements = new Map<Operation, Placement | undefined>();
  #words: ReadonlyMap<string, readonly string[]> | undefined;
  #keys: ReadonlyMap<string, string> | undefined;
  #all: readonly Resource[] | undefined;
  #unplaced: readonly Unplaced[] | undefined;

  constructor(operations: readonly Operation[], overrides: ResourceOverrides) {
    this.operations = operations;
    this.#overrides = overrides;
    this.#paths = new OperationPaths(operations);
    this.#groups = groupByCollection(operations, this.#paths);
    this.#names = nameGroups([...this.#groups.values()]);
    this.#claimed = this.#claims();
  }

  get resources(): readonly Resource[] {
    return (this.#all ??= [...this.#groups.keys()].flatMap((key) => this.#resource(key) ?? []));
  }

  get actions(): readonly RecordAction[] {
    return this.operations.flatMap((operation) => {
      const placement = this.placementOf(operation);
      return placement?.kind === 'action' ? [placement.action] : [];
    });
  }

  get bulkActions(): readonly BulkAction[] {
    return this.operations.flatMap((operation) => {
      const placement = this.placementOf(operation);
      return placement?.kind === 'bulk' ? [placement.action] : [];
    });
  }

  get unplaced(): readonly Unplaced[] {
    const left = (): Operation[] =>
      this.operations.filter((operation) => this.placementOf(operation) === undefined);
    this.#unplaced ??= left().map((operation) => ({
      operation,
      why: explainUnplaced(operation, {
        operations: this.operations,
        refused: this.#settingsOf(this.#keyOf(operation)) === false,
      }),
    }));
    return this.#unplaced;
  }

  placementOf(operation: Operation): Placement | undefined {
    return remember(this.#placements, operation, () => this.#place(operation));
  }

  over(operations: readonly Operation[]): Inference {
    return new LazyInference(operations, this.#overrides);
  }

  pathOf(operation: Operation): string {
    return this.#paths.of(operation).path;
  }

  named(name: string): Resource | undefined {
    this.#keys ??= new Map([...this.#names].map(([key, own]) => [own, key]));
    return this.#resource(this.#keys.get(name) ?? '');
  }

  ofItems(itemKey: string): Resource | undefined {
    const key = itemKey.replace(/\/\{\}$/, '');
    const group = this.#groups.get(key);
    // A path such as `/owners/{ownerId}` belongs to the parent only if it is an item path.
    return group === undefined || pathKey(group.itemPath ?? '') !== itemKey
      ? undefined
      : this.#resource(key);
  }

  ofCollection(key: string): Resource | undefined {
    return this.#groups.has(key) ? this.#resource(key) : undefined;
  }

  called(singular: string): readonly Resource[] {
    return this.#calledSo(singular, (key) => !key.includes('{'));
  }

  calledBelow(singular: string): readonly Resource[] {
    return this.#calledSo(singular, (key) => key.includes('{'));
  }

  #calledSo(singular: string, isWanted: (key: string) => boolean): readonly Resource[] {
    this.#words ??= Map.groupBy(this.#groups.keys(), (key) => singularOf(lastWord(key)));
    return (this.#words.get(singular) ?? [])
      .filter(isWanted)
      .flatMap((key) => this.#resource(key) ?? [])
      .filter(({ kind }) => kind === 'collection');
  }

  readBy(operationId: string): Resource | undefined {
    const operation = this.operations.find(({ id }) => id === operationId);
    const resource = operation && this.#resource(this.#keyOf(operation));
    return resource?.operations.read === operation ? resource : undefined;
  }

  #place(operation: Operation): Placement | undefined {
    const resource = this.#resource(this.#keyOf(operation));
    const placed = resource && placeIn(resource, operation);
    if (placed !== undefined) return placed;
    const done = this.#actionOn(operation);
    if (done !== undefined) return { kind: 'action', action: done };
    const many = this.#bulkActionOn(operation);
    return many && { kind: 'bulk', action: many };
  }

  /**
   * The bulk action of an operation: on the path of its collection, on a path below it, or as
   * configured.
   */
  #bulkActionOn(operation: Operation): BulkAction | undefined {
    const { id, path } = operation;
    const key = this.#claimed.get(id) ?? collectionOfBatch(path) ?? pathKey(path);
    const settings = this.#settingsOf(key);
    if (this.#settingsOf(pathKey(path)) === false || settings === false) return undefined;
    const resource = this.#resource(key);
    return resource?.kind === 'collection'
      ? bulkActionOf(operation, resource, { ...settings?.operations, all: this.operations })
      : undefined;
  }

  #actionOn(operation: Operation): RecordAction | undefined {
    const { method } = operation;
    const path = this.pathOf(operation);
    const itemPath = actedPath(path);
    const isDeed = method === 'PATCH' && verbalityOf(lastWord(path)) > 0;
    const isVerb =
      (method === 'POST' || method === 'PUT' || isDeed) &&
      itemPath.endsWith('}') &&
      !path.endsWith('}') &&
      !this.#groups.get(pathKey(path))?.collection.some((other) => other.method === 'GET');
    const resource =
      isVerb && this.#settingsOf(pathKey(path)) !== false
        ? this.ofItems(pathKey(itemPath))
        : undefined;
    return resource && inferAction(operation, resource);
  }

  /** The group of an operation: the configured one, or that of its path. */
  #keyOf(operation: Operation): string {
    return this.#claimed.get(operation.id) ?? pathKey(this.#paths.of(operation).collectionPath);
  }

  #resource(key: string): Resource | undefined {
    if (this.#found.has(key)) return this.#found.get(key);
    // A lookup during this reading returns undefined: two resources that refer to each other are
    // read one after the other.
    this.#found.set(key, undefined);
    const made = this.#make(key);
    this.#found.set(key, made);
    return made;
  }

  #make(key: string): Resource | undefined {
    const group = this.#groups.get(key);
    const settings = this.#settingsOf(key) ?? {};
    if (group === undefined || settings === false) return undefined;
    const find = (id: string): Operation | undefined =>
      this.operations.find((operation) => operation.id === id);
    const isReadElsewhere = (made: Schema, word: string): boolean =>
      this.called(singularOf(word)).some(
        ({ itemPath, operations, record }) =>
          itemPath !== undefined && operations.read !== undefined && isSameSchema(record, made),
      );
    const isMadeBelow = (changed: Schema, word: string): boolean =>
      this.calledBelow(singularOf(word)).some(
        ({ itemPath, record }) => itemPath === undefined && isSameSchema(record, changed),
      );
    const reading = inferGroup(this.#unclaimed(group), {
      settings,
      find,
      isReadElsewhere,
      isMadeBelow,
    });
    return (
      reading && relate(reading, { name: this.#names.get(key) ?? key, settings, others: this })
    );
  }

  #unclaimed(group: PathGroup): PathGroup {
    if (this.#claimed.size === 0) return group;
    const isFree = ({ id }: Operation): boolean =>
      (this.#claimed.get(id) ?? group.key) === group.key;
    return {
      ...group,
      collection: group.collection.filter(isFree),
      items: group.items.filter(isFree),
    };
  }

  #settingsOf(key: string): ResourceSettings | false | undefined {
    const group = this.#groups.get(key);
    const names = [this.#names.get(key), group?.collectionPath, group?.itemPath];
    const name = names.find(
      (candidate) => candidate !== undefined && Object.hasOwn(this.#overrides, candidate),
    );
    return name === undefined ? undefined : this.#overrides[name];
  }

  /** Operations that the configuration assigns to a resource, by their ids. */
  #claims(): Map<string, string> {
    if (Object.keys(this.#overrides).length === 0) return new Map();
    return new Map(
      [...this.#groups.keys()].flatMap((key) => {
        const settings = this.#settingsOf(key);
        const ids = Object.values((settings === false ? undefined : settings?.operations) ?? {});
        return ids.flatMap((id) => (typeof id === 'string' ? [[id, key] as const] : []));
      }),
    );
  }
}

/** The role of an operation in the resource of its path. */
function placeIn(resource: Resource, operation: Operation): Placement | undefined {
  // `Object.entries` loses the type of the keys, which are the actions of a resource.
  const entries = Object.entries(resource.operations) as [ResourceAction, Operation][];
  const action = entries.find(([, own]) => own === operation)?.[0];
  if (action === 'create') {
    // A body may hold one record, or a list of them.
    const batch = inferBatch(operation, resource);
    return { kind: 'resource', resource, action, batch };
  }
  if (action !== undefined) return { kind: 'resource', resource, action };
  const by = resource.byValue.find((value) => value.operation === operation);
  if (by?.action === 'replace') return { kind: 'resource', resource, action: 'replace' };
  if (resource.namedCreate === operation) return { kind: 'named-create', resource, operation };
  return by && { kind: 'by-value', resource, by };
}

function bulkActionOf(
  operation: Operation,
  resource: Resource,
  { clear, createMany, all }: Bulk,
): BulkAction | undefined {
  const { id, method, path } = operation;
  // A view without parents, such as `/things/trash`, does not show which records it may remove.
  const isView = resource.name !== resource.collection && resource.parents.length === 0;
  if (method !== 'POST' && isView) return undefined;
  const isOnCollection = (wanted: string): boolean =>
    method === wanted && collectionPathOf(path) === path;
  if (clear === id || (clear === undefined && isOnCollection('DELETE')))
    return inferClearing(operation, resource);
  const isBatch =
    isOnCollection('PUT') ||
    isOnCollection('PATCH') ||
    createMany === id ||
    (createMany === undefined && isOnCollection('POST'));
  if (!isBatch) return undefined;
  const maker = all.find((one) => one.method === 'POST' && one.path === path);
  return inferBatch(operation, resource, maker) ?? inferAddition(operation, resource);
}

/** What the configuration says of bulk actions, and the operations beside one. */
type Bulk = Pick<NonNullable<ResourceSettings['operations']>, 'clear' | 'createMany'> & {
  readonly all: readonly Operation[];
};

/** `/things/batch` and `/things:batchCreate` act on the records of `/things`. */
function collectionOfBatch(path: string): string | undefined {
  const [, collection, word = ''] = /^(.+)[/:]([^/:{}]+)$/.exec(path) ?? [];
  return collection !== undefined && batchWords.test(plainName(word))
    ? pathKey(collection)
    : undefined;
}

const batchWords = new RegExp(
  '^(batch|bulk|many|multiple)(create|insert|add)?$|' +
    '^(create|insert|add)(batch|bulk|many|multiple)$',
);
