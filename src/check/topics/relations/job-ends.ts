import { relationTo, Story, eachMade, foundIn, type Made, readerOf } from '../../plan/story.ts';
import { draftOf, exoticAt, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import type { Sequence } from '../../model/case.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JobState } from '../../../contract/words/read-job.ts';
import { secondsOf, jobStateOf, nounsOf, startsJob } from '../../../contract/words/read-job.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, membersWhere } from '../../../json/value.ts';
import type { LongRunning } from '../../../contract/protocols/long-running.ts';
import { longRunningOf, promise } from '../../../contract/protocols/long-running.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import { isSuccess } from '../../../http/message.ts';
import { requestPhrase, showValue, type Step } from '../../model/step.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { otherStatus } from '../../reading/related.ts';
import { check } from '../check.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Operation, Resource, Contract } from '../../../contract/model.ts';
import type { Fill } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { bodyDraftOf } from '../../plan/make-create.ts';
import { editShown, type ShowingPlace } from '../../mutants/open-bodies.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { recordShown } from '../../reading/shown-records.ts';

/** A job that was accepted can be read at its Location, ends, and stays as it ended. */
export const jobEnds = check({
  id: 'job-ends',
  basis: 'contract',
  harm: 'results',
  rule:
    'A job that was accepted with 202 is shown at its Location, ends in a documented state ' +
    'within its time, and does not go back. The name of a long-running operation leads to it, ' +
    'and when it is done it has either a response or an error (AIP-151).',
  reason: 'A client that polls a job which never ends, or begins again, waits for ever.',
  example: [
    '> POST /exports',
    '< 202 Accepted',
    '> GET /exports/7   (after its time)',
    '< {"id": 7, "status": "running"}',
  ],
  plan: [
    { at: 'jobs', resource: jobStory },
    { at: 'jobs', all: planPromises },
  ],
  mutants: [() => jobMutants],
  covers: ['status-documented'],
  relations: {
    done: notDone,
    'still-done': notStillDone,
    'has-result': withoutResult,
    'is-done': notDoneInTime,
  },
});

function stateIn({ subject, intent }: Related, step: Step): string | undefined {
  const state = recordShown(subject.contract, step)?.[intent.field ?? ''];
  return typeof state === 'string' ? state : undefined;
}

function notDone(related: Related): RelationFaults {
  const { subject, intent, status } = related;
  if ([401, 403].includes(status)) return undefined;
  if (!isSuccess(status)) return { ...otherStatus(related, 'the job'), momentary: true };
  const state = stateIn(related, subject);
  const { polling } = subject.case.request;
  if (state === undefined || polling?.values.includes(state) !== true) return [];
  return {
    message:
      `A job still has the ${intent.field ?? ''} ${showValue(state)} after ` +
      `${String(polling.seconds)} seconds.`,
    expected: 'a state in which it is done',
    actual: state,
    momentary: true,
  };
}

function notStillDone(related: Related): RelationFaults {
  const { subject, status } = related;
  const [done] = related.of;
  const before = done && stateIn(related, done);
  const after = stateIn(related, subject);
  const hasEnded =
    before !== undefined && done?.case.request.polling?.values.includes(before) === false;
  if (!isSuccess(status) || !hasEnded || after === undefined) return undefined;
  if (after === before) return [];
  return {
    message: `A job that was ${before} is ${after} at the next read.`,
    expected: before,
    actual: after,
    momentary: true,
  };
}

function shown({ answer }: Pick<Step, 'answer'>): JsonObject | undefined {
  const value = jsonOf(answer);
  return isJsonObject(value) ? value : undefined;
}

function isDone(operation: JsonObject): boolean {
  return operation[promise.done] === true;
}

/** A name that leads to no operation, or an operation that is done and has not one result. */
function withoutResult(related: Related): RelationFaults {
  const { subject, of, status } = related;
  const [begun] = of;
  const name = begun && shown(begun)?.[promise.name];
  if (begun === undefined || typeof name !== 'string') return undefined;
  if (!isSuccess(status)) return isNowhere(related, name) ? nowhere(related, name) : undefined;
  return [begun, subject].flatMap((step) => resultFault(step, name)).slice(0, 1);
}

/** Whether the operation of a name was asked for where the contract shows it, and is not there. */
function isNowhere({ subject, status }: Related, name: string): boolean {
  const path = subject.contract.inference.pathOf(subject.operation);
  const isAddress = !name.includes('/') || readAddress(path, name) !== undefined;
  return isAddress && (status === 404 || status === 410);
}

function nowhere({ subject, of, status }: Related, name: string): RelationFault {
  const start = of[0]?.case.operation.id ?? '';
  return {
    message:
      `${start} answered with the operation ${showValue(name)}, and ` +
      `${requestPhrase(subject.case)} returned ${String(status)}.`,
    expected: 'the operation of that name',
    actual: String(status),
    cause: 'operation nowhere',
  };
}

/** What is wrong with the result of an operation: one that is done has exactly one of two. */
function resultFault(step: Step, name: string): RelationFault | RelationFault[] {
  const operation = shown(step);
  if (operation === undefined) return [];
  const results = promise.results.filter((one) => (operation[one] ?? null) !== null);
  const wanted = isDone(operation) ? 1 : 0;
  // What is not done may show a part of its result in some services: it is not judged.
  if (wanted === 0 || results.length === wanted) return [];
  return {
    message:
      `The operation ${showValue(name)} is done and has ` +
      `${results.length === 0 ? 'neither response nor error' : 'both response and error'}.`,
    expected: 'exactly one of error and response (google.longrunning.Operation)',
    actual: results.length === 0 ? 'none of them' : 'both of them',
    cause: 'operation without result',
  };
}

/** An operation that is not done after its time, or no longer is. */
function notDoneInTime({ subject, of, status }: Related): RelationFaults {
  const [polled] = of;
  const [before, after] = [polled && shown(polled), shown(subject)];
  const { polling } = polled?.case.request ?? {};
  if (before === undefined || after === undefined || polling === undefined) return undefined;
  if (!isSuccess(status) || isDone(after)) return [];
  const what = `The operation ${showValue(after[promise.name])}`;
  return {
    message: isDone(before)
      ? `${what} was done, and is not done at the next read.`
      : `${what} is not done after ${String(polling.seconds)} seconds.`,
    expected: 'an operation that is done, with its result',
    actual: 'done is false',
    momentary: true,
  };
}

/**
 * A long-running operation on new records, which is read by its name until it is done, and once
 * more (AIP-151).
 */
function planPromises(context: PlanContext): Sequence[] {
  return longRunningOf(context.contract).flatMap((running) => storyOf(context, running));
}

/** The time that a service has where no text says how long it takes, in seconds. */
const usualSeconds = 5;

function storyOf(context: PlanContext, { start, read, parameter }: LongRunning): Sequence[] {
  const [begin, look] = [draftOf(context, start), draftOf(context, read)];
  if (begin === undefined || look === undefined) return [];
  const story = new Story(context, `the result of ${start.id}`);
  const of = story.makeNamed(begin);
  if (of.length < begin.names.length) return [];
  const [begun, done] = [`${start.id} begins`, 'a read of the operation until it is done'];
  story.step(begin, { title: begun, of, intent: exoticAt(start.pointer) });
  const stated = secondsOf(start) ?? secondsOf(read);
  const named = {
    parameter,
    source: {
      ...foundIn(
        { title: begun, operation: start },
        `$response.body#${joinPointer('', promise.name)}`,
      ),
      of: context.contract.inference.pathOf(read),
    },
  };
  story.step(look, {
    title: done,
    extra: [named],
    more: {
      polling: {
        at: joinPointer('', promise.done),
        // Proto3 leaves out what is false.
        values: ['false', 'null'],
        seconds: stated ?? usualSeconds,
      },
    },
    relation: { rule: 'has-result', of: [begun], ...unlessAip(context) },
  });
  story.step(look, {
    title: 'a read of the operation after its time',
    extra: [named],
    relation: {
      rule: 'is-done',
      of: [done],
      field: promise.done,
      ...(stated === undefined ? { doubtful: true } : {}),
    },
  });
  return story.sequences();
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
    relation: {
      rule: 'done',
      of: [job.title],
      field: state.field,
      ...(seconds === undefined ? { doubtful: true } : {}),
    },
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
      address: { step: done, operation: read.operation.id, expression },
      relation: { rule: 'rows', of: [done, ...(worked === undefined ? [] : [worked.title])] },
    });
  }
}

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

