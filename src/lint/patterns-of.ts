import type { JsonValue } from '../json/value.ts';
import { isJsonObject } from '../json/value.ts';
import type { DocumentNode } from './walk-document.ts';

/** A regular expression of a schema, and the tokens that lead to it from there. */
export interface WrittenPattern {
  readonly pattern: string;
  readonly tokens: readonly string[];
}

/**
 * The regular expressions that a schema writes itself: its `pattern`, and the names of its
 * `patternProperties`.
 */
export function patternsOf({ value }: DocumentNode): WrittenPattern[] {
  const pattern: JsonValue | undefined = value['pattern'];
  const named = value['patternProperties'];
  return [
    ...(typeof pattern === 'string' ? [{ pattern, tokens: ['pattern'] }] : []),
    ...(isJsonObject(named)
      ? Object.keys(named).map((name) => ({ pattern: name, tokens: ['patternProperties', name] }))
      : []),
  ];
}
