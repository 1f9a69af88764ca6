import { type JsonValue, stringifyJson } from '../../json/value.ts';
import type { Case } from './case.ts';
import type { Exchange } from './exchange.ts';

/** A request as the object of a sentence: `a plain request`, `a request in which limit is 101`. */
export function requestPhrase({ title }: Case): string {
  // `a record is created` says what happens; `a plain read` names the request itself.
  const isNoun = /^an? /.test(title) && !/^an? [\w-]+ (?:is|was|gets)\b/.test(title);
  return isNoun ? title : `a request in which ${title}`;
}

/** A request with its operation: `GET /pets (a request in which limit is 101)`. */
export function nameRequest(testCase: Case): string {
  const { operation, request } = testCase;
  const method = request.method ?? operation.method;
  return `${method} ${operation.path} (${requestPhrase(testCase)})`;
}

/** The status of a response as it was sent: `200 and an error in the body` of a call that failed. */
export function statusWords({ response }: Pick<Exchange, 'response'>): string {
  const { status, sentStatus } = response ?? {};
  return sentStatus === undefined
    ? String(status)
    : `${String(sentStatus)} and an error in the body`;
}

const longest = 80;

/** A value in a sentence: JSON, cut to 80 characters. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = stringifyJson(value);
  return text.length > longest
    ? `${text.slice(0, longest)}… (${String(text.length)} characters)`
    : text;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The number of a page, counted from 1: `first`, `second`, `6th`. */
export function ordinal(number: number): string {
  return ordinals[number - 1] ?? `${String(number)}th`;
}

/** `1 record`, `2 records`. */
export function countWords(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many different values are named; the others are counted together. */
const maxCounted = 4;

/**
 * How often each of some values occurs among `total`, the most frequent first: `"sold" in 2 of 20
 * records, "pending" in 1`.
 */
export function countEach(values: readonly JsonValue[], total: string): string {
  const groups = [...Map.groupBy(values, showValue)]
    .map(([shown, alike]) => ({ shown, count: alike.length }))
    .toSorted((left, right) => right.count - left.count);
  const others = groups.slice(maxCounted);
  const [first, ...rest] = [
    ...groups.slice(0, maxCounted),
    ...(others.length === 0
      ? []
      : [{ shown: 'others', count: others.reduce((sum, { count }) => sum + count, 0) }]),
  ].map(({ shown, count }) => `${shown} in ${String(count)}`);
  return [`${first ?? 'nothing'} of ${total}`, ...rest].join(', ');
}
