import type { LocatedNode, SchemaNode } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { compilePattern } from './regex-text.ts';
import { type Facet, rememberByView, type Rules, type View } from './view.ts';

/** A keyword's value, and where the keyword stands in the contract. */
export interface Placed<Value> {
  readonly value: Value;
  readonly pointer: Pointer;
}

/**
 * Every value that the keyword has in a view. A keyword that holds something else than its kind is
 * passed over.
 */
export function placedNumbers(view: View, keyword: string): Placed<number | bigint>[] {
  return placed(
    view,
    keyword,
    (value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint',
  );
}

/** The same for keywords that hold a text: `pattern`, `format`. */
export function placedTexts(view: View, keyword: string): Placed<string>[] {
  return placed(view, keyword, (value): value is string => typeof value === 'string');
}

/** The same for keywords that hold a list: `enum`, `required`, `examples`. */
export function placedLists(view: View, keyword: string): Placed<readonly unknown[]>[] {
  return placed(view, keyword, (value): value is readonly unknown[] => Array.isArray(value));
}

/** The same for keywords that hold a schema: `contains`, `propertyNames`. */
export function placedSchemas(view: View, keyword: string): LocatedNode[] {
  const isSchema = (value: unknown): value is SchemaNode =>
    typeof value === 'boolean' || isJsonObject(value);
  return placed(view, keyword, isSchema).map(({ value, pointer }) => ({ node: value, pointer }));
}

/**
 * The schema of the JSON that a text holds; undefined where it holds none, or is written in another
 * way yet.
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

/** The same for keywords that hold anything: `const`, `default`, `example`. */
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

/** The greatest value of a lower bound such as `minLength`, which is the one that counts. */
export function greatest(view: View, keyword: string): Placed<number | bigint> | undefined {
  return placedNumbers(view, keyword).reduce<Placed<number | bigint> | undefined>(
    (best, next) => (best === undefined || next.value > best.value ? next : best),
    undefined,
  );
}

/** The least value of an upper bound such as `maxLength`. */
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

/** Whether any schema of the view says `true` for the keyword: `readOnly`, `uniqueItems`. */
export function isFlagged(view: View, keyword: string): boolean {
  return view.facets.some(({ node }) => node[keyword] === true);
}

/** The required properties, each with the `required` that names it. */
export const requiredOf = rememberByView((view): ReadonlyMap<string, Pointer> => {
  const found = new Map<string, Pointer>();
  for (const { value, pointer } of placedLists(view, 'required')) {
    for (const name of value)
      if (typeof name === 'string' && !found.has(name)) found.set(name, pointer);
  }
  return found;
});

/** The names under `properties`, in the order in which the contract writes them. */
export const namesOf = rememberByView((view): readonly string[] => [
  ...new Set(view.facets.flatMap(({ node }) => Object.keys(node.properties ?? {}))),
]);

/**
 * What a property of that name must keep (JSON Schema 2020-12, section 10.3.2). Empty where nothing
 * speaks of it.
 */
export function propertyRules(view: View, name: string): Rules {
  const known = rulesByName(view);
  const rules = known.get(name) ?? view.facets.flatMap((facet) => facetPropertyRules(facet, name));
  known.set(name, rules);
  return rules;
}

const rulesByName = rememberByView(() => new Map<string, Rules>());

function facetPropertyRules({ node, pointer }: Facet, name: string): LocatedNode[] {
  const own = Object.hasOwn(node.properties ?? {}, name) ? node.properties?.[name] : undefined;
  const rules: LocatedNode[] =
    own === undefined ? [] : [{ node: own, pointer: joinPointer(pointer, 'properties', name) }];
  for (const [pattern, matched] of Object.entries(node.patternProperties ?? {})) {
    if (compilePattern(pattern)?.test(name))
      rules.push({ node: matched, pointer: joinPointer(pointer, 'patternProperties', pattern) });
  }
  const rest = node.additionalProperties;
  return rules.length === 0 && rest !== undefined
    ? [{ node: rest, pointer: joinPointer(pointer, 'additionalProperties') }]
    : rules;
}

/** What the item at an index must keep (JSON Schema 2020-12, section 10.3.1). */
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
