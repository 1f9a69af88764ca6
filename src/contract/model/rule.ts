import type { Place, VouchError } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Operation } from './operation.ts';
import type { Schema } from './schema.ts';

/** A rule as its owner states it: in `x-vouch-rules`, or under `rules` in the configuration. */
export interface RuleStatement {
  /** An expression in CEL (https://cel.dev) that is true for valid data. */
  readonly rule: string;
  /** The same in one sentence of prose. */
  readonly says?: string;
}

/** Rules by their subject: a schema's pointer (`#/components/…`), or `GET /orders/{id}`. */
export type RuleStatements = Readonly<Record<string, readonly RuleStatement[]>>;

export interface ConfiguredRules {
  readonly statements: RuleStatements;
  /** The error for a place below the rules of the file. */
  readonly fault: (pointer: Pointer, message: string, hint?: string) => VouchError;
}

/** A rule about every object of a schema, or about every successful exchange of an operation. */
export interface Rule extends RuleStatement {
  /** The place in the contract to report: the rule, or its subject. */
  readonly at: Pointer;
  readonly place: Place;
  /** Undefined for a rule about a schema. */
  readonly operation?: Operation;
  /** The resources whose identifiers it reads. */
  readonly resources: readonly string[];
  /** The members of the schema's objects that it reads; none for a rule about an operation. */
  readonly members: readonly string[];
}

/** The identifiers of a resource, by its name; undefined where not all of them are known. */
export type KnownIds = (resource: string) => readonly JsonValue[] | undefined;

/** One successful exchange, as rules about operations see it. */
export interface RuledExchange {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly requestBody: JsonValue | undefined;
  readonly status: number;
  readonly body: JsonValue;
  /** The schema of the response body, which distinguishes integers from other numbers. */
  readonly schema: Schema | undefined;
}

export interface RuleJudgement {
  readonly rule: Rule;
  /** Where in the body the value is. */
  readonly at: Pointer;
  /**
   * `undecided`: the value lacks what the rule reads, or it is too large. `exceeded`: the rule is
   * more work than a body may cause. `unfit`: it is neither true nor false.
   */
  readonly outcome: 'kept' | 'broken' | 'undecided' | 'exceeded' | 'unfit';
  /** What the rule compared, if it is broken; why it did not decide, as a clause, otherwise. */
  readonly detail: string;
}

/** A value after rules computed its members, and the rules that it still breaks. */
export interface SettledValue {
  readonly value: JsonValue;
  readonly broken: readonly RuleJudgement[];
}

/** Which members rules may compute. */
export interface SettleOptions {
  readonly given?: ReadonlySet<string>;
  readonly present?: true;
}

export interface ContractRules {
  readonly all: readonly Rule[];
  /**
   * These rules and those of a configuration. Throws a VouchError with the place of a rule that
   * cannot be read.
   */
  with(configured: ConfiguredRules): ContractRules;
  /** Whether a rule reads the member of a schema at a pointer. */
  states(member: Pointer): boolean;
  /** Whether values of a schema can contain objects that a rule covers. */
  speaksOf(rule: Rule, schema: Schema): boolean;
  /** Evaluates every object in a body that a rule covers. */
  judgeBody(schema: Schema, body: JsonValue, ids?: KnownIds): readonly RuleJudgement[];
  judgeExchange(
    operation: Operation,
    exchange: RuledExchange,
    ids?: KnownIds,
  ): readonly RuleJudgement[];
  /**
   * Computes the members that rules of the form `self.member == …` define. Members that `given`
   * names come from the client and do not change. With `present`, no member is added.
   */
  settle(schema: Schema, value: JsonValue, options?: SettleOptions): SettledValue;
}
