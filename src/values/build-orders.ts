import type { Direction, Schema } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { JsonType } from '../json/json-type.ts';
import type { TextSurroundings } from './named-texts.ts';
import type { Rules, Trail, View } from './view.ts';

/**
 * Which optional members to include: all, none, or (undefined) those that a client would usually
 * send.
 */
export type Fullness = 'all' | 'only' | undefined;

/**
 * Restricts a place to one branch of a group, to one type, or to a number of items or properties.
 */
export type Pin =
  | { readonly group: Pointer; readonly branch: number }
  | { readonly type: JsonType }
  | { readonly size: number };

/** Makes values that look like real data, in place of the usual ones. */
export interface Variety {
  /** A scalar for a field of this name; undefined for the usual one. */
  scalar(view: View, name: string, seed: string): JsonValue | undefined;
}

/** Everything that determines a value: the same orders make the same value. */
export interface BuildOrders {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly required: Fullness;
  readonly seed: string;
  /** The name of the field, if the value belongs to one. */
  readonly name?: string | undefined;
  /** The number of the alternative to use at a place; default: the first. */
  readonly picks: ReadonlyMap<Pointer, number>;
  /** Optional places without a working alternative; they are omitted. */
  readonly omitted: ReadonlySet<Pointer>;
  readonly pins: ReadonlyMap<Pointer, Pin>;
  /** Undefined: the most likely values; otherwise values and choices vary with the seed. */
  readonly variety?: Variety | undefined;
}

/** A place in the value to fill. */
export interface BuildPlace {
  readonly rules: Rules;
  readonly at: Pointer;
  readonly name: string;
  /** What is around a member of an object, in normalised names. */
  readonly around?: TextSurroundings;
  readonly depth: number;
  readonly trail: Trail;
  /**
   * `plain`: only a scalar is included. `any`: any value is included. `no`: the value is required.
   */
  readonly optional: 'plain' | 'any' | 'no';
  readonly hint: JsonValue | undefined;
  /** The number of alternatives to skip, if items must be unique. */
  readonly offset: number;
  /** Differs for each variation of the parent. */
  readonly salt: string;
}

/** Why no value was made: the location in the contract and the reason. */
export interface BuildProblem {
  readonly pointer: Pointer;
  readonly message: string;
}

/** Builds the value of a place; used by the builders of arrays and objects for their members. */
export interface PlaceBuilder {
  readonly orders: BuildOrders;
  /** Why the last call of `build` returned undefined. */
  problem: BuildProblem | undefined;
  /** The value of a place, or undefined with `problem` set. */
  build(place: BuildPlace): JsonValue | undefined;
  /** Replaces the value of a filled place, as the places beside it demand. */
  settle(at: Pointer, value: JsonValue): void;
  /** The number of items or properties of a pinned place. */
  sizeAt(at: Pointer): number | undefined;
}
