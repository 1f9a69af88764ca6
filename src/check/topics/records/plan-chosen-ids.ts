import type { Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Sequence } from '../../model/case.ts';
import { chosenKey } from '../../plan/chosen-key.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { creatorDraft, relationTo, Story } from '../../plan/story.ts';

/** A record whose create names it, and a second one of the same name (AIP-133). */
export function planChosenIds(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => [
    ...storyOf(context, resource),
    ...afterDeletion(context, resource),
  ]);
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
  story.make(resource, {
    of,
    extra: [sameName(draft, key, title)],
    title: `${name} is that of another record`,
    intent: relationTo(draft, { rule: 'chosen-taken', of: [title], field: name, at: pointer }),
  });
  return story.sequences();
}

/** The name that an earlier create chose, once more. */
function sameName({ operation }: Draft, { parameter }: Argument, step: string): Argument {
  const expression = `$request.query.${parameter.name}`;
  return { parameter, source: { kind: 'link', operation: operation.id, expression, step } };
}

/**
 * A record that is deleted softly, read under its name, and a second one of that name: the name is
 * still taken (AIP-133, AIP-164).
 */
function afterDeletion(context: PlanContext, resource: Resource): Sequence[] {
  const { softDelete } = protocolsOf(context.contract, resource);
  const draft = creatorDraft(context, resource);
  const remove = softDelete?.restore && draftOf(context, softDelete.removal);
  if (draft === undefined || draft.operation !== resource.operations.create) return [];
  const [key] = chosenKey(context, resource, draft, 'kept');
  if (key === undefined || remove === undefined) return [];
  const { name, pointer } = key.parameter;
  const story = new Story(context, `the ${name} of what ${remove.operation.id} deletes`);
  const of = story.makeNamed(draft);
  const made = story.make(resource, { of, extra: [key] });
  const [deletion, read] = ['a soft deletion of it', 'a read of it under its name'];
  story.step(remove, { title: deletion, of: [made] });
  story.read(made, read);
  story.make(resource, {
    of,
    extra: [sameName(draft, key, made.title)],
    title: `${name} is that of a record that is deleted softly, and can be read`,
    intent: relationTo(draft, {
      rule: 'chosen-of-deleted',
      of: [deletion, read],
      field: name,
      at: pointer,
      ...unlessAip(context),
    }),
  });
  return story.sequences();
}
