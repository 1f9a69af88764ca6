import type * as Cel from '@marcbachmann/cel-js';
import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { loadPackage } from '../../platform.ts';
import { WorkBudget } from '../../json/work-budget.ts';
import { CelDecimal, compareDecimals, decimalOperators, readDecimal } from './cel-decimal.ts';
import { EvaluationMeter, makeRuleMatcher } from './metered-evaluator.ts';

/** What an expression may refer to: its variables, and the known identifiers. */
export interface ExpressionInput {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The identifiers of a resource; undefined if not all of them are known. */
  readonly ids?: ((resource: string) => readonly unknown[] | undefined) | undefined;
  /** What the evaluation may cost, and spends. */
  readonly budget?: WorkBudget;
}

/** The result of an expression: its value, or why it has none. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'undecided'; readonly reason: string }
  /** It is more work than its budget. */
  | { readonly kind: 'exceeded' };

/** A fault of an expression, with its place in the text, counted from 0. */
export interface ExpressionFault {
  readonly message: string;
  readonly column: number;
}

/** An expression in CEL, parsed and type-checked. */
export interface CelExpression {
  readonly text: string;
  /** The members that it reads from a variable: `total` and `lines` of `self`. */
  membersOf(variable: string): readonly string[];
  /** The resources whose identifiers it reads: `customers` of `ids("customers")`. */
  readonly resources: readonly string[];
  /**
   * The ways to the members that its value may be: `self`, `paid` of `self.paid`. A comparison, a
   * call and the like have none.
   */
  readonly results: readonly (readonly string[])[];
  /** Both sides, if the expression is a comparison for equality. */
  readonly sides: readonly [left: string, right: string] | undefined;
  /** Never throws: an expression that cannot be computed is undecided. */
  evaluate(input: ExpressionInput): Evaluation;
}

const limits = { maxAstNodes: 5_000, maxDepth: 100 };

/** Compiles expressions in CEL (https://cel.dev) over given variables. */
export class ExpressionCompiler {
  readonly #environment: Environment;
  readonly #meter: EvaluationMeter;
  /** What `ids()` returns during the evaluation of an expression. */
  #ids: ExpressionInput['ids'];

  constructor(variables: readonly string[]) {
    // Loading it takes 15 ms, and few contracts have rules. The cast uses the package's own types.
    const cel = loadPackage('@marcbachmann/cel-js') as typeof Cel;
    this.#environment = new cel.Environment({ homogeneousAggregateLiterals: false, limits });
    for (const name of variables) this.#environment.registerVariable(name, 'dyn');
    addNumbers(this.#environment);
    addFunctions(this.#environment);
    this.#environment.registerFunction('ids(string): list', (resource: string) => {
      const ids = this.#ids?.(resource);
      if (ids === undefined) throw new UnknownIds(resource);
      return ids;
    });
    this.#meter = new EvaluationMeter(this.#environment);
  }

  /** The expression, or its error. `wanted` is the required type of its value. */
  compile(text: string, expected?: 'bool'): CelExpression | ExpressionFault {
    const checked = this.#environment.check(text);
    if (!checked.valid) return faultOf(checked.error, text);
    if (expected !== undefined && checked.type !== expected && checked.type !== 'dyn') {
      return { message: `it is ${checked.type ?? 'something else'}, not true or false`, column: 0 };
    }
    const parsed = this.#environment.parse(text);
    const fault = expected === undefined ? undefined : faultIn(parsed.ast);
    if (fault !== undefined) return fault;
    // The evaluator meters what is below the first node.
    const metered = this.#environment.parse(`[${text}\n]`);
    return {
      text,
      results: resultsOf(parsed.ast).map(wayOf),
      membersOf: (variable) => membersOf(parsed.ast, variable),
      resources: resourcesOf(parsed.ast),
      sides: sidesOf(parsed.ast, text),
      evaluate: (input) => this.#evaluate(metered, input),
    };
  }

  #evaluate(
    list: ParseResult,
    { variables, ids, budget = new WorkBudget() }: ExpressionInput,
  ): Evaluation {
    this.#ids = ids;
    try {
      const [value] = this.#meter.within(budget, () => list({ ...variables }) as unknown[]);
      return budget.left < 0 ? { kind: 'exceeded' } : { kind: 'value', value };
    } catch (error) {
      return budget.left < 0
        ? { kind: 'exceeded' }
        : { kind: 'undecided', reason: reasonOf(error) };
    } finally {
      this.#ids = undefined;
    }
  }
}

/** Thrown if not all identifiers of a resource are known. */
class UnknownIds extends Error {
  constructor(resource: string) {
    super(`the identifiers of ${resource} are not all known`);
  }
}

/**
 * Adds operators for mixed numbers, which CEL does not add, and for decimals with any other number.
 */
function addNumbers(environment: Environment): void {
  for (const [left, right] of [
    ['int', 'double'],
    ['double', 'int'],
  ]) {
    const mixed = (operator: string, apply: (a: number, b: number) => number): void => {
      environment.registerOperator(
        `${String(left)} ${operator} ${String(right)}`,
        (a: unknown, b: unknown) => apply(Number(a), Number(b)),
      );
    };
    mixed('+', (a, b) => a + b);
    mixed('-', (a, b) => a - b);
    mixed('*', (a, b) => a * b);
    mixed('/', (a, b) => a / b);
  }
  environment.registerType('Decimal', CelDecimal);
  const pairs = ['int', 'double', 'string'].flatMap((type) => [
    ['Decimal', type],
    [type, 'Decimal'],
  ]);
  for (const [left, right] of [['Decimal', 'Decimal'], ...pairs]) addPair(environment, left, right);
}

