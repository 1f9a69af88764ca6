import { isWithin, joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import { plainName, singularOf } from '../infer/infer-names.ts';
import type { LocatedNode, Schema, SchemaIssue } from '../model.ts';
import { expectedValue, readScalar } from '../parameter/expected-value.ts';
import { objectMembers } from '../schema/object-members.ts';
import { bareValue, gatherElements, type XmlElement } from './parse-xml.ts';
import { instanceAttributes, isListAlone, type XmlMember, xmlMember } from './xml-member.ts';

/** What a schema says of an XML document that a service wrote. */
export interface AnsweredXml {
  /** What cannot be read as its type stays a text, so that its schema judges it. */
  readonly value: JsonValue;
  /** The places whose meaning the schema leaves open, each with the reason as a clause. */
  readonly doubts: ReadonlyMap<Pointer, string>;
  /** The members for which no schema was found: only texts are known of them. */
  readonly untyped: ReadonlySet<Pointer>;
  /**
   * Whether the value can be compared with others: without doubts and untyped members.
   */
  readonly isClear: boolean;
  /** The element or attribute at a place of the value, as a path: `/order/lines[2]/@sku`. */
  pathOf(at: Pointer): string | undefined;
}

/**
 * Reads a document by the `xml` objects of a schema (OpenAPI 3.1, section 4.8.26; 3.2, section
 * 4.27) as an answer: leniently, and with what is uncertain. Prefixes and namespaces are ignored.
 */
export function readAnsweredXml(root: XmlElement, schema: Schema): AnsweredXml {
  const reader = new AnswerReader(schema);
  return {
    value: reader.readRoot(root),
    doubts: reader.doubts,
    untyped: reader.untyped,
    isClear: reader.doubts.size === reader.empty.size && reader.untyped.size === 0,
    pathOf: (at) => reader.paths.get(at),
  };
}

/** Why an issue of the value may be one of the reading; undefined if it is one of the document. */
export function doubtOf(issue: SchemaIssue, { doubts, untyped }: AnsweredXml): string | undefined {
  const { at, property, keyword } = issue;
  const place = property === undefined ? at : at + joinPointer('', property);
  // A rule of a whole value depends on all that is in it.
  const isInside = (inside: Pointer): boolean => !inner.has(keyword) && inside.startsWith(`${at}/`);
  for (const [doubtful, why] of doubts)
    if (isWithin(place, doubtful) || isInside(doubtful)) return why;
  // Several schemas may describe one object, and declare its members apart.
  return [...untyped].some((one) => isWithin(at, one) || isInside(one))
    ? 'the schema does not say of which type it is'
    : undefined;
}

/** Keywords that are about one member, one number of members, or the value itself. */
const inner = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'type']);

/** A part of a document that is read, and where the value stands. */
interface Spot {
  readonly place: LocatedNode;
  readonly at: Pointer;
  readonly path: string;
  /** Whether an object may be without it. */
  readonly isOptional: boolean;
}

/** What is left of an element, while its members are read. */
interface Rest {
  readonly element: XmlElement;
  readonly children: Set<XmlElement>;
  readonly attributes: Map<string, string>;
}

class AnswerReader {
  readonly #schema: Schema;
  readonly #types = new Map<Pointer, ReadonlySet<string>>();
  readonly #written = new Map<string, XmlMember>();
  readonly doubts = new Map<Pointer, string>();
  readonly paths = new Map<Pointer, string>();
  readonly untyped = new Set<Pointer>();
  /** Empty texts that may stand for an absent value, and for nothing else. */
  readonly empty = new Set<Pointer>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  readRoot(root: XmlElement): JsonValue {
    const { xml } = xmlMember(this.#schema, { name: root.name, place: this.#schema });
    const { types } = expectedValue(this.#schema);
    // Before OpenAPI 3.2, `xml` has no effect on the root.
    if (xml.name !== undefined && !isSameName(xml.name, root.name) && !types.has('array'))
      this.#doubt('', `its root element is ${root.name}, and the schema names ${xml.name}`);
    const path = `/${root.name}`;
    return this.#read(root, { place: this.#schema, at: '', path, isOptional: false }) ?? '';
  }

  /** A list has the same schema for each of its items. */
  #typesOf(place: LocatedNode): ReadonlySet<string> {
    const { pointer } = place;
    return remember(this.#types, pointer, () => expectedValue(this.#schema.part(place)).types);
  }

  #memberOf(name: string, place: LocatedNode): XmlMember {
    const key = `${name} ${place.pointer}`;
    return remember(this.#written, key, () => xmlMember(this.#schema, { name, place }));
  }

  #doubt(at: Pointer, why: string): void {
    if (!this.doubts.has(at)) this.doubts.set(at, why);
  }

  #read(element: XmlElement, spot: Spot): JsonValue | undefined {
    const { place, at, path } = spot;
    this.paths.set(at, path);
    const types = this.#typesOf(place);
    if (element.attributes.get('nil') === 'true') return null;
    if (types.size > 3) {
      this.#doubt(at, 'its schema allows several types');
      return bareValue(element);
    }
    if (isListAlone(types)) return this.#items(element.children, spot);
    if (types.has('array')) this.#doubt(at, 'its schema allows a list beside other values');
    const isPlain =
      element.children.length === 0 &&
      (!types.has('object') || (types.has('string') && element.attributes.size === 0));
    if (isPlain) return this.#scalar(element.text, types, spot);
    if (types.has('object')) return this.#object(element, spot);
    if (types.has('string')) this.#doubt(at, 'it has elements, and its schema is that of a text');
    return bareValue(element);
  }

