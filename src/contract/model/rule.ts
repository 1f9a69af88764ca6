import type { Place, VouchError } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Operation } from './operation.ts';
import type { Schema } from './schema.ts';

/** A rule as its owner states it: in `x-vouch-rules`, or under `rules` in the configuration. */
export interface RuleStatement {
  /** An expression in CEL (https://cel.dev) that is true for sound data. */
  readonly rule: string;
  /** The same in one sentence, for people. */
  readonly says?: string;
}

/** Rules by what they speak of: a schema's pointer (`#/components/…`), or `GET /orders/{id}`. */
export type RuleStatements = Readonly<Record<string, readonly RuleStatement[]>>;

/** The rules of a configuration. */
export interface ConfiguredRules {
  readonly statements: RuleStatements;
  /** The error for a place below the rules of the file. */
  readonly fault: (pointer: Pointer, message: string, hint?: string) => VouchError;
}

/** A rule about every object of a schema, or about every successful exchange of an operation. */
export interface Rule extends RuleStatement {
  /** The line of the contract that a breach is reported at: the rule, or what it speaks of. */
  readonly at: Pointer;
  /** Where the rule is written. */
  readonly place: Place;
  /** Undefined for a rule about a schema. */
  readonly operation?: Operation;
  /** The resources whose identifiers it asks for. */
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
  /** The schema of the response body, which tells integers from other numbers. */
  readonly schema: Schema | undefined;
}

/** What a rule makes of one value. */
export interface RuleJudgement {
  readonly rule: Rule;
  /** Where in the body the value is that the rule speaks of. */
  readonly at: Pointer;
  /** `undecided`: the value lacks what the rule reads, or it is too large. */
  readonly outcome: 'kept' | 'broken' | 'undecided';
  /** What the rule compared, for a broken rule; why there is no answer, for an undecided one. */
  readonly detail: string;
}

/** A value after the members were computed that rules state, and the rules that it still breaks. */
export interface SettledValue {
  readonly value: JsonValue;
  readonly broken: readonly RuleJudgement[];
}

/** Which members rules may compute. */
export interface SettleOptions {
  readonly given?: ReadonlySet<string>;
  readonly present?: true;
}

/** All rules of a contract. */
export interface ContractRules {
  readonly all: readonly Rule[];
  /**
   * These rules and those of a configuration. Throws a VouchError with the place of a rule that
   * cannot be read.
   */
  with(configured: ConfiguredRules): ContractRules;
  /** Whether a rule reads the member of a schema that stands at a pointer. */
  states(member: Pointer): boolean;
  /** Whether values of a schema can hold objects that a rule is about. */
  speaksOf(rule: Rule, schema: Schema): boolean;
  /** Judges every object in a body that a rule speaks of. */
  judgeBody(schema: Schema, body: JsonValue, ids?: KnownIds): readonly RuleJudgement[];
  /** Judges an exchange by the rules of its operation. */
  judgeExchange(
    operation: Operation,
    exchange: RuledExchange,
    ids?: KnownIds,
  ): readonly RuleJudgement[];
  /**
   * Computes the members that rules of the form `self.member == …` state. Members that `given`
   * names are the client's own, and stay. With `present`, no member is added.
   */
  settle(schema: Schema, value: JsonValue, options?: SettleOptions): SettledValue;
}
