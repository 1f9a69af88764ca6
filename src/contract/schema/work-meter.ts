import type { ErrorObject } from 'ajv';
import { OutOfWork, type WorkBudget } from './work-budget.ts';

/** The cost of an error object beside the cost of its path. */
const errorCost = 15;
/** The cost of one member name that is looked at. */
const nameCost = 5;
/** So many characters are searched in the time of one unit. */
const charactersPerUnit = 32;
/** The same for the path of an error, which is kept: its length counts for memory too. */
const keptPerUnit = 4;

/** How far a validator may go: a share of what is left, and how many errors it may hold. */
export interface WorkLimits {
  /** The part of the budget that may be spent. */
  readonly share: number;
  readonly mostErrors: number;
}

/**
 * Counts the work of generated validators, and throws `OutOfWork` where it is too much. The
 * validators of one compiler share it: they run one after the other.
 */
export class WorkMeter {
  left = Infinity;
  #mostErrors = Infinity;

  /** Runs a validator within a budget, and takes what it has spent out of the budget. */
  within<Result>(
    budget: WorkBudget,
    { share, mostErrors }: WorkLimits,
    work: () => Result,
  ): Result {
    const given = budget.left * share;
    [this.left, this.#mostErrors] = [given, mostErrors];
    try {
      return work();
    } finally {
      budget.left -= given - Math.max(0, this.left);
      [this.left, this.#mostErrors] = [Infinity, Infinity];
    }
  }

  stop(): never {
    throw new OutOfWork();
  }

  spend(units: number): void {
    if ((this.left -= units) < 0) this.stop();
  }

  /** For a text that is passed from its beginning to its end. */
  read(text: string): void {
    this.spend(1 + text.length / charactersPerUnit);
  }

  /** For the last of some errors: its path may be as long as the body. */
  fail(errors: readonly Partial<ErrorObject>[]): void {
    const path = errors[errors.length - 1]?.instancePath ?? '';
    this.spend(errorCost + path.length / keptPerUnit);
    if (errors.length > this.#mostErrors) this.stop();
  }

  /** Puts errors behind others, in place: to copy them for each item would be quadratic. */
  join(errors: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
    this.spend(more.length);
    for (const error of more) errors.push(error);
    return errors;
  }

  keys(value: object): string[] {
    const names = Object.keys(value);
    this.spend(names.length * nameCost);
    return names;
  }

  /** A member name as a token of a JSON Pointer. */
  token(name: string): string {
    this.read(name);
    return name.replace(/~/g, '~0').replace(/\//g, '~1');
  }
}
