import { firstSentence } from './fact.ts';
import { child, children, items, list, unread, unreadBeside, word, type Node } from './node.ts';

const aside = ['description', 'summary', 'title', 'examples', 'x-gaps'];

/** What the document says of its named schemas, in the words of the source's facts. */
export function rulesOfSchemas(schemas: Node): string[] {
  return children(schemas).flatMap(([name, schema]) => [
    `schema ${name}`,
    ...rulesOfSchema(name, schema),
  ]);
}

function rulesOfSchema(name: string, schema: Node): string[] {
  if (schema.value['allOf'] !== undefined) return rulesOfComposition(name, schema);
  if (schema.value['type'] === 'object')
    return [`schema ${name} type object`, ...rulesOfObject(name, schema)];
  return [
    `schema ${name} type ${word(schema.value['type'])}`,
    ...rulesOfValues(`schema ${name}`, schema),
    ...children(child(schema, 'x-enumDescriptions')).map(
      ([state]) => `state ${state} means ${word(child(schema, 'x-enumDescriptions').value[state])}`,
    ),
    ...(schema.value['items'] === undefined
      ? []
      : rulesOfItems(`schema ${name} items`, child(schema, 'items'))),
    ...unread(`schema ${name}`, schema, [...aside, 'type', 'enum', 'x-enumDescriptions', 'items']),
  ];
}

function rulesOfItems(subject: string, node: Node): string[] {
  return [`${subject} ${node.name ?? 'inline'}`, ...unreadBeside(subject, node, aside)];
}

/**
 * `allOf` of one named schema and one object is "the one plus the other's fields"; its fields are
 * those of both.
 */
function rulesOfComposition(name: string, schema: Node): string[] {
  const parts = items(schema, 'allOf');
  const base = parts.find((part) => part.name !== undefined);
  const own = parts.filter((part) => part !== base);
  const added = own.flatMap((part) => Object.keys(child(part, 'properties').value));
  return [
    ...(parts.every((part) => part.value['type'] === 'object')
      ? [`schema ${name} type object`]
      : []),
    `schema ${name} is ${base?.name} plus ${added.join(', ')}`,
    ...parts.flatMap((part) => rulesOfObject(name, part)),
    ...unread(`schema ${name}`, schema, [...aside, 'allOf']),
  ];
}

/** The fields of an object. `owner` is the schema's name, or the operation's body. */
export function rulesOfObject(owner: string, schema: Node): string[] {
  return [
    ...children(child(schema, 'properties')).flatMap(([field, property]) =>
      rulesOfField(`${owner}.${field}`, property),
    ),
    ...list(schema.value['required']).map((field) => `${owner}.${String(field)} required`),
    ...unread(`schema ${owner}`, schema, [...aside, 'type', 'properties', 'required']),
  ];
}

function rulesOfField(field: string, property: Node): string[] {
  const description = word(property.value['description']);
  const meaning = description === '' ? [] : [`${field} means ${firstSentence(description)}`];
  if (property.name === undefined) return [field, ...rulesOfScalar(field, property), ...meaning];
  return [
    field,
    `${field} is a ${property.name}`,
    `${field} type ${word(property.value['type'])}`,
    ...meaning,
    ...unreadBeside(field, property, aside),
  ];
}

/**
 * Type, format, bounds, default and values of a field or a parameter, and whatever else its schema
 * carries.
 */
export function rulesOfScalar(subject: string, schema: Node): string[] {
  const told = ['type', 'format', 'minimum', 'maximum', 'default'].filter(
    (keyword) => schema.value[keyword] !== undefined,
  );
  return [
    ...told.map((keyword) => `${subject} ${keyword} ${String(schema.value[keyword])}`),
    ...rulesOfValues(subject, schema),
    ...unread(subject, schema, [...aside, ...told, 'enum', 'x-enumDescriptions']),
  ];
}

function rulesOfValues(subject: string, schema: Node): string[] {
  return list(schema.value['enum']).map((value) => `${subject} value ${String(value)}`);
}
