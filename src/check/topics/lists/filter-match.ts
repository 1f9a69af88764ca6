import { isLowerBound } from '../../../contract/model/resource.ts';
import { comparesWhole, selectsAll } from '../../../contract/words/read-range.ts';
import type { Filter, FlatSchema, RangeFilter } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldOf, isSameText, singleValues } from '../../reading/compare-records.ts';
import {
  aDayAnywhere,
  compareSizes,
  distanceOf,
  type Moment,
  momentOf,
} from '../../reading/distance.ts';
import type { AskedSearch } from '../../reading/list-query.ts';

/** Whether a record matches a filter; undefined if the record does not show the field. */
export function matchesFilter(
  record: JsonObject,
  { field, parameter }: Filter,
  expected: JsonValue,
): boolean | undefined {
  const value = fieldOf(record, field);
  // Most fields and filters are not lists.
  if (value !== undefined && value !== null && !isJsonArray(value) && !isJsonArray(expected))
    return isSame(value, expected);
  const shown = singleValues(record, field);
  if (isJsonArray(expected) && isJsonArray(value) && selectsAll(parameter))
    return expected.every((other) => shown.some((one) => isSame(one, other)));
  return shown.length === 0
    ? undefined
    : shown.some((one) => expectedValues(expected).some((other) => isSame(one, other)));
}

/** The single values of a filter: any one of them matches. */
function expectedValues(expected: JsonValue): readonly JsonValue[] {
  return isJsonArray(expected) ? expected : [expected];
}

function isSame(value: JsonValue, expected: JsonValue): boolean {
  if (equalJson(value, expected) || String(value) === String(expected)) return true;
  const areTexts = typeof value === 'string' && typeof expected === 'string';
  return (areTexts && isSameText(value, expected)) || sameMoment(value, expected);
}

/** A time may be written in another time zone; a filter by day matches times. */
function sameMoment(value: JsonValue, expected: JsonValue): boolean {
  const left = momentOf(value);
  const right = left && momentOf(expected);
  if (left === undefined || right === undefined) return false;
  return left.at === right.at || mayBeOnDay(left, right);
}

/** Whether a time may be on a day: the day may begin and end in any time zone. */
function mayBeOnDay(left: Moment, right: Moment): boolean {
  return left.isDay !== right.isDay && Math.abs(left.at - right.at) <= aDayAnywhere;
}

/**
 * Whether a record that matches a filter certainly does: a time near a day may be on it in one time
 * zone, and not in another.
 */
export function isCertainMatch(
  record: JsonObject,
  { field }: Filter,
  expected: JsonValue,
): boolean {
  return singleValues(record, field).some((value) =>
    expectedValues(expected).some((one) => {
      const [left, right] = [momentOf(value), momentOf(one)];
      const isAlike = left?.isDay === right?.isDay && left?.at === right?.at;
      return isSame(value, one) && (left === undefined || isAlike);
    }),
  );
}

/** Free text may be searched rather than compared. */
export function isExact({ parameter, member }: Filter): boolean {
  const { schema } = parameter;
  const place = member === undefined ? undefined : schema.flatten().properties.get(member);
  return (
    isExactType(place === undefined ? schema.flatten() : schema.flatten(place)) ||
    comparesWhole(parameter)
  );
}

/** The same of what a schema allows. */
export function isExactType({ node, types }: FlatSchema): boolean {
  return (
    !types.includes('string') ||
    node.enum !== undefined ||
    node.const !== undefined ||
    node.format !== undefined
  );
}

/**
 * Whether a text search might find a text: it contains the other one, ignoring case and accents.
 */
export function resembles(value: JsonValue, expected: JsonValue): boolean {
  const bare = (text: JsonValue): string =>
    String(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return expectedValues(expected).some(
    (one) => bare(value).includes(bare(one)) || bare(one).includes(bare(value)),
  );
}

/** Whether a record has the text of a search where that looks; undefined if it may be alike. */
export function isFound(
  record: JsonObject,
  { search: { fields, at, ignoresCase }, text }: AskedSearch,
): boolean | undefined {
  const fold = (one: string): string => (ignoresCase ? one.toLowerCase() : one);
  const values = fields.map((field) => fieldOf(record, field));
  const isHeld = values.some((value) => {
    const place = typeof value === 'string' ? fold(value).indexOf(fold(text)) : -1;
    return at === 'start' ? place === 0 : place >= 0;
  });
  if (isHeld) return true;
  const isOpen = values.some((value) => value === undefined || resembles(value, text));
  return isOpen ? undefined : false;
}

/**
 * Whether a record is certainly outside a bound. The bound itself may be included or not, and a day
 * may begin and end in any time zone. Undefined if the two cannot be compared.
 */
export function isOutside(
  record: JsonObject,
  range: RangeFilter,
  bound: JsonValue,
): boolean | undefined {
  const [shown, ...others] = singleValues(record, range.field);
  if (shown === undefined || others.length > 0) return undefined;
  const distance = distanceOf(shown, bound);
  if (distance === undefined) return undefined;
  if (distance === 0 && range.bound === 'excluded')
    return isEqualBound(shown, bound) && (isLowerBound(range) ? !isTime(bound) : true);
  return isLowerBound(range) ? distance < 0 : distance > 0;
}

/** Whether a record is certainly within a bound, which may be the bound itself if it says so. */
export function isInside(record: JsonObject, range: RangeFilter, bound: JsonValue): boolean {
  const [shown, ...others] = singleValues(record, range.field);
  if (shown === undefined || others.length > 0) return false;
  const distance = distanceOf(shown, bound);
  if (distance === 0)
    return (
      range.bound === 'included' &&
      isEqualBound(shown, bound) &&
      (isLowerBound(range) || !isTime(bound))
    );
  return distance !== undefined && (isLowerBound(range) ? distance > 0 : distance < 0);
}

/** Whether a value is a time of a day, which may be a little later than it is shown. */
function isTime(value: JsonValue): boolean {
  return momentOf(value)?.isDay === false;
}

/** Whether a value is the bound itself: as precise as the bound is. */
function isEqualBound(value: JsonValue, bound: JsonValue): boolean {
  const size = compareSizes(value, bound);
  if (size !== undefined) return size === 0;
  const [moment, limit] = [momentOf(value), momentOf(bound)];
  if (moment === undefined || limit === undefined) return equalJson(value, bound);
  // A time without a zone is on the day that it shows.
  const isOnDay = limit.isDay && /\d\d:\d\d[\d:.]*$/.test(String(value));
  if (isOnDay && !/[+-]\d\d:?\d\d$/.test(String(value)))
    return String(value).startsWith(String(bound));
  return moment.isDay === limit.isDay && moment.at === limit.at;
}
