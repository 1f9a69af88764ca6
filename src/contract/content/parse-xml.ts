import { createRequire } from 'node:module';
import type * as ParseXml from '@rgrove/parse-xml';

/** An element with its local name, without the prefix of its namespace. */
export interface XmlElement {
  readonly name: string;
  /** By local name; what declares namespaces is left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text right in it, that of CDATA sections included. */
  readonly text: string;
}

/** The root element of a document, or a clause that says what is wrong with it and where. */
export type XmlReading =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly message: string };

const deepest = 200;
const longestMessage = 200;

// Few contracts speak XML, and a mock starts sooner without it.
const require = createRequire(import.meta.url);
let library: typeof ParseXml | undefined;

/**
 * Reads an XML document (XML 1.0), as far as services take it: one with a document type is refused,
 * because entities of its own can be made to grow without end. Never throws.
 */
export function parseXml(text: string): XmlReading {
  library ??= require('@rgrove/parse-xml') as typeof ParseXml;
  try {
    const { children, root } = library.parseXml(text, { preserveDocumentType: true });
    if (root === null) return refuse('there is no element');
    if (children.some(({ type }) => type === 'doctype'))
      return refuse('a document type is not taken');
    return isTooDeep(root) ? tooDeep : { ok: true, root: elementOf(root) };
  } catch (error) {
    // It goes down into elements by calling itself.
    if (error instanceof RangeError) return tooDeep;
    if (error instanceof library.XmlError) return refuse(describe(error));
    throw error;
  }
}

function refuse(message: string): XmlReading {
  return { ok: false, message };
}

const tooDeep = refuse(`elements stand more than ${String(deepest)} deep in each other`);

/** The first line of what the library says: below it stands the place itself. */
function describe({ message }: Error): string {
  const [line = ''] = message.split('\n');
  const told = line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
  return told.charAt(0).toLowerCase() + told.slice(1);
}

function isTooDeep(root: ParseXml.XmlElement): boolean {
  let level: readonly ParseXml.XmlElement[] = [root];
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1)
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
