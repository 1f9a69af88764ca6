import { oncePer } from '../contract/lazy.ts';
import { equalJson } from '../json/equal-json.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { hasType, type JsonType, typeOf, valueKey } from '../json/json-type.ts';
import { exhibitsOf, literalsOf } from './literals.ts';
import type { Random } from './random.ts';
import { isFormless } from './resolve-views.ts';
import { namesOf, propertyRules, requiredOf, type View } from './view.ts';

/**
 * One way to make a value: with one type, one choice of branches, and a literal of the contract or
 * a generated value.
 */
export interface Alternative {
  readonly view: View;
  readonly type: JsonType;
  readonly literal?: JsonValue;
  /** Whether the literal is the only allowed value, as opposed to an example. */
  readonly exact?: boolean;
  /** 0 is the most likely value; a higher number is another attempt. */
  readonly variation: number;
}

const variations = 3;

/**
 * The ways to make a value, best first: the example of the parent, examples of the contract, listed
 * values, then generated values. Null is last unless an example is null, because clients rarely
 * send it. With `random`, the order varies.
 */
export function alternativesFor(
  views: readonly View[],
  hint: JsonValue | undefined,
  random?: Random,
): readonly Alternative[] {
  const usual = unhintedFor(views);
  const unhinted = random === undefined ? usual : varied(usual, random);
  return hint === undefined ? unhinted : [...byFit(views, hint), ...unhinted].sort(nullLast);
}

/** The alternatives of several views, kept in the first one: a plan fills a schema repeatedly. */
interface ViewAlternatives {
  readonly views: readonly View[];
  readonly alternatives: readonly Alternative[];
}

const newMemory = (): ViewAlternatives[] => [];

function unhintedFor(views: readonly View[]): readonly Alternative[] {
  const memory = views[0]?.derive(newMemory) ?? [];
  const known = memory.find(
    (other) =>
      other.views.length === views.length &&
      other.views.every((view, index) => view === views[index]),
  );
  if (known !== undefined) return known.alternatives;
  const alternatives = [...shown(views), ...listed(views), ...madeUp(views)].sort(nullLast);
  memory.push({ views, alternatives });
  return alternatives;
}

function nullLast(left: Alternative, right: Alternative): number {
  return Number(isMadeNull(left)) - Number(isMadeNull(right));
}

/** Whether it is null although no example says so: a default says what happens without a value. */
function isMadeNull({ view, type, literal, exact }: Alternative): boolean {
  if (type !== 'null') return false;
  const exhibits = exhibitsOf(view).filter(({ value }) => value === null);
  const isDefault =
    exhibits.length > 0 && exhibits.every(({ pointer }) => pointer.endsWith('/default'));
  return literal === undefined || exact === true || isDefault;
}

/**
 * The same alternatives, listed values and branches in a random order. Texts that the contract
 * shows come first half of the time: they are realistic, but always the same. Other examples come
 * last.
 */
function varied(alternatives: readonly Alternative[], random: Random): readonly Alternative[] {
  const allowed = alternatives.filter(({ exact }) => exact === true);
  const examples = alternatives.filter(
    ({ exact, literal }) => exact !== true && literal !== undefined,
  );
  const texts = random.next() < 0.5 ? examples.filter(({ type }) => type === 'string') : [];
  const made = alternatives.filter(({ literal }) => literal === undefined);
  const likely = made.filter(
    ({ variation, view, type }) =>
      variation === 0 && type === view.types.find((other) => other !== 'null'),
  );
  const formed = likely.filter(({ view }) => !isFormless(view));
  const first = [allowed, texts, formed.length > 0 ? formed : likely];
  return [
    ...new Set([...first.flatMap((list) => rotated(list, random)), ...made, ...examples]),
  ].sort(nullLast);
}

/** A list that begins at a random item. */
function rotated<Item>(list: readonly Item[], random: Random): Item[] {
  const start = random.integer(0, Math.max(0, list.length - 1));
  return [...list.slice(start), ...list.slice(0, start)];
}

/**
 * The alternative with this number; beyond the last one, further variations of generated values.
 */
export function alternativeAt(
  alternatives: readonly Alternative[],
  index: number,
): Alternative | undefined {
  const own = alternatives[index];
  if (own !== undefined) return own;
  const made = alternatives.findLast(
    (alternative) => alternative.literal === undefined && alternative.type !== 'null',
  );
  return made && { ...made, variation: variations + index - alternatives.length };
}

function shown(views: readonly View[]): Alternative[] {
  const literals = new Map(
    views.flatMap((view) => exhibitsOf(view).map(({ value }) => [valueKey(value), value] as const)),
  );
  return [...literals.values()].flatMap((value) =>
    byFit(
      views.filter((view) => exhibitsOf(view).some((exhibit) => equalJson(exhibit.value, value))),
      value,
    ),
  );
}

function listed(views: readonly View[]): Alternative[] {
  return views.flatMap((view) =>
    (literalsOf(view) ?? []).map(({ value }) => ({
      view,
      type: typeOf(value),
      literal: value,
      exact: true,
      variation: 0,
    })),
  );
}

function madeUp(views: readonly View[]): Alternative[] {
  const open = views.filter((view) => literalsOf(view) === undefined);
  return Array.from({ length: variations }, (_item, variation) =>
    open.flatMap((view) =>
      (variation === 0 ? view.types : view.types.slice(0, 1)).map((type) => ({
        view,
        type,
        variation,
      })),
    ),
  ).flat();
}

function byFit(views: readonly View[], literal: JsonValue): Alternative[] {
  return views
    .map((view) => ({ view, fit: fitOf(view, literal) }))
    .filter(({ fit }) => fit > -Infinity)
    .sort((left, right) => right.fit - left.fit)
    .map(({ view }) => ({
      view,
      type: typeOf(literal),
      literal,
      exact: literalsOf(view) !== undefined,
      variation: 0,
    }));
}

/** How well a literal matches a view; -Infinity if a type, a format or a list excludes it. */
function fitOf(view: View, literal: JsonValue): number {
  if (!hasType(literal, view.types)) return -Infinity;
  if (typeof literal === 'string' && !isFormatted(view, literal)) return -Infinity;
  const values = literalsOf(view);
  if (values !== undefined && !values.some(({ value }) => equalJson(value, literal)))
    return -Infinity;
  if (!isJsonObject(literal)) return 0;
  if (Object.entries(literal).some(([name, member]) => isRuledOut(view, name, member)))
    return -Infinity;
  const present = namesOf(view).filter((name) => Object.hasOwn(literal, name)).length;
  const missing = [...requiredOf(view).keys()].filter(
    (name) => !Object.hasOwn(literal, name),
  ).length;
  return present - 2 * missing;
}

/**
 * Whether a text has the formats of a view. In an example of many members, one without would make
 * the whole invalid, or valid by accident: it may exclude all but one branch of a `oneOf`.
 */
const isFormatted = oncePer((view: View, text: string): boolean =>
  view.facets
    .filter(({ node }) => node.format !== undefined)
    .every((place) => {
      // The whole schema: what is kept under a pointer must not be the format alone.
      const issues = view.schema.part(place).validate(text, 'response');
      return issues.every(({ keyword }) => keyword !== 'format');
    }),
);

function isRuledOut(view: View, name: string, member: JsonValue): boolean {
  return propertyRules(view, name).some(({ node }) => {
    if (typeof node === 'boolean') return !node;
    const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
    return values !== undefined && !values.some((value) => equalJson(value, member));
  });
}
