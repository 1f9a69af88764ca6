import { oncePer, once } from '../contract/lazy.ts';
import type { LocatedNode, SchemaNode } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { decidePattern } from '../contract/pattern/safe-pattern.ts';
import { type Facet, type Rules, type View } from './view.ts';

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
