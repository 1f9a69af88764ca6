import type { LocatedNode, Operation, Schema } from '../../../contract/model.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { scalarTexts, type JsonValue } from '../../../json/value.ts';

/** Schemas of a record are rarely deeper; a recursive one ends here. */
const deepest = 6;

/**
 * The texts and numbers that a contract shows for the requests of an operation: examples, defaults
 * and listed values, as text. A record that one of them names may be anybody's.
 */
export class DocumentValues {
  readonly #known = new Map<Operation, ReadonlySet<string>>();

  /** Whether the contract shows a value for an operation. */
  has(operation: Operation, value: JsonValue): boolean {
    let known = this.#known.get(operation);
    if (known === undefined) this.#known.set(operation, (known = shownFor(operation)));
    return known.has(String(value));
  }
}

function shownFor({ parameters, requestBody }: Operation): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { examples, schema } of [...parameters, ...(requestBody?.content ?? [])]) {
    for (const { value } of examples) for (const text of scalarTexts(value)) found.add(text);
    if (schema !== undefined) addFrom(schema, schema, { found, depth: 0 });
  }
  return found;
}

function addFrom(
  schema: Schema,
  place: LocatedNode,
  { found, depth }: { readonly found: Set<string>; readonly depth: number },
): void {
  if (depth > deepest) return;
  const { node, items, properties } = schema.flatten(place);
  const shown = [...shownBy(node), node.default, node.const, ...(node.enum ?? [])];
  for (const text of scalarTexts(shown.filter((value) => value !== undefined))) found.add(text);
  for (const part of [...properties.values(), ...(items ? [items] : [])])
    addFrom(schema, part, { found, depth: depth + 1 });
}
