import type { FlatSchema, Schema } from '../../contract/model.ts';
import { isJsonObject, textOf } from '../../json/value.ts';
import type { SchemaNode } from './console-api.ts';
import { ruleOf } from './form-fields.ts';

/** Members below this depth are named, and not shown: schemas may be recursive. */
const maxDepth = 6;
/** The most members of one schema that are shown: a page is read by a person. */
const maxNodes = 400;

type Direction = 'request' | 'response';

/**
 * A schema as a tree for people: types in words, rules, and members; those that the direction does
 * not have are left out.
 */
export function schemaTree(schema: Schema, direction: Direction): SchemaNode {
  return new TreeWriter(schema, direction).write('', schema.flatten(), {
    isRequired: false,
    around: [],
  });
}

interface Place {
  readonly isRequired: boolean;
  /** The schemas around it. */
  readonly around: readonly string[];
}

class TreeWriter {
  readonly #schema: Schema;
  readonly #direction: Direction;
  #nodes = 0;

  constructor(schema: Schema, direction: Direction) {
    this.#schema = schema;
    this.#direction = direction;
  }

  write(name: string, flat: FlatSchema, { isRequired, around }: Place): SchemaNode {
    this.#nodes += 1;
    const { node, pointer } = flat;
    const isCut = around.includes(pointer) || around.length >= maxDepth || this.#nodes >= maxNodes;
    const within = [...around, pointer];
    return {
      name,
      type: this.#typeOf(flat),
      required: isRequired,
      readOnly: node.readOnly === true,
      deprecated: node['deprecated'] === true,
      description: typeof node.description === 'string' ? node.description : '',
      rule: ruleOf(node),
      choices: (node.const === undefined ? (node.enum ?? []) : [node.const]).map(textOf),
      fallback: node.default === undefined ? null : textOf(node.default),
      members: isCut ? [] : this.#membersOf(flat, within),
      variants: isCut ? [] : this.#variantsOf(flat, within),
    };
  }

  #typeOf(flat: FlatSchema): string {
    const { node } = flat;
    const known = flat.types.filter(
      (type) => !(type === 'integer' && flat.types.includes('number')),
    );
    if (known.length >= 6) return node.oneOf || node.anyOf ? 'one of' : 'any';
    const item = this.#itemOf(flat);
    return known
      .map((type) => (type === 'array' && item ? `array of ${this.#typeOf(item)}` : type))
      .join(' or ');
  }

  #itemOf({ items }: FlatSchema): FlatSchema | undefined {
    return items && isJsonObject(items.node) ? this.#schema.flatten(items) : undefined;
  }

  /** The members of an object, or of the items of a list. */
  #membersOf(flat: FlatSchema, around: readonly string[]): SchemaNode[] {
    const item = this.#itemOf(flat);
    if (flat.properties.size === 0 && item !== undefined)
      return around.includes(item.pointer) ? [] : this.#membersOf(item, [...around, item.pointer]);
    const named = [...flat.properties].flatMap(([name, written]) => {
      const member = this.#schema.flatten(written);
      const isHidden =
        member.node[this.#direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
      const place = { isRequired: flat.required.has(name), around };
      return isHidden ? [] : [this.write(name, member, place)];
    });
    const { others } = flat;
    if (!others || !isJsonObject(others.node)) return named;
    const other = this.#schema.flatten(others);
    return [...named, this.write('(any name)', other, { isRequired: false, around })];
  }

  #variantsOf({ node, pointer }: FlatSchema, around: readonly string[]): SchemaNode[] {
    const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
    return (node[keyword] ?? []).map((variant, index) => {
      const flat = this.#schema.flatten({
        node: variant,
        pointer: `${pointer}/${keyword}/${String(index)}`,
      });
      const name = nameOf(flat) ?? `Option ${String(index + 1)}`;
      return this.write(name, flat, { isRequired: false, around });
    });
  }
}

/** The title of a schema, or its name among the components. */
function nameOf({ node, pointer }: FlatSchema): string | undefined {
  if (typeof node['title'] === 'string') return node['title'];
  return /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(pointer)?.[1];
}
