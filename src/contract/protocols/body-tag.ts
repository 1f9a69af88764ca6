import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue, withoutMembers } from '../../json/value.ts';
import { successSchema } from '../infer/conventions/envelope-styles.ts';
import { oncePerResource } from '../infer/record-fields.ts';
import { plainName } from '../infer/infer-names.ts';
import type {
  MediaTypeSpec,
  Operation,
  Parameter,
  Resource,
  Schema,
  SchemaObject,
} from '../model.ts';
import { bodySchema } from '../model/operation.ts';
import { writeReference } from '../read/cursor.ts';
import { namesAny, operationTexts, statusTexts } from '../words/facts.ts';
import type { Protocol, Told } from './protocol.ts';

/** Records with an entity tag as a member: a change that has another tag than theirs fails. */
export interface BodyTag extends Told {
  /** The member of records and of the bodies of changes: `etag`. */
  readonly field: string;
  /** The updates and replacements whose body may have it. */
  readonly changes: readonly Operation[];
  /** The deletion that takes it in its query. */
  readonly removal?: { readonly operation: Operation; readonly parameter: Parameter } | undefined;
}

/**
 * Entity tags in bodies: the text `etag` of a record, which a change of it repeats in its body and
 * a deletion in its query (AIP-154), or the version of a record (`lock_version`), where the change
 * names it and documents 409 or 412. A client takes it from a response, and never makes one up.
 */
export const bodyTag: Protocol<BodyTag> = {
  read: (resource) => bodyTagOf(resource),
  governs: isTagParameter,
};

/** The entity tag in the records of a resource, and the operations that take it. */
export const bodyTagOf = oncePerResource(readTag);

function readTag({
  record,
  operations: { create, update, replace, delete: removes },
}: Resource): BodyTag | undefined {
  const changing = [update, replace].filter((operation) => operation !== undefined);
  const [version] = changing.flatMap((one) => openVersion(one, bodySchema(one)) ?? []);
  const made = create && recordIn(bodySchema(create))?.flatten().properties;
  const isVersion =
    version !== undefined &&
    made?.has(version) !== true &&
    record.flatten().properties.has(version);
  const field = tagIn(record) ?? (isVersion ? version : undefined);
  if (field === undefined) return undefined;
  const changes = changing.filter((operation) => takesTag(operation, { field }));
  const parameter = removes?.parameters.find((one) => isTagParameter(removes, one));
  const removal =
    removes === undefined || parameter === undefined
      ? undefined
      : { operation: removes, parameter };
  if (changes.length === 0 && removal === undefined) return undefined;
  const asking = [...changes, ...(removal === undefined ? [] : [removal.operation])];
  const ids = asking.map(({ id }) => id).join(' and ');
  const source = field === version ? '' : ' (AIP-154)';
  const says = `${ids} take the ${field} that a record was read with${source}.`;
  return { field, changes, removal, says };
}

/** What a body has of a record: itself, or the only object that is in it. */
function recordIn(body: Schema | undefined): Schema | undefined {
  const [only, ...others] = body?.flatten().properties ?? [];
  if (body === undefined || only === undefined || others.length > 0) return body;
  const inner = body.part(body.follow(only[1]));
  return inner.flatten().properties.size > 0 ? inner : body;
}

/** Whether the body of an operation may have the entity tag of a record. */
export function takesTag(operation: Operation, { field }: Pick<BodyTag, 'field'>): boolean {
  const schema = bodySchema(operation);
  return openTag(schema) === field || openVersion(operation, schema) === field;
}

function isTagParameter({ method }: Operation, { in: location, name, schema }: Parameter): boolean {
  const isText = schema.flatten().types.includes('string');
  return method !== 'GET' && location === 'query' && plainName(name) === 'etag' && isText;
}

/** The member of a schema that holds an entity tag. */
function tagIn(schema: Schema | undefined): string | undefined {
  return [...(schema?.flatten().properties ?? [])].find(([name, place]) => {
    const flat = schema?.flatten(place);
    const isText = flat?.types.includes('string') === true && flat.node.enum === undefined;
    return plainName(name) === 'etag' && isText;
  })?.[0];
}

/** The same, if a client may leave it out and may set it. */
function openTag(body: Schema | undefined): string | undefined {
  const schema = recordIn(body);
  return optional(schema, tagIn(schema));
}

/** The version of a record that a change may name, so that it fails if the record has another. */
function openVersion(operation: Operation, body: Schema | undefined): string | undefined {
  const schema = recordIn(body);
  const isRefused = operation.responses.some(({ status }) => status === '409' || status === '412');
  if (!isRefused || schema === undefined) return undefined;
  const { properties } = schema.flatten();
  const name = [...properties.keys()].find((one) => versions.test(plainName(one)));
  const texts = [
    ...operationTexts(operation),
    ...['409', '412'].flatMap((status) => statusTexts(operation, status)),
  ];
  const isNamed = name !== undefined && namesAny(texts, name);
  return isNamed ? optional(schema, name) : undefined;
}

const versions =
  /^(?:lock|row|record|object|entity|resource)?(?:version|revision|rev)(?:number|no)?$/;

function optional(schema: Schema | undefined, name: string | undefined): string | undefined {
  const { properties, required } = schema?.flatten() ?? {};
  const place = name === undefined ? undefined : properties?.get(name);
  if (name === undefined || place === undefined || required?.has(name) === true) return undefined;
  return schema?.flatten(place).node.readOnly === true ? undefined : name;
}

/** The member of a body that takes the entity tag of the record that the operation answers. */
export function sentTag(operation: Operation, body: Schema | undefined): string | undefined {
  const field = openTag(body);
  const isShown = field !== undefined && tagIn(successSchema(operation)) === field;
  return isShown ? field : openVersion(operation, body);
}

/**
 * The media type of a body without the entity tag of the record that the operation answers, in its
 * schema and its examples: for values that a client makes up. The same if it has none.
 */
export function withoutTag(operation: Operation, media: MediaTypeSpec): MediaTypeSpec {
  const { schema, examples } = media;
  const field = sentTag(operation, schema);
  const record = recordIn(schema);
  if (schema === undefined || record === undefined || field === undefined) return media;
  const [wrapper = ''] = record === schema ? [] : schema.flatten().properties.keys();
  const inner = withMembers(record, (name, node) => (name === field ? [] : [[name, node]]));
  const node = record === schema ? inner : withMembers(schema, (name) => [[name, inner] as const]);
  const taglessExample = (value: JsonValue): JsonValue =>
    wrapper !== '' && isJsonObject(value) && Object.hasOwn(value, wrapper)
      ? { ...value, [wrapper]: withoutMembers(value[wrapper] ?? null, field) }
      : withoutMembers(value, field);
  return {
    ...media,
    schema: schema.part({ node, pointer: joinPointer(schema.pointer, 'x-vouch-tagless') }),
    examples: examples.map((one) => ({ ...one, value: taglessExample(one.value) })),
  };
}

/** The node of an object with other members, which refer to their places unless they are new. */
function withMembers(
  schema: Schema,
  change: (name: string, node: SchemaObject) => readonly (readonly [string, SchemaObject])[],
): SchemaObject {
  const { node, properties, required } = schema.flatten();
  const { allOf: _allOf, $ref: _ref, ...own } = node;
  const members = [...properties].flatMap(([name, { pointer }]) =>
    change(name, { $ref: writeReference(pointer) }),
  );
  return { ...own, properties: Object.fromEntries(members), required: [...required] };
}
