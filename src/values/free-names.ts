import { namesOf, placedSchemas, propertyRules } from './view-keywords.ts';
import { regexText } from './regex-text.ts';
import type { View } from './view.ts';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor'];

/** Names for properties that the contract does not name but allows: those of `patternProperties` first. Fewer where it allows no more. */
export function freeNames(view: View, count: number, taken: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (let number = 0; names.size < count && number < count * 4 + 8; number += 1) {
    for (const name of proposals(view, number)) {
      if (names.size < count && !taken.has(name) && !namesOf(view).includes(name) && isFree(view, name)) names.add(name);
    }
  }
  return [...names];
}

function proposals(view: View, number: number): string[] {
  const patterns = [...namePatterns(view), ...view.facets.flatMap(({ node }) => Object.keys(node.patternProperties ?? {}))];
  const matching = patterns.map((pattern) => regexText(pattern, { min: 1, max: 64 }, number)).filter((name) => name !== undefined);
  const word = words[number % words.length] ?? '';
  return [...matching, number < words.length ? word : `${word}${number}`];
}

/** The patterns and lists under `propertyNames`. */
function namePatterns(view: View): string[] {
  return placedSchemas(view, 'propertyNames').flatMap(({ node }) => (typeof node === 'object' && typeof node.pattern === 'string' ? [node.pattern] : []));
}

function isFree(view: View, name: string): boolean {
  return propertyRules(view, name).every(({ node }) => node !== false);
}

/** A name that a closed object refuses: no property, no pattern speaks of it. */
export function strangeName(view: View): string {
  const names = new Set(namesOf(view));
  return ['unexpected', 'unexpected_property', '~unexpected', 'UNEXPECTED!'].find((name) => !names.has(name) && propertyRules(view, name).some(({ node }) => node === false)) ?? 'unexpected';
}
