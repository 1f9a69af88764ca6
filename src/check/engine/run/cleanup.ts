import { sentForm } from '../../../contract/model/operation.ts';
import type { Contract, Operation, Parameter, Resource } from '../../../contract/model.ts';
import { asksToWait, type HttpResponse, isSuccess } from '../../../http/message.ts';
import { defined, type JsonValue } from '../../../json/value.ts';
import { creatorOf, operationFor, showValue } from '../../model/step.ts';
import { makeCase, makeSequence, type Case, mediaOf } from '../../model/case.ts';
import {
  type ChangedRecord,
  type CreatedRecord,
  type ForeignRecord,
  type LeftRecords,
  namedKey,
  type RecordName,
} from '../../model/record.ts';
import type { CensusReport } from '../../model/run-summary.ts';
import type { Stop } from '../../model/stop.ts';
import type { DraftResult } from '../../plan/draft.ts';
import { argumentsFor, bodyOf, draftRequest, requestOf } from '../../plan/draft.ts';
import { draftCase, plainIntent } from '../../plan/plan-context.ts';
import { restoredValue } from '../../reading/restored-value.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import type { OpenRun } from './open-run.ts';
import { timeSpent } from '../send/run-limits.ts';
import { fixedLanes, type Lanes, sideBySide } from '../send/side-by-side.ts';

/** What cleanup needs. `mayDelete` returns whether the plan allowed the operation. */
export interface CleanupOptions {
  readonly contract: Contract;
  readonly seed: string;
  readonly sender: Sender;
  /** How many records of one resource are deleted at a time. */
  readonly lanes: Lanes;
  mayDelete(operation: Operation): boolean;
  /** Whether the service stopped answering: then nothing is sent. */
  readonly isLost?: boolean;
}

/** What the clean-up could not delete, and what was not found when it was to be deleted. */
interface Cleaned {
  readonly left: readonly LeftRecords[];
  readonly notFound: readonly CreatedRecord[];
}

/**
 * Deletes what the run created, the newest first, as far as the contract has deletions.
 */
export async function cleanUp({
  contract,
  seed,
  sender,
  lanes,
  mayDelete,
  isLost = false,
}: CleanupOptions): Promise<Cleaned> {
  const left: LeftRecords[] = [];
  for (const changed of sender.memory.restorable.unrestored) {
    const reason = await restore(changed, sender);
    if (reason === undefined) continue;
    const { id, path } = changed.change.operation;
    const record = `the record at ${path}, which the run changed`;
    left.push({ operation: id, record, reason, code: 'not-restored', count: 1 });
  }
  await sideBySide(sender.memory.created, {
    lanes,
    work: (record) => putBackOwn(record, { contract, seed, sender, mayDelete }),
    abandon: () => {},
  });
  const undeletable: Undeletable[] = [];
  const removals: Removal[][] = [];
  // A record below another one was created after it, and is deleted before it.
  const byResource = Map.groupBy(sender.memory.created.toReversed(), ({ resource }) => resource);
  for (const [resource, records] of [...byResource].toSorted(
    ([one], [other]) => other.parents.length - one.parents.length,
  )) {
    const remove = operationFor(contract, resource, 'delete');
    if (remove === undefined || !mayDelete(remove)) {
      undeletable.push({
        resource,
        records: records.toReversed(),
        why: whyNotDeleted(remove, isLost),
      });
      continue;
    }
    const draft = draftRequest(contract, remove, { seed });
    const removeOne = (record: CreatedRecord): Promise<Deleted> =>
      deleteRecord(draft, record, sender);
    removals.push(records.map((record) => ({ record, remove: () => removeOne(record) })));
  }
  const deletions = await deleteAll(removals, lanes);
  const notFound: CreatedRecord[] = [];
  for (const { record } of removals.flat()) {
    const deletion = deletions.get(record);
    if (deletion?.outcome === 'left') left.push(leftBehind(record.resource, [record], deletion));
    if (deletion?.outcome === 'gone') notFound.push(record);
  }
  // What stood below a record goes with it.
  for (const { resource, records, why } of undeletable) {
    const kept = records.filter((record) => !sender.memory.wentWithParent(record));
    if (kept.length > 0) left.push(leftBehind(resource, kept, why));
  }
  return { left, notFound };
}

/**
 * Puts a record of the run back to what it was created as, if the run replaced or updated it: a
 * service may keep what a change made even when the record is deleted.
 */
