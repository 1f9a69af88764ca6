import type { Contract } from '../../../contract/model.ts';
import { type JobState, jobStateOf, startsJob } from '../../../contract/words/read-job.ts';
import type { JsonValue } from '../../../json/value.ts';
import { editShown, type ShowingPlace } from '../../mutants/edit-records.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
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

/** Shows a job that is done as running at each second read. */
function goingBack(place: JobPlace): Plant {
  const { operation } = place;
  return (service, fired) => {
    const seen = new Set<string>();
    return editBodies(service, fired, { operation }, (body, { target }) => {
      const isSecond = seen.delete(target);
      if (!isSecond) seen.add(target);
      return isSecond ? asRunning(body, place) : undefined;
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
    act: goingBack,
  }),
];
