import type { Direction, Schema } from '../contract/model.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../json/pointer.ts';
import { isJsonObject, type JsonValue, isJsonArray } from '../json/value.ts';
import { remember } from '../remember.ts';
import { keepsRules } from './broken-rules.ts';
import type { Fullness, Pin } from './build-orders.ts';
import type { Site } from './build-value.ts';

import { type FindOrders, findPinned, findValue } from './plain-value.ts';
import { cachePart } from './value-cache.ts';
import { requiredOf } from './view.ts';

/** Places deeper than this are not changed. */
const deepestSite = 5;

/**
 * The plain value, from which others are made by changing one place, and every place that can be
 * changed.
 */
export interface Baseline {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly seed: string;
  readonly value: JsonValue;
  /**
   * The same with every optional member; it supplies members that the plain value does not have.
   */
  readonly full: JsonValue;
  readonly sites: readonly Site[];
  /** The plain value with one part replaced. */
  place(at: Pointer, part: JsonValue): JsonValue;
  /**
   * The part at a place if that place is pinned to a branch, a type or a size. The caller validates
   * it.
   */
  pinned(at: Pointer, pin: Pin): JsonValue | undefined;
}

/** Makes the baseline of a schema; undefined if no valid value is found. */
export function baselineOf(
  schema: Schema,
  direction: Direction,
  given: string | number,
): Baseline | undefined {
  const known = cachePart(newBaselines);
  const own = remember(known, schema, () => new Map<string, Baseline | undefined>());
  const name = `${direction} ${given}`;
  return remember(own, name, () => makeBaseline(schema, direction, String(given)));
}

// A cache, because edges, exotic and invalid values of a schema are made one after the other.
const newBaselines = (): Map<Schema, Map<string, Baseline | undefined>> => new Map();

function makeBaseline(schema: Schema, direction: Direction, seed: string): Baseline | undefined {
  const orders = (required: Fullness): FindOrders => ({
    schema,
    direction,
    required,
    seed,
    pins: new Map(),
  });
  const plain = findValue(orders(undefined));
  const all = findValue(orders('all'));
  const found = plain.ok ? plain : all;
  if (!found.ok) return undefined;
  const full = all.ok ? all : found;
  const value = found.value;
  const sites = new Map([...full.sites, ...found.sites]);
  const lean = new Map<Pointer, JsonValue>();
  const around = (at: Pointer): JsonValue =>
    remember(lean, at, () => {
      const pruned = prune(full.value, splitPointer(at), { sites });
      const whole = placeValue({ base: value, full: pruned, at }, valueAt(pruned, at) ?? null);
      return keepsRules(schema, whole, direction) ? pruned : full.value;
    });
  const straight = all.ok ? all.straight : undefined;
  return {
    schema,
    direction,
    seed,
    value,
    full: full.value,
    sites: inReadingOrder([...sites.values()].filter((site) => isChangeable(site, full.sites))),
    place: (at, part) => placeValue({ base: value, full: around(at), at }, part),
    pinned: (at, pin) => findPinned(orders('all'), { at, pin, straight }),
  };
}

/**
 * A full value with no more than what is required beside a place: what else stands there is not
 * what is tested.
 */
function prune(
  part: JsonValue,
  [token, ...rest]: readonly string[],
  { sites, here = '' }: { readonly sites: ReadonlyMap<Pointer, Site>; readonly here?: Pointer },
): JsonValue {
  const inner = token === undefined ? undefined : memberOf(part, token);
  if (token === undefined || inner === undefined) return part;
  const below = prune(inner, rest, { sites, here: joinPointer(here, token) });
  if (isJsonArray(part)) return part.with(Number(token), below);
  const view = sites.get(here)?.view;
  if (!isJsonObject(part) || view === undefined) return part;
  const names = [...requiredOf(view).keys()].filter((name) => Object.hasOwn(part, name));
  return { ...Object.fromEntries(names.map((name) => [name, part[name] ?? null])), [token]: below };
}

/** Whether a value is valid under the schema of the baseline. */
export function isValid(value: JsonValue, { schema, direction }: Baseline): boolean {
  return keepsRules(schema, value, direction);
}

/** Sorts a whole before its parts. */
function inReadingOrder(sites: readonly Site[]): Site[] {
  return sites.toSorted(
    (left, right) => splitPointer(left.at).length - splitPointer(right.at).length,
  );
}

/** Changes only the first item of an array, unless each item has its own schema. */
function isChangeable(site: Site, sites: ReadonlyMap<Pointer, Site>): boolean {
  const tokens = splitPointer(site.at);
  if (tokens.length > deepestSite) return false;
  let at = '';
  return site.at
    .split('/')
    .slice(1)
    .every((token, index) => {
      const around = sites.get(at);
      at = `${at}/${token}`;
      if (around === undefined || !Array.isArray(around.value)) return true;
      const item = Number(tokens[index]);
      return (
        item === 0 || around.view.facets.some(({ node }) => node.prefixItems?.[item] !== undefined)
      );
    });
}

/** Where to put a part; missing members on the path come from `full`. */
interface Placing {
  readonly base: JsonValue;
  readonly full: JsonValue;
  readonly at: Pointer;
}

/** Copies `base` with one part replaced at a pointer. */
export function placeValue({ base, full, at }: Placing, part: JsonValue): JsonValue {
  return put(base, full, splitPointer(at), part);
}

function put(
  base: JsonValue | undefined,
  full: JsonValue | undefined,
  [token, ...rest]: readonly string[],
  part: JsonValue,
): JsonValue {
  if (token === undefined) return part;
  const around = isJsonArray(base) || isJsonObject(base) ? base : (full ?? {});
  const inner = put(memberOf(around, token), memberOf(full, token), rest, part);
  if (isJsonArray(around)) return replaceItem(around, Number(token), inner);
  return isJsonObject(around) ? { ...around, [token]: inner } : inner;
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(token)];
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function replaceItem(items: readonly JsonValue[], index: number, item: JsonValue): JsonValue {
  return index < items.length ? items.with(index, item) : [...items, item];
}
