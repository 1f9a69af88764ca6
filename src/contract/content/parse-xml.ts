import type * as ParseXml from '@rgrove/parse-xml';
import type { JsonValue } from '../../json/value.ts';
import { loadPackage } from '../../platform.ts';

/** An element without a schema: a text, or an object of its content. */
export function bareValue(element: XmlElement): JsonValue {
  if (element.children.length === 0 && element.attributes.size === 0) return element.text;
  const children = Object.entries(gatherElements(element.children)).map(
    ([name, found]): [string, JsonValue] => [
      name,
      found.length === 1 && found[0] !== undefined ? bareValue(found[0]) : found.map(bareValue),
    ],
  );
  return Object.fromEntries([...element.attributes, ...children]);
}

/** Elements by their local names. */
export function gatherElements(
  elements: readonly XmlElement[],
): Readonly<Record<string, readonly XmlElement[]>> {
  return Object.fromEntries(Map.groupBy(elements, ({ name }) => name));
}

/** An element with its local name, without the prefix of its namespace. */
export interface XmlElement {
  readonly name: string;
  /** The prefix of its name; '' without one. */
  readonly prefix: string;
  /** By local name; what declares namespaces is left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, CDATA sections included. */
  readonly text: string;
}

/** The root element of a document, or a clause that says what is wrong and where. */
export type XmlReading =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly message: string; readonly isTooDeep?: true };

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

function refuse(message: string): XmlReading & { readonly ok: false } {
  return { ok: false, message };
}

const tooDeep: XmlReading = {
  ...refuse(`elements are nested more than ${String(maxDepth)} levels deep`),
  isTooDeep: true,
};

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
    prefix: name.slice(0, Math.max(0, name.indexOf(':'))),
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
