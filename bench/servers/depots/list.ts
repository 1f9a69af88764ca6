import { isDate, isDateTime } from '../serving/fields.ts';
import type { DefectName } from './defects.ts';
import { fail, type Fields, type Service } from './store.ts';

/** What can be compared: a kind of value, or the values of an enum. */
export type Comparable = 'text' | 'number' | 'date' | 'time' | 'list' | readonly string[];

type Test = (shown: Fields) => boolean;
type Has = (defect: DefectName) => boolean;

const operators = ['=', '!=', '<', '<=', '>', '>=', ':'];
const token = /\s*([()]|[<>!]=|[=<>:]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s()<>=!:"']+)/y;

export function valueAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Fields)?.[name], fields);
}

/** Reads one filter of AIP-160 from left to right. Throws a SyntaxError where it is none. */
class FilterReader {
  readonly #tokens: string[] = [];
  readonly #types: Readonly<Record<string, Comparable>>;
  readonly #has: Has;

  constructor(text: string, types: Readonly<Record<string, Comparable>>, has: Has) {
    this.#types = types;
    this.#has = has;
    token.lastIndex = 0;
    const end = text.trimEnd().length;
    while (token.lastIndex < end) {
      const found = token.exec(text)?.[1];
      if (found === undefined) throw new SyntaxError('The filter is not closed.');
      this.#tokens.push(found);
    }
  }

  read(): Test {
    const test = this.#joined();
    if (this.#tokens.length > 0) throw new SyntaxError(`${String(this.#tokens[0])} is too much.`);
    return test;
  }

  #take(...wanted: string[]): string | undefined {
    const [next] = this.#tokens;
    const isWanted = next !== undefined && (wanted.length === 0 || wanted.includes(next));
    return isWanted ? this.#tokens.shift() : undefined;
  }

