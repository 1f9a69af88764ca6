import { Derived, once, oncePer } from '../contract/lazy.ts';
import type { LocatedNode, Schema, SchemaNode, SchemaObject } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { type JsonType, jsonTypes } from '../json/json-type.ts';
import { decidePattern } from '../contract/pattern/safe-pattern.ts';

/** Schemas that apply to the same value, all of them. */
export type Rules = readonly LocatedNode[];

/** One schema object that applies to a value, with its location in the contract. */
export interface Facet {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
}

/**
 * A choice in a schema: `oneOf`, `anyOf`, the two branches of an `if`, or the forms of a
 * discriminator's mapping.
 */
export interface BranchGroup {
  readonly keyword: 'oneOf' | 'anyOf' | 'if' | 'discriminator';
  readonly pointer: Pointer;
  readonly branches: readonly Rules[];
}

/**
 * The rules for one value: every schema object that applies (after `$ref` and `allOf`, before the
 * choice of branches), each with its location. `Schema.flatten` merges the same objects without
 * their locations.
 */
export class View {
  /** The schema of the whole value. */
  readonly schema: Schema;
  readonly rules: Rules;
  readonly facets: readonly Facet[];
  /** The allowed types, in order of preference for generated values. */
  readonly types: readonly JsonType[];
  readonly groups: readonly BranchGroup[];
  /** The location of a schema `false`, which no value satisfies. */
  readonly never: Pointer | undefined;
  /** The chosen branches, by the pointer of their group. Empty before `resolveViews`. */
  readonly taken: ReadonlyMap<Pointer, number>;
  readonly #derived = new Derived<View>();

  constructor(parts: ViewParts) {
    this.schema = parts.schema;
    this.rules = parts.rules;
    this.facets = parts.facets;
    this.types = parts.types;
    this.groups = parts.groups;
    this.never = parts.never;
    this.taken = parts.taken;
  }

  /** The same view with some parts replaced. */
  with(parts: Partial<ViewParts>): View {
    return new View({ ...this, ...parts });
  }

  /** Memoises a function of this view, because values use the result a dozen times. */
  derive<Read>(read: (view: View) => Read): Read {
    return this.#derived.of(this, read);
  }
}

type ViewParts = Omit<View, 'with' | 'derive'>;

/** Reads the schemas of one value into a view. */
export function viewOf(schema: Schema, rules: Rules): View {
  const facets: Facet[] = [];
  const seen = new Set<Pointer>();
  const queue: LocatedNode[] = [...rules];
  let never: Pointer | undefined;
  for (const { node, pointer } of queue) {
    if (node === false) never ??= pointer;
    if (typeof node === 'boolean' || seen.has(pointer)) continue;
    seen.add(pointer);
    facets.push({ node, pointer });
    if (typeof node.$ref === 'string')
      queue.push(schema.follow({ node: { $ref: node.$ref }, pointer }));
    (node.allOf ?? []).forEach((part, index) =>
      queue.push({ node: part, pointer: joinPointer(pointer, 'allOf', index) }),
    );
  }
  return new View({
    schema,
    rules,
    facets,
    types: typesOf(facets),
    groups: facets.flatMap((facet) => [...groupsOf(facet), ...mappedForms(schema, facet, seen)]),
    never,
    taken: new Map(),
  });
}

function typesOf(facets: readonly Facet[]): JsonType[] {
  let types: readonly JsonType[] = jsonTypes;
  for (const { node } of facets) {
    if (node.type === undefined) continue;
    const named: readonly string[] = [node.type].flat();
    types = types.filter(
      (type) => named.includes(type) || (type === 'integer' && named.includes('number')),
    );
  }
  // A number type includes integers; the type integer is used only if the contract requires it.
  return types.filter((type) => type !== 'integer' || !types.includes('number'));
}

function groupsOf({ node, pointer }: Facet): BranchGroup[] {
  const groups: BranchGroup[] = [];
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = node[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const place = joinPointer(pointer, keyword);
    groups.push({
      keyword,
      pointer: place,
      branches: branches.map((branch: SchemaNode, index) => [
        { node: branch, pointer: joinPointer(place, index) },
      ]),
    });
  }
  return node['if'] === undefined ? groups : [...groups, conditionOf(node, pointer)];
}

