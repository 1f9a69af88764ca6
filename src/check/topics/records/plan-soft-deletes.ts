import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { SoftDelete } from '../../../contract/protocols/soft-delete.ts';
import type { Resource } from '../../../contract/model.ts';
import type { Sequence } from '../../model/case.ts';
import { listingsOf, valued, widestPage } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { readerOf, relationTo, Story } from '../../plan/story.ts';

/**
 * A record of the run that is deleted, looked for in the lists without and with the deleted ones,
 * restored, read, and deleted again (AIP-164).
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
  story.read(made, before);
  story.step(remove, { title: deletion, of: [made] });
  if (listing?.draft.names.length === 0) {
    const page = widestPage(listing);
    story.step(listing.draft, {
      title: 'a list after the deletion',
      extra: page,
      intent: relationTo(remove, { rule: 'hidden-deleted', of: [before, deletion] }),
    });
    if (shown !== undefined)
      story.step(listing.draft, {
        title: `a list after the deletion, with ${shown.name}`,
        extra: [...page, ...valued(shown, true)],
        intent: relationTo(remove, {
          rule: 'shown-deleted',
          of: [before, deletion],
          at: shown.pointer,
        }),
      });
  }
  story.step(undelete, {
    title: restoring,
    of: [made],
    intent: relationTo(undelete, { rule: 'restorable', of: [before, deletion] }),
  });
  story.read(made, 'a read of the restored record', {
    intent: relationTo(undelete, { rule: 'restored', of: [before, restoring] }),
  });
  story.step(remove, { title: 'the restored record is deleted', of: [made] });
  return story.sequences();
}
