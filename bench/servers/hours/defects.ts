import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in an API of time tracking, by kind. */
export const defects = {
  answers: {
    'deleted-again-204': 'a time entry that is deleted already is deleted again with 204',
    'fields-not-named': 'a refusal of a time entry does not name the property at fault',
    'refusal-as-400': 'invalid values of a project are refused with 400',
  },
  pages: {
    'page-skips-record': 'the pages behind the first begin one record too late',
    'total-of-page': 'total_entries counts the records of the page',
    'total-pages-cut-off': 'total_pages leaves out the last page if it is not full',
    'links-lose-filters': 'the addresses in links have not the filters of the request',
    'last-page-has-next': 'a last page that is full has a next page',
    'entries-by-creation': 'time entries are sorted by their creation alone',
  },
  filters: {
    'to-excludes-its-day': 'to leaves out the entries of its own day',
    'second-filter-ignored': 'of several filters only the first counts',
    'is-running-false-ignored': 'is_running=false lists running timers too',
    'updated-since-as-text': 'updated_since is compared as a text, whatever its offset',
    'updated-since-by-creation': 'updated_since looks at the time of creation',
    'client-filter-misses-archived': 'client_id leaves out the entries of archived projects',
  },
  records: {
    'patch-clears-left-out': 'a change of a project empties the notes that it leaves out',
    'patch-null-ignored': 'a budget cannot be emptied by null',
    'updated-at-still': 'a change of a time entry leaves updated_at',
    'client-name-stale-in-entry': 'time entries show the name that the client had at first',
    'default-tasks-not-assigned': 'a new project does not get the default tasks',
  },
  uniqueness: {
    'client-name-in-other-case': 'the name of a client is taken again in another case',
    'project-name-across-clients': 'names of projects are unique across all clients',
    'code-taken-by-change': 'a project can be given the code of another one',
    'task-assigned-twice': 'a task can be assigned to a project twice',
  },
  references: {
    'unassigned-task-accepted': 'time is taken for a task that the project does not have',
    'archived-project-accepted': 'an archived project takes new time',
    'moved-to-archived-project': 'a time entry can be moved to an archived project',
    'client-with-projects-deleted': 'a client with archived projects can be deleted',
    'project-with-hours-deleted': 'a project with time entries can be deleted',
  },
  timers: {
    'two-timers-run': 'starting a timer lets the other one of the person run',
    'start-stops-everybody': 'starting a timer stops those of other people',
    'stop-loses-elapsed': 'stopping a timer leaves its hours as they were at its start',
    'running-hours-still': 'the hours of a running timer leave out the time since its start',
    'stopped-again': 'a timer that does not run can be stopped',
  },
  sums: {
    'rounded-to-nearest-quarter': 'hours are rounded to the nearest quarter, not up',
    'amount-of-exact-hours': 'billable_amount is that of the hours, not the rounded ones',
    'rate-follows-project': 'time entries show the rate that the project has now',
    'rate-kept-when-moved': 'a time entry keeps its rate when it moves to another project',
    'mileage-cut-off': 'the cost of mileage is cut off at the cent',
    'budget-of-billable-hours': 'budget_spent leaves out hours that are not billable',
    'strict-budget-exceeded-by-change': 'a change of hours can exceed a strict budget',
  },
  reports: {
    'report-without-last-day': 'a report leaves out the last day of its period',
    'report-with-running': 'a report has the hours of running timers',
    'totals-of-page': 'the totals of a report are those of its page',
  },
  states: {
    'locked-entry-changed': 'an entry of a submitted week can be changed',
    'locked-entry-deleted': 'an entry of an approved week can be deleted',
    'entry-into-locked-week': 'an entry can be added to a submitted week',
    'sunday-not-locked': 'the Sunday of a submitted week is not locked',
    'reopened-stays-locked': 'the entries of a reopened timesheet stay locked',
    'approved-again': 'a reopened timesheet can be approved',
    'submitted-with-timer': 'a week in which a timer runs can be submitted',
  },
  atomicity: {
    'refused-change-kept': 'a change of a time entry that is refused has changed its notes',
    'refused-start-stops-timer': 'a timer that is refused has stopped the one that ran',
    'refused-client-change-kept': 'a client that cannot be archived has got its new name',
  },
  access: {
    'any-token-accepted': 'any bearer token is accepted',
    'account-not-checked': 'a token is good for the accounts of other people',
    'project-of-other-account': 'a project of another account can be read',
    'client-of-other-account-named': 'a project can be made for a client of another account',
    'member-sees-entries-of-others': 'members see the time entries of other people',
    'report-of-all-accounts': 'the totals of reports have the hours of all accounts',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
