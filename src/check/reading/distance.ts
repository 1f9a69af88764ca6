import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import { isNumeric, type JsonValue } from '../../json/value.ts';

/** A moment, or a day in a time zone that nobody says. */
export interface Moment {
  /** In ms since the epoch. */
  readonly at: number;
  readonly isDay: boolean;
}

/** How far apart two times may be that show as one day, in ms. */
export const aDayAnywhere = 38 * 3_600_000;

/** The moment that a text shows; undefined for other values. */
export function momentOf(value: JsonValue): Moment | undefined {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/.test(value)
  )
    return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : { at, isDay: value.length === 10 };
}

/** How far a value is above a bound; 0 if that is not certain. */
export function distanceOf(value: JsonValue, bound: JsonValue): number | undefined {
  const size = compareSizes(value, bound);
  if (size !== undefined) return size;
  const [moment, limit] = [momentOf(value), momentOf(bound)];
  if (moment === undefined || limit === undefined) return undefined;
  const apart = moment.at - limit.at;
  const slack = moment.isDay || limit.isDay ? aDayAnywhere : 1000;
  return Math.abs(apart) <= slack ? 0 : apart;
}

/** How a number or decimals are beside a bound: a number may bound what records show as texts. */
export function compareSizes(value: JsonValue, bound: JsonValue): number | undefined {
  if (isNumeric(value) && !isNumeric(bound)) return undefined;
  const [size, limit] = [value, bound].map((one) => (isNumeric(one) ? String(one) : one));
  return isDecimalText(size) && isDecimalText(limit) ? compareDecimals(size, limit) : undefined;
}
