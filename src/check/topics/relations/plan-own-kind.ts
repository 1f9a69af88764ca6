import { endsParts, leavesOut } from '../../../contract/words/read-dependents.ts';
import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import {
  makeAbove,
  observerOf,
  ownReferences,
  type PartList,
  partListsOf,
  wholePart,
} from '../../plan/part-lists.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { draftOn, type Made, nameOf, readerOf, Story } from '../../plan/story.ts';

/** Records that name others of their own kind: answers to a message, parts of a folder. */
export function planOwnKind(context: PlanContext, resource: Resource): Sequence[] {
  return ownReferences(context, resource).flatMap((field) =>
    partListsOf(context, resource).flatMap((list) => ofTwo(context, resource, field, list)),
  );
}

/** Two records with one child each: where each child is listed, and what ends it. */
function ofTwo(
  context: PlanContext,
  resource: Resource,
  field: string,
  list: PartList,
): Sequence[] {
  const story = new Story(context, `what ${field} of ${resource.name} names`);
  const above = makeAbove(story, resource);
  const make = (title: string, parent?: Made): Made =>
    makeChild(story, {
      resource,
      title,
      above,
      ...(parent === undefined ? {} : { field, parent }),
    });
  const one = make(`a record is created that ${field} names`);
  const other = make(`another record is created that ${field} names`);
  const child = make(`a record is created whose ${field} names the first one`, one);
  const outside = make(`a record is created whose ${field} names the other one`, other);
  const parts = `a list of what belongs to the first record: ${list.draft.operation.id}`;
  story.step(list.draft, {
    title: parts,
    of: [one, ...above],
    extra: wholePart(list),
    relation: { rule: 'own-child', of: [one.title, other.title, child.title, outside.title] },
  });
  const observer = observerOf(context, resource);
  if (observer !== undefined && leavesOut(observer.draft.operation, list.noun))
    story.step(observer.draft, {
      title: `a list without what ${list.draft.operation.id} shows`,
      of: above,
      extra: observer.extra,
      relation: { rule: 'left-out', of: [one.title, child.title, parts] },
    });
  endWith(story, { resource, list, one, child, above });
  return story.sequences();
}

interface Child {
  readonly resource: Resource;
  readonly title: string;
  readonly above: readonly Made[];
  readonly field?: string;
  readonly parent?: Made;
}

/** Creates a record, below another one of its kind if there is a parent. */
export function makeChild(story: Story, { resource, title, above, field, parent }: Child): Made {
  return story.make(resource, {
    of: above,
    title,
    ...(parent === undefined || field === undefined
      ? {}
      : { fills: [{ at: joinPointer('', field), source: nameOf(parent) }] }),
  });
}

interface Ended {
  readonly resource: Resource;
  readonly list: PartList;
  readonly one: Made;
  readonly child: Made;
  readonly above: readonly Made[];
}

/** The children of a record after its deletion, where the contract says that they go too. */
function endWith(story: Story, { resource, list, one, child, above }: Ended): void {
  const { context } = story;
  const remove = draftOn(context, resource, 'delete');
  // A replacement may make a record, so it does not show that one is there.
  const reach = readerOf(context, resource) ?? draftOn(context, resource, 'update');
  if (remove === undefined || reach === undefined || !endsParts(remove.operation, list.noun))
    return;
  const [before, removal] = ['before the deletion', 'a deletion of the record with a child'];
  story.step(reach, {
    title: `a ${reach.operation.method} of the child ${before}`,
    of: [child, ...above],
  });
  story.step(remove, { title: removal, of: [one, ...above] });
  story.step(reach, {
    title: `a ${reach.operation.method} of the child after that`,
    of: [child, ...above],
    relation: {
      rule: 'gone',
      of: [child.title, `a ${reach.operation.method} of the child ${before}`, removal],
    },
  });
}
