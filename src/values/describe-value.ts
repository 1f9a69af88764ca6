import { splitPointer, type Pointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import { cutTo, lengthOf } from './code-points.ts';

const longestShown = 40;

/** A place in a value as people write it: `owner.tags[0]`; the whole value is `the value`. */
export function describePlace(at: Pointer): string {
  const tokens = splitPointer(at);
  if (tokens.length === 0) return 'the value';
  return tokens
    .map((token, index) => (/^\d+$/.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`))
    .join('');
}

/** A value as JSON, cut where it is long. */
export function describeValue(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longestShown && lengthOf(text) > longestShown
    ? `${cutTo(text, longestShown)}…`
    : text;
}

/** A few values as JSON, in a row. */
export function describeValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 8).map(describeValue);
  return (values.length > shown.length ? [...shown, '…'] : shown).join(', ');
}
