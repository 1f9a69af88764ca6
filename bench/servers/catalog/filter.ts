import { compare } from '../serving/requests.ts';
import type { DefectName } from './defects.ts';
import type { Row } from './store.ts';

/** What a part of a filter is: of a type, and its value for a row. */
export type Type = 'text' | 'number' | 'date' | 'time' | 'bool' | 'null' | 'list' | 'any';

interface Part {
  readonly type: Type;
  readonly of: (row: Row) => unknown;
}

export type Types = Readonly<Record<string, Type>>;
type Has = (defect: DefectName) => boolean;

const moment = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)`;
const number = String.raw`\d{4}-\d\d-\d\d|-?\d+(?:\.\d+)?`;
const member = String.raw`[A-Za-z]\w*(?:/\w+)*`;
const token = new RegExp(String.raw`\s*('(?:[^']|'')*'|${moment}|${number}|${member}|[(),:])`, 'y');
const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const functions: Readonly<Record<string, readonly [number, Type]>> = {
  contains: [2, 'bool'],
  startswith: [2, 'bool'],
  endswith: [2, 'bool'],
  tolower: [1, 'text'],
  toupper: [1, 'text'],
  length: [1, 'number'],
};

/** Reads one $filter. Throws a SyntaxError where it is none. */
export class FilterReader {
  readonly #tokens: string[] = [];
  readonly #types: Types;
  readonly #has: Has;
  /** The variable of a lambda. */
  #variable = '';

  constructor(text: string, types: Types, has: Has) {
    this.#types = types;
    this.#has = has;
    token.lastIndex = 0;
    const end = text.trimEnd().length;
    while (token.lastIndex < end) {
      const found = token.exec(text)?.[1];
      if (found === undefined) throw new SyntaxError('The filter is not readable.');
      this.#tokens.push(found);
    }
  }

  read(): (row: Row) => boolean {
    const part = this.#condition();
    if (this.#tokens.length > 0) throw new SyntaxError(`${String(this.#tokens[0])} is too much.`);
    return (row) => part.of(row) === true;
  }

  #take(...wanted: string[]): string | undefined {
    return wanted.includes(this.#tokens[0] ?? '') ? this.#tokens.shift() : undefined;
  }

  #need(wanted: string): void {
    if (this.#take(wanted) === undefined) throw new SyntaxError(`There must be a ${wanted}.`);
  }

  #condition(): Part {
    const part = this.#joined(true);
    if (part.type !== 'bool') throw new SyntaxError('The filter is no condition.');
    return part;
  }

