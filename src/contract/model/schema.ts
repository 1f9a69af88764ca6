import type { JsonValue } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { WorkBudget } from '../../json/work-budget.ts';

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
 * The direction of a body: requests need no `readOnly` members, responses show no `writeOnly`
 * members.
 */
export type Direction = 'request' | 'response';

/** A schema with its place in the contract. */
export interface Schema {
  readonly pointer: Pointer;
  readonly node: SchemaNode;
  /**
   * The violations of the schema; empty if the value conforms. Never throws for a value. A budget
   * bounds the work and may be shared between values; once it is spent, the only issue is
   * `unjudged`.
   */
  validate(value: JsonValue, direction: Direction, budget?: WorkBudget): SchemaIssue[];
  /**
   * Whether a value conforms to the schema. Faster than `validate`, because it describes no issues.
   * Never throws for a value; once the budget is spent, no value conforms.
   */
  accepts(value: JsonValue, direction: Direction, budget?: WorkBudget): boolean;
  /**
   * The target of a chain of `$ref`s, with its pointer. A node without `$ref` is returned
   * unchanged.
   */
  follow(place: LocatedNode): LocatedNode;
  /**
   * The schema as one plain view: `$ref`s resolved and `allOf` merged at the top level, so that
   * `type`, `properties`, `required`, `enum` and bounds can be read. `oneOf` and `anyOf` stay
   * unchanged.
   */
  flatten(place?: LocatedNode): FlatSchema;
  /** A part of this schema, such as the items of an array, as a schema. */
  part(place: LocatedNode): Schema;
  /** The result of `read` for this schema, computed once per `read` and cached here. */
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
  /** The pointers of all merged nodes: the node, and the targets of its `$ref`s and `allOf`. */
  readonly places: readonly Pointer[];
  /** The place of a keyword: in one of the merged nodes, as the document has it. */
  pointerOf(keyword: string): Pointer;
  /** The JSON types that a value may have; all seven if the schema names none. */
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, LocatedNode>;
  /** The place of the schema of items (not of `prefixItems`). */
  readonly items: LocatedNode | undefined;
  /** The place of `additionalProperties`. */
  readonly others: LocatedNode | undefined;
  /** The alternatives of `oneOf`, then those of `anyOf`. */
  readonly branches: readonly LocatedNode[];
  readonly required: ReadonlySet<string>;
}

/** One keyword of a schema that a value violates. */
export interface SchemaIssue {
  /** Where in the value: a JSON Pointer. */
  readonly at: Pointer;
  /** The violated keyword: `required`, `enum`, `type`, … */
  readonly keyword: string;
  /** Where the contract states that keyword. */
  readonly pointer: Pointer;
  /** A clause without a subject: `must be one of available, pending, sold`. */
  readonly message: string;
  /** For `required` and `additionalProperties`: the property concerned. */
  readonly property?: string;
  /** Whether validation gave up: it is unknown whether the value conforms. */
  readonly unjudged?: true;
  /** Whether the value matches several alternatives of a `oneOf`, which overlap. */
  readonly several?: true;
}
