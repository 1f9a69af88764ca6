import { jsonpath, type JSONPathQuery, TokenKind } from 'json-p3';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from '../../json/value.ts';
import type { WorkBudget } from '../../json/work-budget.ts';
import type { LinearMatcher } from '../pattern/linear-matcher.ts';
import type { PathNode } from './path-node.ts';
import { makeTextPattern } from './text-pattern.ts';

/** The costs of a visit, of one test in a filter, and of a node that is kept in memory. */
const visitCost = 12;
const testCost = 25;
const nodeCost = 80;
/** The cost of the matcher of one pattern, for each character of the pattern. */
const patternCost = 500;

type Expression = jsonpath.expressions.FilterExpression;
const { selectors: selectorsOf, expressions } = jsonpath;

/** One evaluation of a JSONPath. Every step spends from the budget. */
export class QueryRun {
  readonly #root: PathNode;
  readonly #budget: WorkBudget;
  readonly #patterns = new Map<string, LinearMatcher | undefined>();

  constructor(value: JsonValue, budget: WorkBudget) {
    this.#root = { value };
    this.#budget = budget;
  }

  select({ segments }: JSONPathQuery, from = this.#root): readonly PathNode[] {
    let nodes: readonly PathNode[] = [from];
    for (const { token, selectors } of segments) {
      const next: PathNode[] = [];
      const starts = token.kind === TokenKind.DDOT ? this.#withBelow(nodes) : nodes;
      for (const node of starts)
        for (const selector of selectors) this.#choose(node, selector, next);
      nodes = next;
    }
    return nodes;
  }