  /** Parts joined by or, of parts joined by and; with the defect, the other way round. */
  #joined(isOuter: boolean): Part {
    const word = isOuter === this.#has('or-before-and') ? 'and' : 'or';
    const next = (): Part => (isOuter ? this.#joined(false) : this.#unary());
    const parts = [next()];
    while (this.#take(word) !== undefined) parts.push(next());
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only;
    if (parts.some(({ type }) => type !== 'bool'))
      throw new SyntaxError(`${word} joins conditions.`);
    const decisive = word === 'or';
    const of = (row: Row): unknown => {
      const values = parts.map((part) => part.of(row));
      if (values.includes(decisive)) return decisive;
      return values.includes(null) ? null : !decisive;
    };
    return { type: 'bool', of };
  }

  #unary(): Part {
    if (this.#take('not') === undefined) return this.#comparison();
    const part = this.#unary();
    if (part.type !== 'bool') throw new SyntaxError('not needs a condition.');
    const isIgnored = this.#has('not-ignored');
    const of = (row: Row): unknown => {
      const value = part.of(row);
      return isIgnored || value === null ? value : value !== true;
    };
    return { type: 'bool', of };
  }

  #comparison(): Part {
    const left = this.#operand();
    const operator = this.#take(...operators);
    if (operator === undefined) return left;
    const right = this.#operand();
    const loose: readonly Type[] = ['null', 'any'];
    const isFit =
      left.type === right.type || [left, right].some(({ type }) => loose.includes(type));
    const isList = [left, right].some(({ type }) => type === 'list');
    if ((!isFit && !this.#has('filter-type-unchecked')) || isList)
      throw new SyntaxError(`${left.type} is not compared with ${right.type}.`);
    if (left.type === 'any') return { type: 'bool', of: () => true };
    return {
      type: 'bool',
      of: (row) => holds([left.of(row), operator, right.of(row)], left.type, this.#has),
    };
  }

  #operand(): Part {
    const text = this.#tokens.shift() ?? '';
    if (text === '(') {
      const part = this.#joined(true);
      this.#need(')');
      return part;
    }
    if (text === 'null') return { type: 'null', of: () => null };
    if (text === 'true' || text === 'false') return { type: 'bool', of: () => text === 'true' };
    const literal = literalOf(text, this.#has);
    if (literal !== undefined) return { type: literal.type, of: () => literal.value };
    if (this.#take('(') !== undefined) return this.#call(text);
    if (text === this.#variable && text !== '') return { type: 'text', of: (row) => row[text] };
    const type = Object.hasOwn(this.#types, text) ? this.#types[text] : undefined;
    if (type === undefined && this.#has('unknown-property-accepted') && /^\w+$/.test(text))
      return { type: 'any', of: () => true };
    if (type === undefined) throw new SyntaxError(`${text} is no property.`);
    return { type, of: (row) => row[text] };
  }

  #call(text: string): Part {
    const [, list] = /^(\w+)\/any$/.exec(text) ?? [];
    if (list !== undefined) return this.#any(list);
    const [count, type] = functions[text] ?? [0, 'null'];
    if (count === 0) throw new SyntaxError(`${text} is no function.`);
    const given = [this.#operand()];
    while (this.#take(',') !== undefined) given.push(this.#operand());
    this.#need(')');
    if (given.length !== count || given.some((part) => part.type !== 'text'))
      throw new SyntaxError(`${text} takes ${String(count)} texts.`);
    return {
      type,
      of: (row) =>
        apply(
          text,
          given.map((part) => part.of(row)),
          this.#has,
        ),
    };
  }

  #any(list: string): Part {
    if (this.#types[list] !== 'list' || this.#variable !== '')
      throw new SyntaxError(`${list} has no any.`);
    const variable = this.#tokens.shift() ?? '';
    if (!/^[A-Za-z]\w*$/.test(variable)) throw new SyntaxError('any needs a variable.');
    this.#need(':');
    this.#variable = variable;
    const part = this.#condition();
    this.#variable = '';
    this.#need(')');
    return {
      type: 'bool',
      of: (row) => {
        const all = (row[list] ?? []) as string[];
        const looked = this.#has('any-first-only') ? all.slice(0, 1) : all;
        return looked.some((entry) => part.of({ ...row, [variable]: entry }) === true);
      },
    };
  }
}

function literalOf(text: string, has: Has): { type: Type; value: unknown } | undefined {
  if (text.startsWith("'")) {
    const inner = text.slice(1, -1);
    return {
      type: 'text',
      value: has('quote-not-unescaped') ? inner : inner.replaceAll("''", "'"),
    };
  }
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return { type: 'time', value: checkedTime(text) };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    checkedTime(text);
    return { type: 'date', value: text };
  }
  return /^-?\d/.test(text) ? { type: 'number', value: Number(text) } : undefined;
}

function checkedTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new SyntaxError(`${text} is no time.`);
  return time;
}

function apply(name: string, [value, other]: readonly unknown[], has: Has): unknown {
  if (value === null || value === undefined) return null;
  const [text, part] = [String(value), String(other)];
  const isLoose = name === 'contains' && has('contains-any-case');
  switch (name) {
    case 'contains':
      return isLoose ? text.toLowerCase().includes(part.toLowerCase()) : text.includes(part);
    case 'startswith':
      return has('startswith-anywhere') ? text.includes(part) : text.startsWith(part);
    case 'endswith':
      return text.endsWith(part);
    case 'length':
      return [...text].length;
    default:
      return name === 'tolower' ? text.toLowerCase() : text.toUpperCase();
  }
}

/** Whether a comparison holds; nothing but eq and ne holds for null. */
function holds(
  [left, operator, right]: readonly [unknown, string, unknown],
  type: Type,
  has: Has,
): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (a === null || b === null) {
    const isSame = a === b && !has('null-matches-nothing');
    if (operator === 'ne') return a !== b && !has('ne-skips-null');
    return operator === 'eq' && isSame;
  }
  const isText = has('numbers-compared-as-text') && /^[gl]/.test(operator);
  const [x, y] = type === 'time' ? [timeOf(a), timeOf(b)] : [a, b];
  const sign = isText ? compare(String(x), String(y)) : compare(x, y);
  if (operator === 'ge') return has('ge-excludes-bound') ? sign > 0 : sign >= 0;
  const byOperator: Readonly<Record<string, boolean>> = {
    eq: sign === 0,
    ne: sign !== 0,
    gt: sign > 0,
    lt: sign < 0,
    le: sign <= 0,
  };
  return byOperator[operator] ?? false;
}

const timeOf = (value: unknown): unknown => (typeof value === 'string' ? Date.parse(value) : value);
