import { speaksJsonApi } from '../../../contract/infer/conventions/envelope-styles.ts';
import { documentsRefusal, type Operation, type Resource } from '../../../contract/model.ts';
import {
  factIn,
  namesField,
  operationTexts,
  responseTexts,
  statusTexts,
} from '../../../contract/words/facts.ts';
import { clearsField } from '../../../contract/words/mentions.ts';
import { saysMustExist } from '../../../contract/words/read-references.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { defined, isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { statesToBeNamed } from '../../../contract/words/read-states.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext, Relation } from '../../plan/plan-context.ts';
import {
  naming,
  namingNothing,
  type Reference,
  referencesOf,
  refusesUnknown,
} from '../../plan/references.ts';
import {
  creatorDraft,
  draftOn,
  isMakeable,
  keysOf,
  type Made,
  nameOf,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';

/** Creates and changes that name a record which does not exist, or was deleted. */
export function planReferences(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  if (create === undefined) return [];
  const drafts = [
    create,
    draftOn(context, resource, 'replace'),
    draftOn(context, resource, 'update'),
  ].filter((draft) => draft !== undefined);
  const fields = new Set(
    drafts.flatMap((draft) => referencesOf(context, resource, draft).map(({ field }) => field)),
  );
  return [
    ...[...fields].flatMap((field) => unknownOnWrite(context, resource, field, drafts)),
    ...referencesOf(context, resource, create).flatMap((place) => [
      ...clearedReference(context, resource, place),
      ...namedUnfit(context, resource, place, draftOn(context, place.resource, 'delete')),
      ...namedUnfit(context, resource, place),
    ]),
  ];
}

/** The states in which a create may name a record, and members that make it one, and one that not. */
export function whenNamed(
  context: PlanContext,
  { operation }: Draft,
  { resource, place }: Reference,
):
  | { readonly states: NamedStates; readonly good?: JsonObject; readonly bad?: JsonObject }
  | undefined {
  const body = creatorDraft(context, resource)?.body;
  const states = statesToBeNamed(operation, place, resource);
  if (states === undefined) return undefined;
  const { field, values, others } = states;
  const plain = isJsonObject(body?.value) ? body.value : {};
  const isSet = body?.schema?.flatten().properties.has(field) === true;
  const [good, bad] = [values, others].map((all) =>
    all
      .flatMap((state): JsonObject[] => [{ [field]: state }, { [field]: state === 'true' }])
      .find((member) => isSet && body.schema?.accepts({ ...plain, ...member }, 'request')),
  );
  return { states, ...defined({ good, bad }) };
}

type NamedStates = NonNullable<ReturnType<typeof statesToBeNamed>>;

/** A create that names a record which was deleted, or is in a state in which it may not be. */
function namedUnfit(
  context: PlanContext,
  resource: Resource,
  place: Reference,
  remove?: Draft,
): Sequence[] {
  const { resource: target, field } = place;
  const create = creatorDraft(context, resource);
  if (create === undefined || !isMakeable(context, target)) return [];
  if (!refusesReferences(context, create.operation)) return [];
  const { states, good: value, bad } = whenNamed(context, create, place) ?? {};
  if (remove === undefined && states === undefined) return [];
  const how = remove === undefined ? 'is in another state' : 'was deleted';
  const story = new Story(context, `${resource.name} whose ${field} names what ${how}`);
  const fit = story.make(target, defined({ value }));
  const named = (made: Made): ReturnType<typeof naming> =>
    naming(place, 'x', { ...nameOf(made), ...defined({ address: place.address }) });
  const control = story.make(resource, { of: [fit], ...named(fit) });
  const unfit = story.make(target, defined({ value: remove === undefined ? bad : value }));
  const title = `what is named ${how}`;
  const isUnfit =
    remove !== undefined ||
    bad !== undefined ||
    states?.others.some((state) => story.bring(unfit, state, states.field));
  if (isUnfit !== true) return [];
  if (remove === undefined) story.read(unfit, title);
  else story.step(remove, { title, of: [unfit] });
  const of = [title, control.title];
  const relation =
    remove === undefined && states !== undefined
      ? ({ rule: 'wrong-state', of, field: `${states.field}=${states.values.join('|')}` } as const)
      : ({ rule: 'refused', of, field, ...doubtAbout(context, create, place) } as const);
  story.make(resource, {
    of: [unfit],
    ...named(unfit),
    title: `a POST whose ${field} names a record that ${how}`,
    relation,
  });
  const isSaid = refusesInChange(context, place, resource, remove !== undefined);
  if (isSaid) changeAlike(story, control, `a change whose ${field} names what ${how}`, relation);
  return story.sequences();
}

/** Whether a change refuses too what was deleted, or is in another state, as far as it says so. */
function refusesInChange(
  context: PlanContext,
  { at }: Reference,
  resource: Resource,
  isDeleted: boolean,
): boolean {
  const change = draftOn(context, resource, 'update');
  const own = change && referencesOf(context, resource, change).find((one) => one.at === at);
  if (change === undefined || own === undefined) return false;
  if (isDeleted) return refusesReferences(context, change.operation);
  return whenNamed(context, change, own)?.states !== undefined;
}

/** A change of a record that names those which the story made last, between two reads of it. */
function changeAlike(story: Story, made: Made, title: string, relation: Relation): void {
  const change = draftOn(story.context, made.resource, 'update');
  const fills = (change === undefined ? [] : keysOf(made.resource, change)).flatMap((key) => {
    const last = story.made.findLast((one) => one.resource.collection === key.resource.collection);
    return last === undefined ? [] : [{ at: joinPointer('', key.field), source: nameOf(last) }];
  });
  if (fills.length === 0 || readerOf(story.context, made.resource) === undefined) return;
  story.read(made, `a read before ${title}`);
  story.step(change, { title, of: [made], fills, relation });
  story.read(made, `a read after ${title}`);
}

function unknownOnWrite(
  context: PlanContext,
  resource: Resource,
  field: string,
  drafts: readonly Draft[],
): Sequence[] {
  const story = new Story(context, `${resource.name} whose ${field} names nothing`);
  const made = story.make(resource);
  const create = creatorDraft(context, resource);
  for (const draft of drafts) {
    const reference = referencesOf(context, resource, draft).find((one) => one.field === field);
    const body = reference && namingNothing(draft, reference, create);
    if (reference === undefined || body === undefined) continue;
    if (!refusesReferences(context, draft.operation)) continue;
    story.step(draft, {
      title: `a ${draft.operation.method} whose ${field} names no record`,
      of: [made],
      ...body,
      relation: {
        rule: 'refused',
        of: [made.title],
        field,
        ...doubtAbout(context, draft, reference),
      },
    });
  }
  return story.sequences();
}

/** Whether an operation documents how it refuses a reference to no record. */
function refusesReferences({ contract }: PlanContext, operation: Operation): boolean {
  const statuses = refusesUnknown(contract) ? ['404', '409', '422'] : ['404', '409'];
  return documentsRefusal(operation, statuses);
}

/** The contract may leave open whether a reference names a record that exists. */
function doubtAbout(
  context: PlanContext,
  draft: Draft,
  reference: Reference,
): { readonly doubtful?: true } {
  const isSaid = refusesUnknown(context.contract) || saysReference(draft, reference);
  return defined({ doubtful: isSaid ? undefined : (true as const) });
}

/**
 * Whether a reference has to name a record which exists: the contract says so in words, names a
 * refusal where it describes the reference, or the reference where it documents refusals. Or
 * JSON:API does: a server responds with 404 to a reference to no resource (1.1, 9.1 and 9.2).
 */
function saysReference({ operation, body }: Draft, { field, place }: Reference): boolean {
  if (speaksJsonApi(operation)) return true;
  const flat = body?.schema?.flatten(place);
  if ([place, flat].some((one) => one !== undefined && saysMustExist(one))) return true;
  const statuses = ['400', '404', '409', '422'];
  const refusals = operation.responses.filter(({ status }) => statuses.includes(status));
  const texts = [...operationTexts(operation), ...refusals.flatMap(responseTexts)];
  const told = statuses.flatMap((status) => statusTexts(operation, status));
  return (
    namesField(texts, field) || factIn([...texts, ...told], 'names-unknown-record') !== undefined
  );
}

/** A record that refers to another one, which is deleted, where the deletion clears references. */
function clearedReference(
  context: PlanContext,
  resource: Resource,
  reference: Reference,
): Sequence[] {
  const { field } = reference;
  const remove = draftOn(context, reference.resource, 'delete');
  const read = readerOf(context, resource);
  const isPlain = reference.at === joinPointer('', field) && reference.inner === undefined;
  if (!isPlain || remove === undefined || read === undefined) return [];
  if (!clearsField(remove.operation, field) || !isMakeable(context, reference.resource)) return [];
  const story = new Story(context, `${resource.name} whose ${field} is deleted`);
  const target = story.make(reference.resource, { title: 'a record is created to be named' });
  const source = { ...nameOf(target), ...defined({ address: reference.address }) };
  const made = story.make(resource, {
    title: `a record is created with that ${field}`,
    fills: [{ at: joinPointer('', field), source }],
  });
  const [before, removal] = [`a read of its ${field}`, 'a deletion of the record that it names'];
  story.read(made, before);
  story.step(remove, { title: removal, of: [target] });
  story.read(made, `a read of its ${field} after that`, {
    intent: relationTo(remove, {
      rule: 'reference-cleared',
      of: [made.title, before, removal],
      field,
    }),
  });
  return story.sequences();
}
