import { filterLanguage } from '../../../contract/query-languages/index.ts';
import type { Comparison } from '../../../contract/query-languages/language.ts';
import { isSuccess } from '../../../http/status.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import type { Source } from '../../model/request-template.ts';
import type { KnownRecords } from './resolve-source.ts';

/** How many records are compared with each other at most. */
const most = 100;

/**
 * An expression over the fields of the record that tells most: by its values some records of the
 * first list of the sequence match, and others do not. Undefined if no record has values that the
 * language can write.
 */
export function writeExpression(
  { language: id, compared }: Extract<Source, { kind: 'expression' }>,
  { resource, seen, earlier }: KnownRecords,
): string | undefined {
  const language = filterLanguage(id);
  const first = earlier.find(
    ({ case: { operation }, exchange }) =>
      operation === resource.operations.list && isSuccess(exchange.response?.status ?? 0),
  );
  const listed = (first && listedRecords(resource, first.answer)) ?? [];
  const records = (listed.length > 0 ? listed : seen).slice(0, most);
  const candidates = records.flatMap((record) => {
    const comparisons = compared.flatMap((each): Comparison[] => {
      const value = each.op === 'has' ? itemOf(record, each.field) : valueOf(record, each.field);
      return value === undefined ? [] : [{ ...each, value }];
    });
    const texts = comparisons.flatMap((each) => language?.write(each) ?? []);
    if (language === undefined || texts.length < compared.length) return [];
    const text = texts.reduce((left, right) => language.both(left, right));
    // An item behind others shows whether all are looked at.
    const isBehind = compared.some(
      ({ op, field }) => op === 'has' && singleValues(record, field).length > 1,
    );
    return [{ text, telling: tellingBy(records, comparisons) + (isBehind ? most : 0) }];
  });
  return candidates.toSorted((left, right) => right.telling - left.telling)[0]?.text;
}

function valueOf(record: JsonObject, field: string): JsonValue | undefined {
  const [value, ...others] = singleValues(record, field);
  return others.length > 0 || value === null || value === '' ? undefined : value;
}

/** The last item of a list: a service may look at the first alone. */
function itemOf(record: JsonObject, field: string): JsonValue | undefined {
  return singleValues(record, field).at(-1);
}

/**
 * How much comparisons tell: the number of records that match or that do not, whichever is
 * smaller, and more if some match one comparison of several.
 */
function tellingBy(records: readonly JsonObject[], comparisons: readonly Comparison[]): number {
  const counts = records.map((record) => comparisons.filter((each) => holds(record, each)).length);
  const matching = counts.filter((count) => count === comparisons.length).length;
  const isHalf = counts.some((count) => count > 0 && count < comparisons.length);
  return Math.min(matching, records.length - matching) + (isHalf ? most : 0);
}

function holds(record: JsonObject, { field, op, value: wanted }: Comparison): boolean {
  if (op === 'has') return singleValues(record, field).includes(wanted);
  const value = valueOf(record, field);
  if (value === undefined) return false;
  switch (op) {
    case 'eq':
      return value === wanted;
    case 'ne':
      return value !== wanted;
    case 'lt':
      return sizeOf(value) < sizeOf(wanted);
    case 'le':
      return sizeOf(value) <= sizeOf(wanted);
    case 'gt':
      return sizeOf(value) > sizeOf(wanted);
    case 'ge':
      return sizeOf(value) >= sizeOf(wanted);
  }
}

/** The size of a number or a moment; that of other texts is not comparable. */
function sizeOf(value: JsonValue): number {
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}