async function putBackOwn(
  record: CreatedRecord,
  { contract, seed, sender, mayDelete }: Omit<CleanupOptions, 'lanes'>,
): Promise<void> {
  const first = sender.memory.restorable.firstStateOf(record);
  const replace = operationFor(contract, record.resource, 'replace');
  if (first === undefined || replace === undefined || !mayDelete(replace)) return;
  const drafted = draftRequest(contract, replace, { seed });
  const body = drafted.ok ? drafted.draft.body : undefined;
  const value = body && restoredValue(first, body.media);
  if (!drafted.ok || body === undefined || value === undefined) return;
  const { draft } = drafted;
  const testCase = makeCase({
    title: `the record ${String(record.identifier)} is put back before it is deleted`,
    phase: 'cleanup',
    operation: replace,
    request: requestOf(draft, 'own', {
      extra: argumentsFor(draft, record),
      body: bodyOf(body, value),
    }),
    intent: plainIntent(draft),
  });
  await executeSequence(makeSequence(testCase), sender);
}

/** What a run leaves on the target if it ends before its clean-up. */
export function leavesNow({ sender: { memory }, writes }: OpenRun): LeftRecords[] {
  const byResource = Map.groupBy(memory.created, ({ resource }) => resource);
  const reason = 'the report was written before they were deleted';
  const created = [...byResource].map(([resource, records]) =>
    leftBehind(resource, records, { reason, code: 'not-deleted-yet' }),
  );
  const changed = memory.restorable.unrestored.map(({ change: { operation } }): LeftRecords => ({
    operation: operation.id,
    record: `the record at ${sentForm(operation).path}, which the run changed`,
    reason: 'the report was written before it was restored',
    code: 'not-restored',
    count: 1,
  }));
  return [...created, ...changed, ...writes.left()];
}

/** Records that no operation of the run deletes, and why. */
interface Undeletable {
  readonly resource: Resource;
  readonly records: readonly CreatedRecord[];
  readonly why: Pick<LeftRecords, 'reason' | 'code'>;
}

/**
 * Deletes records of a list that have the mark of the run. Returns those that it could not delete.
 */
async function cleanUpFound(
  records: readonly CreatedRecord[],
  { contract, seed, sender, mayDelete }: CleanupOptions,
): Promise<LeftRecords[]> {
  const left: LeftRecords[] = [];
  for (const record of records) {
    const remove = operationFor(contract, record.resource, 'delete');
    if (remove === undefined || !mayDelete(remove)) {
      left.push(leftBehind(record.resource, [record], whyNotDeleted(remove)));
      continue;
    }
    sender.memory.adopt(record);
    const deletion = await deleteRecord(draftRequest(contract, remove, { seed }), record, sender);
    if (deletion.outcome === 'left') left.push(leftBehind(record.resource, [record], deletion));
  }
  return left;
}

/** A record of the run, and its deletion. */
interface Removal {
  readonly record: CreatedRecord;
  remove(): Promise<Deleted>;
}

/**
 * Deletes records, those of one group in parallel, one group after the other. A record may be
 * undeletable until another one is gone, also of a later group: refused deletions are retried, the
 * second time one by one, as long as others succeed. Returns the result of each.
 */
async function deleteAll(
  groups: readonly (readonly Removal[])[],
  lanes: Lanes,
): Promise<ReadonlyMap<CreatedRecord, Deleted>> {
  const deletions = new Map<CreatedRecord, Deleted>();
  let due = groups;
  for (const width of [lanes, lanes, fixedLanes(1)]) {
    let gone = 0;
    const work = async ({ record, remove }: Removal): Promise<void> => {
      const deletion = await remove();
      deletions.set(record, deletion);
      if (deletion.outcome !== 'left') gone += 1;
    };
    for (const group of due) await sideBySide(group, { lanes: width, work, abandon: () => {} });
    due = due.map((group) => group.filter(({ record }) => isRefused(deletions.get(record))));
    if (gone === 0) break;
  }
  return deletions;
}

function isRefused(deletion: Deleted | undefined): boolean {
  return deletion?.outcome === 'left' && deletion.isRefused === true;
}

/**
 * The result of deleting one record; `gone`: it did not exist. The reason is a clause; `isRefused`:
 * the server had time to delete it and refused.
 */
export type Deleted =
  | { readonly outcome: 'deleted' | 'gone' }
  | {
      readonly outcome: 'left';
      readonly reason: string;
      readonly code?: 'delete-unauthorised';
      readonly isRefused?: true;
    };

