import { toldOf } from '../../../contract/infer/told-parts.ts';
import type { Resource } from '../../../contract/model.ts';
import { isSafe } from '../../model/is-safe.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft } from '../../plan/draft.ts';
import {
  makeAbove,
  type Observer,
  observerOf,
  ownReferences,
  type PartList,
  partListsOf,
  wholePart,
} from '../../plan/part-lists.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { draftOn, eachMade, isMakeable, type Made, relationTo, Story } from '../../plan/story.ts';
import { makeChild } from './plan-own-kind.ts';

/** What a record tells of a list below it, while the list grows and shrinks. */
export function planPartCounts(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) =>
    partListsOf(context, resource).flatMap((list) => {
      const { counts, lasts } = toldOf(resource, list.noun);
      const isJudged = (field: string): boolean =>
        resource.counts.some((count) => count.field === field);
      const fields = [...counts.map(({ field }) => field), ...lasts];
      const observer = observerOf(context, resource, fields);
      return observer === undefined || fields.every(isJudged)
        ? []
        : [...withParts(context, { resource, list, observer })];
    }),
  );
}

interface Counted {
  readonly resource: Resource;
  readonly list: PartList;
  readonly observer: Observer;
}

function withParts(context: PlanContext, counted: Counted): Sequence[] {
  const { resource, list } = counted;
  const child = list.draft.role?.resource;
  const [field] = ownReferences(context, resource);
  if (child !== undefined && isMakeable(context, child)) return withMade(context, counted, child);
  if (field !== undefined) return withMade(context, counted, resource, field);
  return withActs(context, counted);
}

/** The record and its list, read one after the other, several times. */
class Observing {
  readonly #story: Story;
  readonly #counted: Counted;
  readonly #of: readonly Made[];
  readonly #seen: string[] = [];

  constructor(story: Story, counted: Counted, of: readonly Made[]) {
    this.#story = story;
    this.#counted = counted;
    this.#of = of;
  }

  /** Reads both; with `done`, what was made and done, and compares them with what was before. */
  look(when: string, done?: readonly string[]): void {
    const { list, observer } = this.#counted;
    const titles = [
      `a list of what belongs to the record ${when}`,
      `a read of it ${when}`,
    ] as const;
    const [parts, whole] = titles;
    this.#story.step(list.draft, { title: parts, of: this.#of, extra: wholePart(list) });
    this.#story.step(observer.draft, {
      title: whole,
      of: this.#of,
      extra: observer.extra,
      ...(done === undefined
        ? {}
        : {
            intent: relationTo(observer.draft, {
              rule: 'part-counts',
              of: [...done, ...this.#seen, parts],
              field: list.noun,
            }),
          }),
    });
    this.#seen.push(...titles);
  }
}

/** Two parts are made, and the last one is deleted. */
function withMade(
  context: PlanContext,
  counted: Counted,
  child: Resource,
  field?: string,
): Sequence[] {
  const { resource, list } = counted;
  const story = new Story(context, `the ${list.noun} of ${resource.name}`);
  const above = makeAbove(story, resource);
  const made = story.make(resource, { of: above });
  const observing = new Observing(story, counted, [made, ...above]);
  const add = (title: string): Made =>
    field === undefined
      ? story.make(child, { of: [made, ...above], title })
      : makeChild(story, { resource, title, above, field, parent: made });
  observing.look('before it has any');
  const first = add(`a first ${list.noun} of ${resource.name} is created`);
  const done = [made.title, first.title];
  observing.look('with one', done);
  const last = add(`a second ${list.noun} of ${resource.name} is created`);
  done.push(last.title);
  observing.look('with two', done);
  const remove = draftOn(context, child, 'delete');
  if (remove !== undefined) {
    const title = `a deletion of the second ${list.noun}`;
    story.step(remove, { title, of: [last, made, ...above] });
    observing.look('with one again', [...done, title]);
  }
  return story.sequences();
}

/** The most operations that are tried, of which one may add to the list. */
const maxActs = 4;

/** Operations on a record, of which any may add to its list: an invitation. */
function withActs(context: PlanContext, counted: Counted): Sequence[] {
  const { resource, list } = counted;
  const acts = actsOn(context, resource).slice(0, maxActs);
  if (acts.length === 0) return [];
  const story = new Story(context, `what adds a ${list.noun} to ${resource.name}`);
  const above = makeAbove(story, resource);
  const made = story.make(resource, { of: above });
  const observing = new Observing(story, counted, [made, ...above]);
  observing.look('before anything was done to it');
  for (const act of acts) {
    const title = `a plain ${act.operation.method}: ${act.operation.id}`;
    story.step(act, { title, of: [made, ...above], optional: true });
    observing.look(`after ${act.operation.id}`, [made.title]);
  }
  return story.sequences();
}

/** What a POST does to a record besides bringing it into a state. */
function actsOn({ contract, drafts }: PlanContext, { collection }: Resource): Draft[] {
  return drafts.filter(({ operation, names, role, body }) => {
    const last = names.at(-1);
    const action = contract.inference.actions.find((one) => one.operation === operation);
    return (
      operation.method === 'POST' &&
      !isSafe(operation) &&
      role === undefined &&
      body !== undefined &&
      action?.sets === undefined &&
      last?.resource.collection === collection &&
      last.parent === undefined
    );
  });
}
