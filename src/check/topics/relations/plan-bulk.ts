import type { Batch, Contract, Operation, Resource, Schema } from '../../../contract/model.ts';
import { inferList } from '../../../contract/infer/infer-list.ts';
import { addressedBy } from '../../../contract/infer/address-members.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import { uniqueFields } from '../../../contract/words/read-unique.ts';
import { followsAip } from '../../../contract/words/standards.ts';
import { joinPointer, splitPointer } from '../../../json/pointer.ts';
import { defined, isJsonObject, objectOf, type JsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { BodyTemplate, Fill } from '../../model/request-template.ts';
import { newestFirst, widestPage } from '../../plan/listing.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { creatorDraft, type Made, readerOf, relationTo, Story } from '../../plan/story.ts';

/** What shows that a bulk create makes all of its records, in order, or none. */
export function planBulk(context: PlanContext): Sequence[] {
  return bulkCreates(context.contract).flatMap((batch) => bulkStories(context, batch));
}

/** What creates several records: beside what creates one, or as the only create there is. */
export function bulkCreates({ inference, resources }: Contract): Batch[] {
  const beside = inference.bulkActions.flatMap((action) =>
    action.does === 'create' && action.operation.method === 'POST' ? [action] : [],
  );
  return [...beside, ...resources.flatMap(onlyCreate)];
}

/** The create of a resource whose body is a list of records, of which one is sent elsewhere. */
function onlyCreate(resource: Resource): Batch[] {
  const { create } = resource.operations;
  const media = create?.requestBody?.content.find(({ envelope }) => envelope !== undefined);
  const [list = '', place, wrapped] = splitPointer(media?.envelope?.at ?? '');
  if (create === undefined || media?.schema === undefined || place !== '0') return [];
  const records = joinPointer('', list);
  const shows = inferList(create)?.shape;
  const named = { operation: create, resource, records, wrapped, item: media.schema, shows };
  return [{ does: 'create', ...named, why: '' }];
}

function bulkStories(context: PlanContext, batch: Batch): Sequence[] {
  const draft = bodyDraftOf(context, batch.operation);
  const create = creatorDraft(context, batch.resource);
  if (draft === undefined || create === undefined) return [];
  const bulk = { batch, draft, create };
  return [
    ...allMade(context, bulk),
    ...noneMade(context, bulk),
    ...tooMany(context, bulk),
    ...valueTwice(context, bulk),
    ...otherParent(context, bulk),
  ];
}

interface Bulk {
  readonly batch: Batch;
  readonly draft: DraftWithBody;
  readonly create: DraftWithBody;
}

/** A record of a bulk create, and which of its members are codes. */
interface Entry {
  readonly record: JsonObject;
  readonly codes: readonly string[];
}

/** Some records, each with its own texts. */
function entriesOf(
  { runId }: PlanContext,
  { create }: Bulk,
  { label, count }: { readonly label: string; readonly count: number },
): Entry[] {
  return Array.from({ length: count }, (_one, index) => {
    const marking = { runId, label: `${label} ${String(index)}` };
    const body = markedBody({ ...create.body, makesRecord: true }, create.body.value, marking);
    if (body.kind === 'bytes' || !isJsonObject(body.value)) return { record: {}, codes: [] };
    return { record: body.value, codes: body.codes ?? [] };
  });
}

/** The body of a bulk create with some records, in their places. */
function bodyWith({ batch, draft }: Bulk, entries: readonly Entry[], fills?: readonly Fill[]) {
  const { records, wrapped } = batch;
  const [name] = splitPointer(records);
  const plain = draft.body.media.envelope === undefined ? objectOf(draft.body.value) : {};
  const list = entries.map(({ record }) =>
    wrapped === undefined ? record : { [wrapped]: record },
  );
  const codes = entries.flatMap((entry, index) =>
    entry.codes.map((code) => joinPointer(placeOf(batch, index), code)),
  );
  return {
    kind: 'json',
    mediaType: draft.body.mediaType,
    value: name === undefined ? list : { ...plain, [name]: list },
    ...(codes.length > 0 ? { codes } : {}),
    ...defined({ fills }),
  } satisfies BodyTemplate;
}

/** The place of the record of an entry. */
function placeOf({ records, wrapped }: Batch, index: number): string {
  return joinPointer(records, String(index), ...(wrapped === undefined ? [] : [wrapped]));
}

interface SentBulk {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly rule: 'all-made' | 'bulk-refused';
  readonly of: readonly Made[];
  readonly fills?: readonly Fill[];
  readonly doubtful?: true;
}

function send(story: Story, bulk: Bulk, { title, entries, rule, of, ...rest }: SentBulk): void {
  const { batch, draft } = bulk;
  story.step(draft, {
    title,
    of,
    body: bodyWith(bulk, entries, rest.fills),
    relation: {
      rule,
      of: [],
      ...defined({ field: batch.records.slice(1) || undefined, doubtful: rest.doubtful }),
    },
  });
}

const manyEntries = 3;

function allMade(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch } = bulk;
  const label = `all of ${batch.operation.id}`;
  const entries = entriesOf(context, bulk, { label, count: manyEntries });
  const story = new Story(context, label);
  const of = story.makeNamed(bulk.draft);
  const title = 'a bulk create';
  const counts = countsOf(bulk, of);
  for (const { made } of counts.slice(0, 1)) story.read(made, uncounted);
  send(story, bulk, { title, entries, rule: 'all-made', of });
  findAfter(story, batch, { rule: 'all-made', title, of });
  for (const count of counts) countAfter(story, count, title);
  return story.sequences();
}

