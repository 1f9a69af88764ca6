import type { IncomingHttpHeaders } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

/** JSON Pointer to what a fault in `body` is about; for what is missing, to its object. */
export function pointerOf(fault: string): string {
  const [, path = ''] = /^body(\S*)/.exec(fault) ?? [];
  const pointer = path.replaceAll(/[.[]/g, '/').replaceAll(']', '');
  return fault.endsWith(' is required.') ? pointer.replace(/\/[^/]*$/, '') : pointer;
}

/** Whether a value of the query is valid. */
export type QueryRule = (value: string) => boolean;

export const isWholeIn = (min: number, max: number): QueryRule => {
  return (value) => /^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
};

/** Names with commas between them. */
export const areNames = (names: readonly string[], min = 0): QueryRule => {
  return (value) => {
    const given = namesIn(value);
    return given.length >= min && given.every((name) => names.includes(name));
  };
};

export const namesIn = (value = ''): string[] => (value === '' ? [] : value.split(','));

/** The parameters, each once and valid; calls `refuse` with the name of one that is not. */
export function readQuery(
  query: URLSearchParams,
  rules: Readonly<Record<string, QueryRule>>,
  refuse: (name: string, isKnown: boolean) => void,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of query) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const isFine = rule?.(value) === true && !Object.hasOwn(found, name);
    if (!isFine) refuse(name, rule !== undefined);
    if (rule !== undefined) found[name] = value;
  }
  return found;
}

interface Order<T> {
  readonly valueOf: (record: T) => unknown;
  /** 1, or -1 for descending. */
  readonly sign: number;
}

/** Sorted by several values; those that are null come first. */
export function sortBy<T>(records: readonly T[], orders: readonly Order<T>[]): T[] {
  return records.toSorted((a, b) => {
    for (const { valueOf, sign } of orders) {
      const found = compare(valueOf(a), valueOf(b));
      if (found !== 0) return sign * found;
    }
    return 0;
  });
}

/** -1, 0 or 1: numbers by their value, all others as texts. */
export function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b);
  const [first, second] = [String(a), String(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Whether the request has the key as a bearer token. */
export const hasKey = (headers: IncomingHttpHeaders, key: string): boolean =>
  headers.authorization === `Bearer ${key}`;

/** The base address that the request was sent to. */
export const originOf = (headers: IncomingHttpHeaders): string =>
  `http://${headers.host ?? 'localhost'}`;
