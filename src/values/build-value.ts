import { plainName, namePattern } from '../contract/infer/infer-names.ts';
import { isWithin, joinPointer, type Pointer, splitPointer } from '../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../json/value.ts';
import { type Alternative, alternativeAt, alternativesFor } from './alternatives.ts';
import { buildArray, whyImpossible } from './build-array.ts';
import { buildObject } from './build-object.ts';
import type { BuildOrders, BuildPlace, BuildProblem, Pin, PlaceBuilder } from './build-orders.ts';
import { fakerSubject } from './faker-methods.ts';
import { gridOf, numberValue } from './number-value.ts';
import { makeRandom } from './random.ts';
import { isOpen, resolveViews } from './resolve-views.ts';
import { textValue } from './text-value.ts';
import { embeddedRules, isCircle, type View, viewOf } from './view.ts';

/** A filled place: its value, view, and number among its alternatives. */
export interface Site {
  readonly at: Pointer;
  readonly view: View;
  readonly value: JsonValue;
  readonly pick: number;
  readonly picks: number;
  readonly optional: boolean;
}

/** Flags that are usually false, by normalized name. */
const isUsuallyOff = namePattern(
  'delet archiv block disabl suspend draft private locked banned expired',
  'hidden revoked cancel failed truncat deprecat',
);

const deepestOptional = 4;
const deepest = 24;
const maxPlaces = 2_000;

/** The value of a place; undefined if it was omitted. */
interface FilledPlace {
  readonly place: BuildPlace;
  readonly value: JsonValue | undefined;
  /** The number of places that were filled for it, including those inside. */
  readonly places: number;
}

/**
 * Fills the places of one value from the root down with the most likely values. The caller
 * validates the result.
 */
export class ValueBuilder implements PlaceBuilder {
  readonly orders: BuildOrders;
  readonly sites = new Map<Pointer, Site>();
  problem: BuildProblem | undefined;
  #places = 0;
  readonly #filled: Map<Pointer, FilledPlace> | undefined;
  #earlier: ValueBuilder | undefined;

  /** `keepsPlaces`: records the filled places, so that `buildPinned` can reuse them. */
  constructor(orders: BuildOrders, { keepsPlaces = false } = {}) {
    this.orders = orders;
    this.#filled = keepsPlaces ? new Map() : undefined;
  }

  /**
   * The same value with one place pinned. Reuses the places beside it: only those around it and
   * inside it are filled again. Undefined if no value can be built.
   */
  buildPinned(at: Pointer, pin: Pin): JsonValue | undefined {
    const builder = new ValueBuilder({ ...this.orders, pins: new Map([[at, pin]]) });
    // Beyond the limit, the value depends on the order in which places are filled.
    if (this.#places <= maxPlaces) builder.#earlier = this;
    return builder.buildRoot();
  }

  /** The whole value, or undefined with `problem` set. */
  buildRoot(): JsonValue | undefined {
    const { node, pointer } = this.orders.schema;
    return this.build({
      rules: [{ node, pointer }],
      at: '',
      name: this.orders.name ?? '',
      depth: 0,
      trail: new Map(),
      optional: 'no',
      hint: undefined,
      offset: 0,
      salt: '',
    });
  }

  /**
   * The value of a place. Undefined if an optional value should be omitted, or if none can be made.
   */
  build(place: BuildPlace): JsonValue | undefined {
    const known = this.#earlier && this.#reused(place, this.#earlier);
    if (known !== undefined) {
      this.#places += known.places;
      return known.value;
    }
    const before = this.#places;
    const value = this.#fill(place);
    this.#filled?.set(place.at, { place, value, places: this.#places - before });
    return value;
  }

  /** The value from an earlier builder, for a place that the pin does not affect. */
  #reused({ at, ...place }: BuildPlace, earlier: ValueBuilder): FilledPlace | undefined {
    const [pinAt = ''] = this.orders.pins.keys();
    if (isWithin(pinAt, at) || isWithin(at, pinAt)) return undefined;
    const known = earlier.#filled?.get(at);
    return known !== undefined &&
      isSamePlace(known.place, place) &&
      this.#places + known.places <= maxPlaces
      ? known
      : undefined;
  }

