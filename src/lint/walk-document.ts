import { schemaKeywords } from '../contract/schema/convert-schema.ts';
import { locateReference } from '../contract/read/cursor.ts';
import { methods, type Direction } from '../contract/model.ts';
import { mountPointer } from '../contract/load/mounted-parts.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The kinds of objects of an OpenAPI document (3.0 to 3.2) that rules inspect. */
export type NodeKind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'response'
  | 'header'
  | 'mediaType'
  | 'encoding'
  | 'link'
  | 'callback'
  | 'schema';

/**
 * One object of the document, where it is written. References are not followed: their targets have
 * their own nodes.
 */
export interface DocumentNode {
  readonly kind: NodeKind;
  readonly value: JsonObject;
  readonly pointer: Pointer;
  /** Its key or index. */
  readonly key: string;
  /** Whether it belongs to a request or a response. */
  readonly direction?: Direction;
}

/** The content of a member: one object, a list, or a map; a map may also have extensions. */
type Shape = readonly [form: 'one' | 'list' | 'map' | 'extensible map', kind: NodeKind];

const content: Readonly<Record<string, Shape>> = {
  schema: ['one', 'schema'],
  content: ['map', 'mediaType'],
};

const members: Readonly<Record<NodeKind, Readonly<Record<string, Shape>>>> = {
  document: {
    paths: ['extensible map', 'pathItem'],
    webhooks: ['extensible map', 'pathItem'],
    components: ['one', 'components'],
    // Swagger 2.0 has its components at the top.
    definitions: ['map', 'schema'],
    parameters: ['map', 'parameter'],
    responses: ['map', 'response'],
  },
  components: {
    schemas: ['map', 'schema'],
    responses: ['map', 'response'],
    parameters: ['map', 'parameter'],
    requestBodies: ['map', 'requestBody'],
    headers: ['map', 'header'],
    links: ['map', 'link'],
    callbacks: ['map', 'callback'],
    pathItems: ['map', 'pathItem'],
    mediaTypes: ['map', 'mediaType'],
  },
  pathItem: {
    parameters: ['list', 'parameter'],
    additionalOperations: ['map', 'operation'],
    ...Object.fromEntries(
      methods.map((method) => [method.toLowerCase(), ['one', 'operation'] as const]),
    ),
  },
  operation: {
    parameters: ['list', 'parameter'],
    requestBody: ['one', 'requestBody'],
    responses: ['extensible map', 'response'],
    callbacks: ['map', 'callback'],
  },
  parameter: content,
  header: content,
  requestBody: { content: ['map', 'mediaType'] },
  response: {
    schema: ['one', 'schema'],
    headers: ['map', 'header'],
    content: ['map', 'mediaType'],
    links: ['map', 'link'],
  },
  mediaType: {
    schema: ['one', 'schema'],
    itemSchema: ['one', 'schema'],
    encoding: ['map', 'encoding'],
  },
  encoding: { headers: ['map', 'header'] },
  link: {},
  callback: {},
  schema: {
    ...Object.fromEntries(
      schemaKeywords.one.map((keyword) => [keyword, ['one', 'schema'] as const]),
    ),
    ...Object.fromEntries(
      schemaKeywords.list.map((keyword) => [keyword, ['list', 'schema'] as const]),
    ),
    ...Object.fromEntries(
      schemaKeywords.map.map((keyword) => [keyword, ['map', 'schema'] as const]),
    ),
  },
};

/**
 * Every object of a document, parents before children, in document order. Each is visited once; an
 * object of another file where it is first referenced.
 */
export function walkDocument(document: JsonObject): DocumentNode[] {
  const nodes: DocumentNode[] = [];
  const open: DocumentNode[] = [{ kind: 'document', value: document, pointer: '', key: '' }];
  const reached = new Set<Pointer>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isMet = !isReference(node);
    if (isMet) nodes.push(node);
    const elsewhere = elsewhereOf(node, document);
    if (elsewhere !== undefined && !reached.has(elsewhere.pointer)) {
      reached.add(elsewhere.pointer);
      open.push(elsewhere);
    }
    if (isMet) open.push(...childrenOf(node).reverse());
  }
  return nodes;
}

function childrenOf(node: DocumentNode): DocumentNode[] {
  // A callback is itself a map: from expressions to path items.
  if (node.kind === 'callback')
    return entriesOf(node.value, node.pointer, ['extensible map', 'pathItem']).map((child) =>
      withDirection(child, node),
    );
  const shapes = members[node.kind];
  return Object.entries(node.value).flatMap(([key, value]) => {
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    if (shape === undefined) return [];
    const pointer = joinPointer(node.pointer, key);
    const children =
      shape[0] === 'one'
        ? asNode(value, { kind: shape[1], pointer, key })
        : entriesOf(value, pointer, shape);
    return children.map((child) => withDirection(child, node));
  });
}

function entriesOf(value: JsonValue, pointer: Pointer, [form, kind]: Shape): DocumentNode[] {
  if (form === 'list' ? !Array.isArray(value) : !isJsonObject(value)) return [];
  // Either kind of container has its members as entries.
  return Object.entries(value as Readonly<Record<string, JsonValue>>).flatMap(([key, item]) => {
    if (form === 'extensible map' && key.startsWith('x-')) return [];
    return asNode(item, { kind, pointer: joinPointer(pointer, key), key });
  });
}

function asNode(
  value: JsonValue,
  { kind, pointer, key }: Omit<DocumentNode, 'value'>,
): DocumentNode[] {
  return isJsonObject(value) ? [{ kind, value, pointer, key }] : [];
}

/** A reference object has only `$ref`; a schema may have more members beside it. */
function isReference({ kind, value }: DocumentNode): boolean {
  return typeof value['$ref'] === 'string' && kind !== 'schema' && kind !== 'pathItem';
}

/** The target of a reference to another file. */
function elsewhereOf(
  { value: { $ref }, ...node }: DocumentNode,
  document: JsonObject,
): DocumentNode | undefined {
  const target = typeof $ref === 'string' ? locateReference(document, $ref) : undefined;
  return target !== undefined &&
    target.pointer.startsWith(`${mountPointer}/`) &&
    isJsonObject(target.value)
    ? { ...node, value: target.value, pointer: target.pointer }
    : undefined;
}

const directions: Readonly<Partial<Record<NodeKind, Direction>>> = {
  parameter: 'request',
  requestBody: 'request',
  response: 'response',
  header: 'response',
};

function withDirection(child: DocumentNode, parent: DocumentNode): DocumentNode {
  const direction = directions[child.kind] ?? parent.direction;
  return direction === undefined ? child : { ...child, direction };
}
