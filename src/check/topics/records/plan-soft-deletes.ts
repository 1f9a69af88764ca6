import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import type { SoftDelete } from '../../../contract/protocols/soft-delete.ts';
import type { Resource } from '../../../contract/model.ts';
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

/**
 * A record of the run that is deleted twice, read, looked for in the lists without and with the
 * deleted ones, restored twice, read, and deleted again (AIP-164).
 */
export function planSoftDeletes(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { softDelete } = protocolsOf(context.contract, resource);
    return softDelete === undefined ? [] : storyOf(context, resource, softDelete);
  });
}

function storyOf(context: PlanContext, resource: Resource, facts: SoftDelete): Sequence[] {
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
      intent: relationTo(remove, { rule: 'deleted-twice', of, doubtful: true }),
    });
  if (listing !== undefined)
    lookForDeleted(story, { listing, parents, remove, shown: facts.shown });
  if (undelete !== undefined) undo(story, { made, remove, undelete });
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

interface Restored {
  readonly made: Made;
  readonly remove: Draft;
  readonly undelete: Draft;
}

/** The record is restored twice, read, and deleted again. */
function undo(story: Story, { made, remove, undelete }: Restored): void {
  const restoring = 'a deleted record is restored';
  story.step(undelete, {
    title: restoring,
    of: [made],
    intent: relationTo(undelete, { rule: 'restorable', of: [before, deletion] }),
  });
  story.read(made, 'a read of the restored record', {
    intent: relationTo(undelete, { rule: 'restored', of: [before, restoring] }),
  });
  story.step(undelete, {
    title: 'a record that is not deleted is restored',
    of: [made],
    intent: relationTo(undelete, { rule: 'restored-twice', of: [before, restoring] }),
  });
  story.step(remove, { title: 'the restored record is deleted', of: [made] });
}
