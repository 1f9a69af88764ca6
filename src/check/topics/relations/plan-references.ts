import { speaksJsonApi } from '../../../contract/infer/conventions/envelope-styles.ts';
import { documentsRefusal, type Operation, type Resource } from '../../../contract/model.ts';
import {
  contractTexts,
  factIn,
  namesField,
  operationTexts,
  responseTexts,
  statusTexts,
} from '../../../contract/words/facts.ts';
import { dependentsOf } from '../../../contract/words/read-dependents.ts';
import { clearsField } from '../../../contract/words/mentions.ts';
import { saysMustExist } from '../../../contract/words/read-references.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { defined, type JsonObject } from '../../../json/value.ts';
import type { Intent, Sequence } from '../../model/case.ts';
import type { Fill } from '../../model/request-template.ts';
import { type NamedStates, statesToBeNamed } from '../../../contract/words/read-states.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import {
  memberInState,
  type NamedPlace,
  namingNothing,
  placesNaming,
  type Reference,
  referencesOf,
} from '../../plan/references.ts';
import {
  creatorDraft,
  draftOn,
  isMakeable,
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
  const places = placesNaming(context, resource, create.body);
  return [
    ...[...fields].flatMap((field) => [
      ...unknownOnWrite(context, { resource, field, drafts }),
      ...deletedReference(context, resource, field),
      ...clearedReference(context, resource, field),
    ]),
    ...places.flatMap((place) => namedInState(context, resource, place)),
  ];
}

/** The members with which a record that a create names is made, as it may be named, and as not. */
export function whenNamed(
  context: PlanContext,
  resource: Resource,
  { resource: target, place }: NamedPlace,
): readonly [JsonObject, JsonObject, NamedStates] | undefined {
  const [create, other] = [resource, target].map((one) => creatorDraft(context, one));
  const states = create && statesToBeNamed(create.operation, place, target);
  if (other === undefined || states === undefined) return undefined;
  const [good, bad] = [states.values, states.others].map((all) =>
    all.map((state) => memberInState(other, states.field, state)).find(Boolean),
  );
  return good === undefined || bad === undefined ? undefined : [good, bad, states];
}

/** Creates and changes that name a record in a state in which it may not be named. */
function namedInState(context: PlanContext, resource: Resource, place: NamedPlace): Sequence[] {
  const states = whenNamed(context, resource, place);
  const create = creatorDraft(context, resource);
  const read = readerOf(context, place.resource);
  if (states === undefined || create === undefined || read === undefined) return [];
  const [good, bad, { field, values }] = states;
  const named = place.at.slice(1);
  const story = new Story(context, `${named} of ${resource.name} in a state`);
  const [fit, unfit] = [good, bad].map((value) => story.make(place.resource, { value }));
  if (fit === undefined || unfit === undefined) return [];
  const control = story.make(resource, { of: [fit], ...naming(place, fit) });
  const title = `a read of what may not be named`;
  story.read(unfit, title);
  const refused = (draft: Draft): { readonly title: string; readonly intent: Intent } => ({
    title: `a ${draft.operation.method} whose ${named} names a record in another state`,
    intent: relationTo(draft, {
      rule: 'wrong-state',
      of: [title, control.title],
      field: `${field}=${values.join('|')}`,
    }),
  });
  const update = draftOn(context, resource, 'update');
  const [top = ''] = Object.keys(place.value);
  const member = update?.body?.schema?.flatten().properties.get(top);
  if (update !== undefined && member !== undefined)
    if (statesToBeNamed(update.operation, member, place.resource) !== undefined)
      story.step(update, { of: [control], ...naming(place, unfit), ...refused(update) });
  story.make(resource, { of: [unfit], ...naming(place, unfit), ...refused(create) });
  return story.sequences();
}

/** A body whose place names a record that a story makes. */
export function naming(
  { at, value }: NamedPlace,
  made: Made,
): { readonly value: JsonObject; readonly fills: readonly Fill[] } {
  return { value, fills: [{ at, source: nameOf(made) }] };
}

interface Writes {
  readonly resource: Resource;
  readonly field: string;
  readonly drafts: readonly Draft[];
}

function unknownOnWrite(context: PlanContext, { resource, field, drafts }: Writes): Sequence[] {
  const story = new Story(context, `${resource.name} whose ${field} names nothing`);
  const made = story.make(resource);
  const create = creatorDraft(context, resource);
  for (const draft of drafts) {
    const reference = referencesOf(context, resource, draft).find((one) => one.field === field);
    const body = reference && namingNothing(draft, reference, create);
    if (reference === undefined || body === undefined) continue;
    if (!refusesReferences(draft.operation)) continue;
    story.step(draft, {
      title: `a ${draft.operation.method} whose ${field} names no record`,
      of: [made],
      ...body,
      intent: relationTo(draft, {
        rule: 'refused',
        of: [made.title],
        field,
        ...doubtAbout(context, resource, draft, reference),
      }),
    });
  }
  return story.sequences();
}

/** Whether an operation documents how it refuses a reference to no record. */
function refusesReferences(operation: Operation): boolean {
  return documentsRefusal(operation, ['404', '409']);
}

/** The contract may leave open whether a reference names a record that exists. */
function doubtAbout(
  context: PlanContext,
  resource: Resource,
  draft: Draft,
  reference: Reference,
): { readonly doubtful?: true } {
  const remove = draftOn(context, reference.resource, 'delete')?.operation;
  // What cannot be deleted while records name it is there as long as they do.
  const [kept] = remove === undefined ? [] : dependentsOf(remove, reference.resource, [resource]);
  const isSaid =
    factIn(contractTexts(context.contract), 'refuses-unknown-references') !== undefined ||
    (kept !== undefined && kept.only === undefined && !kept.isOpen) ||
    saysReference(draft, reference);
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

function deletedReference(context: PlanContext, resource: Resource, field: string): Sequence[] {
  const create = creatorDraft(context, resource);
  const reference =
    create && referencesOf(context, resource, create).find((one) => one.field === field);
  // A story names what it made by its identifier.
  const key = resource.foreignKeys.find((one) => one.field === field && !one.many);
  const remove = key && draftOn(context, key.resource, 'delete');
  if (create === undefined || reference === undefined || key === undefined) return [];
  if (remove === undefined || !refusesReferences(create.operation)) return [];
  const story = new Story(context, `${resource.name} whose ${field} names what was deleted`);
  const target = story.make(key.resource);
  const used = story.make(key.resource);
  const control = story.make(resource, { of: [used] });
  story.step(remove, { title: 'a deletion of the record that is named', of: [target] });
  story.make(resource, {
    of: [target],
    title: `a POST whose ${field} names a deleted record`,
    intent: relationTo(create, {
      rule: 'refused',
      of: [control.title, 'a deletion of the record that is named'],
      field,
      at: joinPointer(create.operation.pointer, 'requestBody'),
      ...doubtAbout(context, resource, create, reference),
    }),
  });
  return story.sequences();
}

/** A record that refers to another one, which is deleted, where the deletion clears references. */
function clearedReference(context: PlanContext, resource: Resource, field: string): Sequence[] {
  const create = creatorDraft(context, resource);
  const reference =
    create && referencesOf(context, resource, create).find((one) => one.field === field);
  const remove = reference && draftOn(context, reference.resource, 'delete');
  const read = readerOf(context, resource);
  const isPlain = reference?.many === false && reference.inner === undefined;
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
