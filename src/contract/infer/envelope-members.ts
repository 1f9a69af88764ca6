import type { Operation, Schema } from '../model.ts';
import { successSchema } from './conventions/envelope-styles.ts';

/**
 * The texts and numbers that each success has beside an object or a list: `{ "code": 0, "message":
 * "ok", "data": … }`. None if fewer than two operations answer.
 */
export function envelopeOf(operations: readonly Operation[]): readonly string[] {
  let shared: readonly string[] | undefined;
  let count = 0;
  for (const operation of operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    const names = statedBesides(schema);
    shared = shared === undefined ? names : shared.filter((name) => names.includes(name));
    // Of a long document, the first answers are enough.
    if (shared.length === 0) return [];
    count += 1;
  }
  return count > 1 ? (shared ?? []) : [];
}

/** The names of texts and numbers of a body that also holds an object or a list. */
function statedBesides(schema: Schema): string[] {
  const typed = [...schema.flatten().properties].map(
    ([name, place]) => [name, schema.flatten(place.node, place.pointer).types] as const,
  );
  const isContent = (type: string): boolean => type === 'object' || type === 'array';
  return typed.some(([, types]) => types.length <= 2 && types.some(isContent))
    ? typed.flatMap(([name, types]) => (types.some(isContent) || types.length > 2 ? [] : [name]))
    : [];
}
