import { factIn, fieldTexts } from '../words/facts.ts';
import { namesParent } from '../words/names.ts';
import type { Contract, LocatedNode, Operation, Resource, Schema } from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { lastWord, pathKey, wholeParameters } from './conventions/path-styles.ts';
import { inferList } from './infer-list.ts';
import { plainName, singularOf } from './infer-names.ts';
import { isSameSchema } from './record-fields.ts';

/**
 * The members of a body that name another record of the same kind, such as the comment that is
 * answered: by a schema that the document writes once for both, by a name such as `parent_id`, or
 * by their description, `id of another ticket`.
 */
export function ownReferencesOf(
  { identifier, record, foreignKeys, collectionPath }: Resource,
  schema: Schema | undefined,
): string[] {
  const own = record.flatten().properties.get(identifier.field);
  if (schema === undefined || own === undefined) return [];
  const shared = record.follow(own).pointer;
  const types = typesAt(record, own);
  return [...schema.flatten().properties].flatMap(([field, place]) => {
    const isOther = field === identifier.field || foreignKeys.some((key) => key.field === field);
    // What the path of an item has is the name of the new record: `user_id` of a member.
    if (isOther || plainName(field) === plainName(identifier.parameter ?? '')) return [];
    const named = factIn(fieldTexts(schema.flatten(place)), 'identifies-record')?.value ?? '';
    if (singularOf(plainName(named)) === singularOf(lastWord(collectionPath))) return [field];
    if (typesAt(schema, place) !== types) return [];
    const isShared =
      shared.includes('/schemas/') &&
      schema.follow(place).pointer === shared &&
      plainName(field).endsWith(plainName(identifier.field));
    return isShared || namesParent(plainName(field)) ? [field] : [];
  });
}

/** The types of a member, besides null. */
function typesAt(schema: Schema, place: LocatedNode): string {
  return schema
    .flatten(place)
    .types.filter((type) => type !== 'null')
    .join();
}

/** The records of a resource that name another one, and the list that shows them below it. */
export interface OwnParts {
  /** The member that names the other record. */
  readonly field: string;
  readonly list: Resource;
  /** What the list shows, in the singular: `reply` of `/comments/{id}/replies`. */
  readonly noun: string;
}

/**
 * The lists below the records of a resource that show such records, as resources: nothing in them
 * says what identifies a record, so that none is inferred.
 */
function openListsBelow(resource: Resource, operations: readonly Operation[]): Resource[] {
  const { itemPath, parents, record } = resource;
  const key = itemPath === undefined ? undefined : pathKey(itemPath);
  return operations.flatMap((operation) => {
    const { method, path } = operation;
    const above = path.slice(0, path.lastIndexOf('/'));
    if (method !== 'GET' || key === undefined || pathKey(above) !== key) return [];
    const reading = inferList(operation);
    if (reading === undefined || !isSameSchema(reading.record, record)) return [];
    const last = wholeParameters(above).at(-1);
    if (last === undefined) return [];
    const whole = { parameter: last.name, segment: last.segment, resource };
    const list: Resource = {
      ...resource,
      name: `${resource.name}.${lastWord(path)}`,
      operations: { list: operation },
      collectionPath: path,
      list: reading.shape,
      parents: [...parents, whole],
    };
    return [list];
  });
}

/**
 * The parts of records that are records of the same resource: one member of the create names
 * another one, and one list below a record, which nothing else fills, has the same records. The
 * lists of `operations` that no resource places are read too.
 */
export function ownPartsOf(
  resource: Resource,
  contract: Pick<Contract, 'resources'>,
  operations: readonly Operation[] = [],
): OwnParts | undefined {
  const { create } = resource.operations;
  const [field, ...others] =
    create === undefined ? [] : ownReferencesOf(resource, bodySchema(create));
  if (field === undefined || others.length > 0) return undefined;
  const { resources } = contract;
  const placed = new Set(resources.map((one) => one.operations.list));
  const open = operations.filter((operation) => !placed.has(operation));
  const [list, ...otherLists] = [...resources, ...openListsBelow(resource, open)].filter(
    ({ kind, operations: own, parents, record }) =>
      kind === 'collection' &&
      Object.keys(own).join() === 'list' &&
      parents.at(-1)?.resource === resource &&
      isSameSchema(record, resource.record),
  );
  if (list === undefined || otherLists.length > 0) return undefined;
  return { field, list, noun: singularOf(lastWord(list.collectionPath)) };
}
