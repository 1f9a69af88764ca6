import { isDeepStrictEqual } from 'node:util';
import type { Claim, Fill } from './step.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const nothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

export const isThere: Claim = { says: 'a value', holds: (value) => !nothing(value) };

/** Absent, or null, or an empty text or list. */
export const isEmpty: Claim = { says: 'nothing', holds: nothing };

/** A list or text that contains each of them. */
export const has = (...entries: readonly unknown[]): Claim => ({
  says: `something with ${JSON.stringify(entries)}`,
  holds: (value, fill) => entries.every((entry) => contains(value, fill(entry))),
});

/** A list or text that contains none of them; nothing is right as well. */
export const lacks = (...entries: readonly unknown[]): Claim => ({
  says: `nothing with ${JSON.stringify(entries)}`,
  holds: (value, fill) => entries.every((entry) => !contains(value, fill(entry))),
});

function contains(value: unknown, entry: unknown): boolean {
  if (typeof value === 'string') return value.includes(String(entry));
  return listOf(value).some((each) => isDeepStrictEqual(each, entry));
}

/** A list without any other entries. */
export const only = (...entries: readonly unknown[]): Claim => ({
  says: `a list of none but ${JSON.stringify(entries)}`,
  holds: (value, fill) =>
    listOf(value).length > 0 && listOf(value).every((each) => contains(fill(entries), each)),
});

/** Another value, which is there. */
export const not = (other: unknown): Claim => ({
  says: `another value than ${JSON.stringify(other)}`,
  holds: (value, fill) => value !== undefined && !isDeepStrictEqual(value, fill(other)),
});

/** A kept number and so many more; absent is 0. */
export const more = (kept: string, count: number): Claim => ({
  says: `${count} more than ${kept}`,
  holds: (value, fill) => Number(value ?? 0) === Number(fill(kept) ?? 0) + count,
});

export const matches = (pattern: RegExp): Claim => ({
  says: String(pattern),
  holds: (value) => typeof value === 'string' && pattern.test(value),
});

/** A list of as many. */
export const counts = (count: number): Claim => ({
  says: `${count} entries`,
  holds: (value) => Array.isArray(value) && value.length === count,
});

/** The entries in this order, whatever is between them. */
export const inOrder = (...entries: readonly unknown[]): Claim => ({
  says: `in the order ${JSON.stringify(entries)}`,
  holds: (value, fill) => {
    const wanted = entries.map(fill);
    return isDeepStrictEqual(
      listOf(value).filter((each) => contains(wanted, each)),
      wanted,
    );
  },
});

function isClaim(value: unknown): value is Claim {
  return typeof value === 'object' && value !== null && 'holds' in value && 'says' in value;
}

/** The expected value or claim against the value; a text about it if it does not hold. */
export function faultOf(value: unknown, expected: unknown, fill: Fill): string | undefined {
  if (isClaim(expected))
    return expected.holds(value, fill) ? undefined : `${shown(value)} is not ${expected.says}`;
  const filled = fill(expected);
  return isDeepStrictEqual(value, filled) ? undefined : `${shown(value)} is not ${shown(filled)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each,
  );
  return (text ?? 'undefined').slice(0, 300);
}
