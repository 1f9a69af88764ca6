import { singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import {
  type JobState,
  jobStateOf,
  nounsOf,
  secondsOf,
  startsJob,
} from '../../../contract/words/read-job.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { Fill } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { bodyDraftOf } from '../../plan/make-create.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { eachMade, type Made, readerOf, relationTo, Story } from '../../plan/story.ts';

/** What shows that a job ends, stays done, and leaves its result. */
export function planJobs(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => jobStory(context, resource));
}

/** A create that answers 202 makes a job, which its record shows until it is done. */
function jobStory(context: PlanContext, resource: Resource): Sequence[] {
  const start = bodyDraftOf(context, resource.operations.create);
  const read = readerOf(context, resource);
  const state = jobStateOf(resource.record);
  if (start === undefined || read === undefined || state === undefined) return [];
  if (!startsJob(start.operation)) return [];
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