  settle(at: Pointer, value: JsonValue): void {
    const site = this.sites.get(at);
    if (site !== undefined) this.sites.set(at, { ...site, value });
  }

  #fill(place: BuildPlace): JsonValue | undefined {
    this.#places += 1;
    const optional = place.optional !== 'no';
    if (optional && this.orders.omitted.has(place.at)) return undefined;
    const views = this.#views(place);
    if (views.length === 0) return optional ? undefined : this.#failFor(place);
    const { seed, variety } = this.orders;
    const random = variety && makeRandom(`${seed}|${place.at}|${place.salt}`);
    const alternatives = alternativesFor(views, place.hint, random);
    const first = (this.orders.picks.get(place.at) ?? 0) + place.offset;
    for (let pick = first; pick < Math.max(alternatives.length, first + 1); pick += 1) {
      const alternative = alternativeAt(alternatives, pick);
      if (alternative === undefined) continue;
      this.#comparePick(place.at, pick);
      // Another branch or type would replace an optional member that clients usually omit.
      if (this.#isTooMuch(place, alternative)) return undefined;
      const value = this.#make(place, alternative);
      if (value === undefined) {
        if (!optional) this.problem ??= whyImpossible(alternative.view, alternative.type);
        continue;
      }
      this.sites.set(place.at, {
        at: place.at,
        view: alternative.view,
        value,
        pick,
        picks: alternatives.length,
        optional,
      });
      return value;
    }
    return optional ? undefined : this.#failFor(place);
  }

  /** Another alternative around the pin changes everything inside it: nothing is reused then. */
  #comparePick(at: Pointer, pick: number): void {
    if (this.#earlier === undefined) return;
    const [pinAt = ''] = this.orders.pins.keys();
    if (pinAt === at || !isWithin(pinAt, at)) return;
    if (this.#earlier.sites.get(at)?.pick !== pick) this.#earlier = undefined;
  }

  /** The number of items or properties of a pinned place. */
  sizeAt(at: Pointer): number | undefined {
    const pin = this.orders.pins.get(at);
    return pin !== undefined && 'size' in pin ? pin.size : undefined;
  }

  /** Stores the first problem, which is the deepest. */
  #failFor(place: BuildPlace): undefined {
    const view = viewOf(this.orders.schema, place.rules);
    const pointer = view.never ?? place.rules[0]?.pointer ?? '';
    const name = splitPointer(place.at).at(-1);
    const message = isCircle(view, place.trail, 0)
      ? 'it requires itself, without end'
      : view.never !== undefined && name !== undefined
        ? `it forbids the property ${name}, which another rule requires`
        : 'no value satisfies all rules here';
    this.problem ??= { pointer, message };
    return undefined;
  }

  /**
   * The views of a place without infinite recursion: a recursive optional member is omitted, or
   * included once if all members are requested. Only an example may nest deeper.
   */
  #views(place: BuildPlace): readonly View[] {
    if (place.depth > deepest || this.#places > maxPlaces * 5) return [];
    const pin = this.orders.pins.get(place.at);
    const resolved = resolveViews(this.orders.schema, place.rules);
    const named = place.depth > 0 && resolved.some(isOpen) ? resolved.map(firstText) : resolved;
    const views =
      pin === undefined || 'size' in pin ? named : named.flatMap((view) => pinned(view, pin));
    const isStraight = (view: View): boolean =>
      !isCircle(view, place.trail, this.orders.required === 'all' ? 1 : 0);
    if (views.every(isStraight)) return views;
    const straight = views.filter(isStraight);
    return place.hint === undefined
      ? straight
      : [...straight, ...views.filter((view) => !isStraight(view))];
  }

