import { planJobs } from './plan-jobs.ts';
import { planPromises } from './plan-promises.ts';
import { notDoneInTime, withoutResult } from './promise-faults.ts';
import { isSuccess } from '../../../http/status.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { check } from '../check.ts';

/** A job that was accepted can be read at its Location, ends, and stays as it ended. */
export const jobEnds = check({
  id: 'job-ends',
  basis: 'contract',
  severity: 'error',
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
  confirm: 'again',
  plan: [
    { at: 'jobs', all: planJobs },
    { at: 'jobs', all: planPromises },
  ],
  intents: ['relation'],
  mutants: [async () => (await import('./job-mutants.ts')).jobMutants],
  covers: ['status-documented'],
  relations: {
    done: notDone,
    'still-done': notStillDone,
    'has-result': withoutResult,
    'is-done': notDoneInTime,
  },
});

function stateIn({ subject, intent }: Related, step: Step): string | undefined {
  const role = roleOf(subject.contract, step.case.operation);
  const state = role && shownRecord(role.resource, step.answer)?.[intent.field ?? ''];
  return typeof state === 'string' ? state : undefined;
}

function notDone(related: Related): RelationFault[] | undefined {
  const { subject, intent, status } = related;
  if ([401, 403].includes(status)) return undefined;
  if (!isSuccess(status))
    return [
      {
        message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
        expected: 'the job',
        actual: String(status),
        momentary: true,
      },
    ];
  const state = stateIn(related, subject);
  const { polling } = subject.case.request;
  if (state === undefined || polling?.values.includes(state) !== true) return [];
  return [
    {
      message:
        `A job still has the ${intent.field ?? ''} ${showValue(state)} after ` +
        `${String(polling.seconds)} seconds.`,
      expected: 'a state in which it is done',
      actual: state,
      momentary: true,
    },
  ];
}

function notStillDone(related: Related): RelationFault[] | undefined {
  const {
    subject,
    of: [done],
    status,
  } = related;
  const before = done && stateIn(related, done);
  const after = stateIn(related, subject);
  const isDone =
    before !== undefined && done?.case.request.polling?.values.includes(before) === false;
  if (!isSuccess(status) || !isDone || after === undefined) return undefined;
  if (after === before) return [];
  return [
    {
      message: `A job that was ${before} is ${after} at the next read.`,
      expected: before,
      actual: after,
      momentary: true,
    },
  ];
}
