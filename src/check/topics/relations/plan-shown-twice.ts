import type { CopyField, CountField, LinkField, Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import {
  defined,
  isJsonObject,
  type JsonObject,
  membersWhere,
  objectOf,
} from '../../../json/value.ts';
import { allowedStates } from '../../../contract/words/read-states.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { Fill } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { naming, referencesOf } from '../../plan/references.ts';
import { statesToTry } from '../../plan/part-lists.ts';
import { shownField } from '../../plan/shown-field.ts';
import type { Made } from '../../plan/story.ts';
import {
  creatorDraft,
  draftOn,
  isMakeable,
  keysOf,
  nameOf,
  readerOf,
  Story,
} from '../../plan/story.ts';

/** What shows that counts, copies and addresses agree with the records that they stand for. */
export function planShownTwice(context: PlanContext, resource: Resource): Sequence[] {
  return [
    ...resource.counts.flatMap((count) => countStories(context, resource, count)),
    ...copyStories(context, resource),
    ...linkStories(context, resource),
  ];
}

/** A count is read before and after a record is added, moved and removed. */
function countStories(context: PlanContext, resource: Resource, count: CountField): Sequence[] {
  const { child, add } = count;
  if (readerOf(context, resource) === undefined) return [];
  if (child === undefined) return addedCount(context, resource, count, draftOf(context, add));
  if (!isMakeable(context, child)) return [];
  const create = creatorDraft(context, child);
  const states = create === undefined ? [] : statesToTry(context, resource, create.operation);
  return [
    ...states.flatMap((state) => countParts(context, { resource, count, child, state })),
    ...movedCount(context, resource, count),
  ];
}

interface Counting {
  readonly resource: Resource;
  readonly count: CountField;
  readonly child: Resource;
  /** Members with which the record is created. */
  readonly state: JsonObject;
}

function countParts(context: PlanContext, { resource, count, child, state }: Counting): Sequence[] {
  const [told = ''] = Object.values(state).map(String);
  const story = new Story(context, `the ${count.field} of ${told} ${resource.name}`);
  const made = story.make(resource, { value: state });
  // Nothing is counted of what was refused.
  const read = (title: string, done: readonly string[], by?: number): void =>
    readCount(story, { made, count, title, of: [before(made), ...done], by });
  read(before(made), []);
  const part = story.make(child, { of: [made] });
  read('a read of the count after one was added', [part.title], 1);
  const remove = draftOn(context, child, 'delete');
  if (remove !== undefined) {
    const deletion = 'a deletion of what was counted';
    story.step(remove, { title: deletion, of: [part, made] });
    read('a read of the count after one was removed', [part.title, deletion], 0);
  }
  return story.sequences();
}

const before = ({ title }: Made): string => `a read of the count of ${title}`;

interface CountRead {
  readonly made: Made;
  readonly count: CountField;
  readonly title: string;
  readonly of: readonly string[];
  readonly by?: number | undefined;
}

function readCount(story: Story, { made, count, title, of, by }: CountRead): void {
  const { field, isExact } = count;
  const doubt = isExact ? {} : { doubtful: true as const };
  const relation =
    by === undefined ? undefined : { rule: 'count' as const, of, field, by, ...doubt };
  story.read(made, title, defined({ relation }));
}

/** What an operation adds below a record, such as an attendee, and nothing removes. */
function addedCount(
  context: PlanContext,
  resource: Resource,
  count: CountField,
  add: Draft | undefined,
): Sequence[] {
  if (add === undefined) return [];
  const story = new Story(context, `the ${count.field} of ${resource.name}`);
  const made = story.make(resource);
  readCount(story, { made, count, title: before(made), of: [] });
  const title = 'a plain POST of what is counted';
  story.step(add, { title, of: [made] });
  readCount(story, {
    made,
    count,
    title: 'a read of the count after one was added',
    of: [before(made), title],
    by: 1,
  });
  return story.sequences();
}

/** A record that moves from one parent to another is counted there, and no longer here. */
function movedCount(context: PlanContext, resource: Resource, count: CountField): Sequence[] {
  const { child } = count;
  const change = child && (draftOn(context, child, 'replace') ?? draftOn(context, child, 'update'));
  const key =
    child &&
    change &&
    keysOf(child, change).find(({ resource: target }) => target.collection === resource.collection);
  if (child === undefined || change === undefined || key === undefined) return [];
  const story = new Story(context, `the ${count.field} of ${resource.name} when one moves`);
  const from = story.make(resource);
  const to = story.make(resource);
  const part = story.make(child, { of: [from] });
  for (const made of [from, to]) readCount(story, { made, count, title: before(made), of: [] });
  const moved = 'a change to another parent';
  story.step(change, {
    title: moved,
    of: [part],
    ...moveTo(context, change, key.field, to),
  });
  const title = 'after one moved';
  readCount(story, {
    made: from,
    count,
    title: `a read of the count of the former parent ${title}`,
    of: [before(from), moved],
    by: -1,
  });
  readCount(story, {
    made: to,
    count,
    title: `a read of the count of the new parent ${title}`,
    of: [before(to), moved],
    by: 1,
  });
  return story.sequences();
}

/** The body of a change that gives a record another parent. */
function moveTo(
  context: PlanContext,
  { body, role }: Draft,
  field: string,
  to: Made,
): { readonly value: JsonObject; readonly fills: readonly Fill[] } {
  const create = role && creatorDraft(context, role.resource);
  const plain = isJsonObject(body?.value) ? body.value : create?.body.value;
  const isPart = role?.action === 'update' || !isJsonObject(plain);
  return {
    value: isPart ? {} : plain,
    fills: [{ at: joinPointer('', field), source: nameOf(to) }],
  };
}

/**
 * What a record shows of those that it names: when it is made, after each of them gets another
 * name, and after it names others.
 */
function copyStories(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  if (create === undefined || readerOf(context, resource) === undefined) return [];
  const story = new Story(context, `what ${resource.name} shows of others`);
  const copies = resource.copies.filter((copy) => isMakeable(context, copy.resource));
  const originalOf = ({ resource: { collection } }: CopyField): Made | undefined =>
    story.made.find((one) => one.resource.collection === collection);
  for (const copy of copies)
    if (originalOf(copy) === undefined) story.make(copy.resource, { of: [...story.made] });
  const originals = copies.map(originalOf).filter((one) => one !== undefined);
  // What stands at the top of a body is made anyway.
  const inner = referencesOf(context, resource, create)
    .filter(({ at, resource: target }) => at.includes('/', 1) && isMakeable(context, target))
    .filter(({ field }, at, all) => all.findIndex((one) => one.field === field) === at)
    .map((place) => naming(place, 'x', nameOf(story.make(place.resource))));
  const made = story.make(resource, {
    of: originals,
    value: Object.assign({}, ...inner.map(({ value }) => value)) as JsonObject,
    fills: inner.flatMap(({ fills }) => fills),
  });
  const others = story.made.filter((one) => one !== made);
  const compare = ({ field }: CopyField, target: Made | undefined, when: string): void => {
    if (target === undefined) return;
    const title = `a read of what ${field} shows ${when}`;
    const of = [made, ...others];
    story.read(target, title, { of: [target, ...of] });
    const relation = { rule: 'copy', of: [title], field } as const;
    story.read(made, `a read of the record with ${field} ${when}`, { of, relation });
  };
  for (const copy of copies) compare(copy, originalOf(copy), 'after it was made');
  changeOriginals(story, made, others);
  const change = draftOn(context, resource, 'replace') ?? draftOn(context, resource, 'update');
  for (const copy of copies) {
    const key = change && keysOf(resource, change).find(({ field }) => field === copy.key);
    if (change === undefined || key === undefined) continue;
    const target = story.make(copy.resource);
    const title = `a change to another ${key.field}`;
    const moved = moveTo(context, change, key.field, target);
    story.step(change, { title, of: [made, ...others], ...moved });
    compare(copy, target, 'after it moved');
  }
  return others.length > 0 ? story.sequences() : [];
}

/** A record is read before and after each of those that it names gets another name. */
function changeOriginals(story: Story, made: Made, others: readonly Made[]): void {
  const { context } = story;
  const first = 'a read of what it shows of others';
  story.read(made, first);
  for (const other of others) {
    const draft =
      draftOn(context, other.resource, 'update') ?? draftOn(context, other.resource, 'replace');
    const { texts: { freeText } = {}, value, schema } = draft?.body ?? {};
    if (draft === undefined || freeText === undefined) continue;
    if (readerOf(context, other.resource) === undefined) continue;
    // What the story brings on may be in a state in which nothing changes it.
    if (allowedStates(draft.operation, other.resource) !== undefined) continue;
    const kept = new Set([freeText, ...(schema?.flatten().required ?? [])]);
    const isPart = draft.role?.action === 'update';
    const body = membersWhere(objectOf(value), (name) => !isPart || kept.has(name));
    const title = `a change of one of ${other.resource.name}`;
    const of = [other, ...others, made];
    story.read(other, `a read of it before ${title}`, { of });
    story.step(draft, { title, of, value: { [freeText]: 'Other', ...body } });
    story.read(other, `a read of it after ${title}`, { of });
    story.read(made, `a read of what names it after ${title}`, {
      of: [made, ...others],
      relation: {
        rule: 'copy-follows',
        of: [other.title, first, title, `a read of it after ${title}`],
      },
    });
  }
}

/** The addresses in a record, and the Location of its create, are followed. */
function linkStories(context: PlanContext, resource: Resource): Sequence[] {
  const read = readerOf(context, resource);
  const create = creatorDraft(context, resource);
  if (read === undefined || create === undefined) return [];
  const links = [...resource.links, ...ownLink(context, resource, read)].filter(
    ({ operation }) => draftOf(context, operation) !== undefined,
  );
  const isLocated = create.operation.responses.some(
    ({ status, headers }) =>
      status.startsWith('2') && headers.some(({ name }) => name.toLowerCase() === 'location'),
  );
  if (links.length === 0 && !isLocated) return [];
  const story = new Story(context, `the addresses of ${resource.name}`);
  const made = story.make(resource);
  const title = 'a read of the record with its addresses';
  story.read(made, title);
  if (isLocated) followLocation(story, { made, title, read });
  for (const link of links) follow(story, { made, link, title, read });
  return story.sequences();
}

/** The link of a record to itself: in HAL, or in a list of links with their relations. */
function ownLink(
  { contract }: PlanContext,
  resource: Resource,
  { operation }: Draft,
): readonly LinkField[] {
  const { record } = resource;
  const own = [...record.flatten().properties].find(([name, place]) => {
    const { items } = record.flatten(place);
    const link = items && record.flatten(items).properties;
    return /^_?links$/.test(name) && link?.has('rel') === true && link.has('href');
  });
  if (own === undefined && protocolsOf(contract, resource).hal === undefined) return [];
  return [{ field: `${own?.[0] ?? '_links'}/self/href`, to: 'self', operation }];
}

function followLocation(story: Story, { made, title, read }: Omit<Followed, 'link'>): void {
  story.step(read, {
    title: 'a GET of the Location of the created record',
    of: [made],
    address: {
      step: made.title,
      operation: made.operation.id,
      expression: '$response.header.Location',
    },
    relation: { rule: 'leads-to', of: [made.title, title], field: 'Location' },
  });
}

interface Followed {
  readonly made: Made;
  readonly link: LinkField;
  readonly title: string;
  readonly read: Draft;
}

function follow(story: Story, { made, link, title, read }: Followed): void {
  const { field, to, operation } = link;
  const draft = draftOf(story.context, operation);
  if (draft === undefined) return;
  story.step(draft, {
    title: `a GET of the ${field} of the record`,
    of: [made],
    address: {
      step: title,
      operation: read.operation.id,
      expression: shownField(read.operation, made.resource, field),
    },
    relation: { rule: to === 'self' ? 'leads-to' : 'leads', of: [made.title, title], field },
  });
}
