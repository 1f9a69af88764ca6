import { valueAt } from '../../src/json/pointer.ts';
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../src/json/value.ts';

/** A place in the document, with the whole document at hand to follow references. */
export interface Node {
  readonly root: JsonObject;
  readonly value: JsonObject;
  /**
   * The last word of the reference by which this place was reached: `Pet` for
   * `#/components/schemas/Pet`.
   */
  readonly name?: string;
  /** What stands beside that reference. `value` has it too. */
  readonly beside?: JsonObject;
}

/** The object under a key, references followed; an empty one where there is none. */
export function child(node: Node, key: string): Node {
  return resolve(node.root, node.value[key]);
}

/** The members that are objects, by key, references followed. */
export function children(node: Node): [string, Node][] {
  return Object.keys(node.value).map((key) => [key, child(node, key)]);
}

/** The objects of an array under a key, references followed. */
export function items(node: Node, key: string): Node[] {
  return list(node.value[key]).map((each) => resolve(node.root, each));
}

/** An array, or an empty one where the value is none. */
export function list(value: JsonValue | undefined): JsonArray {
  return Array.isArray(value) ? value : [];
}

/** A string, or the empty one where the value is none. */
export function word(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/**
 * A rule for each member that no other rule speaks of, so that nothing in the document goes unread.
 */
export function unread(subject: string, node: Node, known: readonly string[]): string[] {
  return membersUnread(subject, node.value, known);
}

/** The same for what stands beside a reference; what it leads to is read at its own place. */
export function unreadBeside(subject: string, node: Node, known: readonly string[]): string[] {
  return membersUnread(subject, node.beside ?? {}, known);
}

function membersUnread(subject: string, value: JsonObject, known: readonly string[]): string[] {
  return Object.entries(value)
    .filter(([key]) => !known.includes(key))
    .map(([key, member]) => `${subject} carries ${key} ${JSON.stringify(member)}`);
}

function resolve(root: JsonObject, value: JsonValue | undefined): Node {
  if (!isJsonObject(value)) return { root, value: {} };
  const reference = word(value['$ref']);
  if (reference === '') return { root, value };
  const target = valueAt(root, reference.slice(1));
  if (!reference.startsWith('#/') || !isJsonObject(target))
    throw new Error(`The document has no ${reference}.`);
  const { $ref: _, ...beside } = value;
  return { root, value: { ...target, ...beside }, name: reference.split('/').at(-1) ?? '', beside };
}
