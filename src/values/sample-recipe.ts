import type { JsonSchema } from 'json-schema-faker';
import { plainName } from '../contract/infer/infer-names.ts';
import type { Direction, Schema } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import { itemCounts } from './build-array.ts';
import { discriminatorOf } from './forms.ts';
import { fakerKeyword, fakerMethodFor } from './faker-methods.ts';
import { formatTexts } from './format-texts.ts';
import { freeNames } from './free-names.ts';
import type { JsonType } from './json-type.ts';
import { exhibitsOf, isComposite, literalsOf } from './literals.ts';
import { gridOf, numberValue } from './number-value.ts';
import { makeRandom, type Random } from './random.ts';
import { isFormless, isOpen, resolveViews } from './resolve-views.ts';
import { lengthsOf, textValue } from './text-value.ts';
import {
  embeddedRules,
  isFlagged,
  itemRules,
  namesOf,
  placedTexts,
  propertyRules,
  requiredOf,
} from './view-keywords.ts';
import { type Rules, type View, viewOf } from './view.ts';

const deepestOptional = 4;
const maxPlaces = 600;
const maxItems = 50;

/** The input of a recipe. */
export interface RecipeOrders {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly seed: string;
  /** The faker instance whose methods `x-faker` may use. */
  readonly faker: object;
}

interface RecipePlace {
  readonly rules: Rules;
  readonly name: string;
  readonly depth: number;
  readonly trail: ReadonlySet<Pointer>;
  readonly required: boolean;
}

/**
 * Rewrites a schema for json-schema-faker: without references, branches, recursion and hidden
 * members, and with a faker method if a name suggests one. Cases that it gets wrong (lengths beside
 * pattern or format, fractions, integers beyond 2^53) are generated here and passed as constants.
 * Undefined if no recipe is possible.
 */
export function sampleRecipe(orders: RecipeOrders): JsonSchema | undefined {
  const { node, pointer } = orders.schema;
  return new RecipeWriter(orders).write({
    rules: [{ node, pointer }],
    name: '',
    depth: 0,
    trail: new Set(),
    required: true,
  });
}

class RecipeWriter {
  readonly #orders: RecipeOrders;
  readonly #random: Random;
  #places = 0;

  constructor(orders: RecipeOrders) {
    this.#orders = orders;
    this.#random = makeRandom(orders.seed);
  }

