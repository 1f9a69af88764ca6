import { equalJson } from '../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { bearsMark } from '../evidence/record/is-marked.ts';
import type { RecordName } from '../model/record.ts';
import type { CensusReport } from '../model/run-summary.ts';
import type { Census, CountedList, CountedRecord } from './take-census.ts';

/** What a comparison needs to know of records. */
export interface CensusComparison {
  readonly before: Census;
  readonly after: Census;
  /** The id of the run, which its records bear in their texts. */
  readonly mark: string;
  owns(record: RecordName): boolean;
}

/** A list of both censuses. */
interface Pair {
  readonly before: CountedList;
  readonly after: CountedList;
}

/** A record that is missing from a list, and whether the list alone proves that it is gone. */
export interface MissingRecord {
  readonly record: CountedRecord;
  readonly isCertain: boolean;
}

/** Records that an earlier census showed and a later one does not. */
export function findMissing({
  before,
  after,
  owns,
}: Omit<CensusComparison, 'mark'>): MissingRecord[] {
  return pairs(before, after).flatMap((pair) =>
    [...pair.before.records]
      .filter(([key, record]) => !pair.after.records.has(key) && !owns(record))
      .map(([, record]) => ({ record, isCertain: pair.after.isWhole })),
  );
}

/** Records that both censuses show with different values, but for what changes by itself. */
export function findChanged({
  before,
  after,
  owns,
}: Omit<CensusComparison, 'mark'>): CensusReport['changed'] {
  return pairs(before, after).flatMap((pair) =>
    [...pair.before.records].flatMap(([key, old]) => {
      const now = pair.after.records.get(key);
      if (now === undefined || owns(old)) return [];
      const fields = differingFields(old.record, now.record);
      return fields.length === 0 ? [] : [{ ...nameOf(old), fields }];
    }),
  );
}

/** Records that only the later census shows and that are not known as the run's own. */
export function findAppeared({ before, after, mark, owns }: CensusComparison): AppearedRecord[] {
  return pairs(before, after).flatMap((pair) =>
    [...pair.after.records]
      .filter(
        ([key, record]) => !pair.before.records.has(key) && !owns(record) && pair.before.isWhole,
      )
      .map(([, record]) => ({ record, isMarked: bearsMark(record.record, mark) })),
  );
}

/** A record that appeared during a run, and whether it bears the run's mark. */
export interface AppearedRecord {
  readonly record: CountedRecord;
  readonly isMarked: boolean;
}

/** The name of a record in a report. */
export function nameOf({ resource, identifier }: RecordName): {
  resource: string;
  identifier: string;
} {
  return { resource: resource.name, identifier: String(identifier) };
}

function pairs(before: Census, after: Census): Pair[] {
  const byKey = new Map(after.lists.map((list) => [list.key, list]));
  return before.lists.flatMap((list) => {
    const other = byKey.get(list.key);
    return other === undefined ? [] : [{ before: list, after: other }];
  });
}

/**
 * Names of members that services change by themselves: times, counters, tags of states, what runs.
 */
const volatileEndings =
  'time|date|stamp|modified|updated|changed|seen|accessed|etag|' +
  'revision|version|counter?|size|total|uptime|duration|expires?|serial';
const volatileBeginnings = 'last|num|age$|rev$|execution|running|health|online|connect';
const volatile = new RegExp(`(${volatileEndings})(_?at|_?on|_?by)?$|^(${volatileBeginnings})`, 'i');
const timeName = /[a-z]At$|_at$/;

function isVolatile(name: string): boolean {
  return volatile.test(name) || timeName.test(name);
}

function differingFields(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isVolatile(name) && !isSame(before[name], after[name]));
}

/** Whether two values are equal but for what changes by itself, at any depth. */
function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(after))
    return differingFields(before, after).length === 0;
  if (isJsonArray(before) && isJsonArray(after)) {
    // What is added to a list may be a record of the run, and takes nothing away.
    return before.every((item) => after.some((other) => isSame(item, other)));
  }
  return equalJson(before ?? null, after ?? null);
}
