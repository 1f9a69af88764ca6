/** An element as read: text of its own joined, entities resolved. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

const name = String.raw`[A-Za-z_][\w.-]*`;
const attribute = new RegExp(String.raw`\s+(${name})="([^"<]*)"`, 'y');
const startTag = new RegExp(String.raw`<(${name})((?:\s+${name}="[^"<]*")*)\s*(/?)>`, 'y');
const endTag = new RegExp(String.raw`</(${name})\s*>`, 'y');
const charData = /[^<]+/y;
const declaration = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/;
/** Characters that XML 1.0 allows (section 2.2, production 2). */
const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Reads an XML document without DOCTYPE, comments or CDATA, and throws where it is not well-formed.
 * Written for these tests alone, so that it shares no code with what it judges.
 */
export function readXml(document: string): XmlNode {
  if (!allowed.test(document)) throw new Error('a character that XML forbids');
  const head = declaration.exec(document);
  if (head === null) throw new Error('no XML declaration');
  const body = document.slice(head[0].length);
  const { node, end } = readElement(body, 0);
  if (body.slice(end).trim() !== '') throw new Error('something after the root');
  return node;
}

function readElement(source: string, from: number): { node: XmlNode; end: number } {
  const start = matchAt(startTag, source, from);
  if (start === null) throw new Error(`no start tag at: ${source.slice(from, from + 40)}`);
  const [whole, tag = '', attributes = '', closed] = start;
  const node = {
    name: tag,
    attributes: readAttributes(attributes),
    children: [] as XmlNode[],
    text: '',
  };
  let at = from + whole.length;
  if (closed === '/') return { node, end: at };
  for (;;) {
    const text = matchAt(charData, source, at);
    if (text !== null) {
      if (text[0].includes(']]>')) throw new Error(']]> in text');
      node.text += resolveEntities(text[0]);
      at += text[0].length;
    }
    const end = matchAt(endTag, source, at);
    if (end !== null) {
      if (end[1] !== tag) throw new Error(`<${tag}> is closed by </${String(end[1])}>`);
      return { node, end: at + end[0].length };
    }
    const child = readElement(source, at);
    node.children.push(child.node);
    at = child.end;
  }
}

function readAttributes(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < source.length;) {
    const match = matchAt(attribute, source, at);
    if (match === null) throw new Error(`no attribute at: ${source.slice(at)}`);
    const [whole, key = '', value = ''] = match;
    if (Object.hasOwn(found, key)) throw new Error(`${key} is given twice`);
    found[key] = resolveEntities(value.replaceAll(/[\t\n\r]/g, ' '));
    at += whole.length;
  }
  return found;
}

function resolveEntities(text: string): string {
  return text.replaceAll(/&([^;&]*;?)/g, (whole, reference: string) => {
    const code = /^#(\d+);$/.exec(reference)?.[1];
    if (code !== undefined) return checkedCharacter(String.fromCodePoint(Number(code)));
    const known = reference.endsWith(';') ? entities[reference.slice(0, -1)] : undefined;
    if (known === undefined) throw new Error(`a bare or unknown reference: ${whole.slice(0, 20)}`);
    return known;
  });
}

function checkedCharacter(character: string): string {
  if (!allowed.test(character)) throw new Error('a reference to a character that XML forbids');
  return character;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
