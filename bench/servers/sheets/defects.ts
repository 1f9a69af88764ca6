import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in an API of bases, tables and linked records, by kind. */
export const defects = {
  answers: {
    'unknown-field-ignored': 'a field that the table does not have is left out without a word',
    'computed-field-ignored': 'a value for a computed field is left out without a word',
    'false-checkbox-shown': 'a checkbox that is not set is shown as false',
    'error-as-text': 'the error of a 404 is a text in place of an object',
    'wrong-token-403': 'a token that is not known is answered with 403',
    'too-large-accepted': 'a body of more than 64 KiB is accepted',
  },
  validation: {
    'eleven-records-accepted': 'a batch can have eleven records',
    'bad-offset-first-page': 'an offset that is not known gives the first page',
    'negative-hours-accepted': 'Hours can be less than 0',
    'impossible-date-accepted': 'a date need not be in the calendar',
    'end-before-start': 'an update of End alone can put it before Start',
    'choice-in-other-case': 'choices are taken in upper or lower case',
  },
  lists: {
    'max-records-per-page': 'maxRecords is the most of each page, not of all pages',
    'page-skips-one': 'each further page leaves out its first record',
    'page-shifts-on-delete': 'the deletion of a record between pages hides another one',
    'sort-lost-on-next-page': 'further pages are not sorted',
    'query-cursor-drops-filter': 'further pages of a query are not filtered',
    'has-more-at-end': 'has_more is true on a full page that is the last one',
    'view-filter-ignored': 'a view gives the records that are not in it too',
    'view-order-wins': 'the order of a view goes before the sort of the request',
    'empties-first-descending': 'records without a value come first in descending order',
    'choices-sorted-as-texts': 'single selects are sorted by the alphabet',
    'second-sort-ignored': 'only the first sort counts',
  },
  filters: {
    'or-taken-as-and': 'an or inside of an and needs all of its conditions',
    'greater-includes-equal': 'greater_than finds the number itself',
    'not-equal-skips-empty': 'does_not_equal finds no records without a value',
    'unset-not-false': 'equals false finds no checkbox that was never set',
    'contains-case-matters': 'contains finds texts only in the same case',
    'tag-contains-part': 'contains finds multiple selects by a part of a choice',
  },
  records: {
    'patch-clears-rest': 'a PATCH of a batch clears the fields that are left out',
    'put-merges': 'a PUT keeps the fields that are left out',
    'null-ignored': 'null does not clear a field',
    'create-half-done': 'a refused batch leaves the new records before the bad one',
    'update-half-done': 'a refused batch leaves the updates before the bad one',
    'delete-half-done': 'a refused deletion has deleted the records before the unknown one',
    'answer-reordered': 'an update answers its records in the order of their creation',
    'upsert-second-field-ignored': 'an upsert compares only the first of the fields to merge on',
    'upsert-takes-first': 'an upsert that fits several records updates the first of them',
    'upsert-all-created': 'createdRecords of an upsert has the updated ones too',
  },
  uniqueness: {
    'code-taken-by-update': 'an update can give a project the Code of another one',
    'code-twice-in-batch': 'two new projects of one request can have the same Code',
    'email-case-matters': 'an Email is free if another person has it in other case',
  },
  links: {
    'reverse-write-lost': 'Tasks written at a project or person link nothing',
    'moved-task-stays': 'a task that moves to another project stays at the former too',
    'deleted-project-linked': 'tasks keep the link to a deleted project',
    'project-deletes-tasks': 'a deleted project takes its tasks along',
    'link-to-other-base': 'records of another base can be linked',
    'two-projects-linked': 'a task can be linked to two projects',
  },
  archive: {
    'archived-in-query': 'archived records are in the results of queries',
    'archived-changed': 'the fields of an archived record can be changed',
    'restore-loses-links': 'a restored task is not linked any more',
  },
  sums: {
    'hours-sum-stale': 'Total Hours has the Hours that the tasks were created with',
    'archived-task-counted': 'Task Count and the sums count archived tasks',
    'comment-count-grows': 'commentCount keeps counting deleted comments',
  },
  access: {
    'reader-upserts': 'a user with the level read can upsert',
    'foreign-base-queried': 'a base can be queried without any permission',
    'record-of-other-base': 'a record is found under the id of another base',
  },
  events: {
    'comments-oldest-first': 'comments are listed from the oldest on',
    'payload-cursor-repeats': 'the cursor of payloads gives the last payload again',
    'payload-for-refused': 'a request that is refused leaves a payload',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