/** Whether a path parameter carries an identifier; a text carries the digits of a whole number. */
function carries({ schema }: Parameter, identifier: JsonValue): boolean {
  if (schema.accepts(identifier, 'request')) return true;
  const isWhole = typeof identifier === 'bigint' || Number.isInteger(identifier);
  return isWhole && schema.accepts(String(identifier), 'request');
}

/**
 * Deletes one record with a draft of the deletion, or returns why it still exists. With the
 * credential of the identity that created it, if that is not the run's.
 */
export async function deleteRecord(
  removal: DraftResult,
  record: CreatedRecord & Partial<ForeignRecord>,
  sender: Sender,
): Promise<Deleted> {
  if (!removal.ok)
    return { outcome: 'left', reason: `its deletion could not be written: ${removal.reason}` };
  const { draft } = removal;
  if (draft.identifier === undefined)
    return { outcome: 'left', reason: 'its deletion could not be written' };
  // Many services read `40.5` as 40, and would delete the record of another client.
  if (!carries(draft.identifier, record.identifier))
    return {
      outcome: 'left',
      reason:
        `its identifier is no valid ${draft.identifier.name}, ` +
        'so its deletion may name another record',
    };
  const { identity } = record;
  const request = {
    ...requestOf(draft, 'own', { extra: argumentsFor(draft, record) }),
    ...defined({ identity }),
  };
  const testCase = draftCase(draft, {
    title: `the record ${String(record.identifier)} is deleted`,
    phase: 'cleanup',
    request,
  });
  const { steps, unsent } = await executeSequence(makeSequence(testCase), sender);
  const exchange = steps[0]?.exchange;
  if (exchange?.response !== undefined) return deletedBy(exchange.response);
  const fault = exchange?.fault?.message ?? 'nothing came';
  return {
    outcome: 'left',
    reason: unsent?.reason ?? `its deletion got no complete response: ${fault}`,
  };
}

