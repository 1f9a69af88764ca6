import { sumsIn } from '../../../contract/words/read-amounts.ts';
import type { Sequence } from '../../model/case.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { eachMade, isMakeable, readerOf, relationTo, Story } from '../../plan/story.ts';

/** A record with two parts, which are listed before the sum is read. */
export function planAmounts(context: PlanContext): Sequence[] {
  const { contract } = context;
  return eachMade(context).flatMap((resource) =>
    sumsIn(resource, contract.resources).flatMap(({ field, child, of, isText }) => {
      // Amounts that are written as texts may be rounded.
      if (isText) return [];
      const [read, list] = [readerOf(context, resource), draftOf(context, child.operations.list)];
      if (read === undefined || list === undefined || !isMakeable(context, child)) return [];
      const story = new Story(context, `the sum ${field.name} of ${resource.name}`);
      const made = story.make(resource);
      for (const count of ['one', 'another'])
        story.make(child, {
          of: [made],
          title: `${count} of what is summed is created`,
        });
      const title = 'what is summed is listed';
      story.step(list, { title, of: [made] });
      story.read(made, 'a read of the sum', {
        intent: relationTo(read, {
          rule: 'summed',
          of: [title],
          field: `${field.name}=${of}`,
          at: field.place.pointer,
        }),
      });
      return story.sequences();
    }),
  );
}
