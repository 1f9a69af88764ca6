import { factIn, operationTexts, parameterTexts } from '../../../contract/words/facts.ts';
import {
  type Dependents,
  dependentsAmong,
  endsDependents,
} from '../../../contract/words/read-dependents.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { ForeignKey, Resource } from '../../../contract/model.ts';
import { documentsNotFound } from '../../../contract/model/operation.ts';
import { defined, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Draft, isSafe } from '../../plan/draft.ts';
import { newestFirst, valued, widestPage } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import {
  creatorDraft,
  draftOn,
  eachMade,
  isMakeable,
  keysOf,
  type Made,
  nameOf,
  readerOf,
  relationTo,
  sameSet,
  Story,
  wayTo,
} from '../../plan/story.ts';

import { statesToTry } from '../../plan/part-lists.ts';
import { naming, type Reference, referencesOf } from '../../plan/references.ts';
import { planReferences, whenNamed } from './plan-references.ts';

/** A resource whose records belong to those of another: below them, or by a reference. */
interface Family {
  readonly parent: Resource;
  readonly child: Resource;
  readonly key?: ForeignKey;
  /** Where the create of the child names the parent, if not at its top. */
  readonly place?: Reference;
}

/** What shows that records belong to others, and are counted and refused accordingly. */
export function planRelations(context: PlanContext): Sequence[] {
  const families = familiesOf(context);
  return [
    ...families.flatMap((family) => [
      ...(family.place === undefined ? belowAnother(context, family) : []),
      ...parentDeleted(context, family),
    ]),
    ...eachMade(context).flatMap((resource) => [
      ...planReferences(context, resource),
      ...partsBelowAnother(context, resource),
    ]),
  ];
}

function familiesOf(context: PlanContext): Family[] {
  return eachMade(context).flatMap((child): Family[] => {
    const above = child.parents.at(-1)?.resource;
    const create = creatorDraft(context, child);
    // A reference to another record of the parent's kind says nothing of where the record stands.
    const keys = (create === undefined ? [] : keysOf(child, create)).filter(
      ({ resource }) => resource.collection !== above?.collection,
    );
    const near = [...(above === undefined ? [] : [above]), ...keys.map(({ resource }) => resource)];
    const places = create === undefined ? [] : referencesOf(context, child, create);
    return [
      ...(above === undefined ? [] : [{ parent: above, child }]),
      ...keys.map((key) => ({ parent: key.resource, child, key })),
      ...places
        .filter(({ resource }) => !near.includes(resource))
        .map((place) => ({ parent: place.resource, child, place })),
    ].filter(({ parent }) => isMakeable(context, parent));
  });
}

/** The list of the children of one record: below it, or filtered by the reference. */
function listOfChildren(
  context: PlanContext,
  { parent, child, key }: Family,
  made: Made,
): { readonly draft: Draft; readonly extra: readonly Argument[] } | undefined {
  for (const one of sameSet(context, child)) {
    const draft = draftOf(context, one.operations.list);
    if (draft === undefined || one.list === undefined) continue;
    // New records of other parents would be behind the first page.
    const listing = { draft, resource: one, shape: one.list };
    const wide = [...widestPage(listing), ...newestFirst(listing)];
    if (draft.names.at(-1)?.resource.collection === parent.collection)
      return { draft, extra: wide };
    const filter = one.list.filters.find(({ field }) => field === key?.field);
    if (filter !== undefined && draft.names.length === 0)
      return { draft, extra: [...wide, { parameter: filter.parameter, source: nameOf(made) }] };
  }
  return undefined;
}

/** A child of one parent, looked for, read and deleted below another one. */
function belowAnother(context: PlanContext, family: Family): Sequence[] {
  const { parent, child } = family;
  const story = new Story(context, `${child.name} of one ${parent.name} and another`);
  const first = story.make(parent);
  const other = story.make(parent);
  const made = story.make(child, { of: [first] });
  const below = { first, other, made };
  const list = listOfChildren(context, family, other);
  if (list !== undefined) listBoth(story, family, below);
  const read = draftOf(context, child.operations.read);
  const nested = belowParent(context, child);
  const isNested = nested.length > 0;
  if (isNested) askBelowOther(story, nested, below);
  const field = child.parents.at(-1)?.field;
  if (read !== undefined && field !== undefined && family.key === undefined)
    story.read(made, 'a read of the record that names its parent', {
      of: [made, first],
      intent: relationTo(read, { rule: 'names', of: [first.title, made.title], field }),
    });
  return list === undefined && !isNested ? [] : story.sequences();
}

