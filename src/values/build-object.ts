import { plainName } from '../contract/infer/infer-names.ts';
import { joinPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { remember } from '../remember.ts';
import type { Alternative } from './alternatives.ts';
import type { BuildPlace, PlaceBuilder } from './build-orders.ts';
import { discriminatorOf } from './forms.ts';
import { freeNames } from './free-names.ts';
import { exhibitsOf, literalsOf } from './literals.ts';
import { isRelated, relateFields } from './relations.ts';
import {
  greatest,
  isFlagged,
  least,
  namesOf,
  propertyRules,
  requiredOf,
  type Trail,
  trailInto,
  type View,
  viewOf,
} from './view.ts';

/** The maximum depth at which objects in responses include optional lists and objects. */
const deepestShown = 2;
/** The maximum number of properties of a generated object. */
const maxProperties = 1_000;

/**
 * An object with the required members, and the optional ones that the orders select. Undefined if a
 * required member cannot be made.
 */
export function buildObject(
  builder: PlaceBuilder,
  place: BuildPlace,
  { view, literal, variation }: Alternative,
): JsonObject | undefined {
  const maker = new ObjectMaker(builder, place, view);
  const hint = isJsonObject(literal) ? literal : undefined;
  const salt = variation === 0 ? place.salt : `${place.salt}.${variation}`;
  return maker.make({ hint, salt, variation });
}

interface Around {
  readonly hint: JsonObject | undefined;
  readonly salt: string;
  readonly variation: number;
}

class ObjectMaker {
  readonly #builder: PlaceBuilder;
  readonly #place: BuildPlace;
  readonly #view: View;
  readonly #trail: Trail;
  readonly #members = new Map<string, JsonValue>();
  /** How many variations pass until the next member with few values takes another one. */
  #stride = 1;

  constructor(builder: PlaceBuilder, place: BuildPlace, view: View) {
    this.#builder = builder;
    this.#place = place;
    this.#view = view;
    this.#trail = trailInto(place.trail, view);
  }

  make(around: Around): JsonObject | undefined {
    const required = this.#required();
    for (const name of this.#wanted(required, around.hint)) {
      if (this.#isHidden(name)) continue;
      const member = this.#member(name, around, required.has(name));
      if (member !== undefined) this.#members.set(name, member);
      else if (required.has(name)) return undefined;
    }
    this.#addDependents(around);
    this.#reachLeast(around);
    this.#staySmall(required);
    this.#relate(around);
    return Object.fromEntries(this.#members);
  }

  /** Generated members agree with those beside them, as far as their schemas allow. */
  #relate({ hint }: Around): void {
    const { orders } = this.#builder;
    if (orders.variety !== undefined || !this.#view.derive(hasRelated)) return;
    const related = relateFields(
      Object.fromEntries(this.#members),
      (name, value) =>
        (hint === undefined || !Object.hasOwn(hint, name)) && this.#isFree(name, value),
    );
    for (const [name, value] of Object.entries(related)) {
      if (this.#members.get(name) === value) continue;
      this.#members.set(name, value);
      this.#builder.settle(joinPointer(this.#place.at, name), value);
    }
  }

  /** Whether nothing in the contract shows or lists what a member is, and it may have this value. */
  #isFree(name: string, value: JsonValue): boolean {
    const view = this.#propertyView(name);
    const { pins, direction } = this.#builder.orders;
    return (
      !pins.has(joinPointer(this.#place.at, name)) &&
      literalsOf(view) === undefined &&
      exhibitsOf(view).length === 0 &&
      view.rules.every((rule) => view.schema.part(rule).validate(value, direction).length === 0)
    );
  }

  #required(): Set<string> {
    return new Set([...requiredOf(this.#view).keys()].filter((name) => !this.#isHidden(name)));
  }

  /** The names to include, in the order of the contract. */
  #wanted(required: ReadonlySet<string>, hint: JsonObject | undefined): string[] {
    const mode = this.#builder.orders.required;
    const named = namesOf(this.#view);
    const shown = hint === undefined ? [] : Object.keys(hint);
    const optional =
      mode === 'all'
        ? [...named, ...shown]
        : mode === 'only'
          ? []
          : hint === undefined
            ? named.filter((name) => !this.#isDeprecated(name))
            : shown;
    const wanted = new Set([
      ...required,
      ...optional,
      ...(mode === 'only' || shown.length > 0 ? [] : this.#entries(named)),
    ]);
    const inOrder = named.filter((name) => wanted.delete(name));
    return [...inOrder, ...wanted];
  }

  /** An object with a schema for its entries and without named properties gets one entry. */
  #entries(named: readonly string[]): string[] {
    const describes = this.#view.facets.some(
      ({ node }) => isJsonObject(node.additionalProperties) || node.patternProperties !== undefined,
    );
    return named.length === 0 && describes ? freeNames(this.#view, 1, new Set()) : [];
  }

  #member(
    name: string,
    { hint, salt, variation }: Around,
    required: boolean,
  ): JsonValue | undefined {
    const shown =
      hint !== undefined && Object.hasOwn(hint, name)
        ? hint[name]
        : discriminatorOf(this.#view)?.get(name);
    return this.#builder.build({
      rules: propertyRules(this.#view, name),
      at: joinPointer(this.#place.at, name),
      name,
      around: { beside: this.#view.derive(plainNames), owner: plainName(this.#place.name) },
      depth: this.#place.depth + 1,
      trail: this.#trail,
      optional: required ? 'no' : this.#showsNested() ? 'any' : 'plain',
      hint: shown,
      offset: variation === 0 ? 0 : this.#choice(name, variation),
      salt,
    });
  }

  /**
   * Which of its few values a member takes in a variation of the object: over the variations, all
   * combinations of listed values and booleans occur, as unique items need them.
   */
  #choice(name: string, variation: number): number {
    const count = countOfValues(this.#propertyView(name));
    const choice = Math.floor(variation / this.#stride) % count;
    this.#stride *= count;
    return choice;
  }

  /** Clients omit nested optional members; a service shows them near the top of its responses. */
  #showsNested(): boolean {
    const { required, direction } = this.#builder.orders;
    return (
      required !== undefined || (direction === 'response' && this.#place.depth <= deepestShown)
    );
  }

  /** Present members may require others. */
  #addDependents(around: Around): void {
    for (const name of this.#members.keys()) {
      for (const dependent of dependentsOf(this.#view, name)) this.#add(dependent, around);
    }
  }

  #reachLeast(around: Around): void {
    const min = Math.min(
      this.#size() ?? Number(greatest(this.#view, 'minProperties')?.value ?? 0),
      maxProperties,
    );
    if (this.#members.size >= min) return;
    for (const name of namesOf(this.#view)) if (this.#members.size < min) this.#add(name, around);
    for (const name of freeNames(
      this.#view,
      min - this.#members.size,
      new Set(this.#members.keys()),
    ))
      this.#add(name, around);
  }

  #add(name: string, around: Around): void {
    if (this.#members.has(name) || this.#isHidden(name)) return;
    const member = this.#member(name, around, true);
    if (member !== undefined) this.#members.set(name, member);
  }

  #staySmall(required: ReadonlySet<string>): void {
    const max = this.#size() ?? Number(least(this.#view, 'maxProperties')?.value ?? Infinity);
    for (const name of [...this.#members.keys()].reverse()) {
      if (this.#members.size > max && !required.has(name)) this.#members.delete(name);
    }
  }

  #size(): number | undefined {
    return this.#builder.sizeAt(this.#place.at);
  }

  /**
   * `readOnly` members are not sent, `writeOnly` members are not shown (OpenAPI 3.1, section
   * 4.8.24; JSON Schema Validation 2020-12, section 9.4).
   */
  #isHidden(name: string): boolean {
    return isFlagged(
      this.#propertyView(name),
      this.#builder.orders.direction === 'request' ? 'readOnly' : 'writeOnly',
    );
  }

  #isDeprecated(name: string): boolean {
    return isFlagged(this.#propertyView(name), 'deprecated');
  }

  #propertyView(name: string): View {
    const known = this.#view.derive(newViews);
    return remember(known, name, () =>
      viewOf(this.#builder.orders.schema, propertyRules(this.#view, name)),
    );
  }
}

function hasRelated(view: View): boolean {
  return view.derive(plainNames).some(isRelated);
}

function plainNames(view: View): string[] {
  return namesOf(view).map(plainName);
}

/** How many values a view lists, two for a boolean; 1 if it allows any number. */
function countOfValues(view: View): number {
  const listed = literalsOf(view)?.length;
  if (listed !== undefined) return Math.max(1, listed);
  return view.types.every((type) => type === 'boolean' || type === 'null') ? 2 : 1;
}

/** The views of properties by name. */
const newViews = (): Map<string, View> => new Map();

/**
 * The properties that are required if the named one is present (`dependentRequired`, JSON Schema
 * Validation 2020-12, section 6.5.4).
 */
export function dependentsOf(view: View, name: string): string[] {
  return view.facets.flatMap(({ node }) => {
    const dependents = node['dependentRequired'];
    const names =
      isJsonObject(dependents) && Object.hasOwn(dependents, name) ? dependents[name] : undefined;
    return Array.isArray(names) ? names.filter((item: unknown) => typeof item === 'string') : [];
  });
}