  #items(elements: readonly XmlElement[], { place, at, path }: Spot): JsonValue {
    const { items: item } = this.#schema.flatten(place);
    if (item === undefined) {
      this.#doubt(at, 'its schema does not describe its items');
      return elements.map(bareValue);
    }
    if (new Set(elements.map(({ name }) => name)).size > 1)
      this.#doubt(at, 'its items have different names');
    return elements.map(
      (element, index) =>
        this.#read(element, {
          place: item,
          at: at + joinPointer('', index),
          path: `${path}/${element.name}[${String(index + 1)}]`,
          isOptional: false,
        }) ?? null,
    );
  }

  #object(element: XmlElement, spot: Spot): JsonValue {
    const rest: Rest = {
      element,
      children: new Set(element.children),
      attributes: new Map(element.attributes),
    };
    const { value, missing, readsText } = this.#members(rest, spot);
    for (const name of instanceAttributes) rest.attributes.delete(name);
    if (!readsText && element.text.trim() !== '')
      this.#doubt(spot.at, 'it has text beside its members');
    this.#doubtNames(rest, missing, spot);
    return { ...value, ...this.#others(rest, spot) };
  }

  /** A name that the document has may be that of a member which seems to be missing. */
  #doubtNames(rest: Rest, missing: readonly XmlMember[], { at }: Spot): void {
    const elements = [...rest.children].map(({ name }) => name);
    for (const { name: own, called, form, items, isArray } of missing) {
      const similar = [...rest.attributes.keys(), ...elements].find((name) =>
        [own, called].some(looksLike(name)),
      );
      const other = similar ?? (isArray && items.length === 0 ? elements[0] : undefined);
      if (other === undefined) continue;
      const why = `the document has ${other}, and the schema ${form}`;
      this.#doubt(at + joinPointer('', own), why);
      this.#doubt(at + joinPointer('', other), why);
    }
  }

  /** The members that the schema of an object declares. */
  #members(rest: Rest, { place, at, path }: Spot): Members {
    const { properties, required } = objectMembers(this.#schema, place);
    const value = new Map<string, JsonValue>();
    const missing: XmlMember[] = [];
    let readsText = false;
    for (const [name, inside] of properties) {
      const member = this.#memberOf(name, inside);
      readsText ||= member.xml.text;
      const own: Spot = {
        place: inside,
        at: at + joinPointer('', name),
        path,
        isOptional: !required.has(name),
      };
      const read = this.#member(rest, member, own);
      if (read !== undefined) value.set(name, read);
      else {
        missing.push(member);
        // An array without a wrapper has no elements if it is empty.
        if (member.isArray && !member.xml.wrapped && required.has(name)) value.set(name, []);
      }
    }
    return { value: Object.fromEntries(value), missing, readsText };
  }

  #member(rest: Rest, member: XmlMember, spot: Spot): JsonValue | undefined {
    const { xml, called } = member;
    const types = this.#typesOf(spot.place);
    if (xml.attribute) {
      const text = rest.attributes.get(called);
      rest.attributes.delete(called);
      const path = `${spot.path}/@${called}`;
      this.paths.set(spot.at, path);
      return text === undefined ? undefined : this.#scalar(text, types, { ...spot, path });
    }
    this.paths.set(spot.at, spot.path);
    if (xml.text) return this.#scalar(rest.element.text, types, spot);
    if (xml.inline && types.has('object')) {
      const { value } = this.#members(rest, spot);
      return Object.keys(value).length === 0 ? undefined : value;
    }
    const path = `${spot.path}/${called}`;
    if (member.isArray) return this.#array(rest, member, { ...spot, path });
    const found = take(rest.children, [called]);
    const [first, second] = found;
    if (first === undefined) return undefined;
    if (second === undefined) return this.#read(first, { ...spot, path });
    this.paths.set(spot.at, path);
    return found.map(bareValue);
  }

  #array(rest: Rest, { xml, called, items }: XmlMember, spot: Spot): JsonValue | undefined {
    const bare = { ...spot, path: spot.path.slice(0, spot.path.lastIndexOf('/')) };
    this.paths.set(spot.at, spot.path);
    if (xml.wrapped) {
      const [wrapper, ...more] = take(rest.children, [called]);
      if (wrapper === undefined) {
        const unwrapped = take(rest.children, items);
        if (unwrapped.length === 0) return undefined;
        this.#doubt(spot.at, `it is not inside ${called}, where the schema wraps it`);
        return this.#items(unwrapped, bare);
      }
      if (more.length === 0 && (wrapper.children.length > 0 || wrapper.text.trim() === ''))
        return this.#items(wrapper.children, spot);
      this.#doubt(spot.at, `there is more than one ${called}, where the schema wraps it`);
      return this.#items([wrapper, ...more], bare);
    }
    const found = take(rest.children, [...items, called]);
    const [first, second] = found;
    if (first === undefined) return undefined;
    if (second !== undefined || !this.#seemsWrapper(first, spot.place))
      return this.#items(found, bare);
    this.#doubt(spot.at, 'the schema does not say whether the list has an element around it');
    return this.#items(first.children, spot);
  }

  /** Whether the only element of a list is no item, but has the items inside. */
  #seemsWrapper({ children }: XmlElement, place: LocatedNode): boolean {
    const { items: item } = this.#schema.flatten(place);
    if (item === undefined || children.length === 0) return false;
    const { properties } = objectMembers(this.#schema, item);
    const names = [...properties].map(([name, inside]) => this.#memberOf(name, inside).called);
    return !children.some(({ name }) => names.includes(name));
  }

  /**
   * The members that the schema does not name. XML grows by attributes and by elements of other
   * namespaces, which are nobody's fault.
   */
  #others({ children, element }: Rest, { place, at, path }: Spot): Record<string, JsonValue> {
    const { others: inside } = this.#schema.flatten(place);
    const foreign = (child: XmlElement): boolean =>
      child.prefix !== '' && child.prefix !== element.prefix;
    const own = [...children].filter((child) => !foreign(child));
    const entries = Object.entries(gatherElements(own)).map(
      ([name, found]): [string, JsonValue] => {
        const here = at + joinPointer('', name);
        this.paths.set(here, `${path}/${name}`);
        const [first, second] = found;
        if (typeof inside?.node !== 'object' || first === undefined || second !== undefined) {
          this.untyped.add(here);
          return [name, found.length === 1 ? bareValue(found[0] ?? element) : found.map(bareValue)];
        }
        const spot = { place: inside, at: here, path: `${path}/${name}`, isOptional: false };
        return [name, this.#read(first, spot) ?? ''];
      },
    );
    return Object.fromEntries(entries);
  }

  #scalar(text: string, types: ReadonlySet<string>, spot: Spot): JsonValue | undefined {
    const { at, isOptional, place } = spot;
    const plain = text.trim();
    if (plain === '') {
      if (!types.has('string')) return types.has('null') ? null : isOptional ? undefined : '';
      if (isOptional || types.has('null'))
        this.#doubt(at, 'an empty element may stand for an absent value');
      if (isOptional && !types.has('null')) this.empty.add(at);
      return text;
    }
    if (types.has('string')) {
      const { node } = this.#schema.flatten(place);
      const isToken = [node.enum, node.const, node.format, node.pattern].some(
        (rule) => rule !== undefined,
      );
      if (types.size > (types.has('null') ? 2 : 1))
        this.#doubt(at, 'its schema allows a text beside other values');
      return isToken ? plain : text;
    }
    const reading = readScalar(lexical(plain, types), widened(types));
    return reading.ok ? reading.values[0] : text;
  }
}

