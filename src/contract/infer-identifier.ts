import type { Identifier, LocatedNode, Schema } from './model.ts';

/** The identifier of a record, and the sentence that says how it was found. */
export interface IdentifierReading {
  readonly identifier: Identifier;
  readonly why: readonly string[];
}

/**
 * Finds the record field that identifies it: the one that the item's path parameter names, else what the parameter's name
 * ends in (`petId` → `id`), else `id`, `uuid`, `key`, `slug` or `code`.
 */
export function inferIdentifier(record: Schema, itemPath: string | undefined): IdentifierReading | undefined {
  const parameter = itemPath === undefined ? undefined : /\{([^{}/]+)\}$/.exec(itemPath)?.[1];
  const { properties } = record.flatten();
  const field = candidates(parameter).find((name) => properties.has(name) && scalarType(record, properties.get(name)) !== undefined);
  if (field === undefined) return undefined;
  const property = properties.get(field);
  const format = property && record.flatten(property.node, property.pointer).node.format;
  const from = parameter === undefined ? 'it is the record field that bears an identifier’s name' : `the path parameter ${parameter} stands for it`;
  return {
    identifier: {
      field,
      ...(parameter === undefined ? {} : { parameter }),
      type: scalarType(record, property) ?? 'string',
      ...(format === undefined ? {} : { format }),
    },
    why: [`Records are told apart by ${field}: ${from}.`],
  };
}

function candidates(parameter: string | undefined): string[] {
  const ending = parameter === undefined ? undefined : /(?:^|[a-z0-9_-])(id|uuid|key|slug|code|name|number)$/i.exec(parameter)?.[1];
  const named = [parameter, ending?.toLowerCase()].filter((name) => name !== undefined);
  return [...new Set([...named, 'id', 'uuid', 'key', 'slug', 'code'])];
}

function scalarType(record: Schema, property: LocatedNode | undefined): 'integer' | 'string' | undefined {
  if (property === undefined) return undefined;
  const { types } = record.flatten(property.node, property.pointer);
  if (types.length > 2) return undefined;
  if (types.includes('integer') || types.includes('number')) return 'integer';
  return types.includes('string') ? 'string' : undefined;
}
