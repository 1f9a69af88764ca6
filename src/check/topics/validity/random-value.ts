import type { LocatedNode, Schema, SchemaObject } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { fromDecimal, toDecimal } from '../../../json/decimal.ts';
import type { JsonValue } from '../../../json/value.ts';
import { boundaryValues } from '../../../values/boundary-values.ts';
import { exoticValues } from '../../../values/exotic-values.ts';
import type { Random } from '../../../values/random.ts';

const attempts = 6;
/** The deepest level at which optional members and items are drawn. */
const deepest = 4;

/**
 * A random valid value of a schema; undefined if none is found. Plain JSON, so it can be shrunk.
 */
export function randomValue(schema: Schema, random: Random): JsonValue | undefined {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const value = draw(
      schema,
      { node: schema.node, pointer: schema.pointer },
      { random, depth: 0 },
    );
    if (value !== undefined && schema.accepts(value, 'request')) return value;
  }
  const known = boundaryValues(schema, 'request');
  return known.length === 0 ? undefined : random.pick(known).value;
}

interface Drawing {
  readonly random: Random;
  readonly depth: number;
}

function draw(
  schema: Schema,
  { node, pointer }: LocatedNode,
  drawing: Drawing,
): JsonValue | undefined {
  const flat = schema.flatten({ node, pointer });
  const { random } = drawing;
  if (flat.node.enum !== undefined && flat.node.enum.length > 0) return random.pick(flat.node.enum);
  if (isBound(flat.node)) return fromEdges(schema, { node, pointer }, random);
  const type = random.pick(flat.types.length > 0 ? flat.types : ['string']);
  switch (type) {
    case 'boolean':
      return random.next() < 0.5;
    case 'integer':
      return integer(flat.node, random);
    case 'number':
      return decimal(flat.node, integer(flat.node, random), random);
    case 'string':
      return text(flat.node, random);
    case 'array':
      return list(schema, { node: flat.node, pointer: flat.pointer }, drawing);
    case 'object':
      return members(schema, { node: flat.node, pointer: flat.pointer }, drawing);
    default:
      return null;
  }
}

/** Whether a format, a pattern or branches restrict a value: then it is taken from the edges. */
function isBound({ const: only, format, pattern, oneOf, anyOf, not }: SchemaObject): boolean {
  const free =
    format === undefined || ['int32', 'int64', 'float', 'double', 'password'].includes(format);
  return (
    only !== undefined ||
    !free ||
    pattern !== undefined ||
    oneOf !== undefined ||
    anyOf !== undefined ||
    not !== undefined
  );
}

function fromEdges(schema: Schema, place: LocatedNode, random: Random): JsonValue | undefined {
  const part = schema.part(place);
  const edges = [...boundaryValues(part, 'request'), ...exoticValues(part, 'request')];
  return edges.length === 0 ? undefined : random.pick(edges).value;
}

function integer({ minimum, maximum, multipleOf = 1 }: SchemaObject, random: Random): number {
  const reach = 10 ** random.integer(0, 9);
  const least = minimum === undefined ? -reach : withinSafeIntegers(minimum);
  const max = maximum === undefined ? Math.max(least, 0) + reach : withinSafeIntegers(maximum);
  const step = Number.isInteger(multipleOf) ? multipleOf : 1;
  return (
    Math.ceil(
      random.integer(Math.ceil(least), Math.max(Math.ceil(least), Math.floor(max))) / step,
    ) * step
  );
}

/** A number of hundredths, or of the steps of a schema, computed without rounding. */
function decimal({ multipleOf = 0.01 }: SchemaObject, near: number, random: Random): JsonValue {
  const { units, digits } = toDecimal(multipleOf);
  const steps = Math.floor((near + random.next()) / multipleOf);
  return Number.isSafeInteger(steps)
    ? (fromDecimal({ units: BigInt(steps) * units, digits }) ?? near)
    : near;
}

/**
 * A bound within what a double holds exactly. Larger edges are bigints, from the boundary values.
 */
function withinSafeIntegers(bound: number | bigint): number {
  return Math.min(Math.max(Number(bound), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  ' .,-_/:;?!#&=+%"\'\\<>()[]{}',
  'äöüßéñçøłžабвгдαβγ漢字かな한글',
  '😀🚀🎉👩‍🚀',
].map((letters) => Array.from(letters));

function text({ minLength = 0, maxLength = 40 }: SchemaObject, random: Random): string {
  const alphabet = random.pick(alphabets);
  const length = random.integer(
    minLength,
    Math.max(minLength, Math.min(maxLength, minLength + 40)),
  );
  return Array.from({ length }, () =>
    random.pick(random.next() < 0.8 ? alphabet : (alphabets[0] ?? alphabet)),
  ).join('');
}

function list(
  schema: Schema,
  { node, pointer }: { readonly node: SchemaObject; readonly pointer: string },
  { random, depth }: Drawing,
): JsonValue {
  const { items = {}, minItems = 0, maxItems = 5 } = node;
  const length =
    depth >= deepest
      ? minItems
      : random.integer(minItems, Math.max(minItems, Math.min(maxItems, minItems + 4)));
  return Array.from(
    { length },
    () =>
      draw(
        schema,
        { node: items, pointer: joinPointer(pointer, 'items') },
        { random, depth: depth + 1 },
      ) ?? null,
  );
}

function members(
  schema: Schema,
  { node, pointer }: { readonly node: SchemaObject; readonly pointer: string },
  { random, depth }: Drawing,
): JsonValue {
  const { properties, required } = schema.flatten({ node, pointer });
  const chosen = [...properties].filter(([name, place]) => {
    const flat = schema.flatten(place);
    return (
      required.has(name) || (flat.node.readOnly !== true && depth < deepest && random.next() < 0.5)
    );
  });
  return Object.fromEntries(
    chosen.flatMap(([name, place]) => {
      const value = draw(schema, place, { random, depth: depth + 1 });
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
