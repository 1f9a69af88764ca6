import type { JsonValue } from '../json/value.ts';
import { hashText } from './hash-text.ts';
import type { LabelledValue } from './labelled-value.ts';
import { valueKey } from './value-key.ts';

/** Longer keys are remembered by their hash: thousands of large values would otherwise be held twice. */
const longestKey = 200;

/** The same values without repetition: the first label stays, and what the others show is kept under `also`. */
export function distinctValues(values: readonly LabelledValue[]): LabelledValue[] {
  const groups = Map.groupBy(values, ({ value }) => shortKey(value));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [others.length === 0 ? first : { ...first, also: others.map(({ valueClass, at, pointer }) => ({ valueClass, at, pointer })) }];
  });
}

function shortKey(value: JsonValue): string {
  const key = valueKey(value);
  return key.length > longestKey ? `${key.length} ${hashText(key).join(' ')}` : key;
}