type After = Pick<SentBulk, 'title' | 'of'>;

/** The newest page of the list after a bulk request. */
function findAfter(
  story: Story,
  { resource }: Batch,
  { rule, title, of }: After & { readonly rule: 'all-made' | 'none-made' },
): void {
  const { context } = story;
  const draft = draftOf(context, resource.operations.list);
  if (draft === undefined || resource.list === undefined) return;
  const listing = { draft, resource, shape: resource.list };
  story.step(draft, {
    title: `a list after ${title}`,
    of,
    extra: [...widestPage(listing), ...newestFirst(listing)],
    relation: { rule, of: [] },
  });
}

/** The counts of the records above, read before a bulk create and after it. */
function countsOf({ batch: { resource } }: Bulk, of: readonly Made[]): Counted[] {
  return of.flatMap((made) =>
    made.resource.counts
      .filter(({ child }) => child?.collection === resource.collection)
      .map(({ field, isExact }) => ({ made, field, isExact })),
  );
}

interface Counted {
  readonly made: Made;
  readonly field: string;
  readonly isExact: boolean;
}

const uncounted = 'a read of the count before a bulk create';

function countAfter(story: Story, { made, field, isExact }: Counted, title: string): void {
  const read = readerOf(story.context, made.resource);
  if (read === undefined) return;
  story.read(made, `a read of the ${field} after ${title}`, {
    intent: relationTo(read, {
      rule: 'count',
      of: [uncounted, title],
      field,
      by: manyEntries,
      ...(isExact ? {} : { doubtful: true }),
    }),
  });
}

/** An entry that is not valid among valid ones, where none is made then. */
function noneMade(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch, create } = bulk;
  const label = `half of ${batch.operation.id}`;
  const [good, other] = entriesOf(context, bulk, { label, count: 2 });
  const [required] = create.body.schema?.flatten().required ?? [];
  if (!isAtomic(context.contract, batch.operation) || required === undefined) return [];
  if (good === undefined || other === undefined) return [];
  const { [required]: _left, ...rest } = other.record;
  const bad = { record: rest, codes: other.codes.filter((name) => name !== required) };
  const story = new Story(context, label);
  const of = story.makeNamed(bulk.draft);
  const title = `a bulk create in which one entry has no ${required}`;
  send(story, bulk, { title, entries: [good, bad], rule: 'bulk-refused', of });
  findAfter(story, batch, { rule: 'none-made', title, of });
  return story.sequences();
}

/** Whether a bulk request is atomic: by its description, or by AIP-233. */
export function isAtomic(contract: Contract, operation: Operation): boolean {
  const isCustom = /:batch\w+$/i.test(operation.path);
  return operationSays(operation, 'all-or-nothing') || (isCustom && followsAip(contract));
}