/** Two parents, and a child of the first one. */
interface Below {
  readonly first: Made;
  readonly other: Made;
  readonly made: Made;
}

function listBoth(story: Story, family: Family, { first, other, made }: Below): void {
  const { child, key } = family;
  const [elsewhere, own] = [other, first].map((one) => listOfChildren(story.context, family, one));
  if (elsewhere !== undefined)
    story.step(elsewhere.draft, {
      title: `a list of the ${child.name} of another record`,
      of: [other],
      extra: elsewhere.extra,
      relation: {
        rule: 'not-listed',
        of: [made.title, other.title],
        ...defined({ field: key?.field ?? child.parents.at(-1)?.field }),
      },
    });
  if (own !== undefined)
    story.step(own.draft, {
      title: `a list of the ${child.name} of the record that has one`,
      of: [first],
      extra: own.extra,
    });
  if (own !== undefined) listAcross(story, family, { ...own, made });
}

/** The list of the children of all parents, where a hyphen stands for them (AIP-159). */
function listAcross(
  story: Story,
  { parent, child, key }: Family,
  {
    draft,
    extra,
    made,
  }: { readonly draft: Draft; readonly extra: readonly Argument[]; readonly made: Made },
): void {
  const above = draft.names.find(({ resource }) => resource.collection === parent.collection);
  const texts = above && [...operationTexts(draft.operation), ...parameterTexts(above.parameter)];
  const isTold = texts !== undefined && factIn(texts, 'reads-across') !== undefined;
  if (above === undefined || key !== undefined || !isTold) return;
  story.step(draft, {
    title: `a list of the ${child.name} of all records, with - in the place of one`,
    extra: [...extra, ...valued(above.parameter, '-')],
    relation: { rule: 'listed-across', of: [made.title] },
  });
}

/**
 * The operations on a child that name its parent too, and the first of those that add to it, which
 * stands for all; the deletion comes last.
 */
function belowParent(context: PlanContext, { operations, collection }: Resource): Draft[] {
  const { read, update, replace, delete: remove } = operations;
  const adding = context.drafts.find(
    ({ operation, names, isNaming, role }) =>
      operation.method === 'POST' &&
      role?.action !== 'create' &&
      isNaming === undefined &&
      names.at(-1)?.resource.collection === collection &&
      !isSafe(operation) &&
      documentsNotFound(operation),
  );
  return [
    ...[read, update, replace].map((operation) => draftOf(context, operation)),
    adding,
    draftOf(context, remove),
  ]
    .filter((draft) => draft !== undefined)
    .filter(({ names }) => names.some(({ parent }) => parent !== undefined));
}

function askBelowOther(
  story: Story,
  nested: readonly Draft[],
  { first, other, made }: Below,
): void {
  if (nested.some(({ operation }) => operation.method === 'GET'))
    story.read(made, 'a read of the record below its own parent', { of: [made, first] });
  for (const draft of nested)
    story.step(draft, {
      title: `a ${draft.operation.method} of the record below another parent`,
      of: [made],
      extra: belowOther(draft, other),
      relation: { rule: 'missing', of: [made.title] },
    });
}

/** What a POST adds below a record and no path names, such as an attendee, looked for elsewhere. */
function partsBelowAnother(context: PlanContext, resource: Resource): Sequence[] {
  return context.drafts.flatMap((add) => {
    const { operation, names, role, body } = add;
    const isAdded =
      operation.method === 'POST' &&
      role === undefined &&
      body !== undefined &&
      names.at(-1)?.resource.collection === resource.collection;
    if (!isAdded) return [];
    const list = context.drafts.find(
      (other) => other.operation.path === operation.path && other.operation.method === 'GET',
    );
    if (list === undefined || list.role !== undefined) return [];
    const story = new Story(context, `${lastWord(operation.path)} of one ${resource.name}`);
    const first = story.make(resource);
    const other = story.make(resource);
    const title = 'a plain POST below one record';
    story.step(add, { title, of: [first] });
    story.step(list, {
      title: `a list of the ${lastWord(operation.path)} of another record`,
      of: [other],
      relation: { rule: 'not-listed', of: [title] },
    });
    return story.sequences();
  });
}

