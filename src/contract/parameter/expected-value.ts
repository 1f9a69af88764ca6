import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import { once } from '../lazy.ts';
import type { FlatSchema, LocatedNode, Schema } from '../model.ts';

/**
 * The layout of a value in a request; `either` is a list or a single value, `open` is any value.
 */
export type Layout = 'text' | 'list' | 'members' | 'either' | 'open';

/** The values that a schema allows for a parameter, as far as text must be parsed by it. */
export interface ExpectedValue {
  readonly types: ReadonlySet<string>;
  readonly layout: Layout;
  /**
   * The names of declared properties; an object without any accepts every name, unless it is
   * closed.
   */
  readonly names: ReadonlySet<string>;
  readonly isClosed: boolean;
  item(index: number): ExpectedValue;
  member(name: string): ExpectedValue;
}

const countOfTypes = 7;
const scalarTypes = ['boolean', 'integer', 'number', 'string'];

/**
 * Reads from a schema what values to expect; without a type, from the branches of its `anyOf` and
 * `oneOf`. The result is cached for the lifetime of the schema.
 */
export const expectedValue = once(readExpectedValue);

function readExpectedValue(schema: Schema, place: LocatedNode = schema): ExpectedValue {
  const inside = new Map<Pointer, ExpectedValue>();
  const expectedInside = (part: LocatedNode = anything): ExpectedValue => {
    return remember(inside, part.pointer, () => readExpectedValue(schema, part));
  };
  const views = plainViews(schema, place, new Set());
  const types = new Set(views.flatMap((view) => view.types));
  return {
    types,
    layout: layoutOf(types),
    names: new Set(views.flatMap((view) => [...view.properties.keys()])),
    isClosed: views.every((view) => view.node.additionalProperties === false),
    item: (index) => expectedInside(itemOf(views, index)),
    member: (name) => expectedInside(memberOf(views, name)),
  };
}

/** The views of the schema, or those of its branches. `seen` ends a recursive schema. */
function plainViews(schema: Schema, place: LocatedNode, seen: Set<Pointer>): FlatSchema[] {
  const flat = schema.flatten(place);
  const branches = branchesOf(flat);
  if (flat.types.length < countOfTypes || branches.length === 0) return [flat];
  if (seen.has(flat.pointer)) return [];
  seen.add(flat.pointer);
  const views = branches.flatMap((branch) => plainViews(schema, branch, seen));
  return views.length > 0 ? views : [flat];
}

function branchesOf({ node, pointer }: FlatSchema): LocatedNode[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (node[keyword] ?? []).map((branch, index) => ({
      node: branch,
      pointer: joinPointer(pointer, keyword, index),
    })),
  );
}

function layoutOf(types: ReadonlySet<string>): Layout {
  if (types.size === countOfTypes) return 'open';
  const hasScalar = scalarTypes.some((type) => types.has(type));
  if (types.has('array')) return hasScalar ? 'either' : 'list';
  return types.has('object') && !hasScalar ? 'members' : 'text';
}

function itemOf(views: readonly FlatSchema[], index: number): LocatedNode | undefined {
  for (const { node, items, pointer } of views) {
    const prefixed = node.prefixItems?.[index];
    if (prefixed !== undefined)
      return { node: prefixed, pointer: joinPointer(pointer, 'prefixItems', index) };
    if (items !== undefined) return items;
  }
  return undefined;
}

function memberOf(views: readonly FlatSchema[], name: string): LocatedNode | undefined {
  const declared = views.find(({ properties }) => properties.has(name));
  const open = views.find(({ others }) => typeof others?.node === 'object');
  return declared?.properties.get(name) ?? open?.others;
}

/** A part that the schema does not describe. */
const anything: LocatedNode = { node: true, pointer: '' };

/**
 * The values that a text can represent, the most likely first, or a clause that says why there are
 * none.
 */
type ScalarReading =
  | { readonly ok: true; readonly values: readonly [JsonValue, ...JsonValue[]] }
  | { readonly ok: false; readonly message: string };

const integer = /^(?:0|-?[1-9][0-9]*)$/;
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * Parses a text by the types that it may have, strictly: `5` and not `05`, `true` and not `True`.
 * An integer beyond ±(2^53 - 1) is a `bigint`; the empty text is null if no string is allowed; a
 * nested array or object is JSON text.
 */
export function readScalar(text: string, types: ReadonlySet<string>): ScalarReading {
  const [first, ...others] = candidates(text, types);
  if (first !== undefined) return { ok: true, values: [first, ...others] };
  return {
    ok: false,
    message: `must be ${nameTypes(types)}, but is ${text === '' ? 'empty' : quoteExcerpt(text)}`,
  };
}

function candidates(text: string, types: ReadonlySet<string>): JsonValue[] {
  const values: JsonValue[] = [];
  if (text === '' && types.has('null') && !types.has('string')) values.push(null);
  if (types.has('number') ? number.test(text) : types.has('integer') && integer.test(text))
    values.push(...numberOf(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) values.push(text === 'true');
  if (types.has('string')) values.push(text);
  return values.length > 0 ? values : nested(text, types);
}

function numberOf(text: string): (number | bigint)[] {
  const value = Number(text);
  if (!Number.isSafeInteger(value) && integer.test(text)) return [BigInt(text)];
  return Number.isFinite(value) ? [value] : [];
}

function nested(text: string, types: ReadonlySet<string>): JsonValue[] {
  const reading = types.has('array') || types.has('object') ? parseJson(text) : undefined;
  if (reading?.ok !== true || typeof reading.value !== 'object' || reading.value === null)
    return [];
  return types.has(Array.isArray(reading.value) ? 'array' : 'object') ? [reading.value] : [];
}

const phrases: readonly (readonly [type: string, phrase: string])[] = [
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['boolean', '`true` or `false`'],
  ['array', 'a JSON array'],
  ['object', 'a JSON object'],
  ['null', 'empty'],
];

function nameTypes(types: ReadonlySet<string>): string {
  const named = phrases.filter(
    ([type]) => types.has(type) && !(type === 'integer' && types.has('number')),
  );
  return named.map(([, phrase]) => phrase).join(' or ');
}
