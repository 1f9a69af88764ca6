import type { Operation, Schema } from '../model.ts';
import { isContentName, successSchema } from './conventions/envelope-styles.ts';

/**
 * The texts and numbers that each success has beside an object or a list: `{ "code": 0, "message":
 * "ok", "data": … }`. A few may have a text or a number as their content, or none. None if fewer
 * than two operations answer with an object or a list.
 */
export function envelopeOf(operations: readonly Operation[]): readonly string[] {
  let shared: readonly string[] | undefined;
  let count = 0;
  for (const operation of operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    const { names, hasContent } = membersOf(schema);
    shared = shared === undefined ? names : shared.filter((name) => names.includes(name));
    // Of a long document, the first answers are enough.
    if (shared.length === 0) return [];
    if (hasContent) count += 1;
  }
  return count > 1 ? (shared ?? []) : [];
}

/** The texts and numbers of a body, and whether it also holds an object or a list. */
function membersOf(schema: Schema): {
  readonly names: readonly string[];
  readonly hasContent: boolean;
} {
  const typed = [...schema.flatten().properties].map(
    ([name, place]) => [name, schema.flatten(place).types] as const,
  );
  const isContent = (types: readonly string[]): boolean =>
    types.length <= 2 && types.some((type) => type === 'object' || type === 'array');
  const hasContent = typed.some(([, types]) => isContent(types));
  const names = typed.flatMap(([name, types]) =>
    isContent(types) || types.length > 2 || (!hasContent && isContentName(name)) ? [] : [name],
  );
  return { names, hasContent };
}
