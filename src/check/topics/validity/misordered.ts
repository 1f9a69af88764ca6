import { type Comparison, comparisonsIn } from '../../../contract/words/read-comparisons.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { editJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { fullBody } from '../../plan/full-body.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { distanceOf } from '../../reading/distance.ts';
import { creatorDraft, Story } from '../../plan/story.ts';

/**
 * For each order of two members that the words of a create state, one as it should be, and one with
 * the two values exchanged: `400 if start is after end`.
 */
export function planMisordered(context: PlanContext, resource: Resource): Sequence[] {
  const draft = creatorDraft(context, resource);
  const schema = draft?.body.schema;
  if (draft === undefined || schema === undefined) return [];
  return comparisonsIn(draft.operation, undefined).flatMap((comparison) => {
    const { field, other, op, fact } = comparison;
    const given = fullBody(draft.body, [field, other]);
    const swapped = exchanged(given, comparison);
    if (swapped === undefined) return [];
    const [good, bad] = holds(given, comparison) ? [given, swapped] : [swapped, given];
    if (![good, bad].every((value) => schema.accepts(value, 'request'))) return [];
    const story = new Story(context, `${field} and ${other} in ${draft.operation.id}`);
    const of = story.makeNamed(draft);
    const made = story.make(resource, { of, fixed: membersOf(good, comparison) });
    story.make(resource, {
      of,
      fixed: membersOf(bad, comparison),
      title: `a create whose ${field} is ${words[op]} ${other}`,
      relation: { rule: 'misordered', of: [made.title], field, at: fact.pointer },
    });
    return story.sequences();
  });
}

/** What is wrong with the order of two members, by the order that is stated. */
const words = { gt: 'not after', gte: 'before', lt: 'not before', lte: 'after' } as const;

type Pair = Pick<Comparison, 'field' | 'other'>;

function membersOf(value: JsonObject, { field, other }: Pair): JsonObject {
  return { [field]: value[field] ?? null, [other]: value[other] ?? null };
}

/** A body with the two values exchanged; undefined if they are equal, or cannot be compared. */
function exchanged(value: JsonObject, { field, other }: Pair): JsonObject | undefined {
  const [one = null, two = null] = [value[field], value[other]];
  if ((distanceOf(one, two) ?? 0) === 0) return undefined;
  return { ...value, [field]: two, [other]: one };
}

function holds(value: JsonObject, { field, other, op }: Comparison): boolean {
  const order = distanceOf(value[field] ?? null, value[other] ?? null) ?? 0;
  return op.startsWith('g') ? order > 0 : order < 0;
}

const mutant = mutantsOf('validation');

/** Mutations of creates whose members have an order. */
export const misorderedMutants: readonly Mutator[] = [
  mutant('takes-misordered', {
    rule: 'A create takes two members in the wrong order.',
    where: (contract: Contract): (Place & Comparison)[] =>
      contract.resources.flatMap(({ operations: { create: operation } }) =>
        operation === undefined
          ? []
          : comparisonsIn(operation, undefined).map((one) => ({ ...one, operation })),
      ),
    says: ({ field, other }) => `takes ${field} and ${other} in the wrong order`,
    request: (request, place) =>
      editJson(request, (body) =>
        isJsonObject(body) && !holds(body, place) ? exchanged(body, place) : undefined,
      ),
  }),
];