/** One entry more than there may be, each a record of its own. */
function tooMany(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch, draft } = bulk;
  const { schema, media } = draft.body;
  const max = listOf(media.envelope?.whole ?? schema, batch)?.maxItems;
  if (max === undefined || max > maxEntries) return [];
  const label = `more than ${String(max)} of ${batch.operation.id}`;
  const story = new Story(context, label);
  const of = story.makeNamed(bulk.draft);
  const entries = entriesOf(context, bulk, { label, count: max + 1 });
  const title = `a bulk create with ${String(max + 1)} entries, more than ${String(max)}`;
  send(story, bulk, { title, entries, rule: 'bulk-refused', of });
  if (isAtomic(context.contract, batch.operation))
    findAfter(story, batch, { rule: 'none-made', title, of });
  return story.sequences();
}

/** A list that may have more entries than these is not filled. */
const maxEntries = 100;

function listOf(schema: Schema | undefined, { records }: Batch) {
  const [name] = splitPointer(records);
  const flat = schema?.flatten();
  if (schema === undefined || name === undefined) return flat?.node;
  const place = flat?.properties.get(name);
  return place && schema.flatten(place).node;
}

/** Two entries with one value in a field that no two records share. */
function valueTwice(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch, create } = bulk;
  const { schema } = create.body;
  if (schema === undefined) return [];
  return uniqueFields(create.operation, schema).flatMap(({ name, within }) => {
    const label = `one ${name} twice in ${batch.operation.id}`;
    const [good, first, second] = entriesOf(context, bulk, { label, count: 3 });
    const isOwn = first?.codes.includes(name) === true || isMade(context, first?.record[name]);
    if (within !== undefined || !isOwn) return [];
    if (good === undefined || first === undefined || second === undefined) return [];
    const record = { ...second.record, [name]: first.record[name] ?? null };
    const story = new Story(context, label);
    const of = story.makeNamed(bulk.draft);
    const title = `a bulk create in which two entries have one ${name}`;
    const entries = [good, first, { ...second, record }];
    send(story, bulk, { title, entries, rule: 'bulk-refused', of });
    if (isAtomic(context.contract, batch.operation))
      findAfter(story, batch, { rule: 'none-made', title, of });
    return story.sequences();
  });
}

function isMade({ runId }: PlanContext, value: unknown): boolean {
  return typeof value === 'string' && value.includes(`${runId}-`);
}

/** An entry that names another parent than the path (AIP-233). */
function otherParent(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch, draft } = bulk;
  const parent = draft.names.at(-1)?.resource;
  const label = `another parent in ${batch.operation.id}`;
  const [entry] = entriesOf(context, bulk, { label, count: 1 });
  const named = parent && parentMember(context, bulk, parent);
  if (parent === undefined || named === undefined || entry === undefined) return [];
  const story = new Story(context, label);
  const of = story.makeNamed(bulk.draft);
  const other = story.make(parent);
  const { member, address } = named;
  const at = joinPointer(batch.records, '0', member);
  send(story, bulk, {
    title: `a bulk create whose ${member} is another record than that of the path`,
    entries: [entry],
    rule: 'bulk-refused',
    of,
    fills: [{ at, source: { kind: 'made', step: other.title, resource: parent.name, address } }],
    ...unlessAip(context),
  });
  return story.sequences();
}

/** The member beside the record of an entry that addresses the parent. */
function parentMember(
  { contract }: PlanContext,
  { batch, draft }: Bulk,
  parent: Resource,
): { readonly member: string; readonly address: string } | undefined {
  const { schema } = draft.body;
  const list = listOf(schema, batch);
  if (schema === undefined || batch.wrapped === undefined || list?.items === undefined)
    return undefined;
  const entry = schema.flatten({ node: list.items, pointer: '' });
  for (const [member, place] of entry.properties) {
    const addressed = addressedBy(schema.flatten(place).node, contract.resources);
    if (addressed?.resource === parent) return { member, address: addressed.text };
  }
  return undefined;
}
