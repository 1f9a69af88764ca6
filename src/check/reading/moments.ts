import type { JsonValue } from '../../json/value.ts';

/** The time in ms since 1970 of a moment in an answer, in UTC where it says nothing of a zone. */
export function timeOf(moment: JsonValue): number {
  if (typeof moment === 'number') return moment > 1e12 ? moment : moment * 1_000;
  const text = String(moment);
  return Date.parse(/\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$/.test(text) ? `${text}Z` : text);
}

/** In how many ms a clock that writes such a moment shows another one, at the latest. */
export function tickOf(moment: JsonValue): number {
  const isFine = typeof moment === 'number' ? moment > 1e12 : /\.\d{3}/.test(String(moment));
  return isFine ? 2 : 1_050;
}
