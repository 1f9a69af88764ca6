import type { Resource, Schema } from '../../../contract/model.ts';
import { isJsonObject } from '../../../json/value.ts';
import { isSafe } from '../../model/is-safe.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft, DraftBody } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, eachMade, readerOf, relationTo, Story } from '../../plan/story.ts';

/**
 * Creates with a text that the record shows within an object, as `topic` in `topic.value`: another
 * operation that sets the same text shows where.
 */
export function planInnerTexts(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const create = creatorDraft(context, resource);
    if (create === undefined) return [];
    return textsOf(create.body)
      .filter((field) => isObjectIn(resource.record, field))
      .flatMap((field) => setTwice(context, resource, { field, body: create.body }));
  });
}

/** The members of a body that are texts and not lists of words. */
function textsOf({ schema }: DraftBody): string[] {
  return [...(schema?.flatten().properties ?? [])].flatMap(([name, place]) => {
    const { types, node } = schema?.flatten(place) ?? { types: [] };
    return types.join() === 'string' && node?.enum === undefined ? [name] : [];
  });
}

function isObjectIn(record: Schema, field: string): boolean {
  const place = record.flatten().properties.get(field);
  return place !== undefined && record.flatten(place).types.join() === 'object';
}

interface Inner {
  readonly field: string;
  readonly body: DraftBody;
}

/** The first one has a character that some services store as an entity of HTML. */
const texts = { created: 'Made & shown', set: 'As it is set' };

function setTwice(context: PlanContext, resource: Resource, { field, body }: Inner): Sequence[] {
  const reader = readerOf(context, resource);
  const setter = context.drafts.find((draft) => sets(draft, resource, field));
  if (reader === undefined || setter?.body === undefined) return [];
  const isTaken = [
    [body, texts.created],
    [setter.body, texts.set],
  ] as const;
  if (!isTaken.every(([own, text]) => takes(own, field, text))) return [];
  const story = new Story(context, `the ${field} of ${resource.name}`);
  const made = story.make(resource, { value: { [field]: texts.created } });
  const [before, act] = [`a read of the ${field} that was created`, `a request that sets ${field}`];
  story.read(made, before);
  story.step(setter, {
    title: act,
    of: [made],
    value: { ...valueOf(setter.body), [field]: texts.set },
  });
  story.read(made, `a read of the ${field} that was set`, {
    intent: relationTo(reader, { rule: 'made-as-set', of: [made.title, before, act], field }),
  });
  return story.sequences();
}

/** Whether an operation changes a record by a text of that name. */
function sets({ operation, names, body, role }: Draft, resource: Resource, field: string): boolean {
  return (
    !isSafe(operation) &&
    role?.action !== 'create' &&
    names.at(-1)?.resource.collection === resource.collection &&
    body !== undefined &&
    textsOf(body).includes(field)
  );
}

function takes(body: DraftBody, field: string, text: string): boolean {
  return body.schema?.accepts({ ...valueOf(body), [field]: text }, 'request') === true;
}

function valueOf({ value }: DraftBody): object {
  return isJsonObject(value) ? value : {};
}
