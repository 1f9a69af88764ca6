import type { Pointer } from '../json/pointer.ts';
import type { Operation, Parameter } from './model.ts';
import type { Schema } from './schema-model.ts';

export type ResourceAction = 'list' | 'create' | 'read' | 'replace' | 'update' | 'delete';

/** Operations that belong to one kind of record, as inferred from the contract. */
export interface Resource {
  /** From the collection's path: `pets`, `owners.pets`. Unique; also the name of its collection in the store. */
  readonly name: string;
  readonly operations: { readonly [action in ResourceAction]?: Operation };
  /** The path of the collection (`/pets`) and, where there is one, of an item (`/pets/{petId}`). */
  readonly collectionPath: string;
  readonly itemPath?: string;
  readonly identifier: Identifier;
  /** What a record looks like in responses. */
  readonly record: Schema;
  readonly list?: ListShape;
  /** What was inferred and from what, one sentence a line. */
  readonly why: readonly string[];
}

export interface Identifier {
  /** The record's field: `id`. */
  readonly field: string;
  /** The path parameter that carries it: `petId`. */
  readonly parameter?: string;
  readonly type: 'integer' | 'string';
  readonly format?: string;
}

/** How a list answers and what its query parameters mean. */
export interface ListShape {
  /** Where in the body the records sit: `''` for a bare array, `/data` for an envelope. */
  readonly records: Pointer;
  readonly filters: readonly Filter[];
  readonly limit?: Limit;
}

/** A query parameter that bears a record field's name and a fitting type. */
export interface Filter {
  readonly parameter: Parameter;
  readonly field: string;
}

export interface Limit {
  readonly parameter: Parameter;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface Unplaced {
  readonly operation: Operation;
  readonly why: string;
}

/** The kinds of silence that vouch looks for. */
export const gapKinds = [
  'refusal-undocumented',
  'success-open',
  'payload-open',
  'default-unknown',
  'unauthorised-undocumented',
  'paging-unknown',
  'text-unbounded',
] as const;
export type GapKind = (typeof gapKinds)[number];

/** A place where the contract is silent. */
export interface Gap {
  readonly kind: GapKind;
  /** A word that stays the same as long as the silence does: `createPet.body.status.default`. */
  readonly id: string;
  readonly operation?: Operation;
  readonly message: string;
  readonly pointer: Pointer;
}
