import type { Operation } from '../../../contract/model.ts';
import { isGoneOnceDeleted } from '../../../contract/words/read-gone.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { writeLost } from '../../reading/shared-causes.ts';
import { isSuccess } from '../../../http/message.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { hasSuccess, roleOf, showValue } from '../../model/step.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { wasCreatedTwice, type EarlierRecord } from '../../reading/created-record.ts';
import {
  deletedFlag,
  isDeletedSoftly,
  isMarkedAsGone,
  removedEarlier,
  wasMarked,
  withIdentifier,
} from '../../reading/removed-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** A deleted record cannot be read, and is in no list. */
export const deletedIsGone = check({
  id: 'deleted-is-gone',
  basis: 'inferred',
  harm: 'data',
  rule: 'After a successful deletion, a record is not found when it is read, and no list has it.',
  reason: 'A user who deletes a record expects it to be gone, and the law may require it.',
  example: ['> DELETE /items/7', '< 204 No Content', '> GET /items/7', '< 200 OK'],
  explains: [writeLost],
  needs: ['creators', 'makers'],
  actions: ['read', 'list'],
  covers: ['missing-refused', 'status-documented', 'item-equals-entry'],
  mutants: [async () => (await import('./state-mutants.ts')).deletionMutants],
  inspect(subject) {
    const removed = removedEarlier(subject);
    const action = roleOf(subject.contract, subject.operation)?.action;
    if (removed === undefined || ['identity', 'relation'].includes(subject.case.intent.kind))
      return undefined;
    if (deletedFlag(subject)?.asked === true) return [];
    const found =
      action === 'read'
        ? inspectRead(subject, removed)
        : action === 'list'
          ? inspectList(subject, removed)
          : undefined;
    return found !== undefined && found.length > 0 && wasCreatedTwice(subject) ? undefined : found;
  },
});

function inspectRead(subject: CheckInput, removed: EarlierRecord): Violation[] | undefined {
  const { resource, identifier } = removed;
  const status = subject.exchange.response?.status ?? 0;
  const asked = argumentNamed(subject.sent, resource.identifier.parameter);
  if (!sameIdentifier(asked, identifier) || status === 0 || status >= 500) return undefined;
  if (status === 404 && isGoneOnceDeleted(subject.contract, subject.operation))
    return [notGone(removed, subject.operation)];
  if (!isSuccess(status) || isDeletedSoftly(subject)) return [];
  const record = shownRecord(resource, subject.answer);
  // `missing-refused` reports a server that returns something, or nothing, for any identifier.
  if (!isJsonObject(record) || isAnother(subject, removed, record)) return undefined;
  const marked = isMarkedAsGone(record);
  return [
    stillThere(removed, {
      at: resource.operations.delete?.pointer ?? subject.operation.pointer,
      how: `reading it returned ${String(status)}`,
      marked,
      hides: deletedFlag(subject) !== undefined,
      expected: '404 or 410',
      isDeletion: !marked,
    }),
  ];
}

/** A 404 instead of the 410 that the contract states: a client takes the name for a wrong one. */
function notGone({ step }: EarlierRecord, { id, pointer }: Operation): Violation {
  return {
    at: joinPointer(pointer, 'responses', '410'),
    basis: 'contract',
    message:
      `${id} answered 404 for a record that was deleted (${step.case.operation.id}); the ` +
      'contract states 410 for that.',
    expected: '410',
    actual: '404',
    cause: 'not gone',
  };
}

/** Whether a record differs from the last response that showed the deleted one. */
function isAnother(subject: CheckInput, removed: EarlierRecord, record: JsonObject): boolean {
  const shown = shownBefore(subject, removed);
  const comparison = { schema: removed.resource.record, absent: 'fine', except: [] } as const;
  return shown !== undefined && compareRecords(shown, record, comparison).length > 0;
}

/** The record as the last response before its deletion showed it. */
function shownBefore(
  { earlier, contract }: CheckInput,
  { resource, step }: EarlierRecord,
): JsonObject | undefined {
  const before = earlier
    .slice(0, earlier.indexOf(step))
    .findLast(
      (candidate) =>
        roleOf(contract, candidate.case.operation)?.resource === resource &&
        isJsonObject(jsonOf(candidate.answer)) &&
        hasSuccess(candidate),
    );
  return before && shownRecord(resource, before.answer);
}

function inspectList(subject: CheckInput, removed: EarlierRecord): Violation[] | undefined {
  const page = pageOf(subject, subject);
  const entry = page && withIdentifier(page.records, removed.resource, removed.identifier);
  if (page === undefined) return undefined;
  if (entry === undefined) return [];
  const before = shownBefore(subject, removed);
  return [
    stillThere(removed, {
      at: removed.resource.operations.delete?.pointer ?? subject.operation.pointer,
      how: 'the list still has it',
      isDeletion: false,
      marked: isMarkedAsGone(entry) || (before !== undefined && wasMarked(before, entry)),
      hides: deletedFlag(subject) !== undefined,
      expected: 'a list without it',
    }),
  ];
}

interface Trace {
  readonly at: string;
  readonly how: string;
  readonly marked: boolean;
  /** Whether a flag of the operation asks for deleted records, and is not set. */
  readonly hides: boolean;
  readonly expected: string;
  /** Whether the deletion is to blame, and not what shows the record. */
  readonly isDeletion: boolean;
}

function stillThere(
  { resource, identifier, step }: EarlierRecord,
  { at, how, marked, hides, expected, isDeletion }: Trace,
): Violation {
  const { field } = resource.identifier;
  const said = String(step.exchange.response?.status ?? '');
  return {
    at,
    ...(isDeletion ? { operation: step.case.operation } : {}),
    message:
      `The server answered ${said} to the deletion of the record whose ` +
      `${field} is ${showValue(identifier)}, and yet ` +
      `${how}${marked ? ', marked as deleted' : ''}.`,
    expected,
    actual: how,
    ...(marked && !hides ? { severity: 'note', cause: 'marked' } : {}),
  };
}