  write(place: RecipePlace): JsonSchema | undefined {
    this.#places += 1;
    const views = resolveViews(this.#orders.schema, place.rules).filter(
      (view) => !view.facets.some(({ pointer }) => place.trail.has(pointer)),
    );
    const telling = views.filter((view) => view.types.some((type) => type !== 'null'));
    const formed = telling.filter((view) => !isFormless(view));
    if (views.length === 0) return undefined;
    const view = this.#random.pick([formed, telling, views].find((all) => all.length > 0) ?? views);
    const literals = literalsOf(view)?.map(({ value }) => value);
    if (literals !== undefined)
      return {
        enum: literals.some((value) => value !== null)
          ? literals.filter((value) => value !== null)
          : literals,
      };
    const type = isOpen(view) && place.depth > 0 ? 'string' : (view.types[0] ?? 'null');
    if (
      !place.required &&
      (type === 'object' || type === 'array') &&
      (place.depth > deepestOptional || this.#places > maxPlaces)
    )
      return undefined;
    return this.#typed(place, view, type);
  }

  #typed(place: RecipePlace, view: View, type: JsonType): JsonSchema | undefined {
    const faker = fakerKeyword(view, this.#orders.faker);
    if (faker !== undefined && type !== 'object' && type !== 'array')
      return { type, faker, ...dated(view) };
    switch (type) {
      case 'object':
        return this.#object(place, view);
      case 'array':
        return this.#array(place, view);
      case 'string':
        return this.#text(place, view);
      case 'number':
      case 'integer':
        return this.#number(place, view, type);
      default:
        return { type };
    }
  }

  #object(place: RecipePlace, view: View): JsonSchema | undefined {
    const required = requiredOf(view);
    const named = [...new Set([...namesOf(view), ...required.keys()])];
    const isMap =
      named.length === 0 &&
      view.facets.some(({ node }) => typeof node.additionalProperties === 'object');
    const properties = new Map<string, JsonSchema>();
    const choices = discriminatorOf(view);
    for (const name of isMap ? freeNames(view, this.#random.integer(1, 3), new Set()) : named) {
      const rules = propertyRules(view, name);
      if (this.#isHidden(rules)) continue;
      const choice = choices?.get(name);
      if (choice !== undefined && this.#mayBe(rules, choice)) {
        properties.set(name, { const: choice });
        continue;
      }
      const member = this.write({
        rules,
        name,
        depth: place.depth + 1,
        trail: trailOf(place, view),
        required: required.has(name),
      });
      if (member !== undefined) properties.set(name, member);
      else if (required.has(name)) return undefined;
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: [...properties.keys()],
      additionalProperties: false,
    };
  }

  /** Whether a member can have a value, according to the lists of the contract. */
  #mayBe(rules: Rules, value: string): boolean {
    return resolveViews(this.#orders.schema, rules).some(
      (view) =>
        view.types.includes('string') &&
        literalsOf(view)?.some((literal) => literal.value === value) !== false,
    );
  }

  #isHidden(rules: Rules): boolean {
    const mark = this.#orders.direction === 'request' ? 'readOnly' : 'writeOnly';
    return isFlagged(viewOf(this.#orders.schema, rules), mark);
  }

  #array(place: RecipePlace, view: View): JsonSchema | undefined {
    const { min, max } = itemCounts(view);
    if (min > max || min > maxItems) return undefined;
    const count = this.#random.integer(min, Math.max(min, Math.min(max, 3)));
    const prefixItems: JsonSchema[] = [];
    for (let index = 0; index < count; index += 1) {
      const item = this.write({
        rules: itemRules(view, index),
        name: place.name.replace(/s$/, ''),
        depth: place.depth + 1,
        trail: trailOf(place, view),
        required: index < min,
      });
      if (item === undefined && index < min) return undefined;
      if (item === undefined) break;
      prefixItems.push(item);
    }
    const size = prefixItems.length;
    return {
      type: 'array',
      prefixItems,
      items: false,
      minItems: size,
      maxItems: size,
      ...(isFlagged(view, 'uniqueItems') ? { uniqueItems: true } : {}),
    };
  }

  #text({ name }: RecipePlace, view: View): JsonSchema | undefined {
    const shown = this.#shown(view);
    if (shown !== undefined) return shown;
    // Embedded JSON comes from the plain value.
    if (embeddedRules(view) !== undefined) return undefined;
    const { min, max } = lengthsOf(view);
    const patterns = placedTexts(view, 'pattern');
    const format = placedTexts(view, 'format')
      .map(({ value }) => value)
      .find((known) => Object.hasOwn(formatTexts, known));
    const isBounded = min > 0 || max < Infinity;
    if (
      (format !== undefined || patterns.length > 0) &&
      (isBounded || patterns.length + Number(format !== undefined) > 1)
    )
      return this.#constantText(name, view);
    if (format !== undefined) return { type: 'string', format };
    if (patterns[0] !== undefined) return { type: 'string', pattern: patterns[0].value };
    const faker = fakerMethodFor(plainName(name));
    // Most texts of faker have 3 to 60 characters.
    if (faker !== undefined && min <= 3 && max >= 60) return { type: 'string', faker };
    return this.#constantText(name, view);
  }

  #constantText(name: string, view: View): JsonSchema | undefined {
    const text = textValue(view, { name: plainName(name), seed: this.#seed(), variation: 0 });
    return text === undefined ? undefined : { const: text };
  }

  #number({ name }: RecipePlace, view: View, type: JsonType): JsonSchema | undefined {
    const grid = gridOf(view, type);
    const value =
      grid &&
      numberValue(grid, plainName(name), makeRandom(this.#seed()), this.#random.integer(0, 1));
    if (value === undefined || grid === undefined) return undefined;
    const isPlain =
      type === 'integer' && grid.step === 1n && grid.digits === 0 && typeof value === 'number';
    const high = Number(grid.high?.index ?? 9_999n);
    return isPlain && grid.low !== undefined && grid.low.index >= 0n && high <= 9_999
      ? { type, minimum: Number(grid.low.index), maximum: high }
      : { const: value };
  }

  /** Uses examples of the contract half of the time: they are realistic, but always the same. */
  #shown(view: View): JsonSchema | undefined {
    const values = exhibitsOf(view)
      .map(({ value }) => value)
      .filter((value) => value !== null && !isComposite(value));
    return values.length > 0 && this.#random.next() < 0.5 ? { enum: values } : undefined;
  }

  #seed(): string {
    return `${this.#orders.seed}/${this.#random.integer(0, 0x7fffffff)}`;
  }
}

/**
 * Dates of faker are converted from a date-time: json-schema-faker would cut a plain date in the
 * local time zone.
 */
function dated(view: View): { readonly format?: string; readonly dateOnly?: boolean } {
  const format = placedTexts(view, 'format')
    .map(({ value }) => value)
    .find((known) => known === 'date' || known === 'date-time');
  return format === undefined ? {} : { format: 'date-time', dateOnly: format === 'date' };
}

/** Completes a value of json-schema-faker: the `outputTransform` of the recipe. */
export function finishRecipe(value: unknown, recipe: JsonSchema): unknown {
  return typeof value === 'string' && typeof recipe === 'object' && recipe['dateOnly'] === true
    ? value.slice(0, 'YYYY-MM-DD'.length)
    : value;
}

function trailOf(place: RecipePlace, view: View): ReadonlySet<Pointer> {
  return new Set([...place.trail, ...view.facets.map(({ pointer }) => pointer)]);
}
