import type { FlatSchema, Schema, SchemaObject } from '../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { FormField } from './console-api.ts';

/** Objects below this depth are edited as JSON: schemas may be recursive, and forms must end. */
const maxDepth = 4;

/** The fields of a form for the values of a schema; undefined if only JSON can describe them. */
export function formFields(schema: Schema): readonly FormField[] | undefined {
  const { kind, fields } = fieldOf('', schema, {
    flat: schema.flatten(),
    required: true,
    depth: 0,
  });
  return kind === 'object' ? fields : undefined;
}

interface FieldPlace {
  readonly flat: FlatSchema;
  readonly required: boolean;
  readonly depth: number;
}

function fieldOf(name: string, schema: Schema, { flat, required, depth }: FieldPlace): FormField {
  const { node } = flat;
  const choices = choicesOf(node);
  const kind = kindOf(flat, choices, depth);
  return {
    name,
    kind,
    required,
    nullable: flat.types.includes('null') && flat.types.length < 7,
    readOnly: node.readOnly === true,
    description: typeof node.description === 'string' ? node.description : null,
    rule: ruleOf(node),
    choices: kind === 'choice' ? choices : [],
    fields: kind === 'object' ? membersOf(schema, flat, depth) : [],
    item: kind === 'list' ? itemOf(schema, flat, depth) : null,
  };
}

function choicesOf({ enum: choices, const: only }: SchemaObject): readonly JsonValue[] {
  if (only !== undefined) return [only];
  return (choices ?? []).filter((choice) => choice !== null);
}

function kindOf(flat: FlatSchema, choices: readonly JsonValue[], depth: number): FormField['kind'] {
  const { node } = flat;
  if (choices.length > 0)
    return choices.every((choice) => typeof choice === 'string') ? 'choice' : 'json';
  const type = onlyType(flat);
  const isOpen = node.oneOf !== undefined || node.anyOf !== undefined;
  if (type === undefined || isOpen) return 'json';
  const kind = kinds[type] ?? 'json';
  if (kind !== 'object' && kind !== 'list') return kind;
  const isKnown = kind === 'object' ? flat.properties.size > 0 : isJsonObject(node.items);
  return isKnown && depth < maxDepth ? kind : 'json';
}

const kinds: Readonly<Record<string, FormField['kind']>> = {
  object: 'object',
  array: 'list',
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** The only type of a value besides null; integers are numbers too. */
function onlyType({ types }: FlatSchema): string | undefined {
  const known = types.filter((type) => type !== 'null');
  const rest = known.includes('number') ? known.filter((type) => type !== 'integer') : known;
  return rest.length === 1 ? rest[0] : undefined;
}

function membersOf(schema: Schema, flat: FlatSchema, depth: number): readonly FormField[] {
  return [...flat.properties].map(([name, place]) =>
    fieldOf(name, schema, {
      flat: schema.flatten(place),
      required: flat.required.has(name),
      depth: depth + 1,
    }),
  );
}

function itemOf(schema: Schema, { items }: FlatSchema, depth: number): FormField {
  return fieldOf('', schema, {
    flat: schema.flatten(items),
    required: true,
    depth: depth + 1,
  });
}

/** The format and the bounds in words: `date-time`, `1 to 80 characters`, `from 0 to 10`. */
export function ruleOf(node: SchemaObject): string | null {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = node;
  const rules = [
    typeof format === 'string' ? format : undefined,
    range(minLength, maxLength, 'character'),
    range(minimum ?? node.exclusiveMinimum, maximum ?? node.exclusiveMaximum),
    range(minItems, maxItems, 'item'),
    pattern === undefined ? undefined : `matches ${pattern}`,
  ].filter((rule) => rule !== undefined);
  return rules.length === 0 ? null : rules.join(', ');
}

type Bound = number | bigint | undefined;

function range(least: Bound, max: Bound, noun = ''): string | undefined {
  const last = max ?? least;
  if (last === undefined) return undefined;
  const unit = noun === '' ? '' : ` ${noun}${Number(last) === 1 ? '' : 's'}`;
  if (max === undefined) return `at least ${String(last)}${unit}`;
  if (least === last) return `${String(last)}${unit}`;
  return least === undefined
    ? `at most ${String(last)}${unit}`
    : `${String(least)} to ${String(last)}${unit}`;
}
