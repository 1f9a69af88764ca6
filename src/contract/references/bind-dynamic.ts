import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/**
 * The facts that binding needs: the place and the name of each open `$dynamicRef`, and the targets
 * of references.
 */
export interface DynamicPlaces {
  readonly open: ReadonlyMap<JsonObject, string>;
  find(reference: string): JsonValue | undefined;
}

/** A schema that defines dynamic names for the schemas that it references: names to references. */
export interface DynamicBinder {
  readonly schema: JsonObject;
  readonly meanings: ReadonlyMap<string, string>;
}

/**
 * Fills in the targets of references with the definitions of dynamic names (JSON Schema 2020-12,
 * section 8.2.3.2): the list in `{ $ref: page, $defs: { item: { $dynamicAnchor: itemType, … } } }`
 * gets its item type. Changes the documents in place. Other users of the same schema do not change,
 * nor does a schema that defines its own names if no other one defines them.
 */
export function bindDynamic(binders: readonly DynamicBinder[], places: DynamicPlaces): void {
  const filled = binders.flatMap(({ schema, meanings }) => {
    const binding = new Binding(meanings, places);
    const { $defs, ...own } = schema;
    return binding.isOpen(own, { follow: false, seen: new Set() })
      ? []
      : [{ schema, own, bound: binding.fill(own, new Set([schema])) }];
  });
  for (const { schema, own, bound } of filled) {
    // The documents were read or copied for this contract only.
    const members = schema as Record<string, JsonValue>;
    for (const name of Object.keys(own)) delete members[name];
    Object.assign(members, bound);
  }
}

class Binding {
  readonly #meanings: DynamicBinder['meanings'];
  readonly #places: DynamicPlaces;

  constructor(meanings: DynamicBinder['meanings'], places: DynamicPlaces) {
    this.#meanings = meanings;
    this.#places = places;
  }

  /** `seen` holds the schemas around this one: a recursive schema is filled in once. */
  fill(schema: JsonObject, seen: ReadonlySet<JsonValue>): JsonObject {
    const name = this.#places.open.get(schema);
    const meaning = name === undefined ? undefined : this.#meanings.get(name);
    const members = Object.entries(schema).filter(
      ([key]) => meaning === undefined || key !== '$dynamicRef',
    );
    const filled = Object.fromEntries(
      members.map(([key, value]) => [key, this.#fillValue(value, seen)]),
    );
    const target =
      typeof schema['$ref'] === 'string' ? this.#places.find(schema['$ref']) : undefined;
    const inlined =
      isJsonObject(target) &&
      !seen.has(target) &&
      this.isOpen(target, { follow: true, seen: new Set() })
        ? this.#inline(target, seen)
        : undefined;
    if (inlined !== undefined) delete filled['$ref'];
    const added = [
      ...(inlined === undefined ? [] : [inlined]),
      ...(meaning === undefined ? [] : [{ $ref: meaning }]),
    ];
    return added.length === 0
      ? filled
      : {
          ...filled,
          allOf: [
            ...(Array.isArray(filled['allOf']) ? (filled['allOf'] as JsonValue[]) : []),
            ...added,
          ],
        };
  }

  #inline(target: JsonObject, seen: ReadonlySet<JsonValue>): JsonObject {
    const { $defs, $id, $anchor, $dynamicAnchor, ...own } = target;
    return this.fill(this.#places.open.has(target) ? target : own, new Set([...seen, target]));
  }

  #fillValue(value: JsonValue, seen: ReadonlySet<JsonValue>): JsonValue {
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item) => this.#fillValue(item, seen));
    return isJsonObject(value) ? this.fill(value, seen) : value;
  }

  /**
   * Whether a schema contains a dynamic name that this binder defines; also in its referenced
   * schemas, or only in itself.
   */
  isOpen(value: JsonValue, { follow, seen }: Search): boolean {
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    if (isJsonObject(value) && this.#meanings.has(this.#places.open.get(value) ?? '')) return true;
    const target =
      follow && isJsonObject(value) && typeof value['$ref'] === 'string'
        ? this.#places.find(value['$ref'])
        : undefined;
    return (
      (target !== undefined && this.isOpen(target, { follow, seen })) ||
      Object.values(value).some((member) => this.isOpen(member, { follow, seen }))
    );
  }
}

/** How a schema is searched, and what is already searched. */
interface Search {
  readonly follow: boolean;
  readonly seen: Set<JsonValue>;
}
