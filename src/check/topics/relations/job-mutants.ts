import type { Contract } from '../../../contract/model.ts';
import { longRunningOf, promise } from '../../../contract/protocols/long-running.ts';
import type { JobState } from '../../../contract/words/read-job.ts';
import { jobStateOf, secondsOf, startsJob } from '../../../contract/words/read-job.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace } from '../../mutants/edit-records.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';

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
  return Object.fromEntries(Object.entries(done).filter(([name]) => !results.includes(name)));
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
export const jobMutants: readonly Mutator[] = [
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
