import type { JsonValue } from '../../json/value.ts';

/**
 * How a field is compared: equal, unequal, less, at most, greater, at least; or, for a list,
 * whether it has an item.
 */
export type Operator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'has';

/** What an expression says of one field of a record. */
export interface Comparison {
  /** Dotted if nested: `owner.name`. */
  readonly field: string;
  readonly op: Operator;
  /** A text, a number or a boolean. */
  readonly value: JsonValue;
  /** The format of the field in the contract: OData writes `date-time` without quotes. */
  readonly format?: string;
}

/** A language of expressions that select records by their fields. */
export interface FilterLanguage {
  /** Unique in the table. */
  readonly id: string;
  /** What people call it: `AIP-160`. */
  readonly name: string;
  /** The text that defines it. */
  readonly source: string;
  /** A comparison as a text; undefined if the language has none for this field or value. */
  write(comparison: Comparison): string | undefined;
  /** The records that both expressions select. */
  both(left: string, right: string): string;
  /**
   * The comparisons that must all hold, as far as they are written like those of `write` and
   * `both`; undefined for all other expressions, such as alternatives.
   */
  read(text: string): readonly Comparison[] | undefined;
  /** What an expression has that one of another language, such as `id=5`, hardly has. */
  readonly distinct: RegExp;
  /** Texts that no expression of the language is; the check sends the first. */
  readonly invalid: readonly string[];
}

/** A field to sort by. */
export interface OrderKey {
  readonly field: string;
  readonly descending: boolean;
}

/** A language of orders. */
export interface OrderLanguage {
  readonly id: string;
  /** What people call it: `the order of AIP-132`. */
  readonly name: string;
  readonly source: string;
  /** An order as a text, the first key first; undefined if the language has none for it. */
  write(keys: readonly OrderKey[]): string | undefined;
  /** The keys of an order; undefined if it is none. */
  read(text: string): readonly OrderKey[] | undefined;
}
