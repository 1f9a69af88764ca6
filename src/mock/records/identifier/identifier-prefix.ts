import type { Schema } from '../../../contract/model.ts';

/**
 * What identifiers of a schema begin with, where an example shows it: `cus_` of
 * `cus_9s6XKzkNRiz8i3`.
 */
export function prefixOf(schema: Schema): string | undefined {
  const { node } = schema.flatten();
  if (node.format !== undefined || node.pattern !== undefined || node.enum !== undefined)
    return undefined;
  const shown = [...(node.examples ?? []), node['example'], node.default];
  const [prefix] = shown.flatMap((example) =>
    typeof example === 'string'
      ? (/^[A-Za-z]{2,12}[_-](?=[A-Za-z0-9]*\d)/.exec(example)?.[0] ?? [])
      : [],
  );
  return prefix;
}
