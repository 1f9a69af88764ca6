import type { JsonValue } from './value.ts';

/** The default budget of one evaluation. A unit is about ten nanoseconds of one processor. */
const defaultUnits = 60_000_000;

/**
 * The remaining work for evaluations that belong together: the items of one body, the rules of one
 * response, the actions of all Overlays. Whatever evaluates a text or a value of others spends from
 * one, so that no input holds the process up.
 */
export class WorkBudget {
  left: number;

  constructor(units = defaultUnits) {
    this.left = units;
  }

  /** Throws `WorkBudgetExceeded` if less is left. */
  spend(units: number): void {
    if ((this.left -= units) < 0) throw new WorkBudgetExceeded();
  }

  spendFor(value: JsonValue, units: number): void {
    const open = [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.spend(units);
      if (typeof next === 'object' && next !== null)
        for (const inner of Object.values(next)) open.push(inner);
    }
  }
}

/** Thrown if a budget is spent. Evaluators turn it into their own result. */
export class WorkBudgetExceeded extends Error {}
