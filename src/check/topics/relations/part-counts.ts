import type { Resource } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import type { Step } from '../../model/step.ts';
import { isSafe } from '../../model/is-safe.ts';
import { toldOf } from '../../plan/part-lists.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { namesMore } from '../../reading/next-page.ts';
import { madeIdentifier, type Related, type RelationFault } from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { itemsIn } from './own-kind.ts';

/** A record beside the list of what belongs to it. */
interface Observation {
  readonly length: number;
  readonly record: JsonObject;
}

/**
 * A count that does not follow the list below its record, or a last one that is another. A count
 * is one of that list if it has moved with it in this sequence, with a fixed difference, or if its
 * description leaves none out and it is as long as the list.
 */
export function otherParts({ subject, intent, of }: Related): RelationFault[] | undefined {
  const [made, ...rest] = of;
  const placement = made && subject.contract.inference.placementOf(made.case.operation);
  const resource =
    placement?.kind === 'resource' || placement?.kind === 'named-create'
      ? placement.resource
      : undefined;
  const identifier = made && madeIdentifier(subject, made);
  if (resource === undefined || identifier === undefined || intent.field === undefined)
    return undefined;
  const reads = [...rest.filter(({ case: { operation } }) => isSafe(operation)), subject];
  const seen = observationsIn(resource, identifier, reads);
  if (seen === undefined) return undefined;
  const { counts, lasts } = toldOf(resource, intent.field);
  const added = rest.filter(({ case: { operation } }) => !isSafe(operation));
  const judged = [
    ...counts.map((count) => otherCount(count, seen)),
    ...lasts.map((field) => otherLast(subject, field, { seen, added })),
  ].filter((faults) => faults !== undefined);
  return judged.length === 0 ? undefined : judged.flat();
}

/** The reads in pairs: a list, and the record right after it. Undefined if one shows a part. */
function observationsIn(
  resource: Resource,
  identifier: JsonValue,
  reads: readonly Step[],
): Observation[] | undefined {
  const pairs = reads.flatMap((list, index): (Observation | undefined)[] => {
    const shown = reads[index + 1];
    if (index % 2 === 1 || shown === undefined) return [];
    const items = namesMore(list) ? undefined : itemsIn(list);
    const record = recordIn(resource, identifier, shown);
    return [items && record && { length: items.length, record }];
  });
  const known = pairs.filter((pair) => pair !== undefined);
  return known.length === pairs.length ? known : undefined;
}

/** The record with an identifier, where a step reads it or lists it. */
function recordIn(
  resource: Resource,
  identifier: JsonValue,
  { answer, case: { operation } }: Step,
): JsonObject | undefined {
  const isOwn = (record: JsonObject): boolean =>
    sameIdentifier(record[resource.identifier.field], identifier);
  if (operation === resource.operations.list) return listedRecords(resource, answer)?.find(isOwn);
  const shown = shownRecord(resource, answer);
  return shown !== undefined && isOwn(shown) ? shown : undefined;
}

interface Count {
  readonly field: string;
  readonly isExact: boolean;
}

/** A count that is left out says that there is nothing to count. */
const none = 0;

function otherCount(
  { field, isExact }: Count,
  seen: readonly Observation[],
): RelationFault[] | undefined {
  const told = seen.map(({ length, record }) => ({ length, count: record[field] }));
  const earlier = told.slice(0, -1);
  const [before, last] = [earlier.at(-1), told.at(-1)];
  if (before === undefined || last === undefined || before.length === last.length) return undefined;
  const counted = earlier.find(({ count }) => isWhole(count));
  if (counted === undefined || !isWhole(counted.count)) return undefined;
  const more = counted.count - counted.length;
  const holds = earlier.every(({ count = none, length }) => count === length + more);
  const values = new Set(earlier.map(({ count = none }) => count));
  const got = last.count ?? none;
  if (!holds || !isWhole(got) || (values.size < 2 && !(isExact && more === 0))) return undefined;
  const expected = last.length + more;
  if (got === expected) return [];
  return [
    {
      message:
        `The list of what belongs to the record has ${String(last.length)} entries after ` +
        `${String(before.length)}; ${field} is ${String(got)} instead of ${String(expected)}.`,
      expected: `${field} is ${String(expected)}`,
      actual: `${field} is ${String(got)}`,
      cause: `part-counts ${field}`,
    },
  ];
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

interface Added {
  readonly seen: readonly Observation[];
  /** What was made, in its order, and then deleted. */
  readonly added: readonly Step[];
}

/** A member that named the first part when it was added, and not the second one. */
function otherLast(
  subject: Related['subject'],
  field: string,
  { seen, added }: Added,
): RelationFault[] | undefined {
  const [first, second, removal] = added;
  if (first === undefined || second === undefined || removal !== undefined) return undefined;
  const [one, two] = [first, second].map((step) => madeIdentifier(subject, step));
  const [before, then, now] = seen.map(({ record }) => record[field]);
  const isTold = sameIdentifier(then, one) && !sameIdentifier(before, one);
  if (!isTold || now === undefined || one === undefined || two === undefined) return undefined;
  if (sameIdentifier(now, two)) return [];
  return [
    {
      message: `The ${field} of a record is ${showValue(now)}; ${showValue(two)} was added last.`,
      expected: `${field} is ${showValue(two)}`,
      actual: `${field} is ${showValue(now)}`,
      cause: `part-counts ${field}`,
    },
  ];
}
