import type { LocatedNode } from '../contract/model.ts';
import { literalsOf } from './literals.ts';
import { regexText } from './regex-text.ts';
import { resolveViews } from './resolve-views.ts';
import { lengthsOf, textsOfLength, textValue } from './text-value.ts';
import { hasKeyword, namesOf, placedSchemas, propertyRules, type View } from './view.ts';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor'];

/**
 * Names for allowed properties that the contract does not declare, those of `patternProperties`
 * first. Fewer if it allows no more.
 */
export function freeNames(view: View, count: number, taken: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  for (const name of proposals(view, count * 4 + 8)) {
    if (names.size >= count) break;
    if (!taken.has(name) && !namesOf(view).includes(name) && isFree(view, name)) names.add(name);
  }
  return [...names];
}

function* proposals(view: View, rounds: number): Iterable<string> {
  for (let number = 0; number < rounds; number += 1) yield* usualNames(view, number);
  for (let number = 0; number < rounds; number += 1) yield* strainedNames(view, number);
}

function usualNames(view: View, number: number): string[] {
  const ruled = nameViews(view);
  const listed = ruled
    .flatMap((names) => literalsOf(names)?.[number]?.value ?? [])
    .filter((name) => typeof name === 'string');
  const shaped = ruled
    .filter((names) => hasKeyword(names, 'format') || hasKeyword(names, 'pattern'))
    .flatMap((names) => textValue(names, { name: '', seed: String(number), variation: 0 }) ?? []);
  const matching = view.facets
    .flatMap(({ node }) => Object.keys(node.patternProperties ?? {}))
    .flatMap((pattern) => regexText(pattern, { min: 1, max: longestName }, number) ?? []);
  const word = words[number % words.length] ?? '';
  return [
    ...listed,
    ...shaped,
    ...matching,
    number < words.length ? word : `${word}${number}`,
  ].filter((name) => name !== '');
}

const longestName = 64;

/** Names that keep rules which few texts keep: unusual ones, and some of every length. */
function strainedNames(view: View, number: number): string[] {
  return nameViews(view).flatMap((names) => {
    const made = textValue(names, { name: '', seed: String(number), variation: number });
    const { min } = lengthsOf(names);
    return [
      made ?? '',
      ...[min, Math.max(min, shortestStretched)].flatMap((length) =>
        textsOfLength(names, length + number, String(number)),
      ),
    ].filter((name) => name !== '');
  });
}

/** Long enough for every text with a format that can have any length. */
const shortestStretched = 24;

/** The rules for every property name (JSON Schema 2020-12, section 10.3.2.4). */
const namingRules = (view: View): LocatedNode[] => placedSchemas(view, 'propertyNames');

function nameViews(view: View): readonly View[] {
  const rules = namingRules(view);
  return rules.length === 0 ? [] : resolveViews(view.schema, rules);
}

function isFree(view: View, name: string): boolean {
  return (
    propertyRules(view, name).every(({ node }) => node !== false) &&
    namingRules(view).every(
      (rules) => view.schema.part(rules).validate(name, 'response').length === 0,
    )
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
