import { escapeXmlAttribute, escapeXmlText } from '../../text/safe-text.ts';

/**
 * An element of an XML document: its attributes in order, and what is in it. Undefined attributes
 * are left out.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly content: readonly (XmlElement | string)[];
}

/** Makes an element. */
export function element(
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement {
  return { name, attributes, content };
}

/**
 * An XML 1.0 document in UTF-8. Elements stand on lines of their own; text stands exactly as it was
 * given, but for forbidden characters.
 */
export function writeXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, '')}\n`;
}

function writeElement({ name, attributes, content }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXmlAttribute(String(value))}"`],
  );
  const start = `${indent}<${name}${written.join('')}`;
  if (content.length === 0) return `${start}/>`;
  if (content.every((part) => typeof part === 'string'))
    return `${start}>${content.map(escapeXmlText).join('')}</${name}>`;
  const inner = content.map((part) =>
    typeof part === 'string'
      ? `${indent}  ${escapeXmlText(part)}`
      : writeElement(part, `${indent}  `),
  );
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}
