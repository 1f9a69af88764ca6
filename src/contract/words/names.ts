import { alternatives, namePattern, singularOf } from '../infer/infer-names.ts';

/** Whether the name of a field is that of a state: `status`, `payment_state`. */
export function isStateName(name: string): boolean {
  return stateNames.test(name);
}

const stateNames = /(^|[a-z_-])(status|state|phase|stage)$/i;

/** Whether a state is one in which a job still runs. */
export function isRunning(state: string): boolean {
  return running.test(state);
}

const running = new RegExp(
  '^(pending|queued|running|processing|in[_-]?progress|started|accepted|scheduled|waiting|' +
    'working)$',
  'i',
);

/** Whether a state is one in which a job ends without its result. */
export function isFailed(state: string): boolean {
  return failed.test(state);
}

const failed =
  /^(failed|failure|error|errored|cancell?ed|aborted|expired|rejected|timed[_-]?out|stopped)$/i;

/** Whether a word says that a record is gone: `deleted`, `archived_at`, `is_trashed`. */
export function saysGone(word: string): boolean {
  return gone.test(word);
}

const gone = /delet|remov|archiv|inactiv|discard|trash|cancel|\bgone\b/i;

/** Whether a word says that a record is deleted, and not only put aside: `deleted`, `trashed`. */
export function saysDeleted(word: string): boolean {
  return /delet|trash/i.test(word);
}

/** Whether the name of a flag is that of a record which is in use: `active`, `is_enabled`. */
export function isUseFlag(name: string): boolean {
  return /^(is_?)?(active|enabled|live)$/i.test(name);
}

const creations = alternatives(
  'create created creation inserted added registered submitted received placed sent queued posted',
  'booked issued opened granted uploaded joined ordered purchased recorded logged reported',
  'requested',
);
const changes = alternatives('updated modified changed edited modification update');
const momentEnds = alternatives('at on date time datetime timestamp');
const creationNames = namePattern(
  `^(date|time)?(${creations})(${momentEnds})?$`,
  '^(date)?timestamp$',
);
const changeNames = namePattern(`^(date|time|last)?(${changes})(${momentEnds})?$`);

/** Whether a plain name, such as `createdat`, is that of the moment of the creation. */
export function namesCreation(plain: string): boolean {
  return creationNames.test(plain);
}

/** Whether a plain name, such as `updatedat`, is that of the moment of the last change. */
export function namesChange(plain: string): boolean {
  return changeNames.test(plain);
}

/** Whether a plain name, such as `isshared`, is that of a flag that shows a record to others. */
export function namesSharing(plain: string): boolean {
  return /^(?:is)?(?:shared|public)$/.test(plain);
}

/**
 * Whether a plain name, such as `parentid`, is that of a record of the same kind, to which another
 * one is an answer or a part.
 */
export function namesParent(plain: string): boolean {
  return /^(parent|inreplyto|replyto)(id|uuid|key)?$/.test(plain);
}

/** Whether a plain name, such as `latestreply`, is that of the last of what a noun names. */
export function namesLast(plain: string, noun: string): boolean {
  const [, named] = /^(?:latest|last|newest|mostrecent)(.+?)(?:id|uuid|key|ts)?$/.exec(plain) ?? [];
  return named === noun;
}

/** Whether a plain name, such as `previousnames`, is that of the values that a field had before. */
export function namesFormer(plain: string, field: string): boolean {
  const [, named] = /^(?:previous|former|past|prior|old)(.+)$/.exec(plain) ?? [];
  return named !== undefined && singularOf(named) === field;
}
