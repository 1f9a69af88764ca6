import type { JsonValue } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { WorkBudget } from '../schema/work-meter.ts';

/** A JSON Schema 2020-12 node, as the contract holds it: dialects converted, `$ref`s kept. */
export type SchemaNode = boolean | SchemaObject;
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly format?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/**
 * Which way a body travels: `readOnly` is not asked for in requests, `writeOnly` is not shown in
 * responses.
 */
export type Direction = 'request' | 'response';

/** A schema with its place in the contract. */
export interface Schema {
  readonly pointer: Pointer;
  readonly node: SchemaNode;
  /**
   * The ways in which a value breaks the schema; empty when it keeps it. Never throws for a value.
   * A judgement is bounded by a budget, which values that belong together share: where it is spent,
   * the one issue is `unjudged`.
   */
  validate(value: JsonValue, direction: Direction, budget?: WorkBudget): SchemaIssue[];
  /**
   * Whether a value conforms to the schema: faster than `validate`, because no issues are
   * described. Never throws for a value.
   */
  accepts(value: JsonValue, direction: Direction): boolean;
  /**
   * The node behind a chain of `$ref`s, with the pointer where it is written. A plain node is its
   * own answer.
   */
  follow(node: SchemaNode, pointer: Pointer): LocatedNode;
  /**
   * The schema as one plain view: `$ref`s followed and `allOf` merged at the top level, so that
   * `type`, `properties`, `required`, `enum` and bounds can be read. `oneOf`/`anyOf` are left for
   * the reader.
   */
  flatten(node?: SchemaNode, pointer?: Pointer): FlatSchema;
  /** A part of this schema, such as the items of an array, as a schema of its own. */
  part(place: LocatedNode): Schema;
  /** What `read` makes of this schema alone: computed once for each `read`, and kept here. */
  derive<Derived>(read: (schema: Schema) => Derived): Derived;
}

/** A schema node as written, and its pointer. */
export interface LocatedNode {
  readonly node: SchemaNode;
  readonly pointer: Pointer;
}

/** A flattened schema: the merged node, and each property with the pointer where it is written. */
export interface FlatSchema {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
  /** Where everything is written that was merged: the node, what `$ref` and `allOf` bring. */
  readonly places: readonly Pointer[];
  /** The JSON types that a value may have; all seven where the schema names none. */
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, LocatedNode>;
  readonly required: ReadonlySet<string>;
}

/** One rule of a schema that a value breaks. */
export interface SchemaIssue {
  /** Where in the value: a JSON Pointer. */
  readonly at: Pointer;
  /** The keyword that is broken: `required`, `enum`, `type`, … */
  readonly keyword: string;
  /** Where the contract states that keyword. */
  readonly pointer: Pointer;
  /** A clause without a subject: `must be one of available, pending, sold`. */
  readonly message: string;
  /** For `required` and `additionalProperties`: the property concerned. */
  readonly property?: string;
  /** Whether validation gave up: it is unknown whether the value conforms. */
  readonly unjudged?: true;
}
