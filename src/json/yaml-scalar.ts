import { quoteExcerpt } from './json-problem.ts';
import type { JsonValue } from './value.ts';

/** The value of a scalar, or why it has no JSON value. */
export type ScalarReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const noNumber = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of an unquoted scalar in the core schema of YAML (YAML 1.2.2, section 10.3.2): dates,
 * `yes` and `no` are text. An integer outside ±(2^53 - 1) is a `bigint`; infinities and NaN are
 * refused, because JSON does not have them.
 */
export function resolvePlainScalar(text: string): ScalarReading {
  const word = words.get(text);
  if (word !== undefined) return { ok: true, value: word };
  if (noNumber.test(text))
    return {
      ok: false,
      reason: `${quoteExcerpt(text)} is not a JSON value (quote it if it is text)`,
    };
  if (!integer.test(text) && !float.test(text)) return { ok: true, value: text };
  const value = Number(text);
  if (!Number.isFinite(value)) {
    return {
      ok: false,
      reason:
        `the number ${quoteExcerpt(text)} is beyond what a double can hold ` +
        '(quote it if it is text)',
    };
  }
  return {
    ok: true,
    value: Number.isSafeInteger(value) || !integer.test(text) ? value : BigInt(text),
  };
}

const standardTag = /^(?:!!|!<tag:yaml\.org,2002:)(null|bool|int|float)>?$/;

/** The value of a scalar with an explicit tag, such as `!!str 12`. */
export function resolveTaggedScalar(text: string, tag: string): ScalarReading {
  if (tag === '!' || tag === '!!str' || tag === '!<tag:yaml.org,2002:str>')
    return { ok: true, value: text };
  const kind = standardTag.exec(tag)?.[1];
  if (kind === undefined) return { ok: false, reason: unknownTag(tag) };
  const reading = resolvePlainScalar(text);
  if (!reading.ok || kindOf(reading.value, kind) === kind) return reading;
  return {
    ok: false,
    reason: `${quoteExcerpt(text)} is not what the tag ${quoteExcerpt(tag)} says`,
  };
}

/** An integer may be tagged as a float, but not the reverse. */
function kindOf(value: JsonValue, wanted: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number')
    return wanted === 'float' || !Number.isInteger(value) ? 'float' : 'int';
  return 'str';
}

/** The reason why a tag is refused. */
export function unknownTag(tag: string): string {
  return `the tag ${quoteExcerpt(tag)} has no meaning in JSON; remove it`;
}
