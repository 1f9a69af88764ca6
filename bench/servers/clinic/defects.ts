import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a service of resources as HL7 FHIR has them, by kind. */
export const defects = {
  answers: {
    'deleted-read-404': 'a deleted patient is answered with 404 instead of 410',
    'outcome-without-code': 'the issues of an OperationOutcome have no code',
    'birth-date-with-time': 'the birthDate of a patient has a time',
  },
  filters: {
    'birthdate-le-excludes-day': 'birthdate=le… leaves out those born on that day',
    'name-case-sensitive': 'name distinguishes capitals and small letters',
    'name-family-only': 'name does not look at given names',
    'identifier-ignores-system': 'identifier looks at the value only',
    'status-first-of-list': 'of several statuses with commas, the first one counts',
    'repeated-date-last-counts': 'of a parameter that is repeated, the last one counts',
    'last-updated-compares-created': '_lastUpdated does not find what was changed since',
    'day-ignores-offset': 'a day finds appointments by the date that is written, not by UTC',
    'unknown-parameter-ignored': 'a parameter that does not exist is ignored',
    'inactive-hidden': 'a search without active finds active patients only',
    'deleted-still-found': 'a search still finds deleted patients',
  },
  order: {
    'descending-ignored': 'the minus of _sort is ignored',
    'second-key-ignored': 'the second key of _sort is ignored',
    'history-oldest-first': 'a history starts with the oldest version',
  },
  paging: {
    'total-of-page': 'total counts the page',
    'next-drops-filters': 'the next link has lost the parameters of the search',
    'next-on-last-page': 'the last page has a next link if it is full',
    'page-repeats-last': 'a page starts with the last resource of the one before',
    'includes-in-total': 'total counts included resources',
  },
  selection: {
    'elements-drop-mandatory': '_elements leaves out mandatory elements',
    'include-repeats': 'a resource is included as often as it is referred to',
  },
  creates: {
    'active-not-defaulted': 'a patient without active has none',
    'client-id-kept': 'a POST keeps the id of the body',
    'if-none-exist-ignored': 'If-None-Exist creates a second patient',
    'if-none-exist-takes-first': 'If-None-Exist with several matches answers the first one',
    'issued-from-client': 'issued of an observation is what the client sent',
  },
  updates: {
    'put-merges': 'PUT of a patient leaves the elements that are not sent',
    'other-id-accepted': 'PUT takes a body with another id',
    'patch-partly-applied': 'of a failing JSON Patch, the operations before the fault are stored',
    'identifier-twice-on-update': 'a PUT can give a patient the identifier of another one',
  },
  versions: {
    'stale-if-match-accepted': 'PUT of a patient with an old If-Match is made',
    'missing-if-match-accepted': 'PUT of an appointment needs no If-Match',
    'etag-behind': 'the ETag after an update is that of the version before',
    'not-modified-ignored': 'If-None-Match is ignored',
    'vread-shows-current': 'a former version has the content of the current one',
    'history-misses-deletion': 'a history does not have the deletion',
    'restored-starts-over': 'a practitioner who is put again after a deletion has version 1',
  },
  bookings: {
    'busy-slot-booked': 'a slot that is busy can be booked',
    'cancel-keeps-slot-busy': '$cancel leaves the slot busy',
    'reschedule-keeps-old-slot': 'another slot for an appointment leaves the old one busy',
    'fulfilled-without-arrival': 'a booked appointment can become fulfilled',
    'arrived-cancelled': 'an appointment whose patient has arrived can be cancelled',
    'other-practitioner-accepted': 'an appointment can be with someone whose slot it is not',
    'slots-overlap': 'slots of a practitioner may overlap by their ends',
  },
  orders: {
    'interpretation-at-bound': 'a value at the upper bound of its range is high',
    'second-active-accepted': 'a patient can have the same medication twice',
    'completed-reactivated': 'a completed request can become active again',
    'hold-without-reason': 'a request can be put on hold without a reason',
    'dosage-changed-when-active': 'the dosage of an active request can be changed',
  },
  references: {
    'unknown-subject-accepted': 'an observation can be of a patient that does not exist',
    'patient-with-booking-deleted': 'a patient with a booked appointment can be deleted',
    'observations-left-behind': 'observations of a deleted patient can still be read',
    'practitioner-in-use-deleted': 'a practitioner with patients can be deleted',
  },
  practices: {
    'observation-of-other-shown': 'an observation of another practice can be read',
    'search-across-practices': 'a search for slots finds those of all practices',
    'identifier-of-other-taken': 'an identifier that another practice uses counts as taken',
    'history-without-token': 'the history of a patient needs no token',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
