import type { Resource } from '../../../contract/model.ts';
import { takingsOf, type Taking } from '../../../contract/words/read-takings.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { defined, isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import {
  creatorDraft,
  eachMade,
  isMakeable,
  type Made,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';

/** What shows that what a record takes from a number of another one is given back. */
export function planGivenBack(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const [taken] = takingsOf(resource, context.contract).flatMap((taking) => {
      const steps = stepsOf(context, resource, taking);
      return steps === undefined ? [] : [steps];
    });
    return taken === undefined ? [] : takenAndBack(context, taken);
  });
}

/** An amount that other clients seldom ask for. */
const amount = 3;

/** What is taken, and the requests that show it. */
interface Taken extends Omit<Taking, 'take' | 'undo' | 'amount'> {
  readonly resource: Resource;
  readonly reader: Draft;
  readonly amount: JsonObject;
  readonly take: Draft;
  readonly undo: Draft;
}

function stepsOf(context: PlanContext, resource: Resource, taking: Taking): Taken | undefined {
  const { part, target } = taking;
  const reader = readerOf(context, target);
  const body = creatorDraft(context, part)?.body;
  const [take, undo] = [taking.take, taking.undo].map(({ operation }) =>
    context.draftByOperation.get(operation),
  );
  if (reader === undefined || take === undefined || undo === undefined) return undefined;
  const asked = { [taking.amount]: amount };
  const value = isJsonObject(body?.value) ? { ...body.value, ...asked } : asked;
  return isMakeable(context, part) && body?.schema?.accepts(value, 'request') === true
    ? { ...taking, resource, reader, take, undo, amount: asked }
    : undefined;
}

/** A record that takes and gives back, and one that is undone before it has taken anything. */
function takenAndBack(context: PlanContext, taking: Taken): Sequence[] {
  const { resource, part, take, undo, field } = taking;
  return [[take], []].flatMap((steps) => {
    const about = steps.length === 0 ? 'a record that has taken nothing' : 'a record that took';
    const story = new Story(context, `the ${field} after ${about}`);
    const made = story.make(resource);
    const line = story.make(part, { of: [made], value: taking.amount, title: 'a part is created' });
    const [before, undone] = [
      `a read of the ${field} before`,
      `a plain POST: ${undo.operation.id}`,
    ];
    readHeld(story, taking, { line, title: before });
    for (const step of steps)
      story.step(step, { title: `a plain POST: ${step.operation.id}`, of: [made] });
    story.step(undo, { title: undone, of: [made] });
    readHeld(story, taking, {
      line,
      title: `a read of the ${field} after it was undone`,
      of: [
        line.title,
        before,
        ...steps.map(({ operation }) => `a plain POST: ${operation.id}`),
        undone,
      ],
    });
    return story.sequences();
  });
}

interface HeldRead {
  readonly line: Made;
  readonly title: string;
  /** The steps with which it is compared. */
  readonly of?: readonly string[];
}

function readHeld(
  story: Story,
  { reader, target, member, undo, field }: Taken,
  { line, title, of }: HeldRead,
): void {
  const parameter = reader.identifier;
  story.step(parameter === undefined ? undefined : reader, {
    title,
    extra:
      parameter === undefined
        ? []
        : [
            {
              parameter,
              source: {
                kind: 'link',
                step: line.title,
                operation: line.operation.id,
                expression: `$request.body#${joinPointer('', member)}`,
                ...defined({ of: target.itemPath }),
              },
            },
          ],
    ...(of === undefined ? {} : { intent: relationTo(undo, { rule: 'given-back', of, field }) }),
  });
}
