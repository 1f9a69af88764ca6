import type { Resource } from '../../../contract/model.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { namesCreation } from '../../../contract/words/names.ts';
import { firstOfTwo } from '../../../contract/words/read-list.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isSafe, showValue, type Step } from '../../model/step.ts';
import { toldOf } from '../../../contract/infer/told-parts.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { namesMore } from '../../reading/next-page.ts';
import {
  madeIdentifier,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { isMadeBy, itemsIn } from './own-kind.ts';

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
    otherOrder(subject, reads.at(-2), added),
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

/** A count that is left out says that there is nothing to count. */
const none = 0;

function otherCount(
  { field, isExact }: { readonly field: string; readonly isExact: boolean },
  seen: readonly Observation[],
): RelationFaults {
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
  return {
    message:
      `The list of what belongs to the record has ${String(last.length)} entries after ` +
      `${String(before.length)}; ${field} is ${String(got)} instead of ${String(expected)}.`,
    expected: `${field} is ${String(expected)}`,
    actual: `${field} is ${String(got)}`,
    cause: `part-counts ${field}`,
  };
}

export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** Two parts that a list shows in another order than it says. */
function otherOrder(
  subject: Related['subject'],
  list: Step | undefined,
  [first, second, removal]: readonly Step[],
): RelationFaults {
  const said = list && firstOfTwo(list.case.operation);
  const items = list && itemsIn(list);
  if (said === undefined || list === undefined || items === undefined) return undefined;
  if (first === undefined || second === undefined || removal !== undefined) return undefined;
  const [one, two] = [first, second].map((step) =>
    items.findIndex((item) => isMadeBy(subject, item, step)),
  );
  if (one === undefined || two === undefined || one < 0 || two < 0) return undefined;
  if (!isTellable(items[one], items[two])) return undefined;
  if (one < two === (said === 'the older')) return [];
  const { operation } = list.case;
  return {
    message: `Of two that were made one after the other, the list shows ${
      one < two ? 'the older' : 'the newer'
    } first; its description says otherwise.`,
    expected: `${said} first`,
    actual: `${one < two ? 'the older' : 'the newer'} first`,
    operation,
    at: operation.pointer,
    cause: 'part-counts order',
  };
}

/**
 * Whether a value of two items tells which one is older: a service that knows the second of their
 * creation alone may show two of one second in any order.
 */
function isTellable(older: JsonValue | undefined, newer: JsonValue | undefined): boolean {
  if (older === undefined || newer === undefined) return false;
  if (!isJsonObject(older) || !isJsonObject(newer)) return false;
  const isOneMoment = Object.entries(older).some(
    ([name, value]) => namesCreation(plainName(name)) && equalJson(value, newer[name] ?? null),
  );
  if (isOneMoment) return false;
  return Object.entries(older).some(([name, value]) => {
    const next = newer[name];
    if (typeof value === 'number' && typeof next === 'number') return value < next;
    if (typeof value !== 'string' || typeof next !== 'string') return false;
    return counted.test(value) && value.length === next.length && value < next;
  });
}

/** A moment, or an identifier with a number that is raised. */
const counted = /^[A-Za-z]{0,4}[\d.:TZ+-]+$/;

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
): RelationFaults {
  const [first, second, removal] = added;
  if (first === undefined || second === undefined || removal !== undefined) return undefined;
  const [one, two] = [first, second].map((step) => madeIdentifier(subject, step));
  const [before, then, now] = seen.map(({ record }) => record[field]);
  const isTold = sameIdentifier(then, one) && !sameIdentifier(before, one);
  if (!isTold || now === undefined || one === undefined || two === undefined) return undefined;
  if (sameIdentifier(now, two)) return [];
  return {
    message: `The ${field} of a record is ${showValue(now)}; ${showValue(two)} was added last.`,
    expected: `${field} is ${showValue(two)}`,
    actual: `${field} is ${showValue(now)}`,
    cause: `part-counts ${field}`,
  };
}
