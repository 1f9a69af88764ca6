import { measureBacktracking } from '../contract/pattern/safe-pattern.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { patternsOf } from './patterns-of.ts';
import { walkDocument } from './walk-document.ts';

/** So many attempts of the language's engine take a few milliseconds. */
const mostAttempts = 500_000;

/** A document without the patterns that could take long, and those patterns. */
export interface BoundedDocument {
  readonly document: JsonObject;
  readonly withheld: ReadonlySet<string>;
}

/**
 * Takes the patterns out of a document's schemas that a backtracking engine could run away with on
 * the texts that the document holds. Redocly judges examples with such an engine; vouch's own rules
 * judge them by the patterns that are withheld.
 */
export function withoutSlowPatterns(document: JsonObject): BoundedDocument {
  const longest = longestText(document);
  const isSlow = (pattern: string): boolean =>
    measureBacktracking(pattern).attempts(longest) > mostAttempts;
  const nodes = walkDocument(document).filter(({ kind }) => kind === 'schema');
  const slow = nodes.filter((node) => patternsOf(node).some(({ pattern }) => isSlow(pattern)));
  const withheld = new Set(
    slow.flatMap((node) => patternsOf(node).map(({ pattern }) => pattern)).filter(isSlow),
  );
  if (withheld.size === 0) return { document, withheld };
  const schemas = new Set<unknown>(slow.map(({ value }) => value));
  // An object is copied as an object.
  return { document: copyOf(document, { schemas, withheld }) as JsonObject, withheld };
}

interface Copying {
  readonly schemas: ReadonlySet<unknown>;
  readonly withheld: ReadonlySet<string>;
}

function copyOf(value: JsonValue, copying: Copying): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyOf(item, copying));
  if (!isJsonObject(value)) return value;
  const members = copying.schemas.has(value)
    ? membersWithout(value, copying.withheld)
    : Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, copyOf(member, copying)]));
}

function membersWithout(schema: JsonObject, withheld: ReadonlySet<string>): [string, JsonValue][] {
  return Object.entries(schema).flatMap(([name, value]): [string, JsonValue][] => {
    if (name === 'pattern' && withheld.has(String(value))) return [];
    return [[name, name === 'patternProperties' ? namesWithout(value, withheld) : value]];
  });
}

/** A name that fits every member stands for those withheld, so that no member is called unknown. */
function namesWithout(value: JsonValue, withheld: ReadonlySet<string>): JsonValue {
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !withheld.has(name));
  return kept.length === Object.keys(value).length
    ? value
    : Object.fromEntries([...kept, ['^', true]]);
}

/** The length of the longest text or member name that an example could hold. */
function longestText(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let longest = 0;
  for (const [name, member] of Object.entries(value))
    longest = Math.max(longest, name.length, longestText(member));
  return longest;
}
