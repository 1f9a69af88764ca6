import { compilePattern } from '../contract/pattern/read-pattern.ts';
import { decidePattern } from '../contract/pattern/safe-pattern.ts';
import { equalJson } from '../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonValue, textOf } from '../json/value.ts';
import { evaluate, expressionsIn, fillText, parseExpression, type Scope } from './expression.ts';
import type { Condition, Criterion, Operator } from './model.ts';
import { select } from './select.ts';

/** Whether a criterion holds, and what the exchange showed, as a clause. */
export interface CriterionResult {
  readonly holds: boolean;
  readonly seen: string;
}

/** Evaluates a criterion. Never throws: one that cannot be evaluated does not hold. */
export function judgeCriterion(criterion: Criterion, scope: Scope): CriterionResult {
  const { type, simple, condition, context = '$response.body' } = criterion;
  if (simple !== undefined) {
    const seen = [...new Set(describeOperands(simple, scope))].join(' and ');
    return { holds: holds(simple, scope), seen: seen === '' ? 'it is a constant' : seen };
  }
  const expression = parseExpression(context);
  const value = expression && evaluate(expression, scope)?.value;
  if (value === undefined || value === null)
    return { holds: false, seen: `${context} ${value === null ? 'is null' : 'has no value'}` };
  const filled = fillText(condition, scope);
  if ('missing' in filled) return { holds: false, seen: `${filled.missing} has no value` };
  if (type === 'regex') return judgePattern(filled.text, { context, value });
  if (type === 'jsonpath') return judgeQuery(filled.text, { context, value });
  return { holds: false, seen: 'vouch does not evaluate XPath' };
}

interface Context {
  readonly context: string;
  readonly value: JsonValue;
}

function judgePattern(source: string, { context, value }: Context): CriterionResult {
  if (compilePattern(source) === undefined)
    return { holds: false, seen: `${source} is not a regular expression` };
  const matches = decidePattern(source, textOf(value));
  const seen = `${context} is ${shorten(value)}`;
  return matches === undefined
    ? { holds: false, seen: `${source} is too much work for a text of this length, and ${seen}` }
    : { holds: matches, seen };
}

function judgeQuery(query: string, { context, value }: Context): CriterionResult {
  const result = select(value, query);
  if ('fault' in result) return { holds: false, seen: `${query} ${result.fault}` };
  const { length } = result.found;
  const what = length === 0 ? 'selects nothing' : `selects ${String(length)}`;
  return { holds: length > 0, seen: `${query} ${what} in ${context}, which is ${shorten(value)}` };
}

export function allHold(criteria: readonly Criterion[], scope: Scope): boolean {
  return criteria.every((criterion) => judgeCriterion(criterion, scope).holds);
}

/** The runtime expressions of a criterion. */
export function expressionsOfCriterion({ simple, condition, context }: Criterion): string[] {
  if (simple !== undefined) return expressionsOf(simple);
  return [...(context === undefined ? [] : [context]), ...expressionsIn(condition)];
}

/** A text that is not a condition: why, as a sentence, and a hint. */
export interface ConditionFault {
  readonly message: string;
  readonly hint?: string;
}

const tokens =
  /\s*(?:(&&|\|\||==|!=|<=|>=|[<>!()])|('(?:[^']|'')*'|"[^"]*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|(\$(?:[A-Za-z]+)(?:\.(?:[\w-]+|\{[^}]*\}))*(?:#[^\s()=!<>&|]*)?)|\.([\w-]+)|\[\s*(\d+|'[^']*'|"[^"]*")\s*\]|([^\s()=!<>&|]+))/y;

interface Token {
  readonly kind: 'operator' | 'text' | 'number' | 'expression' | 'member' | 'word';
  readonly text: string;
}

/** More operators than this are not read: a parser that recurses must end. */
const maxTokens = 1_000;

/** Parses a simple condition; the result may be a fault. */
export function parseCondition(text: string): Condition | ConditionFault {
  try {
    return new ConditionParser(tokenize(text)).parse();
  } catch (error) {
    if (error instanceof ConditionError) return { message: error.message, hint: error.hint };
    throw error;
  }
}

/** Whether the result of `parseCondition` is a fault. */
export function isFault(parsed: Condition | ConditionFault): parsed is ConditionFault {
  return 'message' in parsed;
}

class ConditionError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const usual = "Write a condition such as $statusCode == 200 && $response.body#/name == 'Rex'.";

function tokenize(text: string): Token[] {
  const found: Token[] = [];
  const scanner = new RegExp(tokens);
  const end = text.trimEnd().length;
  while (scanner.lastIndex < end) {
    const match = scanner.exec(text);
    if (match === null || found.length > maxTokens)
      throw new ConditionError(`The condition ${text} cannot be read.`, usual);
    const [, operator, quoted, number, expression, member, index, word] = match;
    if (operator !== undefined) found.push({ kind: 'operator', text: operator });
    else if (quoted !== undefined) found.push({ kind: 'text', text: unquote(quoted) });
    else if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (expression !== undefined) found.push({ kind: 'expression', text: expression });
    else if (member !== undefined) found.push({ kind: 'member', text: member });
    else if (index !== undefined)
      found.push({ kind: 'member', text: /^\d/.test(index) ? index : unquote(index) });
    else found.push({ kind: 'word', text: word ?? '' });
  }
  return found;
}

function unquote(quoted: string): string {
  return quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : quoted.slice(1, -1);
}

/** The precedence of binary operators: higher binds closer. */
const precedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
};

class ConditionParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(given: readonly Token[]) {
    this.#tokens = given;
  }

  parse(): Condition {
    const condition = this.#binary(1);
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw this.#unexpected(rest);
    return condition;
  }

  #binary(least: number): Condition {
    let left = this.#unary();
    for (;;) {
      const token = this.#tokens[this.#at];
      const level = token?.kind === 'operator' ? precedence[token.text] : undefined;
      if (token === undefined || level === undefined || level < least) return left;
      this.#at += 1;
      // The table of precedences has exactly the operators.
      const operator = token.text as Operator;
      left = { kind: 'operator', operator, left, right: this.#binary(level + 1) };
    }
  }

  #unary(): Condition {
    if (!this.#takes('!')) return this.#postfix();
    return { kind: 'not', operand: this.#unary() };
  }

  #postfix(): Condition {
    let value = this.#primary();
    for (let token = this.#tokens[this.#at]; token?.kind === 'member';) {
      value = { kind: 'member', of: value, name: token.text };
      this.#at += 1;
      token = this.#tokens[this.#at];
    }
    return value;
  }

  #primary(): Condition {
    if (this.#takes('(')) {
      const inner = this.#binary(1);
      if (!this.#takes(')')) throw new ConditionError('A bracket is not closed.', usual);
      return inner;
    }
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) throw new ConditionError('The condition ends too early.', usual);
    switch (token.kind) {
      case 'text':
        return { kind: 'literal', value: token.text };
      case 'number':
        return { kind: 'literal', value: Number(token.text) };
      case 'expression': {
        const expression = parseExpression(token.text);
        if (expression !== undefined) return { kind: 'expression', text: token.text, expression };
        throw new ConditionError(`${token.text} is not a runtime expression.`, usual);
      }
      default:
        return this.#word(token);
    }
  }

  #word(token: Token): Condition {
    const known: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };
    const value = token.kind === 'word' ? known[token.text] : undefined;
    if (value === undefined) throw this.#unexpected(token);
    return { kind: 'literal', value };
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#at];
    const isIt = token?.kind === 'operator' && token.text === text;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #unexpected({ kind, text }: Token): ConditionError {
    return kind === 'word'
      ? new ConditionError(`The condition has the word ${text}.`, `Quote a text: '${text}'.`)
      : new ConditionError(`The condition has ${text} at a wrong place.`, usual);
  }
}

/** Whether a condition holds. A value that is missing is null. */
function holds(condition: Condition, scope: Scope): boolean {
  return isTrue(valueOf(condition, scope));
}

function isTrue(value: JsonValue): boolean {
  return value !== null && value !== false && value !== 0 && value !== '';
}

function valueOf(condition: Condition, scope: Scope): JsonValue {
  switch (condition.kind) {
    case 'literal':
      return condition.value;
    case 'expression':
      return evaluate(condition.expression, scope)?.value ?? null;
    case 'not':
      return !isTrue(valueOf(condition.operand, scope));
    case 'member':
      return memberOf(valueOf(condition.of, scope), condition.name);
    case 'operator':
      return apply(condition, scope);
  }
}

function memberOf(value: JsonValue, name: string): JsonValue {
  if (isJsonArray(value)) return name === 'length' ? value.length : (value[Number(name)] ?? null);
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function apply(
  { operator, left, right }: Extract<Condition, { kind: 'operator' }>,
  scope: Scope,
): boolean {
  const one = valueOf(left, scope);
  if (operator === '&&') return isTrue(one) && isTrue(valueOf(right, scope));
  if (operator === '||') return isTrue(one) || isTrue(valueOf(right, scope));
  const other = valueOf(right, scope);
  if (operator === '==') return isEqual(one, other);
  if (operator === '!=') return !isEqual(one, other);
  const order = compare(one, other);
  if (order === undefined) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

/** Texts are compared without regard to case, and a numeric text as a number. */
function isEqual(one: JsonValue, other: JsonValue): boolean {
  if (typeof one === 'string' && typeof other === 'string')
    return one.toLowerCase() === other.toLowerCase();
  if (typeof one === 'object' || typeof other === 'object') return equalJson(one, other);
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left === right;
  return textOf(one).toLowerCase() === textOf(other).toLowerCase();
}

function compare(one: JsonValue, other: JsonValue): number | undefined {
  const [left, right] = [numberOf(one), numberOf(other)];
  if (left !== undefined && right !== undefined) return left < right ? -1 : Number(left > right);
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

function numberOf(value: JsonValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The expressions of a condition, as written, with the members after them. */
function expressionsOf(condition: Condition): string[] {
  switch (condition.kind) {
    case 'literal':
      return [];
    case 'expression':
      return [condition.text];
    case 'not':
      return expressionsOf(condition.operand);
    case 'member':
      return expressionsOf(condition.of);
    case 'operator':
      return [...expressionsOf(condition.left), ...expressionsOf(condition.right)];
  }
}

/** What the operands of a condition are: `$statusCode is 404`. */
function describeOperands(condition: Condition, scope: Scope): string[] {
  switch (condition.kind) {
    case 'literal':
      return [];
    case 'not':
      return describeOperands(condition.operand, scope);
    case 'operator':
      return [
        ...describeOperands(condition.left, scope),
        ...describeOperands(condition.right, scope),
      ];
    default: {
      const value = valueOf(condition, scope);
      const isMissing =
        condition.kind === 'expression' && evaluate(condition.expression, scope) === undefined;
      return [`${nameOf(condition)} ${isMissing ? 'has no value' : `is ${shorten(value)}`}`];
    }
  }
}

function nameOf(condition: Condition): string {
  if (condition.kind === 'member') return `${nameOf(condition.of)}.${condition.name}`;
  return condition.kind === 'expression' ? condition.text : 'the value';
}

const longest = 120;

/** A value as JSON, cut to a length that fits a line. */
function shorten(value: JsonValue): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : textOf(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
