import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonValue } from '../../json/value.ts';
import type { LocatedNode, Schema } from '../model.ts';
import { expectedValue, readScalar } from '../parameter/expected-value.ts';
import { objectMembers } from '../schema/object-members.ts';
import { bareValue, gatherElements, parseXml, type XmlElement } from './parse-xml.ts';
import { xmlMember } from './xml-member.ts';
import { xmlName, xmlOf } from './write-xml.ts';

/**
 * A value as read (`sure` if the schema left no doubt), a clause whose subject is the body, or one
 * whose subject is a member, with the path to it.
 */
export type XmlValue =
  | { readonly ok: true; readonly value: JsonValue; readonly sure: boolean }
  | { readonly ok: false; readonly message: string; readonly member?: string };

/**
 * Reads an XML document by the `xml` objects of a schema (OpenAPI 3.1, section 4.8.26): the inverse
 * of `writeXml`. Ignores prefixes. Never throws.
 */
export function readXml(text: string, schema: Schema): XmlValue {
  const document = parseXml(text);
  if (!document.ok) return { ok: false, message: `is not well-formed XML: ${document.message}` };
  const { name } = xmlOf(schema.flatten());
  if (name !== undefined && xmlName(name) !== document.root.name)
    return {
      ok: false,
      message:
        `must have the root element ${quoteExcerpt(name)}, ` +
        `but has ${quoteExcerpt(document.root.name)}`,
    };
  try {
    const reader = new XmlReader(schema);
    const value = reader.read(document.root, schema, '');
    return { ok: true, value, sure: reader.sure };
  } catch (error) {
    if (error instanceof UnreadableXml)
      return { ok: false, message: error.message, member: error.member };
    throw error;
  }
}

class UnreadableXml extends Error {
  readonly member: string;

  constructor(message: string, member: string) {
    super(message);
    this.member = member;
  }
}

/** A member of an object, with the schema for it. */
interface Member {
  readonly name: string;
  readonly place: LocatedNode;
  readonly at: string;
}

/** The element of an object, and what of it was not read yet. */
interface From {
  readonly element: XmlElement;
  readonly left: Set<XmlElement>;
  readonly attributes: Map<string, string>;
}

class XmlReader {
  readonly #schema: Schema;
  /** False once a value is read without a type: XML does not distinguish a number from a text. */
  sure = true;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  read(element: XmlElement, place: LocatedNode, at: string): JsonValue {
    const { types } = expectedValue(this.#schema.part(place));
    if (element.attributes.get('nil') === 'true' && types.has('null')) return null;
    if (types.size > 3) this.sure = false;
    if (types.has('array') && !types.has('object') && !types.has('string'))
      return this.#items(element.children, place, at);
    const isPlain =
      element.children.length === 0 &&
      (!types.has('object') || (types.has('string') && element.attributes.size === 0));
    return isPlain ? this.#scalar(element.text, types, at) : this.#object(element, place, at);
  }

  #items(elements: readonly XmlElement[], place: LocatedNode, at: string): JsonValue {
    const { items: item } = this.#schema.flatten(place);
    return elements.map((element, index) =>
      item === undefined
        ? this.#bare(element)
        : this.read(element, item, `${at}[${String(index)}]`),
    );
  }

  #object(element: XmlElement, place: LocatedNode, at: string): JsonValue {
    const { properties, required } = objectMembers(this.#schema, place);
    const left = new Set<XmlElement>(element.children);
    const attributes = new Map(element.attributes);
    const members = new Map<string, JsonValue>();
    for (const [name, inside] of properties) {
      const member: Member = { name, place: inside, at: at === '' ? name : `${at}.${name}` };
      const value = this.#member(member, { element, left, attributes });
      if (value !== undefined) members.set(name, value);
      // An array without a wrapper has no elements if it is empty.
      else if (required.has(name) && this.#isBareArray(inside)) members.set(name, []);
    }
    attributes.delete('nil');
    attributes.delete('type');
    attributes.delete('schemaLocation');
    attributes.delete('noNamespaceSchemaLocation');
    for (const [name, value] of attributes) if (!members.has(name)) members.set(name, value);
    for (const [name, value] of Object.entries(gatherElements([...left])))
      if (!members.has(name)) members.set(name, this.#rest(value, place));
    return Object.fromEntries(members);
  }

  /** A member that no property declares, by `additionalProperties`. */
  #rest(elements: readonly XmlElement[], around: LocatedNode): JsonValue {
    const { others: place } = this.#schema.flatten(around);
    const read = (element: XmlElement): JsonValue =>
      typeof place?.node === 'object'
        ? this.read(element, place, element.name)
        : this.#bare(element);
    const [first, ...others] = elements.map(read);
    return others.length === 0 ? (first ?? null) : [first ?? null, ...others];
  }

  #member({ name, place, at }: Member, from: From): JsonValue | undefined {
    const xml = xmlOf(this.#schema.flatten(place));
    const called = xmlName(xml.name ?? name);
    const { types } = expectedValue(this.#schema.part(place));
    if (xml.attribute) {
      const value = from.attributes.get(called);
      from.attributes.delete(called);
      return value === undefined ? undefined : this.#scalar(value, types, at);
    }
    if (xml.text) return this.#scalar(from.element.text, types, at);
    if (xml.inline && types.has('object')) return this.#inline({ name, place, at }, from);
    const isArray = types.has('array') && !types.has('object') && !types.has('string');
    const names = isArray && !xml.wrapped ? [...this.#itemNames(place), called] : [called];
    const found = [...from.left].filter((child) => names.includes(child.name));
    for (const child of found) from.left.delete(child);
    const [first, second] = found;
    if (first === undefined) return undefined;
    if (isArray && !xml.wrapped) return this.#items(found, place, at);
    if (second !== undefined)
      throw new UnreadableXml(`must occur once, but occurs ${String(found.length)} times`, at);
    return isArray ? this.#items(first.children, place, at) : this.read(first, place, at);
  }

  /** An object whose members stand in the element around it. */
  #inline({ place, at }: Member, { element, left, attributes }: From): JsonValue | undefined {
    const names = [...objectMembers(this.#schema, place).properties].flatMap(([name, inside]) => {
      const { called, items } = xmlMember(this.#schema, { name, place: inside });
      return [called, ...items];
    });
    const children = [...left].filter(({ name }) => names.includes(name));
    const own = new Map([...attributes].filter(([name]) => names.includes(name)));
    for (const child of children) left.delete(child);
    for (const name of own.keys()) attributes.delete(name);
    return children.length === 0 && own.size === 0
      ? undefined
      : this.#object({ ...element, children, attributes: own }, place, at);
  }

  #scalar(text: string, types: ReadonlySet<string>, at: string): JsonValue {
    const reading = readScalar(types.has('string') ? text : text.trim(), types);
    if (!reading.ok) throw new UnreadableXml(reading.message, at);
    if (reading.values.length > 1) this.sure = false;
    return reading.values[0];
  }

  #bare(element: XmlElement): JsonValue {
    this.sure = false;
    return bareValue(element);
  }

  #itemNames(place: LocatedNode): string[] {
    const { items } = this.#schema.flatten(place);
    const name = items && xmlOf(this.#schema.flatten(items)).name;
    return name === undefined ? [] : [xmlName(name)];
  }

  #isBareArray(place: LocatedNode): boolean {
    const flat = this.#schema.flatten(place);
    return flat.types.includes('array') && flat.types.length === 1 && !xmlOf(flat).wrapped;
  }
}
