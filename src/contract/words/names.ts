import { alternatives, namePattern, singularOf } from '../infer/infer-names.ts';
import { looksLike } from '../../words-in.ts';

/** Whether the name of a field is that of a state: `status`, `payment_state`. */
export const isStateName = looksLike(/(^|[a-z_-])(status|state|phase|stage)$/i);

/** Whether a state is one in which a job still runs. */
export const isRunning = looksLike(
  new RegExp(
    '^(pending|queued|running|processing|in[_-]?progress|started|accepted|scheduled|waiting|' +
      'working)$',
    'i',
  ),
);

/** Whether a state is one in which a job ends without its result. */
export const isFailed = looksLike(
  /^(failed|failure|error|errored|cancell?ed|aborted|expired|rejected|timed[_-]?out|stopped)$/i,
);

/** Whether a word says that a record is gone: `deleted`, `archived_at`, `is_trashed`. */
export const saysGone = looksLike(/delet|remov|archiv|inactiv|discard|trash|cancel|\bgone\b/i);

/** Whether a word says that a record is deleted, and not only put aside: `deleted`, `trashed`. */
export const saysDeleted = looksLike(/delet|trash/i);

/** Whether the name of a flag is that of a record which is in use: `active`, `is_enabled`. */
export const isUseFlag = looksLike(/^(is_?)?(active|enabled|live)$/i);

const creations = alternatives(
  'create created creation inserted added registered submitted received placed sent queued posted',
  'booked issued opened granted uploaded joined ordered purchased recorded logged reported',
  'requested',
);
const changes = alternatives('updated modified changed edited modification update');
const momentEnds = alternatives('at on date time datetime timestamp');

/** Whether a plain name, such as `createdat`, is that of the moment of the creation. */
export const namesCreation = looksLike(
  namePattern(`^(date|time)?(${creations})(${momentEnds})?$`, '^(date)?timestamp$'),
);

/** Whether a plain name, such as `updatedat`, is that of the moment of the last change. */
export const namesChange = looksLike(
  namePattern(`^(date|time|last)?(${changes})(${momentEnds})?$`),
);

/** Whether a plain name, such as `isshared`, is that of a flag that shows a record to others. */
export const namesSharing = looksLike(/^(?:is)?(?:shared|public)$/);

/**
 * Whether a plain name, such as `parentid`, is that of a record of the same kind, to which another
 * one is an answer or a part.
 */
export const namesParent = looksLike(/^(parent|inreplyto|replyto)(id|uuid|key)?$/);

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
