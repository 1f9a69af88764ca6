import { writeUndone } from '../../reading/shared-causes.ts';
import type { Resource, Contract, Parameter } from '../../../contract/model.ts';
import { emptyBody, isSuccess } from '../../../http/message.ts';
import { type JsonObject, membersWhere } from '../../../json/value.ts';
import { roleOf, showValue, type Step } from '../../model/step.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { namesNone } from '../../reading/next-page.ts';
import type { Related, RelationFaults, RelationJudge } from '../../reading/related.ts';
import { canBeMarked, isMarkedAsGone, withIdentifier } from '../../reading/removed-record.ts';
import { totalOf } from '../../reading/list-total.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { isKeptByServer } from './refused-growth.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import type { SoftDelete } from '../../../contract/protocols/soft-delete.ts';
import type { Pointer } from '../../../json/pointer.ts';
import type { Intent, Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import {
  askList,
  furtherPages,
  type Listing,
  listingsOf,
  newestFirst,
  valued,
  widestPage,
} from '../../plan/listing.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { type Made, readerOf, relationTo, Story } from '../../plan/story.ts';
import { saysGone } from '../../../contract/words/names.ts';
import { readJson } from '../../../http/media-type.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { editFieldsShown, fieldsShown } from '../../mutants/open-bodies.ts';
import { keepsReadable, type ActionPlace, actions } from '../../mutants/state-edits.ts';

/** A deletion that can be undone hides the record, and undoing it brings the record back. */
export const softDeleteHolds = check({
  id: 'soft-delete-holds',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A record that was deleted softly is marked, is in no plain list, is shown with show_deleted ' +
    'or a flag like it, and has its fields again when it was restored; what is not deleted is ' +
    'not restored (AIP-164).',
  reason: 'A user who undoes a deletion expects all data back; until then, nobody may see it.',
  example: [
    '> DELETE /items/7',
    '> POST /items/7:undelete',
    '< 200 OK',
    '> GET /items/7',
    '< {"id": 7, "name": ""}   (before: "old")',
  ],
  explains: [{ ...writeUndone, leads: ({ cause }) => cause === 'not restored' }],
  plan: [{ at: 'stories', resource: planSoftDeletes }],
  mutants: [() => softDeleteMutants],
  relations: {
    'hidden-deleted': ofDeleted(isListed),
    'shown-deleted': ofDeleted(isUnlisted),
    'marked-deleted': ofDeleted(isUnmarked),
    'readable-deleted': ofDeleted(isUnreadable),
    'deleted-twice': ofDeleted(isDoneAgain),
    restorable: ofDeleted(isRefused),
    restored: ofDeleted(isOther),
    'restored-twice': ofDeleted(isDoneAgain),
  },
});

interface Deleted {
  readonly resource: Resource;
  readonly record: JsonObject;
  readonly name: string;
}

/** A judge of what concerns the record that the first step of a relation read. */
function ofDeleted(judge: (deleted: Deleted, related: Related) => RelationFaults): RelationJudge {
  return (related) => {
    const [before] = related.of;
    const { contract } = related.subject;
    const resource = before && roleOf(contract, before.case.operation)?.resource;
    const record = before && resource && shownRecord(resource, before.answer);
    if (resource === undefined || record === undefined) return undefined;
    const { field } = resource.identifier;
    const name = `the record whose ${field} is ${showValue(record[field])}`;
    return judge({ resource, record, name }, related);
  };
}

/** The entry of the deleted record in a list; undefined if the list has none. */
function entryIn(
  { answer }: Pick<Step, 'answer'>,
  { resource, record }: Deleted,
): JsonObject | undefined {
  const records = listedRecords(resource, answer);
  const identifier = record[resource.identifier.field];
  return records && identifier !== undefined
    ? withIdentifier(records, resource, identifier)
    : undefined;
}

function isListed(deleted: Deleted, { subject, status }: Related): RelationFaults {
  if (!isSuccess(status)) return undefined;
  if (entryIn(subject, deleted) === undefined) return [];
  return {
    message: `${deleted.name} was deleted, and a list that does not ask for such still has it.`,
    expected: 'a list without it',
    actual: 'the list has it',
    cause: 'deleted in the list',
  };
}

/** A list whose last page names none after it, and which has no page with the deleted record. */
function isUnlisted(deleted: Deleted, { subject, status }: Related): RelationFaults {
  if (!isSuccess(status)) return undefined;
  const { list } = deleted.resource;
  const pages = [...subject.earlier.filter(isSamePage(subject)), subject];
  const shown = pages.map((page) => listedRecords(deleted.resource, page.answer)?.length ?? 0);
  const total = totalOf(deleted.resource, subject)?.value ?? Infinity;
  const isWhole =
    (list?.limit === undefined && list?.paging.length === 0) ||
    namesNone(subject) ||
    shown.reduce((sum, count) => sum + count, 0) >= total;
  if (!isWhole || listedRecords(deleted.resource, subject.answer) === undefined) return undefined;
  if (pages.some((page) => entryIn(page, deleted) !== undefined)) return [];
  return {
    message: `${deleted.name} was deleted, and a list that asks for deleted records lacks it.`,
    expected: 'a list with it',
    actual: 'the list lacks it',
    cause: 'deleted not shown',
  };
}

/** Whether a step is a page of the same list: compared by the same rule. */
function isSamePage({ case: { intent } }: CheckInput): (step: Step) => boolean {
  return ({ case: other }) =>
    intent.kind === 'relation' &&
    other.intent.kind === 'relation' &&
    other.intent.rule === intent.rule;
}

/** A read of a deleted record that shows nothing of the deletion. */
function isUnmarked(deleted: Deleted, { subject, status }: Related): RelationFaults {
  if (isMarkedAsGone(deleted.record) || !canBeMarked(deleted.resource)) return undefined;
  const shown = shownRecord(deleted.resource, subject.answer);
  if (!isSuccess(status) || shown === undefined) return undefined;
  if (isMarkedAsGone(shown)) return [];
  return {
    message: `${deleted.name} was deleted, and reading it shows nothing of that.`,
    expected: 'a mark, such as delete_time',
    actual: 'the record as before',
    cause: 'deleted not marked',
  };
}

/** A read of a deleted record that finds none. */
function isUnreadable({ name }: Deleted, { subject, status }: Related): RelationFaults {
  if (status !== 404 && status !== 410) return isSuccess(status) ? [] : undefined;
  return {
    message:
      `${name} was deleted softly, and ${subject.operation.id} answered ` +
      `${String(status)} for it.`,
    expected: 'the record, marked as deleted',
    actual: String(status),
    cause: 'deleted not readable',
  };
}

/** A second deletion, or a second restoring, that succeeds. */
function isDoneAgain({ name }: Deleted, { subject, status, intent }: Related): RelationFaults {
  if (!isSuccess(status)) return [];
  const isRestored = intent.rule === 'restored-twice';
  return {
    message:
      `${subject.operation.id} answered ${String(status)} for ${name}, which is ` +
      `${isRestored ? 'not deleted' : 'deleted already'}.`,
    expected: isRestored ? '409 (ALREADY_EXISTS)' : '404 (NOT_FOUND)',
    actual: String(status),
    cause: isRestored ? 'restored twice' : 'deleted twice',
  };
}

function isRefused({ name }: Deleted, { subject, status }: Related): RelationFaults {
  if (status !== 404 && status !== 410) return [];
  return {
    message:
      `${subject.operation.id} answered ${String(status)} for ${name}, which was ` +
      'deleted just before.',
    expected: 'the record, restored',
    actual: String(status),
    cause: 'not restorable',
  };
}

/** A restored record that cannot be read, or that has lost the value of a field. */
function isOther(
  { resource, record, name }: Deleted,
  { subject, status, of: [, restoring] }: Related,
): RelationFaults {
  if (restoring === undefined) return undefined;
  const { id } = restoring.case.operation;
  if (status === 404 || status === 410)
    return {
      message: `${id} succeeded for ${name}, and reading it returned ${String(status)}.`,
      expected: 'the record',
      actual: String(status),
      cause: 'not restored',
    };
  const restored = shownRecord(resource, subject.answer);
  if (!isSuccess(status) || restored === undefined) return undefined;
  if (isMarkedAsGone(restored) && !isMarkedAsGone(record))
    return {
      message: `${id} succeeded for ${name}, and reading it shows it as still deleted.`,
      expected: 'the record as it was before the deletion',
      actual: 'it is marked as deleted',
      cause: 'not restored',
    };
  const [lost] = compareRecords(record, restored, {
    schema: resource.record,
    absent: 'different',
    except: ['etag'],
  }).filter(({ field }) => !isKeptByServer(field) && isSettable(resource, field));
  if (lost === undefined) return [];
  const { field, expected, got } = lost;
  return {
    message: `${id} restored a record with another ${field}: ${showValue(got)}.`,
    expected: `${field} is ${showValue(expected)}, as before the deletion`,
    actual: `${field} is ${showValue(got)}`,
    cause: 'restored otherwise',
  };
}

/** Whether a client sets a field: what the service sets may differ after a deletion. */
function isSettable({ record }: Resource, field: string): boolean {
  const place = record.flatten().properties.get(field);
  return place !== undefined && record.flatten(place).node.readOnly !== true;
}

/**
 * A record of the run that is deleted twice, read, looked for in the lists without and with the
 * deleted ones, restored twice, read, and deleted again (AIP-164).
 */
function planSoftDeletes(context: PlanContext, resource: Resource): Sequence[] {
  const { softDelete: facts } = protocolsOf(context.contract, resource);
  if (facts === undefined) return [];
  const remove = draftOf(context, facts.removal);
  const reader = readerOf(context, resource);
  if (remove === undefined || reader === undefined) return [];
  const { restore, read } = facts;
  const undelete = restore && draftOf(context, restore);
  if (restore !== undefined && undelete === undefined) return [];
  // Two lists may show the records that one operation deletes.
  const about =
    restore === undefined
      ? `what ${remove.operation.id} keeps of ${resource.name}`
      : `the restoring by ${restore.id}`;
  const story = new Story(context, about);
  const listing = listingsOf(context).find((one) => one.resource === resource);
  const parents = listing === undefined ? [] : story.makeNamed(listing.draft);
  const made = story.make(resource, { of: parents });
  const of = [before, deletion];
  story.read(made, before);
  story.step(remove, { title: deletion, of: [made] });
  if (undelete !== undefined || read !== undefined) {
    const extra = valued(read, true);
    story.read(made, 'a read of the deleted record', {
      extra,
      intent: relationTo(remove, { rule: 'marked-deleted', of }),
    });
    // Without a flag that asks for it, the standard says it with SHOULD.
    const isSaid = read !== undefined || operationSays(reader.operation, 'shows-deleted');
    story.read(made, 'another read of the deleted record', {
      extra,
      intent: relationTo(reader, {
        rule: 'readable-deleted',
        of,
        ...(isSaid ? {} : { doubtful: true }),
      }),
    });
  }
  if (undelete !== undefined)
    story.step(remove, {
      title: 'a second deletion of the record',
      of: [made],
      // It is said with SHOULD.
      relation: { rule: 'deleted-twice', of, doubtful: true },
    });
  if (listing !== undefined)
    lookForDeleted(story, { listing, parents, remove, shown: facts.shown });
  if (undelete !== undefined) undo(story, made, remove, undelete);
  return story.sequences();
}

const before = 'the record is read before it is deleted';
const deletion = 'a deletion that can be undone';

interface Looked {
  readonly listing: Listing;
  /** What the path of the list names. */
  readonly parents: readonly Made[];
  readonly remove: Draft;
  readonly shown: SoftDelete['shown'];
}

/** The list without and with the deleted records; below a record of the run, its first page. */
function lookForDeleted(story: Story, { listing, parents, remove, shown }: Looked): void {
  const of = [before, deletion];
  const look = (
    what: string,
    extra: readonly Argument[],
    intentAt: (at: Pointer) => Intent,
  ): void => {
    const query = [...widestPage(listing), ...newestFirst(listing), ...extra];
    if (listing.draft.names.length > 0)
      return story.step(listing.draft, {
        title: what,
        of: parents,
        extra: query,
        intent: intentAt(listing.draft.operation.pointer),
      });
    for (const page of [
      askList(listing, { title: what, query }),
      ...furtherPages(listing, query, what),
    ])
      story.add(page, intentAt(page.operation.pointer));
  };
  look('a list after the deletion', [], (at) =>
    relationTo(remove, { rule: 'hidden-deleted', of, at }),
  );
  if (shown !== undefined)
    look(`a list after the deletion, with ${shown.name}`, valued(shown, true), () =>
      relationTo(remove, { rule: 'shown-deleted', of, at: shown.pointer }),
    );
}

/** The record is restored twice, read, and deleted again. */
function undo(story: Story, made: Made, remove: Draft, undelete: Draft): void {
  const restoring = 'a deleted record is restored';
  story.step(undelete, {
    title: restoring,
    of: [made],
    relation: { rule: 'restorable', of: [before, deletion] },
  });
  story.read(made, 'a read of the restored record', {
    intent: relationTo(undelete, { rule: 'restored', of: [before, restoring] }),
  });
  story.step(undelete, {
    title: 'a record that is not deleted is restored',
    of: [made],
    relation: { rule: 'restored-twice', of: [before, restoring] },
  });
  story.step(remove, { title: 'the restored record is deleted', of: [made] });
}

const mutant = mutantsOf('state');

interface ShownPlace extends Place {
  readonly shown: Parameter;
}

/** The lists that show deleted records if they are asked for. */
function lists(contract: Contract): ShownPlace[] {
  return contract.resources.flatMap((resource) => {
    const shown = protocolsOf(contract, resource).softDelete?.shown;
    const operation = resource.operations.list;
    return shown === undefined || operation === undefined ? [] : [{ operation, shown }];
  });
}

function restores(contract: Contract): Place[] {
  return contract.resources.flatMap((resource) => {
    const operation = protocolsOf(contract, resource).softDelete?.restore;
    return operation === undefined ? [] : [{ operation }];
  });
}

/** The reads that show a deleted record, marked as such, to any request. */
function reads(contract: Contract): ActionPlace[] {
  return actions(contract, 'read').filter(({ resource }) => keepsReadable(contract, resource));
}

/** Mutations of deletions that can be undone (AIP-164). */
const softDeleteMutants: readonly Mutator[] = [
  mutant('lists-soft-deleted', {
    rule: 'A list shows deleted records although the request does not ask for them.',
    where: lists,
    says: 'shows deleted records',
    request: (request, { shown: { name } }) => {
      if (request.method !== 'GET' || queryOf(request, name) !== undefined) return undefined;
      return withQuery(request, encodeURIComponent(name), 'true');
    },
  }),
  mutant('hides-soft-deleted', {
    rule: 'A list shows no deleted records although the request asks for them.',
    where: lists,
    says: 'shows no deleted records',
    request: (request, { shown }) => withoutQuery(request, [shown.name]),
  }),
  mutant('restores-live', {
    rule: 'Restoring what is not deleted succeeds.',
    where: restores,
    says: 'restores what is not deleted',
    status: 409,
    answer: async (_refusal, _place, { request, service }) => {
      const target = request.target.replace(/:undelete(?=\?|$)/, '');
      const read = { ...request, method: 'GET', target, body: emptyBody };
      const { response } = await service.respond(read);
      return response?.status === 200 ? response : undefined;
    },
  }),
  mutant('unmarks-deleted', {
    rule: 'A read shows a deleted record as it was before its deletion.',
    where: reads,
    says: 'shows a deleted record without a mark',
    body: (body, place) => {
      const record = fieldsShown(body, place);
      if (record === undefined || !isMarkedAsGone(record)) return undefined;
      return editFieldsShown(body, place, (fields) =>
        membersWhere(fields, (name) => !saysGone(name)),
      );
    },
  }),
  mutant('hides-deleted', {
    rule: 'A read finds no record that was deleted softly.',
    where: reads,
    says: 'finds no deleted record',
    // Without a flag that asks for it, the standard says it with SHOULD.
    warns: ({ operation }) => !operationSays(operation, 'shows-deleted'),
    answer: async (response, place, { request, service }) => {
      const record = fieldsShown(readJson(response), place);
      if (record === undefined || !isMarkedAsGone(record)) return undefined;
      const [path = ''] = request.target.split('?');
      const none = await service.respond({ ...request, target: `${path}-none` });
      return none.response?.status === 404 ? none.response : undefined;
    },
  }),
];
