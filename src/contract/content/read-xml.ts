import type * as ParseXml from '@rgrove/parse-xml';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { loadPackage } from '../../platform.ts';
import type { LocatedNode, Schema } from '../model.ts';
import { expectedValue, readScalar } from '../parameter/expected-value.ts';
import { objectMembers } from '../schema/object-members.ts';
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
    const { node, pointer } = this.#schema.flatten(place.node, place.pointer);
    const item = { node: node.items ?? true, pointer: joinPointer(pointer, 'items') };
    return elements.map((element, index) =>
      node.items === undefined
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
    for (const [name, value] of Object.entries(gather([...left])))
      if (!members.has(name)) members.set(name, this.#rest(value, place));
    return Object.fromEntries(members);
  }

  /** A member that no property declares, by `additionalProperties`. */
  #rest(elements: readonly XmlElement[], place: LocatedNode): JsonValue {
    const { node, pointer } = this.#schema.flatten(place.node, place.pointer);
    const read = (element: XmlElement): JsonValue =>
      typeof node.additionalProperties === 'object'
        ? this.read(
            element,
            {
              node: node.additionalProperties,
              pointer: joinPointer(pointer, 'additionalProperties'),
            },
            element.name,
          )
        : this.#bare(element);
    const [first, ...others] = elements.map(read);
    return others.length === 0 ? (first ?? null) : [first ?? null, ...others];
  }

  #member(
    { name, place, at }: Member,
    from: {
      readonly element: XmlElement;
      readonly left: Set<XmlElement>;
      readonly attributes: Map<string, string>;
    },
  ): JsonValue | undefined {
    const xml = xmlOf(this.#schema.flatten(place.node, place.pointer));
    const called = xmlName(xml.name ?? name);
    const { types } = expectedValue(this.#schema.part(place));
    if (xml.attribute) {
      const value = from.attributes.get(called);
      from.attributes.delete(called);
      return value === undefined ? undefined : this.#scalar(value, types, at);
    }
    if (xml.text) return this.#scalar(from.element.text, types, at);
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

  #scalar(text: string, types: ReadonlySet<string>, at: string): JsonValue {
    const reading = readScalar(types.has('string') ? text : text.trim(), types);
    if (!reading.ok) throw new UnreadableXml(reading.message, at);
    if (reading.values.length > 1) this.sure = false;
    return reading.values[0];
  }

  #bare(element: XmlElement): JsonValue {
    this.sure = false;
    return bare(element);
  }

  #itemNames(place: LocatedNode): string[] {
    const { node, pointer } = this.#schema.flatten(place.node, place.pointer);
    const name =
      node.items === undefined
        ? undefined
        : xmlOf(this.#schema.flatten(node.items, joinPointer(pointer, 'items'))).name;
    return name === undefined ? [] : [xmlName(name)];
  }

  #isBareArray(place: LocatedNode): boolean {
    const flat = this.#schema.flatten(place.node, place.pointer);
    return flat.types.includes('array') && flat.types.length === 1 && !xmlOf(flat).wrapped;
  }
}

/** An element without a schema: a text, or an object of its content. */
function bare(element: XmlElement): JsonValue {
  if (element.children.length === 0 && element.attributes.size === 0) return element.text;
  const children = Object.entries(gather(element.children)).map(
    ([name, found]): [string, JsonValue] => [
      name,
      found.length === 1 && found[0] !== undefined ? bare(found[0]) : found.map(bare),
    ],
  );
  return Object.fromEntries([...element.attributes, ...children]);
}

function gather(elements: readonly XmlElement[]): Readonly<Record<string, readonly XmlElement[]>> {
  return Object.fromEntries(Map.groupBy(elements, ({ name }) => name));
}

/** An element with its local name, without the prefix of its namespace. */
interface XmlElement {
  readonly name: string;
  /** By local name; what declares namespaces is left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, CDATA sections included. */
  readonly text: string;
}

/** The root element of a document, or a clause that says what is wrong and where. */
type XmlReading =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly message: string };

const maxDepth = 200;
const maxMessageLength = 200;

// Few contracts use XML, and the mock starts faster without the parser.
let library: typeof ParseXml | undefined;

/**
 * Reads an XML document (XML 1.0) as far as services accept it: refuses a document type, because
 * its entities can expand without bound. Never throws.
 */
export function parseXml(text: string): XmlReading {
  library ??= loadPackage('@rgrove/parse-xml') as typeof ParseXml;
  try {
    const { children, root } = library.parseXml(text, { preserveDocumentType: true });
    if (root === null) return refuse('it has no root element');
    if (children.some(({ type }) => type === 'doctype'))
      return refuse('a document type is not accepted');
    return isTooDeep(root) ? tooDeep : { ok: true, root: elementOf(root) };
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) return tooDeep;
    if (error instanceof library.XmlError) return refuse(describe(error));
    throw error;
  }
}

function refuse(message: string): XmlReading {
  return { ok: false, message };
}

const tooDeep = refuse(`elements are nested more than ${String(maxDepth)} levels deep`);

/** The first line of the library's message; the lines below it show the place. */
function describe({ message }: Error): string {
  const [line = ''] = message.split('\n');
  const shown = line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
  return shown.charAt(0).toLowerCase() + shown.slice(1);
}

function isTooDeep(root: ParseXml.XmlElement): boolean {
  let level: readonly ParseXml.XmlElement[] = [root];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1)
    level = level.flatMap(elementsIn);
  return level.length > 0;
}

function elementsIn({ children }: ParseXml.XmlElement): ParseXml.XmlElement[] {
  return children.filter((child): child is ParseXml.XmlElement => child.type === 'element');
}

function elementOf(element: ParseXml.XmlElement): XmlElement {
  const { name, attributes, children } = element;
  const own = Object.entries(attributes).filter(
    ([given]) => given !== 'xmlns' && !given.startsWith('xmlns:') && !given.startsWith('xml:'),
  );
  return {
    name: localName(name),
    attributes: new Map(own.map(([given, value]) => [localName(given), value])),
    children: elementsIn(element).map(elementOf),
    text: children
      .map((child) =>
        child.type === 'text' || child.type === 'cdata' ? (child as ParseXml.XmlText).text : '',
      )
      .join(''),
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
