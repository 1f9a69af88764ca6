import type { JsonValue } from '../../json/value.ts';
import type { SchemaObject } from '../model/schema.ts';

/**
 * The values that a schema shows of itself: `examples` (JSON Schema 2020-12, validation, section
 * 9.5) and `example` (OpenAPI 3.1, section 4.8.24), in this order. They need not be valid.
 */
export function shownBy({ examples, ...node }: SchemaObject): JsonValue[] {
  // A document may have anything there.
  const several = Array.isArray(examples) ? (examples as JsonValue[]) : [];
  const example = node['example'] as JsonValue | undefined;
  return example === undefined ? several : [...several, example];
}
