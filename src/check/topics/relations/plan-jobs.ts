import { isRunning } from '../../../contract/words/names.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Batch, Operation, Resource } from '../../../contract/model.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import { nounsOf, secondsOf } from '../../../contract/words/read-job.ts';
import { defined, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { joinPointer, splitPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { Fill } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { newestFirst, widestPage } from '../../plan/listing.ts';
import { bodyDraftOf, type DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import {
  eachMade,
  creatorDraft,
  type Made,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';

/** What shows that a job ends, stays done, and leaves its result. */
export function planJobs(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => jobStory(context, resource));
}

/** A create that answers 202 makes a job, which its record shows until it is done. */
function jobStory(context: PlanContext, resource: Resource): Sequence[] {
  const start = bodyDraftOf(context, resource.operations.create);
  const read = readerOf(context, resource);
  const state = stateOf(resource);
  if (start === undefined || read === undefined || state === undefined) return [];
  if (start.operation.responses.every(({ status }) => status !== '202')) return [];
  const story = new Story(context, `the job of ${resource.name}`);
  const subject = subjectOf(context, resource, start.operation);
  const worked = subject && story.make(subject);
  const job = story.make(resource, {
    fills: subject && worked ? filtersBy(start, subject, worked) : [],
  });
  const done = 'a read of the job until it is done';
  const parts = { job, start, read, state, done };
  pollUntilDone(story, parts);
  story.read(job, 'a read of the job after it was done', {
    intent: relationTo(read, { rule: 'still-done', of: [done], field: state.field }),
  });
  readResults(story, parts, worked);
  return story.sequences();
}

/** A job, how it is started and read, and the title of the read after which it is done. */
interface Job {
  readonly job: Made;
  readonly start: Draft;
  readonly read: Draft;
  readonly state: JobState;
  readonly done: string;
}

function pollUntilDone(story: Story, { job, start, read, state, done }: Job): void {
  const seconds = secondsOf(start.operation) ?? secondsOf(read.operation);
  const address = {
    step: job.title,
    operation: start.operation.id,
    expression: '$response.header.Location',
  };
  const polling = {
    at: joinPointer('', state.field),
    values: state.running,
    seconds: (seconds ?? usualSeconds) + slack,
  };
  story.step(read, {
    title: done,
    of: [job],
    more: hasLocation(start.operation) ? { address, polling } : { polling },
    intent: relationTo(read, {
      rule: 'done',
      of: [job.title],
      field: state.field,
      ...(seconds === undefined ? { doubtful: true } : {}),
    }),
  });
}

/** What the record of a job links to once it is done. */
function readResults(story: Story, { job, read, done }: Job, worked: Made | undefined): void {
  for (const { field, operation } of job.resource.links.filter(({ to }) => to === 'part')) {
    const result = draftOf(story.context, operation);
    if (result === undefined) continue;
    const expression = `$response.body#/${field}`;
    story.step(result, {
      title: `a GET of the ${field} of the job`,
      of: [job],
      more: { address: { step: done, operation: read.operation.id, expression } },
      intent: relationTo(result, {
        rule: 'rows',
        of: [done, ...(worked === undefined ? [] : [worked.title])],
      }),
      optional: true,
    });
  }
}

const usualSeconds = 5;
const slack = 1;

interface JobState {
  readonly field: string;
  readonly running: readonly string[];
}

/** The field that says how far a job is, and its values before the end. */
function stateOf({ record }: Resource): JobState | undefined {
  for (const [field, place] of record.flatten().properties) {
    const { enum: values = [] } = record.flatten(place.node, place.pointer).node;
    const texts = values.filter((value) => typeof value === 'string');
    const before = texts.filter((value) => isRunning(value));
    if (before.length > 0 && before.length < texts.length) return { field, running: before };
  }
  return undefined;
}

function hasLocation({ responses }: Operation): boolean {
  return responses.some(
    ({ status, headers }) =>
      status === '202' && headers.some(({ name }) => name.toLowerCase() === 'location'),
  );
}

/** The resource of which a job handles the records, by the words about it. */
function subjectOf(
  context: PlanContext,
  job: Resource,
  operation: Operation,
): Resource | undefined {
  const nouns = nounsOf(operation);
  return eachMade(context).find(
    (resource) =>
      resource.collection !== job.collection &&
      nouns.has(singularOf(lastWord(resource.collectionPath))),
  );
}

/** The members of a job that are fields of what it handles get the values of the new record. */
function filtersBy({ body }: Draft, { name, record }: Resource, made: Made): Fill[] {
  const fields = record.flatten().properties;
  return [...(body?.schema?.flatten().properties.keys() ?? [])]
    .filter((field) => fields.has(field))
    .map((field) => ({
      at: joinPointer('', field),
      source: { kind: 'made', step: made.title, resource: name, field },
    }));
}

/** What shows that a bulk create makes all of its records, in order, or none. */
export function planBulk(context: PlanContext): Sequence[] {
  return context.contract.inference.bulkActions.flatMap((action) =>
    action.does === 'create' && action.operation.method === 'POST'
      ? bulkStories(context, action)
      : [],
  );
}

function bulkStories(context: PlanContext, batch: Batch): Sequence[] {
  const draft = bodyDraftOf(context, batch.operation);
  const create = creatorDraft(context, batch.resource);
  if (draft === undefined || create === undefined) return [];
  const bulk = { batch, draft, create };
  return [...allMade(context, bulk), ...noneMade(context, bulk)];
}

interface Bulk {
  readonly batch: Batch;
  readonly draft: DraftWithBody;
  readonly create: DraftWithBody;
}

/** A body with some entries, each with its own texts. */
function entries(
  { runId }: PlanContext,
  { create }: Bulk,
  { label, count }: { readonly label: string; readonly count: number },
): JsonObject[] {
  return Array.from({ length: count }, (_one, index) => {
    const marking = { runId, label: `${label} ${String(index)}` };
    const body = markedBody({ ...create.body, makesRecord: true }, create.body.value, marking);
    return body.kind !== 'bytes' && isJsonObject(body.value) ? body.value : {};
  });
}

function bodyWith({ batch, draft }: Bulk, records: readonly JsonValue[]): Draft['body'] {
  const [name] = splitPointer(batch.records);
  const plain = isJsonObject(draft.body.value) ? draft.body.value : {};
  const value = name === undefined ? records : { ...plain, [name]: records };
  return { ...draft.body, value };
}

function send(story: Story, bulk: Bulk, { title, records, rule }: SentBulk): void {
  const body = bodyWith(bulk, records);
  const { operation } = bulk.draft;
  if (body === undefined) return;
  story.step(bulk.draft, {
    title,
    body: { kind: 'json', mediaType: body.mediaType, value: body.value },
    intent: relationTo(bulk.draft, {
      rule,
      of: [],
      at: operation.pointer,
      ...defined({ field: bulk.batch.records.slice(1) || undefined }),
    }),
  });
}

interface SentBulk {
  readonly title: string;
  readonly records: readonly JsonValue[];
  readonly rule: 'all-made' | 'bulk-refused';
}

const manyEntries = 3;

function allMade(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch } = bulk;
  const label = `all of ${batch.operation.id}`;
  const records = entries(context, bulk, { label, count: manyEntries });
  const story = new Story(context, label);
  const title = 'a bulk create';
  send(story, bulk, { title, records, rule: 'all-made' });
  findAfter(story, batch, 'all-made', title);
  return story.sequences();
}

/** The newest page of the list after a bulk request. */
function findAfter(
  story: Story,
  { resource }: Batch,
  rule: 'all-made' | 'none-made',
  title: string,
): void {
  const { context } = story;
  const draft = draftOf(context, resource.operations.list);
  if (draft === undefined || resource.list === undefined) return;
  const listing = { draft, resource, shape: resource.list };
  story.step(draft, {
    title: `a list after ${title}`,
    extra: [...widestPage(listing), ...newestFirst(listing)],
    intent: relationTo(draft, { rule, of: [] }),
  });
}

/** An entry that is not valid among valid ones, where the contract says that none is made then. */
function noneMade(context: PlanContext, bulk: Bulk): Sequence[] {
  const { batch, create } = bulk;
  const isAtomic = operationSays(batch.operation, 'all-or-nothing');
  const label = `half of ${batch.operation.id}`;
  const [good, other] = entries(context, bulk, { label, count: 2 });
  const [required] = create.body.schema?.flatten().required ?? [];
  if (!isAtomic || good === undefined || other === undefined || required === undefined) return [];
  const bad = Object.fromEntries(Object.entries(other).filter(([name]) => name !== required));
  const story = new Story(context, label);
  const title = `a bulk create in which one entry has no ${required}`;
  send(story, bulk, { title, records: [good, bad], rule: 'bulk-refused' });
  findAfter(story, batch, 'none-made', title);
  return story.sequences();
}