const mutant = mutantsOf('state');

interface JobPlace extends ShowingPlace {
  readonly state: JobState;
}

/** The reads of jobs that a create begins with 202. */
function jobs({ resources }: Contract): JobPlace[] {
  return resources.flatMap((resource) => {
    const { create, read } = resource.operations;
    const state = jobStateOf(resource.record);
    return create === undefined || read === undefined || state === undefined || !startsJob(create)
      ? []
      : [{ operation: read, resource, state }];
  });
}

/** The record in a body as if its job still ran; undefined if it does. */
function asRunning(body: JsonValue, place: JobPlace): JsonValue | undefined {
  const { state } = place;
  const [running] = state.running;
  return editShown(body, place, (record) =>
    running === undefined || state.running.includes(String(record[state.field]))
      ? undefined
      : { ...record, [state.field]: running },
  );
}

interface PromisePlace extends Place {
  /** Whether the contract says how long one of them takes. */
  readonly isTimed: boolean;
}

/** The reads of long-running operations (AIP-151). */
function promises(contract: Contract): PromisePlace[] {
  return [...Map.groupBy(longRunningOf(contract), ({ read }) => read)].map(([read, running]) => ({
    operation: read,
    isTimed: [read, ...running.map(({ start }) => start)].some(
      (operation) => secondsOf(operation) !== undefined,
    ),
  }));
}

