/** JSON whose whole numbers beyond 2^53 are bigints, in and out: the servers promise int64. */
interface ExactJson {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

// Both are in Node 22, and not yet in the types of the language.
const json = JSON as unknown as ExactJson;

/** Throws a SyntaxError where the text is no JSON. */
export function parseExactly(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source ?? 0)
      : value,
  );
}

export function writeExactly(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? json.rawJSON(String(part)) : part,
  );
}