/** The result of a deletion that has a response. */
function deletedBy(response: HttpResponse): Deleted {
  const { status } = response;
  if (isSuccess(status)) return { outcome: 'deleted' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  const isUnauthorised = status === 401 || status === 403;
  return {
    outcome: 'left',
    reason: `its deletion returned ${String(status)}`,
    ...(isUnauthorised ? { code: 'delete-unauthorised' } : {}),
    ...(asksToWait(response) ? {} : { isRefused: true }),
  };
}

/** Restores a changed record, or returns as a clause why it could not. */
async function restore(changed: ChangedRecord, sender: Sender): Promise<string | undefined> {
  const testCase = putBack(changed);
  if (testCase === undefined) return 'its previous state is not a valid request';
  const { steps, unsent } = await executeSequence(makeSequence(testCase), sender);
  const status = steps[0]?.exchange.response?.status;
  if (status !== undefined && isSuccess(status)) return undefined;
  const outcome = status === undefined ? 'got no complete response' : `returned ${String(status)}`;
  return unsent?.reason ?? `restoring it ${outcome}`;
}

function whyNotDeleted(
  remove: Operation | undefined,
  isLost = false,
): Pick<LeftRecords, 'reason' | 'code'> {
  if (remove !== undefined && isLost)
    return { reason: 'the service stopped answering before their deletion', code: 'delete-failed' };
  return remove === undefined
    ? { reason: 'the contract has no operation that deletes it', code: 'no-delete-operation' }
    : { reason: `${remove.id} is not part of the run`, code: 'delete-not-in-run' };
}

function leftBehind(
  resource: Resource,
  records: readonly CreatedRecord[],
  {
    reason,
    code = 'delete-failed',
  }: { readonly reason: string; readonly code?: LeftRecords['code'] },
): LeftRecords {
  const operation = resource.operations.create?.id ?? resource.name;
  const identifiers: JsonValue[] = records.map(({ identifier }) => identifier);
  const { field } = resource.identifier;
  const named = identifiers.map((identifier) => showValue(identifier)).join(', ');
  return {
    operation,
    record:
      records.length === 1
        ? `${field} ${named}`
        : `${String(records.length)} records (${field} ${named})`,
    reason,
    code,
    count: records.length,
  };
}

/**
 * Deletes what other identities created, each with its own credential. Returns those that are gone;
 * the others are among the accepted writes.
 */
async function cleanUpForeign(options: CleanupOptions): Promise<CreatedRecord[]> {
  const { contract, seed, sender, mayDelete } = options;
  const gone: CreatedRecord[] = [];
  for (const record of sender.memory.foreign) {
    const remove = operationFor(contract, record.resource, 'delete');
    if (remove === undefined || !mayDelete(remove)) continue;
    const deletion = await deleteRecord(draftRequest(contract, remove, { seed }), record, sender);
    if (deletion.outcome !== 'left') gone.push(record);
  }
  return gone;
}

/** What cleanup leaves on the target, and what it found about the records of other clients. */
export interface CleanupResult {
  readonly left: readonly LeftRecords[];
  readonly census?: CensusReport;
}

/**
 * Deletes the records that a run created, and those that appeared with its mark. Cleanup ignores
 * budgets of requests; `hurry` and the maximum time of the run end it.
 */
export async function cleanUpAfterRun(run: OpenRun): Promise<CleanupResult> {
  const { settings, skipped, limits, lanes, writes, census } = run;
  const sender = withoutLimits(run);
  limits.beginCleanup();
  const withheld = new Set(skipped.map(({ operation }) => operation));
  const unreachable = isGone(limits.stop);
  const options: CleanupOptions = {
    contract: settings.contract,
    seed: settings.seed,
    sender,
    lanes,
    mayDelete: (operation) => !withheld.has(operation) && !unreachable,
    isLost: unreachable,
  };
  writes.forget(await cleanUpForeign(options));
  const { left, notFound } = await cleanUp(options);
  const counted = unreachable ? undefined : await census?.report(sender);
  // Records that appeared with the mark of the run are its own, even if no response said so.
  const found = counted === undefined ? [] : await cleanUpFound(counted.own, options);
  writes.forget(counted?.own ?? []);
  // Those that appeared without it are named below, each by its identifier.
  if (counted?.report.isBusy === false) writes.forget(counted.strangers);
  const there = counted === undefined ? [] : stillShown(notFound, counted.shown);
  const all = [...left, ...there, ...found, ...writes.left()];
  if (counted === undefined) return { left: all };
  const report = withoutOwn(counted.report);
  return { left: [...all, ...appearedRecords(report, settings.contract)], census: report };
}

/**
 * Records that their deletion did not find and a list shows nevertheless: the path of a record does
 * not always lead there, as where its name has a line break.
 */
function stillShown(
  notFound: readonly CreatedRecord[],
  shown: readonly RecordName[],
): LeftRecords[] {
  const keys = new Set(shown.map(namedKey));
  const reason = 'its deletion did not find it, and a list shows it';
  return notFound
    .filter((record) => keys.has(namedKey(record)))
    .map((record) => leftBehind(record.resource, [record], { reason }));
}

function withoutLimits({ settings, sender, limits }: OpenRun): Sender {
  const { deadline } = limits;
  const { hurry } = settings;
  const over = hurry === undefined ? deadline : AbortSignal.any([deadline, hurry]);
  return {
    ...sender,
    signals: { stop: over, cut: over },
    spend: () => (deadline.aborted ? timeSpent : undefined),
    isPointless: () => undefined,
  };
}

/**
 * Records that appeared during the run, as records that it may have left. If other clients write
 * too, they may have created them.
 */
function appearedRecords({ appeared, isBusy }: CensusReport, contract: Contract): LeftRecords[] {
  if (isBusy) return [];
  const byResource = Map.groupBy(appeared, ({ resource }) => resource);
  return [...byResource].map(([resource, records]) => {
    const names = records.map(({ identifier }) => identifier).join(', ');
    const count = records.length;
    const counted = count === 1 ? '1 record' : `${String(count)} records`;
    const record = `${counted} of ${resource} (${names})`;
    const reason = 'they appeared during the run, and no response shows which request created them';
    const kind = contract.resources.find(({ name }) => name === resource);
    const operation = (kind && creatorOf(contract, kind)?.id) ?? resource;
    return { operation, record, reason, code: 'appeared', count };
  });
}

/** The report without the records of the run. */
function withoutOwn(report: CensusReport): CensusReport {
  return { ...report, appeared: report.appeared.filter(({ isMarked }) => !isMarked) };
}

/** Whether cleanup has to stop because the target does not respond. */
function isGone(stop: Stop | undefined): boolean {
  return stop?.code === 'unreachable' || (stop?.code === 'service-stopped' && !stop.cameBack);
}
/** The case that restores a changed record; undefined if the previous state is not a valid body. */
function putBack({ change, original }: ChangedRecord): Case | undefined {
  const { operation, request, intent } = change;
  const media = mediaOf(change);
  const value = media && restoredValue(original, media);
  if (media === undefined || value === undefined) return undefined;
  return makeCase({
    title: 'what was there before is put back',
    phase: 'cleanup',
    operation,
    request: { ...request, body: { kind: 'json', mediaType: media.mediaType, value } },
    intent,
  });
}
