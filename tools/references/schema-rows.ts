import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { isJsonArray, isJsonObject } from '../../src/json/value.ts';
import { valueAt } from '../../src/json/pointer.ts';

/** One member of a file, as a table row. */
export interface SchemaRow {
  /** `mock.keys[].scopes`; `*` is any name. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

interface Place {
  readonly root: JsonObject;
  readonly path: string;
  /** The definitions that enclose this place: a schema may be recursive. */
  readonly within: readonly string[];
}

/**
 * Every member of a JSON Schema, outer ones first. A recursive definition is expanded once.
 */
export function schemaRows(root: JsonObject): SchemaRow[] {
  return membersOf(root, { root, path: '', within: [] });
}

function membersOf(written: JsonValue | undefined, place: Place): SchemaRow[] {
  const { schema, within } = resolve(written, place);
  if (schema === undefined) return [];
  const inside = { ...place, within };
  const named = isJsonObject(schema['properties'])
    ? Object.entries(schema['properties']).flatMap(([name, member]) => rowsOf(name, member, inside))
    : [];
  const free = isJsonObject(schema['additionalProperties'])
    ? rowsOf('*', schema['additionalProperties'], inside)
    : [];
  const items = membersOf(schema['items'], { ...inside, path: `${place.path}[]` });
  const variants = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) =>
    isJsonArray(schema[keyword])
      ? schema[keyword].flatMap((variant) => membersOf(variant, inside))
      : [],
  );
  return withoutRepeats([...named, ...free, ...items, ...variants]);
}

function rowsOf(name: string, written: JsonValue, place: Place): SchemaRow[] {
  const path = place.path === '' ? name : `${place.path}.${name}`;
  const { schema } = resolve(written, place);
  if (schema === undefined) return [];
  const description =
    textOf(isJsonObject(written) ? written['description'] : undefined) ||
    textOf(schema['description']);
  const row = { path, type: typeOf(schema, place), description };
  const below = membersOf(written, { ...place, path });
  // A member of any name gets a row only if it has a description.
  return name === '*' && description === '' ? below : [row, ...below];
}

function resolve(
  written: JsonValue | undefined,
  { root, within }: Place,
): { readonly schema?: JsonObject; readonly within: readonly string[] } {
  if (!isJsonObject(written)) return { within };
  const reference = written['$ref'];
  if (typeof reference !== 'string') return { schema: written, within };
  if (within.includes(reference)) return { within };
  const target = valueAt(root, reference.slice(1));
  return isJsonObject(target) ? { schema: target, within: [...within, reference] } : { within };
}

function typeOf(schema: JsonObject, place: Place): string {
  const values = isJsonArray(schema['enum'])
    ? schema['enum']
    : 'const' in schema
      ? [schema['const']]
      : [];
  if (values.length > 0) return values.map((value) => `\`${String(value)}\``).join(', ');
  const types = isJsonArray(schema['type'])
    ? schema['type']
    : schema['type'] === undefined
      ? []
      : [schema['type']];
  if (types.length > 0)
    return types.map((type) => (type === 'array' ? 'list' : String(type))).join(' or ');
  const variants = [schema['oneOf'], schema['anyOf']].flatMap((list) =>
    isJsonArray(list) ? list : [],
  );
  return [
    ...new Set(
      variants.flatMap((variant) => {
        const { schema: inner } = resolve(variant, place);
        return inner === undefined ? [] : [typeOf(inner, place)];
      }),
    ),
  ]
    .filter((type) => type !== '')
    .join(' or ');
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function withoutRepeats(rows: readonly SchemaRow[]): SchemaRow[] {
  return rows.filter(({ path }, index) => rows.findIndex((other) => other.path === path) === index);
}

/** The rows as a Markdown table. */
export function rowsTable(rows: readonly SchemaRow[]): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
  return [
    '| member | value | meaning |',
    '|---|---|---|',
    ...rows.map(
      ({ path, type, description }) => `| \`${path}\` | ${cell(type)} | ${cell(description)} |`,
    ),
  ];
}
