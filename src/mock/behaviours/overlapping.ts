import { type Exclusion, exclusionOf } from '../../contract/words/read-overlaps.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Collection, MaybePromise, Store, StoredRecord } from '../../store/store.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { creationIn } from '../records/find-record.ts';

/** A record to keep, and what it was before; undefined for a new one. */
interface Change {
  readonly store: Store;
  readonly collection: Collection;
  readonly record: JsonObject;
  readonly earlier?: StoredRecord;
}

/** What the operation that makes the records of a plan says of their periods. */
const exclusionIn = (plan: OperationPlan): Exclusion | undefined => {
  const { operation, role } = plan;
  const create = creationIn(plan);
  const isRefused = operation.responses.some(({ status }) => status === '409');
  return role && create && isRefused ? exclusionOf(create, role.resource) : undefined;
};

/** The refusal of a record whose period overlaps that of another one, where a contract says so. */
export function overlapIn(plan: OperationPlan, change: Change): MaybePromise<Fault | undefined> {
  const exclusion = plan.derive(exclusionIn);
  return exclusion && overlapOf(exclusion, change);
}

async function overlapOf(
  { start, end, key, only }: Exclusion,
  { store, collection, record, earlier }: Change,
): Promise<Fault | undefined> {
  const period = periodOf(record, start, end);
  const held = record[key];
  if (period === undefined || held === undefined || !isIn(record, only)) return undefined;
  if (
    earlier !== undefined &&
    [start, end, key].every((name) => record[name] === earlier.record[name])
  )
    return undefined;
  const where = [{ op: 'in' as const, field: key, values: [held] }];
  const found = await store.query(collection, { where, order: [], offset: 0 });
  const other = (found?.records ?? []).find((one) => {
    const theirs = one.id === earlier?.id ? undefined : periodOf(one.record, start, end);
    return theirs !== undefined && isIn(one.record, only) && overlaps(period, theirs);
  });
  if (other === undefined) return undefined;
  return makeFault('conflict', 'conflict', `Another record has this ${key} in a part of the time.`);
}

type Period = readonly [from: number, to: number];

function periodOf(record: JsonObject, start: string, end: string): Period | undefined {
  const [from, to] = [start, end].map((name) => Date.parse(String(record[name] ?? '')));
  return from === undefined || to === undefined || !(from < to) ? undefined : [from, to];
}

/** A period has its start and not its end: another one may begin where it ends. */
function overlaps(one: Period, other: Period): boolean {
  return one[0] < other[1] && other[0] < one[1];
}

function isIn(record: JsonObject, only: Exclusion['only']): boolean {
  return only === undefined || record[only.field] === only.value;
}
