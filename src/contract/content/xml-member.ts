import type { LocatedNode, Schema } from '../model.ts';
import { expectedValue } from '../parameter/expected-value.ts';
import { xmlName, xmlOf } from './write-xml.ts';

/** Attributes of XML Schema for any element (XML Schema part 1, section 2.6), by local name. */
export const instanceAttributes = ['nil', 'type', 'schemaLocation', 'noNamespaceSchemaLocation'];

/** A member of an object, as a document writes it. */
export interface XmlMember {
  readonly name: string;
  readonly xml: ReturnType<typeof xmlOf>;
  /** The name of its element or attribute. */
  readonly called: string;
  readonly isArray: boolean;
  /** The name that the items of an array have by themselves. */
  readonly items: readonly string[];
  /** What the schema calls it, as a clause without a subject. */
  readonly form: string;
}

/** How a document writes a member of an object. */
export function xmlMember(
  schema: Schema,
  { name, place }: { readonly name: string; readonly place: LocatedNode },
): XmlMember {
  const flat = schema.flatten(place);
  const xml = xmlOf(flat);
  const called = xmlName(xml.name ?? name);
  const { types } = expectedValue(schema.part(place));
  const { items } = flat;
  const own = items && xmlOf(schema.flatten(items)).name;
  return {
    name,
    xml,
    called,
    isArray: isListAlone(types),
    items: own === undefined ? [] : [xmlName(own)],
    form: `has the ${xml.attribute ? 'attribute' : 'element'} ${called}`,
  };
}

/** Whether a value can only be a list, or a list and null. */
export function isListAlone(types: ReadonlySet<string>): boolean {
  return types.has('array') && types.size === (types.has('null') ? 2 : 1);
}
