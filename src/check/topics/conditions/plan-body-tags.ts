import { type BodyTag, takesTag } from '../../../contract/protocols/body-tag.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { changedMembers } from '../../plan/change-step.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { shownField } from '../../plan/shown-field.ts';
import { creatorDraft, type Made, readerOf, relationTo, Story } from '../../plan/story.ts';

/** The titles of the reads that show a tag: before and after the record is changed. */
const [former, latter] = ['the record is read with its tag', 'the record is read with its new tag'];

/**
 * Changes, actions and a deletion with the tag that the record had before it was changed, which
 * must fail, and with its own: all on records of the run (AIP-154).
 */
export function planBodyTags(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { tag } = protocolsOf(context.contract, resource);
    const changes = (tag?.changes ?? []).flatMap((one) => bodyDraftOf(context, one) ?? []);
    const [first] = changes;
    const isRead = readerOf(context, resource) !== undefined;
    if (tag === undefined || first === undefined || !isRead) return [];
    const tagged: Tagged = { context, resource, tag, change: first };
    const actions = context.contract.inference.actions
      .filter((action) => action.resource === resource && takesTag(action.operation, tag))
      .flatMap(({ operation }) => bodyDraftOf(context, operation) ?? []);
    return [
      ...[...changes, ...actions].flatMap((draft) => changesOf(tagged, draft)),
      ...deletions(tagged),
    ];
  });
}

interface Tagged {
  readonly context: PlanContext;
  readonly resource: Resource;
  readonly tag: BodyTag;
  /** A change without a condition. */
  readonly change: DraftWithBody;
}

/** A record that was changed since its tag was read. */
function changedRecord(story: Story, { context, resource, change }: Tagged): Made {
  const made = story.make(resource);
  story.read(made, former);
  story.step(change, {
    title: 'the record is changed, so that its tag is another',
    of: [made],
    value: newValues(context, resource, change),
  });
  story.read(made, latter);
  return made;
}

function newValues(context: PlanContext, resource: Resource, { body }: DraftWithBody): JsonObject {
  const before = creatorDraft(context, resource)?.body.value ?? {};
  const plain: JsonObject = isJsonObject(body.value) ? body.value : {};
  const changed = changedMembers(context, resource, {
    body,
    before: isJsonObject(before) ? before : {},
  });
  return { ...plain, ...Object.fromEntries(changed) };
}

/** What a read with a title showed as the tag of the record. */
function tagOf(context: PlanContext, { resource, tag }: Tagged, step: string): Source {
  const reader = readerOf(context, resource)?.operation;
  const expression = reader === undefined ? '' : shownField(reader, resource, tag.field);
  return { kind: 'link', operation: reader?.id ?? '', expression, step };
}

function changesOf(tagged: Tagged, draft: DraftWithBody): Sequence[] {
  const { context, tag } = tagged;
  const story = new Story(context, `the ${tag.field} of ${draft.operation.id}`);
  const made = changedRecord(story, tagged);
  const at = joinPointer('', tag.field);
  const stale = `a change with the ${tag.field} that the record had before`;
  const field = tag.field;
  story.step(draft, {
    title: stale,
    of: [made],
    fills: [{ at, source: tagOf(context, tagged, former) }],
    intent: relationTo(draft, { rule: 'stale-tag', of: [former, latter], field }),
  });
  story.read(made, `the record is read after ${stale}`, {
    intent: relationTo(draft, { rule: 'stale-kept', of: [latter], field: stale }),
  });
  // What prevents an action may be the state of the record, and not its tag.
  if (!tag.changes.includes(draft.operation)) return story.sequences();
  story.step(draft, {
    title: `a change with the ${tag.field} that the record has`,
    of: [made],
    fills: [{ at, source: tagOf(context, tagged, latter) }],
    intent: relationTo(draft, { rule: 'own-tag', of: [former, latter], field }),
  });
  return story.sequences();
}

function deletions(tagged: Tagged): Sequence[] {
  const { context, tag } = tagged;
  const draft = draftOf(context, tag.removal?.operation);
  if (draft === undefined || tag.removal === undefined) return [];
  const { parameter } = tag.removal;
  const story = new Story(context, `the ${tag.field} of ${draft.operation.id}`);
  const made = changedRecord(story, tagged);
  const field = tag.field;
  const shownBy = (step: string): Argument => ({
    parameter,
    source: tagOf(context, tagged, step),
  });
  story.step(draft, {
    title: `a deletion with the ${field} that the record had before`,
    of: [made],
    extra: [shownBy(former)],
    intent: relationTo(draft, { rule: 'stale-tag', of: [former, latter], field }),
  });
  story.step(draft, {
    title: `a deletion with the ${field} that the record has`,
    of: [made],
    extra: [shownBy(latter)],
    intent: relationTo(draft, { rule: 'own-tag', of: [former, latter], field }),
  });
  return story.sequences();
}