/**
 * The forms of a schema that has a discriminator with a mapping and no branches: other schemas
 * extend it with `allOf` (OpenAPI 3.1, section 4.8.25.2). The schema itself is the last form, as a
 * fallback. Empty within one of these forms.
 */
function mappedForms(
  schema: Schema,
  { node, pointer }: Facet,
  seen: ReadonlySet<Pointer>,
): BranchGroup[] {
  const mapping = isJsonObject(node['discriminator'])
    ? node['discriminator']['mapping']
    : undefined;
  if (
    !isJsonObject(mapping) ||
    node.oneOf !== undefined ||
    node.anyOf !== undefined ||
    node['additionalProperties'] === false
  )
    return [];
  const place = joinPointer(pointer, 'discriminator', 'mapping');
  const forms = Object.entries(mapping).flatMap(([name, target]) => {
    const form = typeof target === 'string' ? tryFollow(schema, target, place) : undefined;
    return form === undefined || form.pointer === pointer
      ? []
      : {
          form,
          rules: [{ node: { $ref: `#${form.pointer}` }, pointer: joinPointer(place, name) }],
        };
  });
  return forms.length === 0 || forms.some(({ form }) => seen.has(form.pointer))
    ? []
    : [
        {
          keyword: 'discriminator',
          pointer: place,
          branches: [...forms.map(({ rules }) => rules), []],
        },
      ];
}

/**
 * The schema of a mapping entry: a reference, or the name of a schema; undefined if it does not
 * exist.
 */
