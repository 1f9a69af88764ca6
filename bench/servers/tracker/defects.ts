import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a tracker of issues with the API of a forge, by kind. */
export const defects = {
  filters: {
    'labels-any-of-several': 'labels=a,b finds issues with one of the two',
    'labels-none-as-name': 'labels=None looks for a label of the name None',
    'not-labels-needs-all': 'not[labels]=a,b leaves out only issues with both',
    'search-in-ignored': 'in=title searches the descriptions as well',
    'iids-last-only': 'of several iids[] only the last one counts',
    'updated-before-ignored': 'updated_before does nothing',
  },
  order: {
    'due-date-nulls-first': 'issues without a due date come before the others',
    'updated-order-by-creation': 'order_by=updated_at orders by created_at',
  },
  pages: {
    'second-page-repeats-one': 'each page after the first starts with the last of the one before',
    'total-of-page': 'X-Total counts the records of the page',
    'next-page-on-last': 'X-Next-Page names a page behind the last one',
    'link-loses-filters': 'the addresses in Link have no filters',
  },
  roles: {
    'total-counts-hidden': 'X-Total counts confidential issues that the user does not see',
    'confidential-by-iid': 'a confidential issue is hidden in the list and shown by its iid',
    'confidential-through-link': 'the links of an issue show confidential issues to a Guest',
    'confidential-author-shut-out': 'a Guest does not see a confidential issue of their own',
    'guest-edits-others': 'a Guest can change the issues of others',
    'guest-labels-kept': 'labels that a Guest sends with a new issue are set',
    'reporter-deletes': 'a Reporter can delete issues',
    'maintainer-makes-owner': 'a Maintainer can add an Owner',
    'internal-notes-shown': 'a Guest sees internal notes',
    'move-into-guest-project': 'an issue can be moved to a project where the user is a Guest',
    'milestone-across-projects': 'the id of a milestone of another project is answered',
  },
  states: {
    'close-again-moves-time': 'closing a closed issue sets closed_at again',
    'event-drops-other-fields': 'a change with a state_event changes nothing else',
    'milestone-closes-issues': 'closing a milestone closes its issues',
    'close-leaves-no-note': 'closing an issue leaves no system note',
    'subscription-of-all': 'an issue that one user is subscribed to shows subscribed to all',
    'expired-though-closed': 'a closed milestone whose due date has passed is expired',
  },
  counts: {
    'notes-count-with-system': 'user_notes_count counts system notes',
    'label-count-with-closed': 'open_issues_count of a label counts closed issues',
    'open-count-without-reopened': 'open_issues_count of a project leaves out reopened issues',
    'day-of-24-hours': 'a day of a duration has 24 hours',
    'duration-first-unit': 'of a duration with several units only the first one counts',
    'human-in-hours': 'human_time_estimate has hours where days are meant',
    'tasks-open-only': 'the count of tasks leaves out completed ones',
    'iid-across-projects': 'the iid goes on from the last issue of any project',
    'iid-used-again': 'the iid of a deleted last issue is given again',
  },
  ends: {
    'link-one-way': 'a link shows at its source only',
    'link-type-same-at-both-ends': 'a link shows as blocks at both ends',
    'link-twice-from-other-end': 'linked issues can be linked again from the other end',
    'move-loses-notes': 'a moved issue arrives without its notes',
    'moved-to-is-iid': 'moved_to_id has the iid of the new issue',
    'deleted-label-stays': 'issues keep a label that was deleted',
    'unknown-label-not-listed': 'a new label of an issue does not become one of the project',
    'foreign-milestone-accepted': 'an issue can have the milestone of another project',
    'removed-member-assigned': 'a removed member stays the assignee of issues',
  },
  changes: {
    'add-labels-replaces': 'add_labels replaces the labels',
    'labels-not-trimmed': 'a space behind a comma becomes part of the label',
    'due-date-not-cleared': 'a due_date of null leaves the date',
    'note-leaves-updated': 'a note leaves updated_at of its issue',
  },
  conditions: {
    'etag-same-after-change': 'a changed issue has the ETag it had before',
    'unmodified-since-ignored': 'an issue is deleted whatever If-Unmodified-Since says',
    'subscribe-again-201': 'a second subscription is answered with 201',
  },
  validation: {
    'empty-put-accepted': 'a change without any parameter is answered with 200',
    'start-after-due-accepted': 'a milestone can start after its due date',
    'label-name-twice': 'a project can have two labels of one name',
    'color-unchecked': 'any text is accepted as a color',
    'no-token-empty-list': 'the projects are an empty list without a token',
    'unknown-user-500': 'adding a user who does not exist is an unhandled error',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
