import type { Schema } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../json/value.ts';
import type { WorkBudget } from '../../json/work-budget.ts';

const shownItems = 100;

/** A list in a body that is too long to name everything that is wrong in it. */
export interface LongList {
  readonly at: Pointer;
  readonly items: JsonArray;
}

/** The long lists of a body: itself, or its members. */
export function longListsIn(value: JsonValue): readonly LongList[] {
  const lists: readonly (readonly [Pointer, JsonValue])[] = isJsonArray(value)
    ? [['', value]]
    : isJsonObject(value)
      ? Object.entries(value).map(([name, member]) => [joinPointer('', name), member])
      : [];
  return lists.flatMap(([at, items]) =>
    isJsonArray(items) && items.length > shownItems ? { at, items } : [],
  );
}

/** The body with the first hundred items of its long lists. */
export function shortened(value: JsonValue): JsonValue {
  const cut = (one: JsonValue): JsonValue =>
    isJsonArray(one) && one.length > shownItems ? one.slice(0, shownItems) : one;
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]))
    : cut(value);
}

/**
 * How many items of a long list do not conform to their schema: `300 of 5,000 items do not
 * conform`. Undefined if the schema says nothing about them, or counting is too much work.
 */
export function countWrong(
  schema: Schema,
  { at, items }: LongList,
  budget: WorkBudget,
): string | undefined {
  const item = itemOf(schema, at);
  if (item === undefined) return undefined;
  const wrong = items.filter((one) => !item.accepts(one, 'response', budget)).length;
  if (budget.left <= 0) return undefined;
  const show = (count: number): string => count.toLocaleString('en');
  return `${show(wrong)} of ${show(items.length)} items do not conform`;
}

function itemOf(schema: Schema, at: Pointer): Schema | undefined {
  const whole = schema.flatten();
  const name = at.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  const place = at === '' ? whole : whole.properties.get(name);
  if (place === undefined) return undefined;
  const { items } = schema.flatten(place);
  return items && schema.part(items);
}
