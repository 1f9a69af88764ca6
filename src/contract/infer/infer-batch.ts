import { isJsonMediaType } from '../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { inferList } from './infer-list.ts';
import type { Batch, LocatedNode, Operation, Resource, Schema } from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { isSameSchema } from './same-schema.ts';
import { defined } from '../../json/defined.ts';

/**
 * Reads an operation as one that adds several records at once, or as a PUT that puts them in the
 * place of all there are; undefined where its body is not a list of what can only be records, or
 * where what is replaced could not keep its identifiers.
 */
export function inferBatch(operation: Operation, resource: Resource): Batch | undefined {
  const found = findItems(operation, resource.record, resource.operations.create);
  const does = operation.method === 'PUT' ? 'replace' : 'create';
  if (found === undefined || (does === 'replace' && !namesRecords(found.item, resource)))
    return undefined;
  const shows = inferList(operation)?.shape;
  const where = found.at === '' ? 'its body is' : `${found.at.slice(1)} in its body is`;
  return {
    does,
    operation,
    resource,
    records: found.at,
    item: found.item,
    ...defined({ shows }),
    why: `it ${does === 'create' ? 'adds records' : 'replaces all records'} of ${resource.name}: ${where} an array of them, and each is added as if it came alone.`,
  };
}

/** Whether the client says by which identifier each record goes. */
function namesRecords(item: Schema, { identifier }: Resource): boolean {
  const place = objectMembers(item).properties.get(identifier.field);
  return place !== undefined && item.flatten(place.node, place.pointer).node.readOnly !== true;
}

/** Whether a body holds many records, and not one. */
export function takesMany(operation: Operation, record: Schema): boolean {
  return findItems(operation, record, undefined) !== undefined;
}

interface FoundItems {
  readonly at: Pointer;
  readonly item: Schema;
}

/**
 * The array that a body is, or the only one in it, where its items are like the records, and the
 * body itself is not.
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
  // What has a member of a record's own is one record, with a list in it.
  if ([...members.keys()].some((name) => known.has(name))) return undefined;
  const lists = [...members].flatMap(([name, place]) => {
    const item = itemsOf(schema, place);
    return item === undefined ? [] : [{ name, item }];
  });
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0 || !isRecord(only.item)) return undefined;
  return { at: joinPointer('', only.name), item: only.item };
}

function itemsOf(schema: Schema, place: LocatedNode): Schema | undefined {
  const flat = schema.flatten(place.node, place.pointer);
  if (flat.types.length !== 1 || flat.types[0] !== 'array' || flat.node.items === undefined)
    return undefined;
  const item = schema.part(schema.follow(flat.node.items, joinPointer(flat.pointer, 'items')));
  return objectMembers(item).properties.size > 0 ? item : undefined;
}

function isLike(item: Schema, record: Schema): boolean {
  const known = objectMembers(record).properties;
  return (
    isSameSchema(item, record) ||
    [...objectMembers(item).properties.keys()].every((name) => known.has(name))
  );
}
