import type { BatchRead } from '../../../contract/protocols/batch-read.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { draftOn, type Made, nameOf, relationTo, Story } from '../../plan/story.ts';

/**
 * Batch reads of two new records in another order than they were made, of one that was deleted, and
 * below another parent (AIP-231).
 */
export function planBatchReads(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { batchReads } = protocolsOf(context.contract, resource);
    return batchReads === undefined ? [] : storyOf(context, resource, batchReads);
  });
}

function storyOf(context: PlanContext, resource: Resource, batch: BatchRead): Sequence[] {
  const read = draftOf(context, batch.operation);
  const remove = draftOn(context, resource, 'delete');
  if (read === undefined) return [];
  const doubt = unlessAip(context);
  const story = new Story(context, `the batch read ${batch.operation.id}`);
  const parents = story.makeNamed(read);
  const [first, second, third] = [1, 2, 3].map((count) =>
    story.make(resource, { of: parents, title: `record ${String(count)} of a batch is created` }),
  );
  if (first === undefined || second === undefined || third === undefined) return [];
  const names = (...of: readonly Made[]): Argument => ({
    parameter: batch.parameter,
    source: { kind: 'list', of: of.map((made) => nameIn(batch, made)) },
  });
  const at = batch.parameter.pointer;
  story.step(read, {
    title: 'a batch read of two records',
    of: parents,
    extra: [names(second, first)],
    intent: relationTo(read, {
      rule: 'in-order-of-names',
      of: [second.title, first.title],
      at,
      ...doubt,
    }),
  });
  if (remove !== undefined) {
    const deletion = 'a deletion of one record of the batch';
    story.step(remove, { title: deletion, of: [third, ...parents] });
    story.step(read, {
      title: 'a batch read of a record and a deleted one',
      of: parents,
      extra: [names(first, third)],
      intent: relationTo(read, { rule: 'batch-refused', of: [deletion], at, ...doubt }),
    });
  }
  const others = story.makeNamed(read);
  if (others.length > 0)
    story.step(read, {
      title: 'a batch read of a record of another parent',
      of: others,
      extra: [names(first)],
      intent: relationTo(read, { rule: 'batch-refused', of: [first.title], at, ...doubt }),
    });
  return story.sequences();
}

/** What a record is called in a batch: by its address as its create showed it, or by its key. */
function nameIn({ takesAddresses }: BatchRead, made: Made): Source {
  const { title, operation, resource } = made;
  if (!takesAddresses) return nameOf(made);
  const expression = `$response.body#${joinPointer('', resource.identifier.field)}`;
  return { kind: 'link', operation: operation.id, expression, step: title };
}
