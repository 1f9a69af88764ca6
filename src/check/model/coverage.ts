import type { RequestPart } from './case.ts';

/**
 * What a run reached of its contract, and what it did not: operation × status × media type, and
 * parameter or body field × value class. Plain data, fit for JSON; an operation that got no request
 * has its reason alone. It says what was tried and what came, never whether it was right: that is
 * what the findings are for.
 */
export interface Coverage {
  /**
   * Documented statuses (each with each of its media types), over all operations that got requests.
   */
  readonly statuses: CoverageCount;
  /** Value classes of parameters and body fields, over all operations that got requests. */
  readonly inputs: CoverageCount;
  /** In the order of the contract. */
  readonly operations: readonly OperationCoverage[];
}

/** How much of something was reached. */
export interface CoverageCount {
  readonly reached: number;
  readonly total: number;
}

/** What was reached of one operation. */
export interface OperationCoverage {
  readonly operation: string;
  /**
   * What would get it requests, in one sentence; only where it got none. `statuses` and `inputs`
   * are then empty.
   */
  readonly why?: string;
  readonly statuses: readonly StatusCoverage[];
  readonly inputs: readonly InputCoverage[];
}

/** A documented status (`200`, `4XX`, `default`), with one of its media types where it has any. */
export interface StatusCoverage {
  readonly status: string;
  readonly media?: string;
  readonly reached: boolean;
  /** What would reach it, in one sentence; only where it was not. */
  readonly why?: string;
  /**
   * What the contract says of the body and nobody held it against, in one sentence; only where it
   * was reached.
   */
  readonly unjudged?: string;
}

/** A parameter, or a field of the body (`owner.name`, `tags[]`; `''` for the body itself). */
export interface InputCoverage {
  readonly name: string;
  readonly in: RequestPart;
  readonly classes: readonly ClassCoverage[];
}

/**
 * A class of values, such as `minimum`, `enum-value` or `wrong-type`, that the contract gives an
 * input.
 */
export interface ClassCoverage {
  readonly class: string;
  readonly reached: boolean;
  /** What would reach it, in one sentence; only where it was not. */
  readonly why?: string;
}
