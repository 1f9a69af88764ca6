/** What a client may ask of Prism for one answer. */
export interface Preferences {
  readonly code?: number;
  readonly exampleKey?: string;
  readonly dynamic?: boolean;
  readonly seed?: string;
}

/** Preferences that nobody can read, and why. */
export interface Unreadable {
  readonly unreadable: string;
}

const preference =
  /\s*([^\s=;,"]+)\s*(?:=\s*(?:"([^"]*)"|([^;,"]*)))?[^,"]*(?:"[^"]*"[^,"]*)*(?:,|$)/y;

/**
 * Reads `Prefer: code=404, example=none, dynamic=true, seed=1` (RFC 7240), or where that header is
 * not sent the query parameters `__code`, `__example`, `__dynamic` and `__seed`, both as Prism
 * does: the first of two wins, others are ignored.
 */
export function readPreferences(
  prefer: string | undefined,
  query: URLSearchParams,
): Preferences | Unreadable {
  const words = prefer === undefined ? wordsOfQuery(query) : wordsOfHeader(prefer);
  const code = words.get('code');
  const dynamic = words.get('dynamic');
  const exampleKey = words.get('example');
  const seed = words.get('seed');
  if (code !== undefined && !/^\d{3}$/.test(code))
    return { unreadable: `code must be a status such as 404, not "${code}"` };
  if (dynamic !== undefined && !/^(true|false)$/.test(dynamic))
    return { unreadable: `dynamic must be true or false, not "${dynamic}"` };
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(dynamic !== undefined && { dynamic: dynamic === 'true' }),
    ...(exampleKey !== undefined && { exampleKey }),
    ...(seed !== undefined && { seed }),
  };
}

function wordsOfHeader(prefer: string): Map<string, string> {
  const words = new Map<string, string>();
  preference.lastIndex = 0;
  for (let match = preference.exec(prefer); match !== null; match = preference.exec(prefer)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!words.has(name)) words.set(name, match[2] ?? match[3]?.trim() ?? '');
  }
  return words;
}

function wordsOfQuery(query: URLSearchParams): Map<string, string> {
  const names = ['code', 'example', 'dynamic', 'seed'];
  return new Map(
    names.flatMap((name) => {
      const value = query.get(`__${name}`);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}
