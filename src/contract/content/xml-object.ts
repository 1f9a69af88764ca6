import { isJsonObject } from '../../json/value.ts';
import type { FlatSchema } from '../model.ts';

/**
 * How a value travels in XML, as the `xml` object of its schema has it (OpenAPI 3.1, section
 * 4.8.26).
 */
export interface XmlObject {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly prefix: string | undefined;
  readonly attribute: boolean;
  readonly wrapped: boolean;
  /** OpenAPI 3.2, section 4.27: the value is the text of the element around it. */
  readonly text: boolean;
}

/** The `xml` object of a schema, and what stands where it says nothing. */
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
  };
}

/** A name that XML takes (XML 1.0, section 2.3), ASCII only. */
export function xmlName(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`;
}
