import { evaluate, leavesOf, mapLeaves } from '../../../contract/query-languages/conditions.ts';
import { filterLanguage } from '../../../contract/query-languages/index.ts';
import type { Comparison, Condition } from '../../../contract/query-languages/language.ts';
import { writeExpand } from '../../../contract/protocols/expansion.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldOf, singleValues } from '../../reading/compare-records.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import type { Compared, Source } from '../../model/request-template.ts';
import { matches, misread } from '../../reading/misreadings.ts';
import type { KnownRecords } from './resolve-source.ts';
import { hasSuccess } from '../../model/step.ts';

/** How many records are compared with each other, and how many conditions, at most. */
const max = 100;

type ExpressionSource = Extract<Source, { kind: 'expression' }>;

/**
 * An expression over the fields of records that tells most: by its values some records of the
 * first list of the sequence match, and others do not. Undefined if no record has values that the
 * language can write, or if a service that misreads the expression would select the same records.
 */
export function writeExpression(source: ExpressionSource, known: KnownRecords): string | undefined {
  const language = filterLanguage(source.language);
  const records = recordsFor(source, known).slice(0, max);
  const candidates = conditionsFor(source.condition, records).flatMap((condition) => {
    const text = language?.write(condition);
    const telling = text === undefined ? 0 : tellingBy(records, condition, source);
    return text === undefined || telling === undefined ? [] : [{ text, telling }];
  });
  const best = candidates.toSorted((left, right) => right.telling - left.telling)[0]?.text;
  return source.within === undefined || best === undefined
    ? best
    : writeExpand([{ name: source.within, filter: best }]);
}

/** The records of the first list of the sequence; or those in a member of the records of any. */
function recordsFor(
  { within }: ExpressionSource,
  { resource, seen, earlier }: KnownRecords,
): readonly JsonObject[] {
  const lists = earlier
    .filter(
      ({ case: { operation }, exchange }) =>
        operation === resource.operations.list && hasSuccess({ exchange }),
    )
    .map(({ answer }) => listedRecords(resource, answer) ?? []);
  if (within === undefined) {
    const [listed = []] = lists;
    return listed.length > 0 ? listed : seen;
  }
  return lists
    .flat()
    .flatMap((record) => [record[within] ?? []].flat().filter((one) => isJsonObject(one)));
}

/**
 * The conditions that a template may become. One comparison, or several that must all hold, take
 * the values of one record; others take them from different ones.
 */
function conditionsFor(template: Condition<Compared>, records: readonly JsonObject[]): Condition[] {
  const leaves = leavesOf(template);
  const isTogether = 'all' in template && leaves.length === template.all.length;
  if (isTogether)
    return records.flatMap((record) =>
      filled(
        template,
        leaves.map((leaf) => valuesOf(record, leaf)[0]),
      ),
    );
  const kept = Math.floor(max ** (1 / leaves.length));
  const choices = leaves.map((leaf) => [
    ...new Set(records.flatMap((record) => valuesOf(record, leaf))),
  ]);
  const combined = choices.reduce<readonly (readonly JsonValue[])[]>(
    (before, values) =>
      before.flatMap((row) => values.slice(0, kept).map((value) => [...row, value])),
    [[]],
  );
  return combined.flatMap((values) => filled(template, values));
}

function filled(
  template: Condition<Compared>,
  values: readonly (JsonValue | undefined)[],
): Condition[] {
  if (values.includes(undefined)) return [];
  let at = -1;
  return [
    mapLeaves(template, ({ takes: _takes, ...compared }): Comparison => {
      at += 1;
      return { ...compared, value: values[at] ?? null };
    }),
  ];
}

/** The values that a comparison may have because a record has them. */
function valuesOf(record: JsonObject, { field, op, takes }: Compared): JsonValue[] {
  if (takes === 'null') return fieldOf(record, field) === undefined ? [] : [null];
  // A service may look at the first item of a list alone.
  if (op === 'has') return hasItems(record, field, takes);
  const [value, ...others] = singleValues(record, field);
  if (others.length > 0 || value === undefined || value === null || value === '') return [];
  if (op !== 'contains' && op !== 'starts' && op !== 'ends')
    return takes === 'other case' ? otherCase(value) : [value];
  return typeof value === 'string'
    ? partsOf(value).flatMap((part) => (takes === 'other case' ? otherCase(part) : [part]))
    : [];
}

function hasItems(record: JsonObject, field: string, takes: Compared['takes']): JsonValue[] {
  const items = singleValues(record, field);
  if (takes !== 'part') return items.slice(-1);
  return items.flatMap((item) => (typeof item === 'string' ? partsOf(item) : []));
}

/** How long a part of a text is. */
const partLength = 3;

/** The beginning, the end and the middle of a text, in whole characters. */
function partsOf(text: string): string[] {
  const points = [...text];
  if (points.length <= partLength) return [];
  const middle = Math.floor((points.length - partLength) / 2);
  const places = [0, points.length - partLength, middle === 0 ? 1 : middle];
  const parts = places.map((at) => points.slice(at, at + partLength).join(''));
  return [...new Set(parts)].filter((part) => part.trim() === part);
}

function otherCase(value: JsonValue): string[] {
  if (typeof value !== 'string') return [];
  const [upper, lower] = [value.toUpperCase(), value.toLowerCase()];
  return upper === lower ? [] : [value === upper ? lower : upper];
}

/**
 * How much a condition tells: the number of records that match or that do not, whichever is
 * smaller; more if some match one comparison of several, or an item is behind others. Undefined if
 * the misreading that it is to show selects the same.
 */
function tellingBy(
  records: readonly JsonObject[],
  condition: Condition,
  { condition: template, unlike }: ExpressionSource,
): number | undefined {
  const selected = records.map((record) => matches(record, condition));
  const matching = selected.filter((one) => one === true).length;
  const excluded = selected.filter((one) => one === false).length;
  if (unlike !== undefined) {
    const wrong = misread(condition, unlike);
    const different = records.filter((record, at) => {
      const one = matches(record, wrong);
      return selected[at] !== undefined && one !== undefined && one !== selected[at];
    });
    return different.length === 0
      ? undefined
      : Math.min(different.length, max) + Math.min(matching, excluded) * max;
  }
  const leaves = leavesOf(condition);
  const isHalf = records.some((record) => {
    const held = leaves.filter((leaf) => evaluate(leaf, (one) => matches(record, one)) === true);
    return held.length > 0 && held.length < leaves.length;
  });
  // An item behind others shows whether all are looked at.
  const isBehind = leavesOf(template).some(
    ({ op, field }, at) =>
      op === 'has' &&
      records.some((record) => singleValues(record, field).indexOf(leaves[at]?.value ?? null) > 0),
  );
  return Math.min(matching, excluded) + (isHalf ? max : 0) + (isBehind ? max : 0);
}
