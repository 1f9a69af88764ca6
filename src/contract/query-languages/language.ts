import type { JsonValue } from '../../json/value.ts';

/**
 * How a field is compared: equal, unequal, less, at most, greater, at least; for a list, whether it
 * has an item; for a text, whether it contains another one, starts or ends with it.
 */
export type Operator =
  'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'has' | 'contains' | 'starts' | 'ends';

/** What may be compared of a text: it in lower case or in upper case, or how long it is. */
export type TextFunction = 'lower' | 'upper' | 'length';

/** What an expression says of one field of a record. */
export interface Comparison {
  /** Dotted if nested: `owner.name`. */
  readonly field: string;
  /** Of the field, what is compared; undefined for the field itself. */
  readonly by?: TextFunction;
  readonly op: Operator;
  /** A text, a number or a boolean; null where a language has a literal for it. */
  readonly value: JsonValue;
  /** The format of the field in the contract: OData writes `date-time` without quotes. */
  readonly format?: string;
}

/** Conditions of which all must hold, or any. */
export type Joint = 'all' | 'any';

/**
 * Comparisons, and conditions joined or negated. `as` is the number of the word for "not", where a
 * language has several.
 */
export type Condition<Leaf extends { readonly field: string } = Comparison> =
  | Leaf
  | { readonly all: readonly Condition<Leaf>[] }
  | { readonly any: readonly Condition<Leaf>[] }
  | { readonly not: Condition<Leaf>; readonly as?: number };

/** A language of expressions that select records by their fields. */
export interface FilterLanguage {
  /** Unique in the table. */
  readonly id: string;
  /** What people call it: `AIP-160`. */
  readonly name: string;
  /** A condition as a text; undefined if the language has none for it, its fields or its values. */
  write(condition: Condition): string | undefined;
  /** The condition that a text is; undefined if it is none, or has what is not known here. */
  read(text: string): Condition | undefined;
  /** The joint that binds more tightly: `any` where `a AND b OR c` is `a AND (b OR c)`. */
  readonly tighter: Joint;
  /** The words for "not"; none if the language has no such word. */
  readonly nots: readonly string[];
  /**
   * Whether null is a value that equals itself alone and is unequal to all others; otherwise the
   * language does not say what a comparison with a field without a value is.
   */
  readonly hasNull: boolean;
  /** The operators that the language itself defines for parts of texts; services may lack others. */
  readonly parts: readonly Operator[];
  /** The operators for which the language says that upper and lower case differ. */
  readonly caseSensitive: readonly Operator[];
  /**
   * What a service must refuse: a field that the records do not have, a literal of another type
   * than its field, a value that an enum does not have. Others are open.
   */
  readonly refuses: readonly ('field' | 'literal' | 'enum')[];
  /** What an expression has that one of another language, such as `id=5`, hardly has. */
  readonly distinct: RegExp;
  /** Texts that no expression of the language is; the check sends the first. */
  readonly invalid: readonly string[];
}

export interface OrderKey {
  readonly field: string;
  readonly descending: boolean;
}

export interface OrderLanguage {
  readonly id: string;
  /** What people call it: `the order of AIP-132`. */
  readonly name: string;
  /** An order as a text, the first key first; undefined if the language has none for it. */
  write(keys: readonly OrderKey[]): string | undefined;
  /** The keys of an order; undefined if it is none. */
  read(text: string): readonly OrderKey[] | undefined;
}

/** What a standard says of orders, however they are written. */
export interface OrderStandard {
  /** What people call it, with the section: `OData 4.01, Part 1, section 11.2.6.2`. */
  readonly source: string;
  /** Whether null is lower than all values; otherwise a record without one may be anywhere. */
  readonly isNullLowest: boolean;
  /** Whether an order by what is no field must be refused. */
  readonly refusesUnknown: boolean;
}
