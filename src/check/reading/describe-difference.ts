import { equalJson } from '../../json/equal-json.ts';
import { type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { showValue } from '../model/phrases.ts';
import { membersOf } from '../../json/body-members.ts';

/**
 * The first place where a body differs from an earlier one, as a clause: `name is "b" instead of
 * "a"`; undefined if they are equal.
 */
export function describeDifference(before: JsonValue, after: JsonValue): string | undefined {
  if (equalJson(before, after)) return undefined;
  const isOther = (at: Pointer): boolean => {
    const [was, is] = [valueAt(before, at), valueAt(after, at)];
    return was === undefined || is === undefined ? was !== is : !equalJson(was, is);
  };
  const others = [...membersOf(before), ...membersOf(after)].filter(({ at }) => isOther(at));
  // The innermost one: an object differs in what it holds.
  const found = others.find(({ at }) => !others.some((inner) => inner.at.startsWith(`${at}/`)));
  const at = found?.at ?? '';
  const name = at === '' ? 'the body' : splitPointer(at).join('.');
  return `${name} is ${showValue(valueAt(after, at))} instead of ${showValue(valueAt(before, at))}`;
}
