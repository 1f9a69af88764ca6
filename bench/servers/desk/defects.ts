import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a ticket system whose forms and sessions are those of PHP, by kind. */
export const defects = {
  errors: {
    'missing-ticket-200': 'a ticket that does not exist is answered with 200 and result=error',
    'errors-without-field': 'entries of errors have no field',
  },
  shapes: {
    'priority-as-number': 'the priority of a ticket is a number',
    'vip-as-boolean': 'vip is true or false',
    'total-missing': 'the list of tickets has no total',
    'closed-at-zero': 'a ticket that is not closed has the time 0',
    'tags-as-object': 'tags are an object with the keys 0, 1, …',
  },
  filters: {
    'status-filter-ignored': 'filter[status] does nothing',
    'priority-min-excludes-bound': 'filter[priority_min] leaves out tickets of that priority',
    'to-excludes-day': 'filter[to] leaves out tickets of that day',
    'text-case-sensitive': 'filter[text] distinguishes upper and lower case',
    'filters-joined-by-or': 'one of several filters is enough',
    'unassigned-finds-all': 'an empty filter[assignee] finds all tickets',
  },
  order: {
    'order-ignored': 'order does nothing',
    'ids-ordered-as-texts': 'ids are ordered as texts',
  },
  paging: {
    'start-ignored': 'start does nothing',
    'start-counts-pages': 'start is taken for the number of the page',
    'total-unfiltered': 'total counts the tickets without the filters',
    'count-101-accepted': 'a count of 101 is accepted',
  },
  writes: {
    'change-lost': 'a change of a ticket is answered and not stored',
    'change-without-priority': 'a change stores all but the priority',
    'change-empties-tags': 'a change without tags removes them',
    'create-lost': 'a new customer gets an id and is not stored',
    'html-escaped': 'texts are stored with HTML entities',
    'decoded-twice': 'texts are decoded twice: 100%25 becomes 100%',
    'queue-priority-ignored': 'a ticket without a priority gets 3, whatever its queue says',
    'last-tag-only': 'of several tags only the last one is stored',
    'refused-change-kept': 'a change that is refused for its lock_version is stored',
  },
  deletion: {
    'delete-not-done': 'deleting a customer is answered with ok and not done',
    'deleted-still-listed': 'a deleted ticket stays in the list',
    'merged-outlive-target': 'tickets that were merged into a deleted one stay',
    'customer-with-tickets-deleted': 'a customer with tickets can be deleted',
    'queue-with-tickets-deleted': 'a queue with tickets can be deleted, and takes them along',
  },
  relations: {
    'unknown-customer-accepted': 'a ticket can be of a customer that does not exist',
    'unknown-queue-on-change': 'a ticket can be moved to a queue that does not exist',
    'inactive-queue-accepted': 'a ticket can be put into a queue that is not active',
  },
  states: {
    'close-again-accepted': 'a closed ticket can be closed again',
    'reply-to-closed-accepted': 'a closed ticket can be replied to',
    'merge-into-itself': 'a ticket can be merged into itself',
    'merge-loses-replies': 'a merge does not move the replies',
    'merge-across-customers': 'tickets of two customers can be merged',
    'reopened-has-closed-at': 'a reopened ticket keeps closed_at',
  },
  uniqueness: {
    'email-twice-in-capitals': 'an email in capitals counts as another one',
    'queue-name-taken-on-change': 'a queue can be given the name of another one',
    'request-key-ignored': 'a repeated request_key makes a second ticket',
    'request-key-of-all': 'the request_key of another agent answers that ticket',
  },
  counts: {
    'minutes-of-last-reply': 'minutes of a ticket are those of its last reply',
    'reply-count-without-internal': 'reply_count leaves out internal replies',
    'queue-counts-closed': 'ticket_count of a queue counts closed tickets',
    'version-unchanged': 'a change leaves lock_version',
    'old-version-accepted': 'a change with an old lock_version is made',
    'updated-unchanged': 'a change leaves updated',
    'created-moves': 'a change sets created',
  },
  sessions: {
    'list-without-cookie': 'the list of customers needs no cookie',
    'any-cookie-accepted': 'any value of the cookie is a session',
    'any-password-accepted': 'the login does not look at the password',
    'logout-not-done': 'a session goes on after its logout',
    'macro-of-other-shown': 'a macro of another agent that is not shared can be read',
    'macros-of-others-listed': 'the list has macros of others that are not shared',
    'macro-of-other-deleted': 'a shared macro can be deleted by another agent',
    'creator-from-form': 'a field creator in the form is taken',
  },
  robustness: {
    'id-cast': 'an id is read up to its first letter: 990x is 990',
    'list-as-text-500': 'subject[] instead of subject is an unhandled error',
    'quote-500': 'a quote in filter[text] is an unhandled error',
    'subject-of-120-refused': 'a subject of 120 characters is refused',
    'minutes-601-accepted': 'a reply of 601 minutes is accepted',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
