/**
 * What `JSON.parse` tells a reviver beside key and value: the text of a number, string or literal.
 */
interface SourceContext {
  readonly source?: string;
}
type Reviver = (key: string, value: unknown, context: SourceContext) => unknown;

/**
 * The two additions of ECMAScript's "JSON.parse source text access", which TypeScript's library
 * does not declare yet.
 */
interface JsonWithSource {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): object;
}

// The library's own type of JSON lacks these members; every Node that vouch runs on has them.
const json = JSON as unknown as JsonWithSource;

/** `JSON.parse` with the text of each number at hand. 6 to 8 times slower than a plain parse. */
export function parseWithSource(text: string, reviver: Reviver): unknown {
  return json.parse(text, reviver);
}

/** A number that `JSON.stringify` writes as it stands: `text` must be one JSON scalar. */
export function rawJson(text: string): object {
  return json.rawJSON(text);
}