function addPair(environment: Environment, left = 'Decimal', right = 'Decimal'): void {
  const compare = (operator: string, holds: (order: number) => boolean): void => {
    // The library itself registers the mirrored equality.
    if (operator === '==' && left !== 'Decimal') return;
    environment.registerOperator(`${left} ${operator} ${right}`, (a: unknown, b: unknown) => {
      const [x, y] = [readDecimal(a), readDecimal(b)];
      return x !== undefined && y !== undefined && holds(compareDecimals(x, y));
    });
  };
  compare('==', (order) => order === 0);
  compare('<', (order) => order < 0);
  compare('<=', (order) => order <= 0);
  compare('>', (order) => order > 0);
  compare('>=', (order) => order >= 0);
  for (const [operator, apply] of Object.entries(decimalOperators)) {
    environment.registerOperator(`${left} ${operator} ${right}`, (a: unknown, b: unknown) =>
      apply(decimalOf(a), decimalOf(b)),
    );
  }
}

function addFunctions(environment: Environment): void {
  environment.registerFunction('decimal(dyn): Decimal', decimalOf);
  environment.registerFunction('decimal_sum(list): Decimal', (items: readonly unknown[]) => {
    const zero = new CelDecimal({ units: 0n, digits: 0 });
    return items.map(decimalOf).reduce((sum, item) => decimalOperators['+'](sum, item), zero);
  });
  environment.registerFunction('sum(list): dyn', sumOf);
  environment.registerFunction('unique(list): bool', (items: readonly unknown[]) => {
    return new Set(items.map(String)).size === items.length;
  });
  environment.registerFunction('days(int): google.protobuf.Duration', {
    handler: (days: bigint): unknown => environment.evaluate(`duration("${String(days * 24n)}h")`),
  });
  environment.registerFunction('date(string): google.protobuf.Timestamp', {
    handler: (text: string) => {
      const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
      if (date === undefined || Number.isNaN(date.getTime()))
        throw new RangeError(`"${text.slice(0, 40)}" is not a date such as 2026-01-31`);
      return date;
    },
  });
}

function decimalOf(value: unknown): CelDecimal {
  const decimal = readDecimal(value);
  if (decimal === undefined) throw new RangeError(`${typeof value} is not a decimal number`);
  return decimal;
}

/** Integers add up to an integer; other numbers to the double that JSON writes for the sum. */
function sumOf(items: readonly unknown[]): unknown {
  if (items.every((item) => typeof item === 'bigint'))
    return items.reduce((sum: bigint, item) => sum + item, 0n);
  const total = items.map(decimalOf).reduce(decimalOperators['+'], decimalOf(0n));
  return Number(total.toString());
}

function faultOf(error: unknown, text: string): ExpressionFault {
  const range = error instanceof Error && 'range' in error ? error.range : undefined;
  const { start = 0 } = (range ?? {}) as Partial<Cel.SourceRange>;
  return { message: firstLine(error), column: Math.min(start, text.length) };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return firstLine(cause);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

function membersOf(node: ASTNode, variable: string): readonly string[] {
  const members = new Set<string>();
  visit(node, (each) => {
    if (each.op !== '.' && each.op !== '.?') return;
    const [of, member] = each.args;
    if (of.op === 'id' && of.args === variable) members.add(member);
  });
  return [...members];
}

function resourcesOf(node: ASTNode): readonly string[] {
  const resources = new Set<string>();
  visit(node, (each) => {
    if (each.op !== 'call' || each.args[0] !== 'ids') return;
    const [named] = each.args[1];
    if (named?.op === 'value' && typeof named.args === 'string') resources.add(named.args);
  });
  return [...resources];
}

function sidesOf(node: ASTNode, text: string): CelExpression['sides'] {
  if (node.op !== '==') return undefined;
  const [left, right] = node.args;
  return [text.slice(left.start, left.end), text.slice(right.start, right.end)];
}

/** The nodes whose value may be that of a node. */
function resultsOf(node: ASTNode): readonly ASTNode[] {
  if (node.op !== '?:') return [node];
  const [, yes, no] = node.args;
  return [...resultsOf(yes), ...resultsOf(no)];
}

/** `self`, `paid` of `self.paid`; empty for anything else than members of a variable. */
function wayOf(node: ASTNode): readonly string[] {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.') return [];
  const around = wayOf(node.args[0]);
  return around.length === 0 ? [] : [...around, node.args[1]];
}

const numeric = new Set(['+', '-', '*', '/', '%', '-_']);

/** What makes a rule unfit, with any data: a number for a value, or a pattern CEL does not have. */
function faultIn(node: ASTNode): ExpressionFault | undefined {
  const number = resultsOf(node).find(({ op }) => numeric.has(op));
  if (number !== undefined)
    return { message: 'it is a number, not true or false', column: number.start };
  let fault: ExpressionFault | undefined;
  visit(node, (each) => {
    if (each.op !== 'rcall' || each.args[0] !== 'matches') return;
    const [pattern] = each.args[2];
    if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return;
    if (makeRuleMatcher(pattern.args) === undefined)
      fault ??= { message: `${pattern.args} is not a pattern of RE2`, column: pattern.start };
  });
  return fault;
}

function visit(node: ASTNode, look: (node: ASTNode) => void): void {
  look(node);
  const parts = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(parts);
    else if (typeof value === 'object' && value !== null && 'op' in value)
      visit(value as ASTNode, look);
  };
  parts(node.args);
}
