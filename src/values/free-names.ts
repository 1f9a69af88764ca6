import type { SchemaObject } from '../contract/model.ts';
import { lengthOf } from './code-points.ts';
import { decidePattern } from '../contract/pattern/safe-pattern.ts';
import { regexText } from './regex-text.ts';
import { namesOf, placedSchemas, propertyRules } from './view-keywords.ts';
import type { View } from './view.ts';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor'];

/**
 * Names for allowed properties that the contract does not declare, those of `patternProperties`
 * first. Fewer if it allows no more.
 */
export function freeNames(view: View, count: number, taken: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (let number = 0; names.size < count && number < count * 4 + 8; number += 1) {
    for (const name of proposals(view, number)) {
      if (
        names.size < count &&
        !taken.has(name) &&
        !namesOf(view).includes(name) &&
        isFree(view, name)
      )
        names.add(name);
    }
  }
  return [...names];
}

function proposals(view: View, number: number): string[] {
  const patterns = [
    ...ruledNames(view).flatMap(({ pattern }) => pattern ?? []),
    ...view.facets.flatMap(({ node }) => Object.keys(node.patternProperties ?? {})),
  ];
  const matching = patterns
    .map((pattern) => regexText(pattern, { min: 1, max: 64 }, number))
    .filter((name) => name !== undefined);
  const word = words[number % words.length] ?? '';
  const listed = ruledNames(view)
    .flatMap(({ enum: names }) => names?.[number] ?? [])
    .filter((name) => typeof name === 'string');
  return [...listed, ...matching, number < words.length ? word : `${word}${number}`];
}

/** The rules for every property name. */
function ruledNames(view: View): SchemaObject[] {
  return placedSchemas(view, 'propertyNames').flatMap(({ node }) =>
    typeof node === 'object' ? [node] : [],
  );
}

function isFree(view: View, name: string): boolean {
  return (
    propertyRules(view, name).every(({ node }) => node !== false) &&
    ruledNames(view).every((rules) => mayName(rules, name))
  );
}

function mayName(
  { pattern, enum: listed, minLength, maxLength }: SchemaObject,
  name: string,
): boolean {
  const length = lengthOf(name);
  return (
    (listed === undefined || listed.includes(name)) &&
    length >= Number(minLength ?? 0) &&
    length <= Number(maxLength ?? Infinity) &&
    (pattern === undefined || decidePattern(pattern, name) !== false)
  );
}

/** A property name that a closed object refuses. */
export function strangeName(view: View): string {
  const names = new Set(namesOf(view));
  return (
    ['unexpected', 'unexpected_property', '~unexpected', 'UNEXPECTED!'].find(
      (name) => !names.has(name) && propertyRules(view, name).some(({ node }) => node === false),
    ) ?? 'unexpected'
  );
}
