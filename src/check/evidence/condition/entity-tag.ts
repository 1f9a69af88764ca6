import { headerValue } from '../../../http/message.ts';
import type { Step } from '../../model/step.ts';

/**
 * The entity tag of an answer (RFC 9110, section 8.8.3), as it is written; undefined where it has
 * none.
 */
export function tagOf({ exchange: { response } }: Pick<Step, 'exchange'>): string | undefined {
  const tag = response && headerValue(response.headers, 'etag')?.trim();
  return tag === '' ? undefined : tag;
}

/**
 * Whether a tag is weak: one that may stay the same when a state changes a little, and that no
 * If-Match is kept by (RFC 9110, section 8.8.3.2).
 */
export function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

/**
 * Whether two tags are of one state, by the weak comparison. Quotes, which many services forget, do
 * not count.
 */
export function sameTag(left: string, right: string): boolean {
  return opaque(left) === opaque(right);
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replaceAll('"', '');
}
