const keywordTypes: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((name) => [name, isNumeric] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) => [name, isNumeric] as const),
  ...['enum', 'required', 'allOf', 'anyOf', 'oneOf'].map((name) => [name, Array.isArray] as const),
  ...['pattern', 'format', '$ref'].map((name) => [name, (value: unknown) => typeof value === 'string'] as const),
  ['uniqueItems', (value) => typeof value === 'boolean'],
]);

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * A schema without the keywords that have a value which they cannot have, such as `required: true`: they say nothing (the lint names
 * them), and the rest still counts. A schema that has none of those is answered itself.
 */
export function withoutUnusable<Node extends object>(node: Node): Node {
  const isUsable = ([keyword, value]: [string, unknown]): boolean => keywordTypes.get(keyword)?.(value) ?? true;
  const entries = Object.entries(node);
  // What is left out was optional: the schema is of the same type without it.
  return entries.every(isUsable) ? node : (Object.fromEntries(entries.filter(isUsable)) as Node);
}
