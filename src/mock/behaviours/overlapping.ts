import { type Exclusion, exclusionOf } from '../../contract/words/read-overlaps.ts';
import { type Period, periodsOf } from '../../contract/protocols/recurrence.ts';
import { equalJson } from '../../json/equal-json.ts';
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

async function overlapOf(exclusion: Exclusion, change: Change): Promise<Fault | undefined> {
  const { key } = exclusion;
  const { store, collection, record, earlier } = change;
  const held = record[key];
  const own = isIn(record, exclusion.only) ? periodsOf(record, exclusion) : [];
  if (own.length === 0 || held === undefined || isAsBefore(change, exclusion)) return undefined;
  const where = [{ op: 'in' as const, field: key, values: [held] }];
  const found = await store.query(collection, { where, order: [], offset: 0 });
  const other = (found?.records ?? []).find(
    (one) =>
      one.id !== earlier?.id &&
      isIn(one.record, exclusion.only) &&
      periodsOf(one.record, exclusion).some((theirs) => own.some((mine) => overlap(mine, theirs))),
  );
  if (other === undefined) return undefined;
  return makeFault('conflict', 'conflict', `Another record has this ${key} in a part of the time.`);
}

/** Whether a change leaves the period, and what it is of, as they were. */
function isAsBefore({ record, earlier }: Change, exclusion: Exclusion): boolean {
  const { start, end, key, recurrence = '', only } = exclusion;
  return (
    earlier !== undefined &&
    isIn(earlier.record, only) &&
    [start, end, key, recurrence].every((name) =>
      equalJson(record[name] ?? null, earlier.record[name] ?? null),
    )
  );
}

/** A period has its start and not its end: another one may begin where it ends. */
function overlap(one: Period, other: Period): boolean {
  return one[0] < other[1] && other[0] < one[1];
}

function isIn(record: JsonObject, only: Exclusion['only']): boolean {
  return only === undefined || record[only.field] === only.value;
}
