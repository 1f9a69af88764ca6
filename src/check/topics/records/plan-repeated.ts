import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Resource } from '../../../contract/model.ts';
import { isWithin, type RepeatKey, repeatKeys } from '../../../contract/words/read-repeats.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import { widestPage } from '../../plan/listing.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, eachMade, type Made, relationTo, Story } from '../../plan/story.ts';

/**
 * Creates whose body has a member that marks repetitions: the same request again, and, where the
 * key counts within the parent alone, the same below another one.
 */
export function planRepeated(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const create = creatorDraft(context, resource);
    const schema = create?.body.schema;
    if (create === undefined || schema === undefined) return [];
    const [key] = repeatKeys(create.operation, schema).filter(
      ({ name }) => !resource.record.flatten().properties.has(name),
    );
    return key === undefined ? [] : withKey(context, { resource, create, key });
  });
}

interface Keyed {
  readonly resource: Resource;
  readonly create: DraftWithBody;
  readonly key: RepeatKey;
}

const first = 'a record is created under a key';
const again = 'the request that created it is sent again';

/** Texts in the forms of keys: each request gets another one. */
const placeholders = [
  '5f0c9f3e-7d1b-4c55-a1d2-9b0e6f3a8c47',
  '5f0c9f3e7d1b4c55a1d29b0e6f3a8c47',
  '5f0c9f3e7d1b4c55',
];

function withKey(context: PlanContext, keyed: Keyed): Sequence[] {
  const { resource, create, key } = keyed;
  const { schema } = create.body;
  const place = schema?.flatten().properties.get(key.name);
  const own = schema && place && schema.part(place);
  const text = own && placeholders.find((one) => own.accepts(one, 'request'));
  if (text === undefined) return [];
  const at = joinPointer('', key.name);
  const story = new Story(context, `${resource.name} under ${key.name}`);
  const parents = story.makeNamed(create);
  const made = story.make(resource, {
    title: first,
    of: parents,
    value: { [key.name]: text },
  });
  const body = repeated(story.bodyOf(made), at, create);
  story.step(create, {
    title: again,
    of: parents,
    body,
    intent: relationTo(create, {
      rule: 'made-once',
      of: [first],
      field: key.name,
      at: key.fact.pointer,
    }),
  });
  belowAnother(story, keyed, { parents, body });
  return story.sequences();
}

/** The body of the first create, with its key. */
function repeated(
  body: BodyTemplate | undefined,
  at: Pointer,
  { operation }: DraftWithBody,
): BodyTemplate | undefined {
  if (body === undefined || body.kind === 'bytes') return body;
  const expression = `$request.body#${at}`;
  const source = { kind: 'link', operation: operation.id, expression, step: first } as const;
  const others = (body.fills ?? []).filter((fill) => fill.at !== at);
  return { ...body, fills: [...others, { at, source }] };
}

interface Below {
  readonly parents: readonly Made[];
  readonly body: BodyTemplate | undefined;
}

/** The same request below another parent, and the lists of both. */
function belowAnother(story: Story, { resource, create, key }: Keyed, below: Below): void {
  const list = draftOf(story.context, resource.operations.list);
  const shape = resource.list;
  const parent = resource.parents.at(-1)?.resource;
  const [own, ...more] = below.parents;
  if (list === undefined || shape === undefined || parent === undefined) return;
  if (own === undefined || more.length > 0) return;
  if (!isWithin(key.fact, lastWord(parent.collectionPath))) return;
  const page = widestPage({ draft: list, resource, shape });
  const [before, other] = ['a list of what was made under the key', 'the key below another parent'];
  story.step(list, { title: before, of: [own], extra: page });
  const another = story.make(parent);
  story.step(create, { title: other, of: [another], body: below.body });
  story.step(list, {
    title: 'a list of what was made under the key below another parent',
    of: [another],
    extra: page,
    intent: relationTo(list, {
      rule: 'made-apart',
      of: [first, before, other],
      field: key.name,
      at: key.fact.pointer,
    }),
  });
}
