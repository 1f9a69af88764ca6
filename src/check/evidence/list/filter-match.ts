import type { Filter, RangeFilter } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldOf, singleValues } from '../record/compare-records.ts';

/**
 * Whether a record shows a value that a filter asks for; undefined where it shows nothing of the
 * field.
 */
export function matchesFilter(
  record: JsonObject,
  { field }: Filter,
  wanted: JsonValue,
): boolean | undefined {
  const value = fieldOf(record, field);
  // Few fields are lists, and few filters.
  if (value !== undefined && value !== null && !isJsonArray(value) && !isJsonArray(wanted))
    return isSame(value, wanted);
  const shown = singleValues(record, field);
  return shown.length === 0
    ? undefined
    : shown.some((one) => wantedValues(wanted).some((other) => isSame(one, other)));
}

/** The single values that a filter asks for: any one of them will do. */
function wantedValues(wanted: JsonValue): readonly JsonValue[] {
  return isJsonArray(wanted) ? wanted : [wanted];
}

function isSame(value: JsonValue, wanted: JsonValue): boolean {
  return equalJson(value, wanted) || String(value) === String(wanted) || sameMoment(value, wanted);
}

/** A moment may be written in another zone; a day is asked for where moments are kept. */
function sameMoment(value: JsonValue, wanted: JsonValue): boolean {
  const left = momentOf(value);
  const right = left && momentOf(wanted);
  if (left === undefined || right === undefined) return false;
  return (
    left.at === right.at ||
    ((left.isDay || right.isDay) && Math.abs(left.at - right.at) <= aDayAnywhere)
  );
}

interface Moment {
  readonly at: number;
  readonly isDay: boolean;
}

const aDayAnywhere = 38 * 3_600_000;

function momentOf(value: JsonValue): Moment | undefined {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/.test(value)
  )
    return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : { at, isDay: value.length === 10 };
}

/** Free text may be searched rather than compared. */
export function isExact({ parameter, member }: Filter): boolean {
  const place =
    member === undefined ? undefined : parameter.schema.flatten().properties.get(member);
  const { node, types } =
    place === undefined
      ? parameter.schema.flatten()
      : parameter.schema.flatten(place.node, place.pointer);
  return (
    !types.includes('string') ||
    node.enum !== undefined ||
    node.const !== undefined ||
    node.format !== undefined
  );
}

/**
 * Whether a text is what a search for another might well find: it holds it, in any case and without
 * accents.
 */
export function resembles(value: JsonValue, wanted: JsonValue): boolean {
  const bare = (text: JsonValue): string =>
    String(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return wantedValues(wanted).some(
    (one) => bare(value).includes(bare(one)) || bare(one).includes(bare(value)),
  );
}

/**
 * Whether a record certainly lies outside a bound. On the bound itself nobody knows whether it is
 * meant to be in, and a day that is compared with a moment begins and ends in any zone. Undefined
 * where the two cannot be compared.
 */
export function isOutside(
  record: JsonObject,
  { field, op }: RangeFilter,
  bound: JsonValue,
): boolean | undefined {
  const [shown, ...others] = singleValues(record, field);
  if (shown === undefined || others.length > 0) return undefined;
  const distance = distanceOf(shown, bound);
  if (distance === undefined) return undefined;
  return op === 'gte' || op === 'gt' ? distance < 0 : distance > 0;
}

/** How far a value lies above a bound; 0 where that is not certain. */
function distanceOf(value: JsonValue, bound: JsonValue): number | undefined {
  const [left, right] = [numberOf(value), numberOf(bound)];
  if (left !== undefined && right !== undefined) return left > right ? 1 : left < right ? -1 : 0;
  const [moment, limit] = [momentOf(value), momentOf(bound)];
  if (moment === undefined || limit === undefined) return undefined;
  const apart = moment.at - limit.at;
  const slack = moment.isDay || limit.isDay ? aDayAnywhere : 1000;
  return Math.abs(apart) <= slack ? 0 : apart;
}

function numberOf(value: JsonValue): number | bigint | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
