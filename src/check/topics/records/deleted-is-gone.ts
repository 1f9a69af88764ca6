import { planDeletions } from './plan-deletion.ts';
import type { Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { limitOf, pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { totalOf } from '../../reading/list-total.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { wasCreatedTwice } from '../../reading/created-record.ts';
import {
  isMarkedAsGone,
  removedEarlier,
  type RemovedRecord,
  wasMarked,
  withIdentifier,
} from '../../reading/removed-record.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { madeIdentifier, type Related, type RelationFault } from '../../reading/related.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { check } from '../check.ts';

/** A deleted record cannot be read, and is in no list. */
export const deletedIsGone = check({
  id: 'deleted-is-gone',
  basis: 'inferred',
  severity: 'error',
  rule:
    'After a successful deletion, a record is not found when it is read, and no list has it; ' +
    'where a parameter asks for deleted records, it is shown, marked as deleted.',
  reason: 'A user who deletes a record expects it to be gone, and the law may require it.',
  example: ['> DELETE /items/7', '< 204 No Content', '> GET /items/7', '< 200 OK'],
  confirm: 'again',
  plan: [{ at: 'stories alone', all: planDeletions }],
  needs: ['creators'],
  actions: ['read', 'list'],
  covers: ['missing-refused', 'status-documented', 'item-equals-entry'],
  relations: {
    'shown-deleted': notShown,
    'unlisted-deleted': stillListed,
    'listed-deleted': notListed,
    restored: notRestored,
  },
  inspect(subject) {
    const removed = removedEarlier(subject);
    const action = roleOf(subject.contract, subject.operation)?.action;
    if (removed === undefined || subject.case.intent.kind === 'identity') return undefined;
    const found =
      action === 'read'
        ? inspectRead(subject, removed)
        : action === 'list'
          ? inspectList(subject, removed)
          : undefined;
    return found !== undefined && found.length > 0 && wasCreatedTwice(subject) ? undefined : found;
  },
});

function inspectRead(subject: CheckInput, removed: RemovedRecord): Violation[] | undefined {
  const { resource, identifier } = removed;
  const status = subject.exchange.response?.status ?? 0;
  const asked = argumentNamed(subject.sent, resource.identifier.parameter);
  if (!sameIdentifier(asked, identifier) || status === 0 || status >= 500) return undefined;
  if (!isSuccess(status)) return [];
  const record = shownRecord(resource, subject.answer);
  const marked = isJsonObject(record) && isMarkedAsGone(record);
  // `missing-refused` reports a server that returns something for any identifier.
  if (isJsonObject(record) && isAnother(subject, removed, record)) return undefined;
  return [
    stillThere(removed, {
      at: resource.operations.delete?.pointer ?? subject.operation.pointer,
      how: `reading it returned ${String(status)}`,
      marked,
      expected: '404 or 410',
    }),
  ];
}

/** Whether a record differs from the last response that showed the deleted one. */
function isAnother(subject: CheckInput, removed: RemovedRecord, record: JsonObject): boolean {
  const shown = shownBefore(subject, removed);
  const comparison = { schema: removed.resource.record, absent: 'fine', except: [] } as const;
  return shown !== undefined && compareRecords(shown, record, comparison).length > 0;
}

/** The record as the last response before its deletion showed it. */
function shownBefore(
  { earlier, contract }: CheckInput,
  { resource, step }: RemovedRecord,
): JsonObject | undefined {
  const before = earlier
    .slice(0, earlier.indexOf(step))
    .findLast(
      (candidate) =>
        roleOf(contract, candidate.case.operation)?.resource === resource &&
        isJsonObject(jsonOf(candidate.answer)) &&
        isSuccess(candidate.exchange.response?.status ?? 0),
    );
  return before && shownRecord(resource, before.answer);
}

function inspectList(subject: CheckInput, removed: RemovedRecord): Violation[] | undefined {
  const page = pageOf(subject, subject);
  const entry = page && withIdentifier(page.records, removed.resource, removed.identifier);
  if (page === undefined) return undefined;
  if (entry === undefined) return [];
  const before = shownBefore(subject, removed);
  return [
    stillThere(removed, {
      at: removed.resource.operations.delete?.pointer ?? subject.operation.pointer,
      how: 'the list still has it',
      marked: isMarkedAsGone(entry) || (before !== undefined && wasMarked(before, entry)),
      expected: 'a list without it',
    }),
  ];
}

interface Trace {
  readonly at: string;
  readonly how: string;
  readonly marked: boolean;
  readonly expected: string;
}

function stillThere(
  { resource, identifier, step }: RemovedRecord,
  { at, how, marked, expected }: Trace,
): Violation {
  const { field } = resource.identifier;
  const said = String(step.exchange.response?.status ?? '');
  return {
    at,
    message:
      `The server answered ${said} to the deletion of the record whose ` +
      `${field} is ${showValue(identifier)}, and yet ` +
      `${how}${marked ? ', marked as deleted' : ''}.`,
    expected,
    actual: how,
    ...(marked ? { severity: 'note', cause: 'marked' } : {}),
  };
}

/** A read that asks for deleted records: the record is there, with the moment of its deletion. */
function notShown({ subject, of: [made], status }: Related): RelationFault[] | undefined {
  const { contract, operation } = subject;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined || made === undefined) return undefined;
  if (!isSuccess(status) && status !== 404 && status !== 410) return undefined;
  if (!isSuccess(status))
    return [
      {
        message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
        expected: 'the record, marked as deleted',
        actual: String(status),
      },
    ];
  const record = shownRecord(resource, subject.answer);
  const mark = [...resource.record.flatten().properties.keys()].find((name) =>
    /^(is_?)?(deleted|removed|trashed)(_?(at|on|date|time))?$/i.test(name),
  );
  if (mark === undefined || record === undefined || isMarkedAsGone(record)) return [];
  return [
    {
      message: `A deleted record is shown without ${mark}.`,
      expected: `a record with ${mark}`,
      actual: `no ${mark}`,
      cause: 'mark',
    },
  ];
}

function entryOf({ subject, of: [made] }: Related): JsonObject | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const identifier = made && madeIdentifier(subject, made);
  if (resource === undefined || identifier === undefined) return undefined;
  return withIdentifier(listedRecords(resource, subject.answer) ?? [], resource, identifier);
}

