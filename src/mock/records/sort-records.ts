import type { Operation, Parameter } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { normaliseName } from '../../values/named-texts.ts';
import { parameterKey, type ParameterValues } from '../request/read-parameters.ts';

/** How a list can be sorted, by the names of its query parameters. */
export interface Sorting {
  readonly by: Parameter | undefined;
  readonly direction: Parameter | undefined;
}

/** Recognises the parameters by which an order is asked for. */
export function readSorting({ parameters }: Operation): Sorting {
  const find = (names: RegExp): Parameter | undefined => parameters.find((parameter) => parameter.in === 'query' && names.test(normaliseName(parameter.name)));
  const by = find(/^(sort|sortby|orderby|sortfield|sortkey)$/);
  return { by, direction: by && find(/^(order|direction|dir|sortorder|sortdir|sortdirection|orderdirection)$/) };
}

interface Key {
  readonly field: string;
  readonly descending: boolean;
}

/** The records in the order that is asked for: `name`, `-name`, `name:desc`, several by comma. Equal ones stay as they were. */
export function sortRecords(records: readonly JsonObject[], { by, direction }: Sorting, parameters: ParameterValues): readonly JsonObject[] {
  const asked = by && parameters.get(parameterKey(by));
  if (asked === undefined) return records;
  const descends = direction !== undefined && isDescending(String(parameters.get(parameterKey(direction)) ?? ''));
  const texts = [asked].flat().map(String).flatMap((text) => text.split(','));
  // A field that no record has says nothing of their order.
  const keys = texts.map((text) => readKey(text.trim(), descends)).filter(({ field }) => records.some((record) => Object.hasOwn(record, field)));
  return records.toSorted((left, right) => keys.map((key) => compareBy(key, left, right)).find((order) => order !== 0) ?? 0);
}

function readKey(text: string, descends: boolean): Key {
  const [, sign = '', field = '', word = ''] = /^([-+]?)(.*?)(?:[:. _]+(asc|desc|ascending|descending))?$/i.exec(text) ?? [];
  return { field, descending: (sign === '-' || isDescending(word)) !== (sign === '' && word === '' && descends) };
}

function isDescending(word: string): boolean {
  return /^desc/i.test(word);
}

/** Records without the field come last, whichever way the others are sorted. */
function compareBy({ field, descending }: Key, left: JsonObject, right: JsonObject): number {
  const [a, b] = [own(left, field), own(right, field)];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = compare(a, b);
  return descending ? -order : order;
}

function own(record: JsonObject, field: string): JsonValue | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return value === null ? undefined : value;
}

function compare(left: JsonValue, right: JsonValue): number {
  const isNumber = (value: JsonValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : Number(left > right);
  const [a, b] = [String(left), String(right)];
  return a < b ? -1 : Number(a > b);
}
