import type { Resource } from '../../../contract/model.ts';
import type { Sequence } from '../../model/case.ts';
import { chosenKey } from '../../plan/chosen-key.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, relationTo, Story } from '../../plan/story.ts';

/** A record whose create names it, and a second one of the same name (AIP-133). */
export function planChosenIds(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => storyOf(context, resource));
}

function storyOf(context: PlanContext, resource: Resource): Sequence[] {
  const draft = creatorDraft(context, resource);
  if (draft === undefined || draft.operation !== resource.operations.create) return [];
  const extra = chosenKey(context, resource, draft, 'chosen');
  const [key] = extra;
  if (key === undefined) return [];
  const { name, pointer } = key.parameter;
  const story = new Story(context, `the ${name} of ${draft.operation.id}`);
  const of = story.makeNamed(draft);
  const title = `a create with ${name}`;
  story.make(resource, {
    of,
    extra,
    title,
    intent: relationTo(draft, { rule: 'named-as-chosen', of: [], field: name, at: pointer }),
  });
  const expression = `$request.query.${name}`;
  const source = { kind: 'link', operation: draft.operation.id, expression, step: title } as const;
  story.make(resource, {
    of,
    extra: [{ parameter: key.parameter, source }],
    title: `${name} is that of another record`,
    intent: relationTo(draft, { rule: 'chosen-taken', of: [title], field: name, at: pointer }),
  });
  return story.sequences();
}
