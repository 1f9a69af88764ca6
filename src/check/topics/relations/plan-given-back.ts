import { addressedBy } from '../../../contract/infer/address-members.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import { tellsOf } from '../../../contract/words/mentions.ts';
import { undoes } from '../../../contract/words/effect-words.ts';
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

/**
 * What an operation takes from a number of another record, such as the stock of a product, is given
 * back by the operation that undoes it. Both name that number in their descriptions.
 */
export function planGivenBack(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const part = context.contract.resources.find(
      (one) =>
        one.parents.at(-1)?.resource?.collection === resource.collection &&
        isMakeable(context, one),
    );
    const held = part && heldBy(context, part);
    const acts = actsOn(context, resource);
    const undo = acts.find(({ operation }) => undoes(operation));
    if (part === undefined || held === undefined || undo === undefined) return [];
    const taking = acts
      .filter(({ operation }) => !undoes(operation))
      .flatMap((take) => {
        const field = held.numbers.find((name) =>
          [take, undo].every(({ operation }) => tellsOf(operation, name)),
        );
        return field === undefined ? [] : [{ resource, part, held, take, undo, field }];
      });
    return taking.slice(0, 1).flatMap((one) => takenAndBack(context, one));
  });
}

/** The record that a part refers to by a member of its body, and how much of it the part wants. */
interface Held {
  readonly member: string;
  readonly target: Resource;
  readonly reader: Draft;
  readonly amount: JsonObject;
  /** The whole numbers of that record. */
  readonly numbers: readonly string[];
}

/** An amount that other clients seldom ask for. */
const amount = 3;

function heldBy(context: PlanContext, part: Resource): Held | undefined {
  const { resources } = context.contract;
  const body = creatorDraft(context, part)?.body;
  const value: JsonObject = isJsonObject(body?.value) ? body.value : {};
  const [found, ...others] = Object.entries(value).flatMap(([member, text]) => {
    const target =
      part.foreignKeys.find(({ field, many }) => field === member && !many)?.resource ??
      addressedBy({ examples: [text] }, resources)?.resource;
    const reader = target && readerOf(context, target);
    return reader === undefined || target === undefined ? [] : [{ member, target, reader }];
  });
  const counted = Object.entries(value).filter(([, number]) => Number.isInteger(number));
  const [name] = counted.length === 1 ? (counted[0] ?? []) : [];
  if (found === undefined || others.length > 0 || name === undefined) return undefined;
  if (body?.schema?.accepts({ ...value, [name]: amount }, 'request') !== true) return undefined;
  const numbers = recordFields(found.target.record).filter(
    ({ many, types, name: own }) => !many && !own.includes('.') && types.join() === 'integer',
  );
  return {
    member: found.member,
    target: found.target,
    reader: found.reader,
    amount: { [name]: amount },
    numbers: numbers.map(({ name: own }) => own),
  };
}

/** The operations that bring a record into a state. */
function actsOn({ contract, draftByOperation }: PlanContext, { collection }: Resource): Draft[] {
  return contract.inference.actions
    .filter(({ resource, sets }) => resource.collection === collection && sets !== undefined)
    .flatMap(({ operation }) => draftByOperation.get(operation) ?? []);
}

interface Taking {
  readonly resource: Resource;
  readonly part: Resource;
  readonly held: Held;
  readonly take: Draft;
  readonly undo: Draft;
  readonly field: string;
}

/** A record that takes and gives back, and one that is undone before it has taken anything. */
function takenAndBack(context: PlanContext, taking: Taking): Sequence[] {
  const { resource, part, held, take, undo, field } = taking;
  return [[take], []].flatMap((steps) => {
    const about = steps.length === 0 ? 'a record that has taken nothing' : 'a record that took';
    const story = new Story(context, `the ${field} after ${about}`);
    const made = story.make(resource);
    const line = story.make(part, { of: [made], value: held.amount, title: 'a part is created' });
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
  { held, undo, field }: Taking,
  { line, title, of }: HeldRead,
): void {
  const { reader, target, member } = held;
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
