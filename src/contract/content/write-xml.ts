import { type Pointer, splitPointer } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';
import type { FlatSchema, Schema, SchemaNode } from '../model.ts';
import { writeScalar } from '../parameter/encode-parameter.ts';

/**
 * Writes a value as an XML document by the `xml` objects of its schema (OpenAPI 3.1, section
 * 4.8.26).
 */
export function writeXml(value: JsonValue, schema: Schema | undefined): string {
  const content = schema === undefined ? bareRoot(value) : new XmlWriter(schema).write(value);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content}`;
}

interface Place {
  readonly node: SchemaNode;
  readonly pointer: Pointer;
  /** The name if `xml` gives no other. */
  readonly name: string;
}

class XmlWriter {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  write(value: JsonValue): string {
    const { node, pointer } = this.#schema;
    const place = {
      node,
      pointer,
      name: isJsonArray(value) ? 'items' : this.#componentName(node, pointer),
    };
    const flat = this.#schema.flatten({ node, pointer });
    return isJsonArray(value)
      ? element(
          qualified(xmlOf(flat), place.name),
          declared(xmlOf(flat)),
          this.#items(value, flat, 'item'),
        )
      : this.#element(value, place);
  }

  /** The name of a component schema becomes the name of the root element, or of items. */
  #componentName(node: SchemaNode, pointer: Pointer): string {
    const tokens = splitPointer(this.#schema.follow({ node, pointer }).pointer);
    return tokens.at(-2) === 'schemas' || tokens.at(-2) === 'definitions'
      ? (tokens.at(-1) ?? 'root')
      : 'root';
  }

  #element(value: JsonValue, { node, pointer, name }: Place): string {
    const flat = this.#schema.flatten({ node, pointer });
    const xml = xmlOf(flat);
    if (isJsonArray(value)) {
      if (!xml.wrapped) return this.#items(value, flat, xml.name ?? name);
      return element(
        qualified(xml, name),
        declared(xml),
        this.#items(value, flat, xml.name ?? name),
      );
    }
    if (!isJsonObject(value))
      return element(qualified(xml, name), declared(xml), escapeText(writeScalar(value)));
    return element(
      qualified(xml, name),
      declared(xml) + this.#attributes(value, flat),
      this.#children(value, flat),
    );
  }

  #items(items: JsonArray, { items: place }: FlatSchema, name: string): string {
    if (place === undefined) return items.map((item) => bare(item, xmlName(name))).join('');
    const own = this.#componentName(place.node, place.pointer);
    const called = name === 'item' && own !== 'root' ? own : name;
    return items.map((item) => this.#element(item, { ...place, name: called })).join('');
  }

  #attributes(value: JsonObject, flat: FlatSchema): string {
    return this.#members(value, flat)
      .flatMap(({ name, member, place }) => {
        const inside = place && this.#schema.flatten(place);
        const xml = inside && xmlOf(inside);
        if (inside !== undefined && xml?.inline === true && isJsonObject(member))
          return [this.#attributes(member, inside)];
        return xml?.attribute === true && member !== null
          ? [` ${qualified(xml, name)}="${escapeAttribute(writeScalar(member))}"`]
          : [];
      })
      .join('');
  }

  #children(value: JsonObject, flat: FlatSchema): string {
    return this.#members(value, flat)
      .map(({ name, member, place }) => {
        if (place === undefined) return bare(member, xmlName(name));
        const inside = this.#schema.flatten(place);
        const xml = xmlOf(inside);
        if (xml.attribute) return '';
        if (xml.inline && isJsonObject(member)) return this.#children(member, inside);
        return xml.text
          ? escapeText(writeScalar(member))
          : this.#element(member, { ...place, name });
      })
      .join('');
  }

  #members(
    value: JsonObject,
    { properties }: FlatSchema,
  ): { name: string; member: JsonValue; place: Omit<Place, 'name'> | undefined }[] {
    return Object.entries(value).map(([name, member]) => ({
      name,
      member,
      place: properties.get(name),
    }));
  }
}

/** A document has one root. */
function bareRoot(value: JsonValue): string {
  return isJsonArray(value) ? element('root', '', bare(value, 'item')) : bare(value, 'root');
}

/** A value without a schema: members as elements, lists as repeated elements. */
function bare(value: JsonValue, name: string): string {
  if (isJsonArray(value)) return value.map((item) => bare(item, name)).join('');
  if (!isJsonObject(value)) return element(name, '', escapeText(writeScalar(value)));
  return element(
    name,
    '',
    Object.entries(value)
      .map(([member, held]) => bare(held, xmlName(member)))
      .join(''),
  );
}

function element(name: string, attributes: string, content: string): string {
  return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

function qualified({ name, prefix }: XmlObject, otherwise: string): string {
  const local = xmlName(name ?? otherwise);
  return prefix === undefined ? local : `${xmlName(prefix)}:${local}`;
}

/**
 * A prefix without a namespace is not well-formed (Namespaces in XML 1.0, section 5), so it is
 * declared with its own name as the namespace.
 */
function declared({ namespace, prefix }: XmlObject): string {
  if (namespace === undefined && prefix === undefined) return '';
  const name = prefix === undefined ? 'xmlns' : `xmlns:${xmlName(prefix)}`;
  return ` ${name}="${escapeAttribute(namespace ?? `urn:${prefix ?? ''}`)}"`;
}

/** XML 1.0 does not allow these characters (section 2.2); they are left out. */
const noCharacter = new RegExp(
  [
    '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]',
    '[\\ud800-\\udbff](?![\\udc00-\\udfff])',
    '(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
  ].join('|'),
  'g',
);
/** Whether a reader of XML gets all texts of a value as they are (XML 1.0, section 2.11). */
export function isInXml(value: JsonValue): boolean {
  if (typeof value === 'string') return !value.includes('\r') && value.search(noCharacter) === -1;
  if (isJsonArray(value)) return value.every(isInXml);
  return !isJsonObject(value) || Object.values(value).every(isInXml);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return text
    .replaceAll(noCharacter, '')
    .replaceAll(/[&<>\r]/g, (character) => escapes[character] ?? '');
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll(noCharacter, '')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? '');
}

/** How the `xml` object of a schema writes a value (OpenAPI 3.1, section 4.8.26). */
interface XmlObject {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
  readonly attribute: boolean;
  readonly wrapped: boolean;
  /** OpenAPI 3.2, section 4.27: the value is the text of the parent element. */
  readonly text: boolean;
  /** OpenAPI 3.2: the value has no element, and its members stand in the parent. */
  readonly inline: boolean;
}

/** The `xml` object of a schema, with its defaults. */
export function xmlOf({ node }: FlatSchema): XmlObject {
  const raw = isJsonObject(node['xml']) ? node['xml'] : {};
  const word = (key: string): string | undefined =>
    typeof raw[key] === 'string' && raw[key] !== '' ? raw[key] : undefined;
  return {
    name: word('name'),
    namespace: word('namespace'),
    prefix: word('prefix'),
    attribute: raw['attribute'] === true || raw['nodeType'] === 'attribute',
    wrapped: raw['wrapped'] === true || raw['nodeType'] === 'element',
    text: raw['nodeType'] === 'text' || raw['nodeType'] === 'cdata',
    inline: raw['nodeType'] === 'none',
  };
}

/** A valid XML name (XML 1.0, section 2.3), ASCII only. */
export function xmlName(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`;
}
