/** What the process that holds Vitest is asked: to run one test file, or some of its tests. */
export interface TestOrder {
  readonly file: string;
  /**
   * Vitest's own identifiers, which follow from the file and the order of its tests; all of them
   * where it is left out.
   */
  readonly tests?: readonly string[];
}

/**
 * What came of it. A file that cannot be imported, and an error outside of any test, fail under the
 * file's own name.
 */
export interface TestOutcome {
  readonly passed: number;
  readonly failed: readonly string[];
}

/** What one test executes: for each mutant, by its number in the list of all, one bit. */
export interface ReachLine {
  readonly file: string;
  /**
   * Left out where it is what the file executes outside of its tests: imports, hooks that all tests
   * share.
   */
  readonly test?: string;
  /** Of the processor. */
  readonly milliseconds: number;
  /** In base64. */
  readonly bits: string;
}

/** Where the mutants stand in each file: `[offset, number]`, in the order of the file. */
export type Positions = Readonly<
  Record<string, readonly (readonly [offset: number, index: number])[]>
>;
