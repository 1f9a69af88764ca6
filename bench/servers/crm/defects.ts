import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in an API of customer relations, by kind. */
export const defects = {
  answers: {
    'archived-again-204': 'a contact that is archived already is archived again with 204',
    'refusal-without-property': 'a refusal does not name the property at fault',
    'taken-email-as-400': 'an email that is taken is refused with 400',
    'batch-failures-as-201': 'a batch in which entries fail is answered with 201',
  },
  pages: {
    'page-skips-record': 'the pages behind the first begin one record too late',
    'last-page-has-next': 'a last page that is full has a next page',
    'link-loses-properties': 'the link to the next page has no properties',
    'archived-left-out-of-page': 'archived records leave gaps in the pages of the others',
    'search-total-of-page': 'total counts the records of the page',
    'search-page-overlaps': 'a page of a search begins with the last record of the page before',
  },
  searches: {
    'filters-of-group-ored': 'one filter of a group is enough',
    'first-group-only': 'only the first group of filters counts',
    'between-excludes-high': 'BETWEEN leaves out its highValue',
    'numbers-filtered-as-text': 'numbers are compared as texts by filters',
    'times-filtered-as-text': 'times are compared as texts by filters',
    'neq-misses-empty': 'NEQ leaves out records without a value',
    'token-within-words': 'CONTAINS_TOKEN finds parts of words',
    'query-drops-filters': 'with a query, filters do not count',
    'empty-sorted-first': 'records without a value are sorted first',
    'search-finds-archived': 'a search finds archived records',
  },
  records: {
    'patch-replaces': 'an update clears the properties that it leaves out',
    'cleared-as-empty-text': 'a property that was cleared is an empty text and counts as a value',
    'updated-at-still': 'an update leaves updatedAt',
    'empty-property-omitted': 'a requested property without a value is omitted',
    'id-property-minds-case': 'a contact is not found by its email in another case',
  },
  values: {
    'options-unchecked-in-updates': 'an update takes values that are no options',
    'first-of-several-checked': 'of several options only the first is checked',
    'date-not-of-calendar': 'a date that no calendar has is taken',
    'read-only-ignored': 'a value for a read-only property is ignored, not refused',
    'unknown-property-ignored': 'a property that does not exist is ignored, not refused',
    'inactive-owner-taken': 'a record can be given to a deactivated owner',
    'used-option-removed': 'an option that records have can be removed',
    'lifecycle-goes-back': 'the lifecycle stage can go back',
  },
  uniqueness: {
    'email-taken-by-update': 'an update can give a contact the email of another',
    'batch-email-twice': 'one batch can create two contacts with the same email',
    'email-of-archived-taken': 'the email of an archived contact stays taken',
    'custom-unique-unchecked': 'values of custom unique properties can be taken twice',
  },
  deals: {
    'stage-of-other-pipeline': 'a deal can have a stage of another pipeline',
    'close-date-not-set': 'closing a deal does not set its closedate',
    'close-date-overwritten': 'closing a deal overwrites the closedate of the request',
    'reopened-keeps-close-date': 'a deal that is opened again keeps its closedate',
    'probability-of-first-stage': 'the probability stays that of the first stage',
    'lost-counts-as-won': 'is_won is true for lost deals',
    'won-without-amount': 'a deal without an amount can be won',
    'forecast-cut-off': 'forecast_amount is cut off at the cent',
    'win-leaves-lifecycle': 'winning a deal leaves the lifecycle stage of its contacts',
  },
  associations: {
    'seen-from-one-side': 'an association is seen from one of its sides only',
    'associated-twice': 'associating two records again adds a second association',
    'archived-stays-associated': 'archived records stay associated',
    'second-company-added': 'a contact can have several companies',
    'revenue-of-lost-deals': 'total_revenue has the amounts of lost deals',
    'completed-task-is-next': 'next_activity_date looks at completed tasks too',
  },
  merges: {
    'merged-values-win': 'values of the merged contact replace those of the primary one',
    'merge-loses-associations': 'the associations of the merged contact are lost',
    'merged-id-lost': 'the id of the merged contact leads nowhere',
  },
  atomicity: {
    'refused-update-kept': 'an update that is refused has written its valid properties',
    'batch-stops-at-fault': 'the entries of a batch behind one that fails are not written',
  },
  access: {
    'scope-of-batches-unchecked': 'batches do not need the scope to write',
    'associations-beyond-scope': 'associations are shown without the scope for their objects',
    'contact-of-other-portal': 'a contact of another portal can be read',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
