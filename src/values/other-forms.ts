import type { Direction, Schema } from '../contract/model.ts';
import { joinPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Pin } from './build-value.ts';
import { viewOf } from './view.ts';

/**
 * The forms that a schema leaves open with `oneOf` or `anyOf` and nothing beside it, without those
 * that a value has.
 */
export function otherForms(schema: Schema, value: JsonValue, direction: Direction): Schema[] {
  return formsOf(schema).filter((form) => !form.accepts(value, direction));
}

/**
 * The forms that a schema leaves open with `oneOf` or `anyOf`; none where it declares members
 * beside them.
 */
export function formsOf(schema: Schema): Schema[] {
  const { node, pointer, properties } = schema.flatten();
  if (properties.size > 0) return [];
  return (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    (node[keyword] ?? []).map((branch, index) =>
      schema.part(schema.follow(branch, joinPointer(pointer, keyword, index))),
    ),
  );
}

/**
 * What keeps a value to each form of a schema in turn: those that a discriminator names too. Empty
 * where it leaves none open.
 */
export function formPins(schema: Schema): Pin[] {
  const isBare = schema.flatten().properties.size === 0;
  const group = viewOf(schema, [schema]).groups.find(
    ({ keyword }) => keyword === 'discriminator' || (keyword !== 'if' && isBare),
  );
  return (group?.branches ?? []).flatMap((rules, branch) =>
    group === undefined || rules.length === 0 ? [] : [{ group: group.pointer, branch }],
  );
}