  #isTooMuch(place: BuildPlace, { type, literal }: Alternative): boolean {
    if (place.optional === 'no') return false;
    if (place.optional === 'plain')
      return literal === undefined && (type === 'object' || type === 'array' || type === 'null');
    if (type !== 'object' && type !== 'array') return false;
    return place.depth > deepestOptional || this.#places > maxPlaces;
  }

  #make(place: BuildPlace, alternative: Alternative): JsonValue | undefined {
    const { view, type, literal, variation } = alternative;
    if (alternative.exact === true && literal !== undefined) return literal;
    if (type === 'object') return buildObject(this, place, alternative);
    if (type === 'array') return buildArray(this, place, alternative);
    if (literal !== undefined || type === 'null') return literal ?? null;
    const seed = `${this.orders.seed}|${place.at}|${place.salt}|${variation}`;
    const name = fakerSubject(view) ?? plainName(place.name);
    const embedded = type === 'string' ? this.#embed(view, place) : undefined;
    if (embedded !== undefined) return embedded;
    const { variety } = this.orders;
    const sampled = variation === 0 ? variety?.scalar(view, place.name, seed) : undefined;
    if (sampled !== undefined) return sampled;
    const parent = place.at.slice(0, place.at.lastIndexOf('/'));
    const where = [this.orders.seed, recordAt(parent)].join('|');
    if (type === 'string') {
      const shared = [this.orders.seed, parent, place.salt, String(variation)].join('|');
      const around = place.around === undefined ? {} : { around: place.around };
      return textValue(view, { name, seed, variation, shared, where, ...around });
    }
    const random = makeRandom(seed);
    if (type === 'boolean')
      return variety === undefined
        ? (variation % 2 === 0) !== isUsuallyOff.test(name)
        : random.next() < 0.5;
    const grid = gridOf(view, type);
    const source = { name: axisAt(place.at) ?? name, random, where: makeRandom(where) };
    return grid && numberValue(grid, source, variation);
  }

  /**
   * A text with JSON of its own schema (JSON Schema 2020-12, validation, section 8.5), common in
   * events.
   */
  #embed(view: View, place: BuildPlace): string | undefined {
    const rules = embeddedRules(view);
    if (rules === undefined) return undefined;
    const value = this.build({
      ...place,
      rules,
      at: joinPointer(place.at, 'contentSchema'),
      depth: place.depth + 1,
      hint: undefined,
      offset: 0,
      optional: 'any',
    });
    return value === undefined ? undefined : stringifyJson(value);
  }
}

/**
 * The item of the innermost list around a place, or the root: one record with all its objects. The
 * lists of a geometry are no records.
 */
function recordAt(at: Pointer): Pointer {
  const outside = at.replace(/\/coordinates?(\/\d+)*$/i, '');
  return /^(?:.*\/\d+(?=\/|$))?/.exec(outside)?.[0] ?? '';
}

/** What a number of a position is (RFC 7946, section 3.1.1): longitude comes first. */
function axisAt(at: Pointer): string | undefined {
  const index = /\/coordinates?(?:\/\d+)*\/([01])$/i.exec(at)?.[1];
  return index === undefined ? undefined : index === '0' ? 'longitude' : 'latitude';
}

/** Whether two places get equal values, provided that their parents do. */
function isSamePlace(left: BuildPlace, right: Omit<BuildPlace, 'at'>): boolean {
  return (
    left.name === right.name &&
    left.depth === right.depth &&
    left.optional === right.optional &&
    left.hint === right.hint &&
    left.offset === right.offset &&
    left.salt === right.salt &&
    left.rules.length === right.rules.length &&
    left.rules.every(
      ({ node, pointer }, index) =>
        node === right.rules[index]?.node && pointer === right.rules[index].pointer,
    )
  );
}

/** A member without any keyword is most likely a text. */
function firstText(view: View): View {
  return isOpen(view) ? view.derive(preferText) : view;
}

function preferText(view: View): View {
  return view.with({ types: ['string', ...view.types.filter((type) => type !== 'string')] });
}

function pinned(view: View, pin: Exclude<Pin, { readonly size: number }>): View[] {
  if ('group' in pin) return view.taken.get(pin.group) === pin.branch ? [view] : [];
  const types = view.types.filter(
    (type) => type === pin.type || (type === 'number' && pin.type === 'integer'),
  );
  return types.length > 0 ? [view.with({ types })] : [];
}