interface Members {
  readonly value: Readonly<Record<string, JsonValue>>;
  readonly missing: readonly XmlMember[];
  /** Whether the text of the element is one of them. */
  readonly readsText: boolean;
}

function take(children: Set<XmlElement>, names: readonly string[]): XmlElement[] {
  const found = [...children].filter(({ name }) => names.includes(name));
  for (const child of found) children.delete(child);
  return found;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Whether two names may mean the same: `PhotoUrl` and `photo-urls`. */
function looksLike(one: string): (other: string) => boolean {
  const plain = singularOf(plainName(one));
  return (other) => singularOf(plainName(other)) === plain;
}

/** JSON tells integers by their values: 5.0 is one. */
function widened(types: ReadonlySet<string>): ReadonlySet<string> {
  return types.has('integer') ? new Set([...types, 'number']) : types;
}

/** A number or boolean of XML Schema (part 2, sections 3.2.2 and 3.2.3) in the notation of JSON. */
function lexical(text: string, types: ReadonlySet<string>): string {
  const isNumber = types.has('integer') || types.has('number');
  if (types.has('boolean') && !isNumber)
    return text === '1' ? 'true' : text === '0' ? 'false' : text;
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(text);
  if (!isNumber || match === null || !/\d/.test(text)) return text;
  const [, sign = '', whole = '', part = '', power = ''] = match;
  const number = `${whole === '' ? '0' : whole}${part === '' ? '' : `.${part}`}${power}`;
  return sign === '-' ? `-${number}` : number;
}
