/** The work that one judgement may take. A unit is about ten nanoseconds of one processor. */
const usualWork = 60_000_000;

/**
 * What may still be spent on the judgement of a value. Several values that belong together, such as
 * the items of one body, are given one budget, so that all of them together stay within it.
 */
export class WorkBudget {
  left: number;

  constructor(units = usualWork) {
    this.left = units;
  }
}

/** Thrown by generated validators where a budget is spent; it does not leave `contract/schema`. */
export class OutOfWork extends Error {}