/** Without a stated time, a check only doubts that an operation ends. */
const untimed = ({ isTimed }: PromisePlace): boolean => !isTimed;

/** A body in which an operation that is done is another one; undefined if it is not done. */
function afterEnd(body: JsonValue, edit: (done: JsonObject) => JsonObject): JsonValue | undefined {
  return isJsonObject(body) && body[promise.done] === true ? edit(body) : undefined;
}

function asBegun(body: JsonValue): JsonValue | undefined {
  return afterEnd(body, (done) => ({ ...withoutResults(done), [promise.done]: false }));
}

function withoutResults(done: JsonObject): JsonObject {
  const results: readonly string[] = promise.results;
  return membersWhere(done, (name) => !results.includes(name));
}

/** Edits the body of each second read of the same address. */
function atSecondRead<At extends Place>(
  edit: (body: JsonValue, place: At) => JsonValue | undefined,
): (place: At) => Plant {
  return (place) => (service, fired) => {
    const seen = new Set<string>();
    const { operation } = place;
    return editBodies(service, fired, { operation }, (body, { target }) => {
      const isSecond = seen.delete(target);
      if (!isSecond) seen.add(target);
      return isSecond ? edit(body, place) : undefined;
    });
  };
}

/** Mutations of jobs: without a stated time, a check only doubts that one ends. */
const jobMutants: readonly Mutator[] = [
  mutant('never-ends', {
    rule: 'A job that was accepted runs for ever.',
    killedBy: 'warning',
    where: jobs,
    says: 'shows no job as done',
    body: asRunning,
  }),
  mutant('begins-again', {
    rule: 'A job that was done runs again at the next read.',
    where: jobs,
    says: 'shows a job as done and then as running',
    act: atSecondRead(asRunning),
  }),
  mutant('promises-for-ever', {
    rule: 'A long-running operation is never done.',
    where: promises,
    warns: untimed,
    says: 'shows no operation as done',
    body: asBegun,
  }),
  mutant('promises-again', {
    rule: 'A long-running operation that was done is not done at the next read.',
    where: promises,
    warns: untimed,
    says: 'shows an operation as done and then as begun',
    act: atSecondRead(asBegun),
  }),
  mutant('ends-without-result', {
    rule: 'A long-running operation is done, and has neither a response nor an error.',
    where: promises,
    says: 'shows an operation that is done without its result',
    body: (body) => afterEnd(body, withoutResults),
  }),
  mutant('ends-with-both', {
    rule: 'A long-running operation is done with a response, and also with an error.',
    where: promises,
    says: 'shows an operation that is done with both results',
    body: (body) =>
      afterEnd(body, (done) => ({
        ...done,
        ...Object.fromEntries(promise.results.map((name) => [name, done[name] ?? {}])),
      })),
  }),
];