function stillListed(related: Related): RelationFault[] | undefined {
  if (!isSuccess(related.status)) return undefined;
  if (entryOf(related) === undefined) return [];
  return [
    {
      message: 'A list that does not ask for deleted records has one that was deleted.',
      expected: 'a list without it',
      actual: 'the list has it',
    },
  ];
}

/**
 * A list that asks for deleted records, after one that does not: it has the record, and its total
 * is higher. Records that others create meanwhile only raise it.
 */
function notListed(related: Related): RelationFault[] | undefined {
  const { subject, of, status } = related;
  const plain = of.at(-1);
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  if (!isSuccess(status) || plain === undefined || resource === undefined) return undefined;
  const isListed = entryOf(related) !== undefined;
  const total = sameTotal(resource, plain, subject);
  const few = countOf(resource, plain);
  // Without totals, only an empty list proves that the record is on no page.
  const isEmpty = few === 0 && countOf(resource, subject) === 0;
  if (total === undefined) return isListed ? [] : isEmpty ? [nowhere('no records')] : undefined;
  if (!isListed) return [nowhere(`${String(total)} in both`)];
  const limit = limitOf(resource, plain)?.value ?? Infinity;
  // A page that is far from full shows all that its total counts.
  return few < total && few * roomy < limit ? [counted(`${String(total)} in both`)] : [];
}

/** The total of two lists, if the second one is not higher; undefined otherwise. */
function sameTotal(resource: Resource, first: Step, second: Step): number | undefined {
  const [before, after] = [first, second].map((step) => totalOf(resource, step)?.value);
  return before !== undefined && after !== undefined && after <= before ? before : undefined;
}

function countOf(resource: Resource, step: Step): number {
  return listedRecords(resource, step.answer)?.length ?? 0;
}

const roomy = 3;

function nowhere(actual: string): RelationFault {
  return {
    message:
      'A list that asks for deleted records is no longer than one that does not, and a record ' +
      'was deleted just before.',
    expected: 'a list with the deleted record',
    actual,
    momentary: true,
  };
}

function counted(actual: string): RelationFault {
  return {
    message:
      'A list that leaves deleted records out has the same total as one that has them, and a ' +
      'record was deleted just before.',
    expected: 'a lower total',
    actual,
    momentary: true,
  };
}

function notRestored({ subject, status }: Related): RelationFault[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  if (resource === undefined) return undefined;
  const record = isSuccess(status) ? shownRecord(resource, subject.answer) : undefined;
  if (![404, 410].includes(status) && !(record !== undefined && isMarkedAsGone(record))) return [];
  const actual = record === undefined ? String(status) : 'it is marked as deleted';
  return [
    {
      message: 'A record that was created again after its deletion is still deleted.',
      expected: 'the record',
      actual,
    },
  ];
}