  /**
   * The nodes and what is below them, each before its parts (section 2.5.2.2): only the arrays and
   * objects, because nothing is selected in other values.
   */
  *#withBelow(nodes: readonly PathNode[]): Generator<PathNode> {
    const open = nodes.toReversed();
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      yield node;
      const children = this.#children(node);
      for (let at = children.length - 1; at >= 0; at -= 1) {
        const child = children[at];
        if (child !== undefined && typeof child.value === 'object') open.push(child);
      }
    }
  }

  #children(holder: PathNode): readonly PathNode[] {
    const { value } = holder;
    if (isJsonArray(value)) {
      this.#budget.spend(value.length * visitCost);
      return value.map((item, key) => ({ value: item, holder, key }));
    }
    if (!isJsonObject(value)) return [];
    const names = Object.keys(value);
    this.#budget.spend(names.length * visitCost);
    return names.map((key) => ({ value: value[key] ?? null, holder, key }));
  }

  #keep(into: PathNode[], node: PathNode): void {
    this.#budget.spend(nodeCost);
    into.push(node);
  }

  #choose(node: PathNode, selector: jsonpath.JSONPathSelector, into: PathNode[]): void {
    this.#budget.spend(visitCost);
    if (selector instanceof selectorsOf.NameSelector) this.#member(node, selector.name, into);
    else if (selector instanceof selectorsOf.IndexSelector) this.#item(node, selector.index, into);
    else if (selector instanceof selectorsOf.WildcardSelector)
      for (const child of this.#children(node)) this.#keep(into, child);
    else if (selector instanceof selectorsOf.FilterSelector) {
      for (const child of this.#children(node))
        if (this.#holds(selector.expression, child)) this.#keep(into, child);
    } else if (selector instanceof selectorsOf.SliceSelector && isJsonArray(node.value))
      for (const at of indexesOf(selector, node.value.length)) this.#item(node, at, into);
  }

  #item(holder: PathNode, index: number, into: PathNode[]): void {
    if (!isJsonArray(holder.value)) return;
    const value = holder.value.at(index);
    const key = index < 0 ? holder.value.length + index : index;
    if (value !== undefined) this.#keep(into, { value, holder, key });
  }

  #member(holder: PathNode, key: string, into: PathNode[]): void {
    if (!isJsonObject(holder.value) || !Object.hasOwn(holder.value, key)) return;
    this.#keep(into, { value: holder.value[key] ?? null, holder, key });
  }

  /** Whether a logical expression holds (section 2.3.5.2). */
  #holds(expression: Expression, at: PathNode): boolean {
    this.#budget.spend(testCost);
    if (expression instanceof expressions.LogicalExpression)
      return this.#holds(expression.expression, at);
    if (expression instanceof expressions.PrefixExpression)
      return !this.#holds(expression.right, at);
    if (expression instanceof expressions.FilterQuery)
      return this.#inner(expression, at).length > 0;
    if (!(expression instanceof expressions.InfixExpression))
      return this.#valueOf(expression, at) === true;
    const { left, operator, right } = expression;
    if (operator === '||') return this.#holds(left, at) || this.#holds(right, at);
    if (operator === '&&') return this.#holds(left, at) && this.#holds(right, at);
    return this.#compare(operator, this.#valueOf(left, at), this.#valueOf(right, at));
  }

  /** A query in a filter starts at the root, or at the current node. */
  #inner(query: jsonpath.expressions.FilterQuery, at: PathNode): readonly PathNode[] {
    const from = query instanceof expressions.RootQuery ? this.#root : at;
    return this.select(query.path, from);
  }

  /** Section 2.3.5.2.2. A value that is missing is undefined. */
  #compare(operator: string, one: JsonValue | undefined, other: JsonValue | undefined): boolean {
    if (operator === '==') return this.#equal(one, other);
    if (operator === '!=') return !this.#equal(one, other);
    if (operator.startsWith('<') ? this.#less(one, other) : this.#less(other, one)) return true;
    return operator.endsWith('=') && this.#equal(one, other);
  }

  #valueOf(expression: Expression, at: PathNode): JsonValue | undefined {
    if (expression instanceof expressions.FilterQuery) {
      const nodes = this.#inner(expression, at);
      return nodes.length === 1 ? nodes[0]?.value : undefined;
    }
    if (expression instanceof expressions.FunctionExtension) return this.#call(expression, at);
    if (expression instanceof expressions.NullLiteral) return null;
    return expression instanceof expressions.StringLiteral ||
      expression instanceof expressions.NumberLiteral ||
      expression instanceof expressions.BooleanLiteral
      ? expression.value
      : this.#holds(expression, at);
  }

  #equal(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
    if (one === undefined || other === undefined) return one === other;
    this.#budget.spendFor(one, visitCost);
    return equalJson(one, other);
  }

  #less(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
    if (typeof one === 'string' && typeof other === 'string') return isBefore(one, other);
    return isNumeric(one) && isNumeric(other) && one < other;
  }

  /** The result of a function (section 2.4); undefined is Nothing. */
  #call(
    { name, args: [first, second] }: jsonpath.expressions.FunctionExtension,
    at: PathNode,
  ): JsonValue | undefined {
    if (first === undefined) return undefined;
    if (name === 'count')
      return first instanceof expressions.FilterQuery ? this.#inner(first, at).length : undefined;
    const value = this.#valueOf(first, at);
    if (name === 'value') return value;
    if (name === 'length') return this.#length(value);
    const pattern = second && this.#valueOf(second, at);
    if (typeof value !== 'string' || typeof pattern !== 'string') return false;
    return this.#matches(value, pattern, name === 'match');
  }

  #length(value: JsonValue | undefined): number | undefined {
    if (typeof value === 'string') {
      this.#budget.spend(value.length);
      return [...value].length;
    }
    if (isJsonArray(value)) return value.length;
    if (!isJsonObject(value)) return undefined;
    const { length } = Object.keys(value);
    this.#budget.spend(length);
    return length;
  }

  #matches(text: string, pattern: string, whole: boolean): boolean {
    const key = `${whole ? '^' : ''} ${pattern}`;
    if (!this.#patterns.has(key)) {
      this.#budget.spend(pattern.length * patternCost);
      this.#patterns.set(key, makeTextPattern(pattern, whole));
    }
    const matcher = this.#patterns.get(key);
    return (
      matcher?.(text, (units) => {
        this.#budget.spend(units);
      }) === true
    );
  }
}

/** By code points: a surrogate is beyond every other code unit. */
function isBefore(one: string, other: string): boolean {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  if (at === end) return one.length < other.length;
  return (one.codePointAt(at) ?? 0) < (other.codePointAt(at) ?? 0);
}

/** The indexes of a slice (section 2.3.4.2.2). */
function* indexesOf(
  { start, stop, step = 1 }: jsonpath.selectors.SliceSelector,
  length: number,
): Generator<number> {
  if (step === 0) return;
  const [least, max] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (index: number): number =>
    Math.min(Math.max(index < 0 ? length + index : index, least), max);
  const first = start === undefined ? (step > 0 ? least : max) : bound(start);
  const last = stop === undefined ? (step > 0 ? max : least) : bound(stop);
  for (let at = first; step > 0 ? at < last : at > last; at += step) yield at;
}