function belowOther({ names }: Draft, other: Made): Argument[] {
  const above = names.findLast(({ parent }) => parent !== undefined);
  return above === undefined ? [] : [{ parameter: above.parameter, source: nameOf(other) }];
}

/** The deletion of a record that has children: refused as documented, or it ends them. */
function parentDeleted(context: PlanContext, family: Family): Sequence[] {
  const { parent, child, place } = family;
  const remove = draftOn(context, parent, 'delete');
  if (remove === undefined) return [];
  const isSaid = endsDependents(remove.operation, child);
  const kept = isSaid ? undefined : dependentsAmong(remove.operation, parent, child);
  if (kept !== undefined) return keptByParts(context, family, remove, kept);
  const read = readerOf(context, child);
  if (read === undefined || place !== undefined) return [];
  const isBelow = family.key === undefined && child.operations.read === read.operation;
  if (!isSaid && !isBelow) return [];
  const create = creatorDraft(context, child);
  const states = create === undefined ? [] : statesToTry(context, parent, create.operation);
  return states.flatMap((state) => endedParts(context, family, { remove, read, isSaid, state }));
}

/** The deletion of a record that another one keeps, in the state in which it does. */
function keptByParts(
  context: PlanContext,
  { parent, child, place }: Family,
  remove: Draft,
  { only, isOpen }: Dependents,
): Sequence[] {
  const about = `the deletion of a record of ${parent.name} that has ${child.name}`;
  const story = new Story(context, about);
  const create = creatorDraft(context, child);
  const { good: value } = (create && place && whenNamed(context, create, place)) ?? {};
  const made = story.make(parent, defined({ value }));
  const [state] = only?.values ?? [];
  const way = state === undefined ? undefined : wayTo(context, child, state, only?.field);
  // What brings it into a state may want the rest: a campaign has readers, an order has lines.
  const beside = eachMade(context).filter((one) => one.parents.at(-1)?.resource === parent);
  for (const other of way === undefined ? [] : beside)
    if (other !== child) story.make(other, { of: [made] });
  const of = [made];
  const part = story.make(child, { of, ...(place && naming(place, 'x', nameOf(made))) });
  const last = `a read of the one of ${child.name}`;
  const isShown = way !== undefined && readerOf(context, child) !== undefined;
  const isBrought = isShown && story.bring(part, state ?? '', only?.field);
  if (isBrought) story.read(part, last, { of: [part, made] });
  story.step(remove, {
    title: `a deletion of a record that has ${child.name}`,
    of,
    relation: {
      rule: 'refused',
      of: [made.title, isBrought ? last : part.title],
      ...(isOpen ? { doubtful: true } : {}),
      ...(only === undefined ? {} : { field: `${only.field}=${only.values.join('|')}` }),
    },
  });
  return story.sequences();
}

interface Ending {
  readonly remove: Draft;
  readonly read: Draft;
  readonly isSaid: boolean;
  /** Members with which the parent is created. */
  readonly state: JsonObject;
}

/** The read of a record after the one that it belongs to was deleted, and before. */
function endedParts(
  context: PlanContext,
  { parent, child }: Family,
  { remove, read, isSaid, state }: Ending,
): Sequence[] {
  const [told = ''] = Object.values(state).map(String);
  const story = new Story(context, `the deletion of a ${told} ${parent.name} with ${child.name}`);
  const made = story.make(parent, { value: state });
  const part = story.make(child, { of: [made] });
  const [before, removal] = ['a read before the deletion', `a deletion of what has ${child.name}`];
  story.read(part, before, { of: [part, made] });
  story.step(remove, { title: removal, of: [made] });
  story.read(part, `a read of ${child.name} after that`, {
    of: [part, made],
    intent: relationTo(read, {
      rule: 'gone',
      of: [part.title, before, removal],
      ...(isSaid ? {} : { doubtful: true as const }),
    }),
  });
  return story.sequences();
}
