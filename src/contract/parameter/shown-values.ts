import type { JsonValue } from '../../json/value.ts';
import type { Parameter } from '../model.ts';

/**
 * The values that a document shows for a parameter, in its examples and in those of its schema, the
 * default last. They need not be valid.
 */
export function shownValues({
  examples,
  schema,
}: Pick<Parameter, 'examples' | 'schema'>): JsonValue[] {
  const { node } = schema.flatten();
  // Examples of a schema are whatever the document holds there.
  const declared = [
    ...(Array.isArray(node.examples) ? node.examples : []),
    node['example'],
    node.default,
  ] as (JsonValue | undefined)[];
  return [
    ...examples.map(({ value }) => value),
    ...declared.filter((value) => value !== undefined),
  ];
}