function tryFollow(schema: Schema, target: string, from: Pointer): LocatedNode | undefined {
  try {
    const $ref = /[#/]/.test(target) ? target : `#/components/schemas/${target}`;
    const form = schema.follow({ node: { $ref }, pointer: from });
    return isJsonObject(form.node) ? form : undefined;
  } catch {
    return undefined;
  }
}

function conditionOf(node: SchemaObject, pointer: Pointer): BranchGroup {
  const at = (keyword: string): Rules => {
    const part = node[keyword];
    // `if`, `then` and `else` hold schemas (JSON Schema 2020-12, section 10.2.2), which the index
    // signature of the model does not express.
    return part === undefined
      ? []
      : [{ node: part as SchemaNode, pointer: joinPointer(pointer, keyword) }];
  };
  return {
    keyword: 'if',
    pointer: joinPointer(pointer, 'if'),
    branches: [[...at('if'), ...at('then')], at('else')],
  };
}

/** The recursion depth of each schema object around a place. */
export type Trail = ReadonlyMap<Pointer, number>;

/** The recursion depths within a view. */
export function trailInto(trail: Trail, view: View): Trail {
  const inner = new Map(trail);
  for (const { pointer } of view.facets) inner.set(pointer, (trail.get(pointer) ?? 0) + 1);
  return inner;
}

/** Whether a view recurses more than the given number of times. */
export function isCircle(view: View, trail: Trail, times: number): boolean {
  return view.facets.some(({ pointer }) => (trail.get(pointer) ?? 0) > times);
}

/** The value of a keyword and its location in the contract. */
export interface Placed<Value> {
  readonly value: Value;
  readonly pointer: Pointer;
}

/** Every value of a keyword in a view. Values of another type are skipped. */
export function placedNumbers(view: View, keyword: string): Placed<number | bigint>[] {
  return placed(
    view,
    keyword,
    (value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint',
  );
}

/** Like `placedNumbers` for keywords with a text: `pattern`, `format`. */
export function placedTexts(view: View, keyword: string): Placed<string>[] {
  return placed(view, keyword, (value): value is string => typeof value === 'string');
}

/** Like `placedNumbers` for keywords with a list: `enum`, `required`, `examples`. */
export function placedLists(view: View, keyword: string): Placed<readonly unknown[]>[] {
  return placed(view, keyword, (value): value is readonly unknown[] => Array.isArray(value));
}

/** Like `placedNumbers` for keywords with a schema: `contains`, `propertyNames`. */
export function placedSchemas(view: View, keyword: string): LocatedNode[] {
  const isSchema = (value: unknown): value is SchemaNode =>
    typeof value === 'boolean' || isJsonObject(value);
  return placed(view, keyword, isSchema).map(({ value, pointer }) => ({ node: value, pointer }));
}

/**
 * The schema of JSON that is embedded in a text; undefined if there is none, or if the text has
 * another encoding.
 */
export function embeddedRules(view: View): LocatedNode[] | undefined {
  const isJson = placedTexts(view, 'contentMediaType').some(({ value }) =>
    /^[\w.-]+\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(value),
  );
  const rules =
    isJson && placedTexts(view, 'contentEncoding').length === 0
      ? placedSchemas(view, 'contentSchema')
      : [];
  return rules.length === 0 ? undefined : rules;
}

/** Like `placedNumbers` for keywords with any value: `const`, `default`, `example`. */
export function placedAnything(view: View, keyword: string): Placed<unknown>[] {
  return placed(view, keyword, (value): value is unknown => value !== undefined);
}

function placed<Value>(
  view: View,
  keyword: string,
  is: (value: unknown) => value is Value,
): Placed<Value>[] {
  return view.facets.flatMap(({ node, pointer }) => {
    const value = node[keyword];
    return is(value) ? [{ value, pointer: joinPointer(pointer, keyword) }] : [];
  });
}

/** The greatest value of a lower bound such as `minLength`, which is the effective one. */
export function greatest(view: View, keyword: string): Placed<number | bigint> | undefined {
  return placedNumbers(view, keyword).reduce<Placed<number | bigint> | undefined>(
    (best, next) => (best === undefined || next.value > best.value ? next : best),
    undefined,
  );
}

/** The least value of an upper bound such as `maxLength`, which is the effective one. */
export function least(view: View, keyword: string): Placed<number | bigint> | undefined {
  return placedNumbers(view, keyword).reduce<Placed<number | bigint> | undefined>(
    (best, next) => (best === undefined || next.value < best.value ? next : best),
    undefined,
  );
}

/** Whether any schema of the view has the keyword. */
export function hasKeyword(view: View, keyword: string): boolean {
  return view.facets.some(({ node }) => node[keyword] !== undefined);
}

/** Whether any schema of the view sets the keyword to true: `readOnly`, `uniqueItems`. */
export function isFlagged(view: View, keyword: string): boolean {
  return view.facets.some(({ node }) => node[keyword] === true);
}

/** The required properties, each with the location of its `required`. */
export const requiredOf = once((view: View): ReadonlyMap<string, Pointer> => {
  const found = new Map<string, Pointer>();
  for (const { value, pointer } of placedLists(view, 'required')) {
    for (const name of value)
      if (typeof name === 'string' && !found.has(name)) found.set(name, pointer);
  }
  return found;
});

/** The names under `properties`, in document order. */
export const namesOf = once((view: View): readonly string[] => {
  return [...new Set(view.facets.flatMap(({ node }) => Object.keys(node.properties ?? {})))];
});

/**
 * The schemas that apply to a property (JSON Schema 2020-12, section 10.3.2). Empty if there are
 * none.
 */
export const propertyRules = oncePer((view: View, name: string): Rules =>
  view.facets.flatMap((facet) => facetPropertyRules(facet, name)),
);

function facetPropertyRules({ node, pointer }: Facet, name: string): LocatedNode[] {
  const own = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : undefined;
  const rules: LocatedNode[] =
    own === undefined ? [] : [{ node: own, pointer: joinPointer(pointer, 'properties', name) }];
  for (const [pattern, matched] of Object.entries(node.patternProperties ?? {})) {
    if (decidePattern(pattern, name) === true)
      rules.push({ node: matched, pointer: joinPointer(pointer, 'patternProperties', pattern) });
  }
  const rest = node.additionalProperties;
  return rules.length === 0 && rest !== undefined
    ? [{ node: rest, pointer: joinPointer(pointer, 'additionalProperties') }]
    : rules;
}

/** The schemas that apply to the item at an index (JSON Schema 2020-12, section 10.3.1). */
export function itemRules(view: View, index: number): Rules {
  return view.facets.flatMap(({ node, pointer }): LocatedNode[] => {
    const prefix = node.prefixItems?.[index];
    if (prefix !== undefined)
      return [{ node: prefix, pointer: joinPointer(pointer, 'prefixItems', index) }];
    return node.items === undefined
      ? []
      : [{ node: node.items, pointer: joinPointer(pointer, 'items') }];
  });
}
