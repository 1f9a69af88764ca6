/** Lengths and numbers of things. */
const counts: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

const keywordTypes: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(
    (name) => [name, isNumeric] as const,
  ),
  ...[...counts].map((name) => [name, isNumeric] as const),
  // No author means that nothing is allowed, and Ajv takes no such schema.
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ...['required', 'allOf', 'anyOf', 'oneOf'].map((name) => [name, Array.isArray] as const),
  ...['pattern', 'format', '$ref'].map(
    (name) => [name, (value: unknown) => typeof value === 'string'] as const,
  ),
  ['uniqueItems', (value) => typeof value === 'boolean'],
]);

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * A schema without the keywords that have a value which they cannot have, such as `required: true`:
 * they say nothing (the lint names them), and the rest still counts. A count beyond 2^53, such as
 * the greatest of 64 bits for no bound, is the double next to it: nothing is as long, and Ajv takes
 * no other. A schema that has none of those is answered itself.
 */
export function withoutUnusable<Node extends object>(node: Node): Node {
  const isUsable = ([keyword, value]: [string, unknown]): boolean =>
    keywordTypes.get(keyword)?.(value) ?? true;
  const isHuge = ([keyword, value]: [string, unknown]): boolean =>
    typeof value === 'bigint' && counts.has(keyword);
  const entries = Object.entries(node);
  if (entries.every((entry) => isUsable(entry) && !isHuge(entry))) return node;
  const usable = entries
    .filter(isUsable)
    .map((entry) => (isHuge(entry) ? [entry[0], Number(entry[1])] : entry));
  // What is left out was optional, and a number stays one: the schema is of the same type.
  return Object.fromEntries(usable) as Node;
}
