import type { Direction, Schema } from '../contract/model.ts';
import { splitPointer, valueAt, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { keepsRules } from './broken-rules.ts';
import type { Fullness, Pin, Site } from './build-value.ts';
import { findValue, type FindOrders } from './find-value.ts';
import { placeValue } from './place-value.ts';

/** Places deeper than this many steps in a value are left as they are. */
const deepestSite = 5;

/**
 * The plain value from which others are made by changing one place, and every place that can be
 * changed.
 */
export interface Baseline {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly seed: string;
  readonly value: JsonValue;
  /** The same with every optional member, which lends what the plain value has not. */
  readonly full: JsonValue;
  readonly sites: readonly Site[];
  /** The plain value with a part put at a place. */
  place(at: Pointer, part: JsonValue): JsonValue;
  /**
   * The part at a place when that place is kept to a branch, a type or a size; whether it is valid
   * is for the caller to see.
   */
  pinned(at: Pointer, pin: Pin): JsonValue | undefined;
}

/** The seed of values for which nobody names one. */
export const defaultSeed = 'plain';

/** Makes the baseline of a schema; undefined where no valid value is found. */
export function baselineOf(
  schema: Schema,
  direction: Direction,
  given: string | number,
): Baseline | undefined {
  const own = known.get(schema) ?? new Map<string, Baseline | undefined>();
  known.set(schema, own);
  const name = `${direction} ${given}`;
  if (!own.has(name)) own.set(name, makeBaseline(schema, direction, String(given)));
  return own.get(name);
}

// Edges, odd values and invalid ones of a schema are all asked for, one after the other.
let known = new WeakMap<Schema, Map<string, Baseline | undefined>>();

/** Lets all baselines go; who asks again has them made again. */
export function forgetBaselines(): void {
  known = new WeakMap();
}

function makeBaseline(schema: Schema, direction: Direction, seed: string): Baseline | undefined {
  const orders = (required: Fullness, pins: ReadonlyMap<Pointer, Pin> = new Map()): FindOrders => ({
    schema,
    direction,
    required,
    seed,
    pins,
  });
  const plain = findValue(orders(undefined));
  const all = findValue(orders('all'));
  const found = plain.ok ? plain : all;
  if (!found.ok) return undefined;
  const full = all.ok ? all : found;
  const value = found.value;
  return {
    schema,
    direction,
    seed,
    value,
    full: full.value,
    sites: inReadingOrder(
      [...new Map([...full.sites, ...found.sites]).values()].filter((site) =>
        isChangeable(site, full.sites),
      ),
    ),
    place: (at, part) => placeValue({ base: value, full: full.value, at }, part),
    pinned(at, pin) {
      const made = findValue(orders('all', new Map([[at, pin]])));
      return made.ok ? valueAt(made.value, at) : undefined;
    },
  };
}

/** Whether the schema of the baseline has nothing to object to. */
export function isValid(value: JsonValue, { schema, direction }: Baseline): boolean {
  return keepsRules(schema, value, direction);
}

/** The whole before its parts. */
function inReadingOrder(sites: readonly Site[]): Site[] {
  return sites.toSorted(
    (left, right) => splitPointer(left.at).length - splitPointer(right.at).length,
  );
}

/** Of the items of an array the first is enough, unless each has a schema of its own. */
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
