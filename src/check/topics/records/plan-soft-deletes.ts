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
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { readerOf, relationTo, Story } from '../../plan/story.ts';

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

function storyOf(
  context: PlanContext,
  resource: Resource,
  { removal, restore, shown }: SoftDelete,
): Sequence[] {
  const [remove, undelete] = [draftOf(context, removal), draftOf(context, restore)];
  const read = readerOf(context, resource);
  if (remove === undefined || undelete === undefined || read === undefined) return [];
  const listing = listingsOf(context).find((one) => one.resource === resource);
  const story = new Story(context, `the restoring by ${restore.id}`);
  const made = story.make(resource);
  const before = 'the record is read before it is deleted';
  const deletion = 'a deletion that can be undone';
  const restoring = 'a deleted record is restored';
  const of = [before, deletion];
  story.read(made, before);
  story.step(remove, { title: deletion, of: [made] });
  story.read(made, 'a read of the deleted record', {
    intent: relationTo(remove, { rule: 'marked-deleted', of }),
  });
  story.read(made, 'another read of the deleted record', {
    intent: relationTo(read, {
      rule: 'readable-deleted',
      of,
      // The standard says it with SHOULD.
      ...(operationSays(read.operation, 'shows-deleted') ? {} : { doubtful: true }),
    }),
  });
  story.step(remove, {
    title: 'a second deletion of the record',
    of: [made],
    // It is said with SHOULD.
    intent: relationTo(remove, { rule: 'deleted-twice', of, doubtful: true }),
  });
  if (listing?.draft.names.length === 0) {
    lookThrough(story, { listing, what: 'a list after the deletion' }, (at) =>
      relationTo(remove, { rule: 'hidden-deleted', of, at }),
    );
    if (shown !== undefined)
      lookThrough(
        story,
        {
          listing,
          what: `a list after the deletion, with ${shown.name}`,
          extra: valued(shown, true),
        },
        () => relationTo(remove, { rule: 'shown-deleted', of, at: shown.pointer }),
      );
  }
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
  return story.sequences();
}

interface Look {
  readonly listing: Listing;
  readonly what: string;
  readonly extra?: readonly Argument[];
}

/** The pages of a list, each compared with the steps before. */
function lookThrough(
  story: Story,
  { listing, what, extra = [] }: Look,
  intentAt: (at: Pointer) => Intent,
): void {
  const query = [...widestPage(listing), ...newestFirst(listing), ...extra];
  for (const page of [
    askList(listing, { title: what, query }),
    ...furtherPages(listing, query, what),
  ])
    story.add(page, intentAt(page.operation.pointer));
}
