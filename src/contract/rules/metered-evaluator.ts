import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { WorkBudget, WorkBudgetExceeded } from '../../json/work-budget.ts';
import { type LinearMatcher, makeLinearMatcher } from '../pattern/linear-matcher.ts';
import { compilePattern, translatePattern } from '../pattern/read-pattern.ts';

/** The costs of one node of an expression, of a part of an operand, and of a compiled pattern. */
const nodeCost = 15;
const partCost = 6;
const patternCost = 500;
/** An error carries a stack; macros and `||` take one for a result, and go on. */
const errorCost = 300;
/** A conversion to a time zone makes a formatter. */
const zoneCost = 10_000;
const charactersPerUnit = 2;
/** A search of one text in another compares each character of one with some of the other. */
const searchedPerUnit = 50;
/** The library reads durations with a pattern that backtracks over three numbers of digits. */
const durationsPerUnit = 60;

const longestPattern = 1_000;
const cachedPatterns = 100;

/** What the library calls for each node of an expression. */
interface Evaluator {
  run: (node: ASTNode, context: unknown) => unknown;
}

function isEvaluator(value: unknown): value is Evaluator {
  return (
    typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'
  );
}

const exceeded = new WorkBudgetExceeded();

/** The operands that a node reads as a whole, so far. */
interface Operands {
  /** Whether their parts are read too. */
  readonly deep: boolean;
  /** The function, if it is one. */
  readonly of?: string;
  /** The size of the last text or list, with which the next one is combined. */
  searched: number;
}

/**
 * Counts the work of expressions. The library has no limit for it, and no hook: its evaluator calls
 * one method for each node below the first, which this replaces in the evaluator of one
 * environment. `matches()` is decided here, in time linear in the text.
 */
export class EvaluationMeter {
  #budget = new WorkBudget(Infinity);
  #operands: Operands | undefined;
  readonly #evaluator: Evaluator;
  readonly #patterns = new Map<string, LinearMatcher | undefined>();

  constructor(environment: Environment) {
    this.#evaluator = findEvaluator(environment);
    const run = this.#evaluator.run.bind(this.#evaluator);
    this.#evaluator.run = (node, context) => {
      const result = this.#evaluate(node, () =>
        isMatch(node) ? this.#match(node, context) : run(node, context),
      );
      if (this.#operands !== undefined) this.#spendFor(result, this.#operands);
      return result;
    };
  }

  /**
   * Evaluates within a budget. The library takes an error for a result in some places: less than
   * nothing is left in the budget then.
   */
  within<Result>(budget: WorkBudget, evaluate: () => Result): Result {
    const before = this.#budget;
    [this.#budget, this.#operands] = [budget, undefined];
    try {
      return evaluate();
    } finally {
      this.#budget = before;
    }
  }

  #evaluate(node: ASTNode, run: () => unknown): unknown {
    // One error for all loops that are still open: each of them goes on with its next item.
    if (this.#budget.left < 0) throw exceeded;
    this.#budget.spend(isZoneCall(node) ? zoneCost : nodeCost);
    const outer = this.#operands;
    this.#operands = operandsOf(node);
    try {
      const result = run();
      // What a node makes takes memory, also where nobody reads it.
      if (this.#operands !== undefined) this.#spendFor(result, { deep: false, searched: 0 });
      return result;
    } catch (error) {
      if (error !== exceeded) this.#budget.spend(errorCost);
      throw error;
    } finally {
      this.#operands = outer;
    }
  }

  #spendFor(value: unknown, operands: Operands): void {
    if (typeof value === 'string' || Array.isArray(value)) {
      // The text between the items of `join()` counts once for each of them.
      const size = typeof value === 'string' ? value.length : value.length * searchedPerUnit;
      this.#budget.spend((operands.searched * size) / searchedPerUnit);
      operands.searched = size;
    }
    if (typeof value === 'string' && operands.of === 'duration')
      this.#budget.spend(value.length ** 3 / durationsPerUnit);
    if (operands.deep) this.#spendForAll(value);
    else this.#spendForOne(value);
  }

  #spendForOne(value: unknown): void {
    if (typeof value === 'string') this.#budget.spend(1 + value.length / charactersPerUnit);
    else if (Array.isArray(value)) this.#budget.spend(value.length * partCost);
  }

  /** For a value with all its parts. */
  #spendForAll(value: unknown): void {
    this.#spendForOne(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      this.#budget.spend(partCost + name.length / charactersPerUnit);
      this.#spendForAll(member);
    }
  }

  /** CEL has the patterns of RE2, which have no look-arounds and no back references. */
  #match(node: MatchNode, context: unknown): boolean {
    const [, receiver, [argument]] = node.args;
    const text = this.#evaluator.run(receiver, context);
    const pattern = argument && this.#evaluator.run(argument, context);
    if (typeof text !== 'string' || typeof pattern !== 'string')
      throw new TypeError('matches() reads a text that is none');
    const matcher = this.#matcher(pattern);
    if (matcher === undefined)
      throw new RangeError(`matches() has the pattern ${faultOf(pattern)}`);
    return matcher(text, (units) => {
      this.#budget.spend(units);
    });
  }

  #matcher(pattern: string): LinearMatcher | undefined {
    if (this.#patterns.has(pattern)) return this.#patterns.get(pattern);
    this.#budget.spend(pattern.length * patternCost);
    const matcher = makeRuleMatcher(pattern);
    if (this.#patterns.size >= cachedPatterns) this.#patterns.clear();
    this.#patterns.set(pattern, matcher);
    return matcher;
  }
}

/** A matcher for the pattern of `matches()`; undefined for one that CEL does not have. */
export function makeRuleMatcher(pattern: string): LinearMatcher | undefined {
  if (pattern.length > longestPattern) return undefined;
  const compiled = compilePattern(pattern) ?? compilePattern(translatePattern(pattern) ?? pattern);
  return compiled && makeLinearMatcher(compiled);
}

function faultOf(pattern: string): string {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
  return `${shown}, which is none of RE2`;
}

/** Functions get the evaluator as `this`. */
function findEvaluator(environment: Environment): Evaluator {
  const name = 'vouch_evaluator';
  const found: Evaluator[] = [];
  environment.registerFunction(`${name}(): bool`, function find(this: unknown) {
    if (isEvaluator(this)) found.push(this);
    return true;
  });
  environment.evaluate(`${name}()`);
  const [evaluator] = found;
  if (evaluator === undefined) throw new Error('The evaluator of cel-js cannot be metered.');
  return evaluator;
}

type MatchNode = Extract<ASTNode, { op: 'rcall' }>;

function isMatch(node: ASTNode): node is MatchNode {
  return node.op === 'rcall' && node.args[0] === 'matches' && node.args[2].length === 1;
}

/** `getHours("Europe/Berlin")` of a timestamp. */
function isZoneCall(node: ASTNode): boolean {
  return node.op === 'rcall' && node.args[0].startsWith('get') && node.args[2].length > 0;
}

const binary = new Set(['==', '!=', 'in', '+', '<', '<=', '>', '>=']);
/** They evaluate their arguments for each item, and read no operand as a whole. */
const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'has', 'bind']);

function operandsOf(node: ASTNode): Operands | undefined {
  if (binary.has(node.op)) return { deep: true, searched: 0 };
  if (node.op !== 'call' && node.op !== 'rcall') return undefined;
  const [name] = node.args;
  return macros.has(name) ? undefined : { of: name, deep: name !== 'size', searched: 0 };
}
