import type { Direction, Schema } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { JsonType } from './json-type.ts';
import type { Rules, Trail } from './view.ts';

/**
 * Which optional members are given: all, none, or (undefined) those that a person would fill in.
 */
export type Fullness = 'all' | 'only' | undefined;

/**
 * Keeps a place to one branch of a group, to one type, or to a number of items or properties,
 * whatever the schema allows.
 */
export type Pin =
  | { readonly group: Pointer; readonly branch: number }
  | { readonly type: JsonType }
  | { readonly size: number };

/** Everything that decides a value, so that the same orders make the same value. */
export interface BuildOrders {
  readonly schema: Schema;
  readonly direction: Direction;
  readonly required: Fullness;
  readonly seed: string;
  /** The name of the field that the value is for, where it is one. */
  readonly name?: string | undefined;
  /** Which alternative is taken at a place in the value, where it is not the first. */
  readonly picks: ReadonlyMap<Pointer, number>;
  /** Optional places for which no alternative works: they are left out. */
  readonly omitted: ReadonlySet<Pointer>;
  readonly pins: ReadonlyMap<Pointer, Pin>;
}

/** A place in the value that is to be filled. */
export interface BuildPlace {
  readonly rules: Rules;
  readonly at: Pointer;
  readonly name: string;
  readonly depth: number;
  readonly trail: Trail;
  /**
   * `plain`: only a scalar is wanted. `any`: whatever can be made. `no`: there has to be a value.
   */
  readonly optional: 'plain' | 'any' | 'no';
  readonly hint: JsonValue | undefined;
  /** Alternatives to pass over, for items that must differ. */
  readonly offset: number;
  /** Differs for each variation of what is around. */
  readonly salt: string;
}

/** Why no value was made: the place in the contract, and what stands in the way there. */
export interface BuildProblem {
  readonly pointer: Pointer;
  readonly message: string;
}

/** Builds the value of a place: what builders of arrays and objects ask for their members. */
export interface PlaceBuilder {
  readonly orders: BuildOrders;
  /** Why no value could be built, where the last call returned undefined. */
  problem: BuildProblem | undefined;
  /** The value of a place, or undefined with `problem` set. */
  build(place: BuildPlace): JsonValue | undefined;
  /** The number of items or properties that a pin asks for. */
  sizeAt(at: Pointer): number | undefined;
}
