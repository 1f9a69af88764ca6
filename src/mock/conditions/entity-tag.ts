import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { hashText } from '../../values/random.ts';

/**
 * What stands between the quotes of an entity tag (RFC 9110, section 8.8.3): the same for the same
 * state, and another for any other.
 */
export function entityTag(state: JsonValue): string {
  return hashText(stringifyJson(state))
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 16);
}

/**
 * Whether one of the tags that a condition lists is that of a state, or `*`; how they are quoted,
 * and whether they are weak, is no matter.
 */
export function listsTag(listed: readonly string[], tag: string): boolean {
  return listed
    .flatMap((field) => field.split(','))
    .some((text) => text.trim() === '*' || bareTag(text) === bareTag(tag));
}

function bareTag(text: string): string {
  return text.trim().replace(/^W\//, '').replaceAll('"', '');
}