  /** Alternatives joined by AND; or, with the defect, the other way round. */
  #joined(isOuter = true): Test {
    const word = isOuter === this.#has('and-before-or') ? 'OR' : 'AND';
    const next = (): Test => (isOuter ? this.#joined(false) : this.#factor());
    const tests = [next()];
    while (this.#take(word) !== undefined) tests.push(next());
    return word === 'OR'
      ? (shown) => tests.some((test) => test(shown))
      : (shown) => tests.every((test) => test(shown));
  }

  #factor(): Test {
    if (this.#take('NOT') !== undefined) return this.#not(this.#factor(), 'not-ignored');
    const [next = ''] = this.#tokens;
    if (next.startsWith('-')) {
      this.#tokens.splice(0, 1, ...(next === '-' ? [] : [next.slice(1)]));
      return this.#not(this.#factor(), 'minus-ignored');
    }
    if (this.#take('(') === undefined) return this.#comparison();
    const test = this.#joined();
    if (this.#take(')') === undefined) throw new SyntaxError('A parenthesis is not closed.');
    return test;
  }

  #not(test: Test, unless: DefectName): Test {
    return this.#has(unless) ? test : (shown) => !test(shown);
  }

  #comparison(): Test {
    const has = this.#has;
    const field = this.#take() ?? '';
    const type = Object.hasOwn(this.#types, field) ? this.#types[field] : undefined;
    if (type === undefined && !(has('unknown-filter-field') && /^\w+$/.test(field)))
      throw new SyntaxError(`${field} is no field that can be filtered.`);
    const operator = this.#take(...operators);
    const raw = this.#take() ?? ')';
    if (operator === undefined || ['(', ')', ...operators].includes(raw))
      throw new SyntaxError(`${field} must be compared with a value.`);
    if (type === undefined) return () => true;
    const isQuoted = /^["']/.test(raw);
    const literal = isQuoted ? raw.slice(1, -1).replaceAll(/\\(.)/g, '$1') : raw;
    if (!fits(type, literal, operator) && !(has('unknown-filter-value') && Array.isArray(type)))
      throw new SyntaxError(`${field} cannot be compared in this way with ${raw}.`);
    if (field === 'address.city' && has('city-filter-empty')) return () => false;
    if (type === 'list')
      return (shown) => hasEntry((valueAt(shown, field) ?? []) as string[], literal, has);
    return (shown) => holds(compare(valueAt(shown, field), literal, { type, has }), operator, has);
  }
}

function fits(type: Comparable, literal: string, operator: string): boolean {
  if (type === 'list') return operator === ':';
  if (operator === ':') return false;
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(literal);
  if (type === 'date') return isDate(literal) || literal === '';
  if (type === 'time') return isDateTime(literal);
  return type === 'text' || (['=', '!='].includes(operator) && type.includes(literal));
}

function hasEntry(entries: readonly string[], literal: string, has: Has): boolean {
  if (has('has-first-only')) return entries[0] === literal;
  return has('has-part') ? entries.join().includes(literal) : entries.includes(literal);
}

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const momentOf = (value: unknown): number => Date.parse(String(value)) || 0;

function compare(
  value: unknown,
  literal: unknown,
  { type, has }: { type: Comparable; has: Has },
): number {
  if (type === 'number') return order(Number(value ?? 0), Number(literal));
  if (type === 'time') return order(momentOf(value), momentOf(literal));
  const [a, b] = [String(value ?? ''), String(literal)];
  return has('filter-any-case') ? order(a.toLowerCase(), b.toLowerCase()) : order(a, b);
}

function holds(sign: number, operator: string, has: Has): boolean {
  if (operator === '<' && has('less-includes-bound')) return sign <= 0;
  const byOperator: Record<string, boolean> = {
    '=': sign === 0,
    '!=': sign !== 0,
    '<': sign < 0,
    '<=': sign <= 0,
    '>': sign > 0,
    '>=': sign >= 0,
  };
  return byOperator[operator] ?? false;
}

type Types = Readonly<Record<string, Comparable>>;

function readFilter(service: Service, text: string, types: Types): Test {
  const { has } = service;
  if (text.trim() === '' || has('filter-ignored')) return () => true;
  try {
    const asText = (type: Comparable): Comparable => (type === 'number' ? 'text' : type);
    const isText = has('greater-as-text') && text.includes('>');
    const entries = Object.entries(types).map(([name, type]) => [name, asText(type)]);
    const chosen = isText ? (Object.fromEntries(entries) as Types) : types;
    return new FilterReader(text, chosen, has).read();
  } catch (error) {
    if (has('filter-syntax-500') || !(error instanceof SyntaxError)) throw error;
    return fail(service, 'INVALID_ARGUMENT', error.message, 'filter');
  }
}

/** The records in the order of AIP-132. */
function sort(service: Service, all: readonly Fields[], text: string, types: Types): Fields[] {
  const { has } = service;
  if (text.trim() === '') return [...all];
  const parts = text.split(',').map((part) => {
    const [, field = '', desc] = /^\s*([\w.]+)(\s+desc)?\s*$/.exec(part) ?? [];
    const type = Object.hasOwn(types, field) ? types[field] : undefined;
    if ((type === undefined || type === 'list') && !has('unknown-order-accepted'))
      return fail(service, 'INVALID_ARGUMENT', `${part} is no order.`, 'order_by');
    const isText = has('numbers-sorted-as-text') && type === 'number';
    const sign = desc === undefined || has('desc-ignored') ? 1 : -1;
    return { field, sign, type: isText ? 'text' : (type ?? 'text') };
  });
  const kept = has('second-field-ignored') ? parts.slice(0, 1) : parts;
  if (has('order-ignored')) return [...all];
  const none: Has = () => false;
  return all.toSorted((a, b) => {
    for (const { field, sign, type } of kept) {
      const found = compare(valueAt(a, field), valueAt(b, field) ?? '', { type, has: none });
      if (found !== 0) return sign * found;
    }
    return 0;
  });
}

interface Asked {
  readonly query: Readonly<Record<string, string>>;
  /** The collection. */
  readonly path: string;
  /** The member that has the records. */
  readonly member: string;
  readonly types: Types;
}

/** A page of the records, filtered and sorted. */
export function pageOf(
  service: Service,
  records: readonly { readonly shown: Fields; readonly isDeleted: boolean }[],
  { query, path, member, types }: Asked,
): Fields {
  const { has, varies } = service;
  const { filter = '', order_by = '', show_deleted, page_token = '' } = query;
  const withDeleted = show_deleted === 'true' && !has('show-deleted-ignored');
  const asked = [
    path,
    has('token-of-other-filter') ? '' : filter,
    order_by,
    show_deleted === 'true',
  ].join('|');
  const from = readToken(service, page_token, asked);
  const isListed = (isDeleted: boolean): boolean =>
    !isDeleted ||
    withDeleted ||
    has('deleted-listed') ||
    (from > 0 && has('deleted-on-later-pages'));
  const all = records.filter(({ isDeleted }) => isListed(isDeleted)).map(({ shown }) => shown);
  const test = readFilter(service, filter, types);
  const isUnfiltered = from > 0 && has('token-forgets-filter');
  const found = sort(service, isUnfiltered ? all : all.filter(test), order_by, types);
  const wanted = Math.min(Number(query['page_size'] ?? 0), 100);
  const isZero = query['page_size'] !== undefined && has('page-size-zero-empty');
  const size = wanted === 0 && !isZero ? 25 : wanted;
  const at = has('token-ignored') ? 0 : from;
  const start =
    from > 0 && has('pages-overlap') ? at - 1 : from > 0 && has('pages-skip') ? at + 1 : at;
  const end = at + size;
  const isLast = end >= found.length && !has('token-on-last-page');
  const page = found.slice(start, Math.max(start, end));
  const mark = varies('tokens-are-long') ? `${'next/page='.repeat(12)}==` : '';
  const totals = has('total-ignores-filter') ? all : has('total-of-page') ? page : found;
  return {
    [member]: page,
    next_page_token: isLast
      ? ''
      : mark + Buffer.from(`${String(end)}|${asked}`).toString('base64url'),
    total_size: totals.length,
  };
}

function readToken(service: Service, text: string, asked: string): number {
  if (text === '') return 0;
  const plain = Buffer.from(text.replace(/^.*==/, ''), 'base64url').toString('utf8');
  const [, from, rest] = /^(\d+)\|(.*)$/s.exec(plain) ?? [];
  if (from !== undefined && rest === asked) return Number(from);
  if (service.has('any-token-accepted')) return 0;
  return fail(service, 'INVALID_ARGUMENT', 'The page_token is of no such list.', 'page_token');
}
