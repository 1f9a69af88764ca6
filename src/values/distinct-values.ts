import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { hashText } from './hash-text.ts';
import type { LabelledValue } from './labelled-value.ts';
import { valueKey } from './value-key.ts';

/**
 * Longer keys are remembered by their hash: thousands of large values would otherwise be held
 * twice.
 */
const longestKey = 200;

/**
 * The same values without repetition: the first label stays, and what the others show is kept under
 * `also`. They are told apart by what differs from the plain value, of which most of them are
 * copies with one change.
 */
export function distinctValues(
  values: readonly LabelledValue[],
  plain: JsonValue,
): LabelledValue[] {
  const groups = Map.groupBy(values, ({ value }) => shortKey(value, plain));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [
      others.length === 0
        ? first
        : {
            ...first,
            also: others.map(({ valueClass, at, pointer }) => ({ valueClass, at, pointer })),
          },
    ];
  });
}

function shortKey(value: JsonValue, plain: JsonValue): string {
  const key =
    isJsonObject(value) && isJsonObject(plain) ? differenceKey(value, plain) : valueKey(value);
  return key.length > longestKey ? `${key.length} ${hashText(key).join(' ')}` : key;
}

/**
 * A text that two objects share exactly when they are equal, made of what is not as in a third one.
 */
function differenceKey(value: JsonObject, plain: JsonObject): string {
  const parts: string[] = [];
  for (const name in value) {
    const [member, before] = [
      value[name] ?? null,
      Object.hasOwn(plain, name) ? plain[name] : undefined,
    ];
    if (member === before) continue;
    const key = valueKey(member);
    if (before === undefined || key !== valueKey(before))
      parts.push(`${JSON.stringify(name)}:${key}`);
  }
  for (const name in plain) if (!Object.hasOwn(value, name)) parts.push(`${JSON.stringify(name)}-`);
  return ` ${parts.sort().join(',')}`;
}
