/** What a person gets wrong in a service, by the part of it in which it goes wrong. */
export const defects = {
  'create-answers-200': 'a create answers 200, not 201',
  'delete-answers-200': 'a delete answers 200 with a body, not 204',
  'missing-answers-200': 'a read of a book that is not there answers 200 with null',
  'missing-answers-500': 'a read of a book that is not there falls over the missing row',
  'missing-delete-answers-204': 'a delete of a book that is not there answers 204',
  'refusal-answers-422': 'an invalid body is refused with 422, which is not documented',
  'refusal-answers-200': 'an invalid body is refused with a problem under status 200',

  'field-missing': 'a read leaves createdAt out',
  'field-missing-in-list': 'the entries of the list have no author',
  'number-as-text': 'pages is answered as text',
  'id-as-text-in-list': 'the entries of the list have their ids as text',
  'date-time-as-local': 'createdAt is answered without its T and its zone',
  'enum-in-capitals': 'genre is answered in capitals',
  'null-for-empty': 'tags is null where there are none',
  'field-leaked': 'a read answers the shelf mark, which is internal',
  'list-is-bare': 'the list is an array with no envelope',
  'total-as-text': 'total is answered as text',
  'empty-list-is-404': 'a filter that nothing matches answers 404',
  'problem-misshapen': 'a problem has only the field error',
  'problem-status-wrong': 'a problem with status 404 says 400 in its body',

  'filter-ignored': 'the genre filter does nothing',
  'filter-after-limit': 'the genre filter is applied to the page, after limit and offset',
  'limit-ignored': 'limit does nothing',
  'limit-one-more': 'a page has one book more than its limit',
  'default-limit-ignored': 'without a limit, every book is answered',
  'offset-ignored': 'offset does nothing',
  'offset-one-less': 'offset n leaves out n - 1, so that pages overlap',
  'sort-ignored': 'sort does nothing',
  'sort-one-way': 'a minus before the sort field does nothing',
  'sort-as-text': 'pages are sorted as text: 1000 before 9',
  'sort-after-page': 'the page is sorted, not the list',
  'total-of-page': 'total counts the page',
  'total-of-all': 'total counts the books that the filter leaves out',

  'create-lost': 'a create answers, and keeps nothing',
  'create-mangles': 'a create trims and capitalises titles',
  'create-drops-field': 'a create forgets the barcode',
  'create-twice': 'a create keeps the book twice',
  'ids-repeat': 'an id is the number of books plus one, so that it comes again after a delete',
  'replace-lost': 'a replacement answers the new book, and keeps the old one',
  'replace-merges': 'a replacement keeps optional fields that were not given',
  'update-lost': 'an update answers the changed book, and keeps the old one',
  'update-resets': 'an update empties the tags that were not given',
  'delete-not-done': 'a delete answers 204, and the book stays',
  'delete-only-from-list': 'a deleted book is gone from the list, and can still be read',
  'refused-create-kept': 'a create is refused after the book was put on the shelf',
  'refused-update-kept': 'an update is refused after the book was changed',
  'list-from-cache': 'the list is what it was when the service started',

  'any-token-accepted': 'any bearer token is accepted',
  'token-prefix-accepted': 'the beginning of the key is accepted',
  'token-in-any-case': 'the key is accepted in capitals',
  'scheme-not-checked': 'the key is accepted under any scheme',
  'list-without-token': 'the list needs no key',
  'delete-without-token': 'the delete needs no key',
  'no-token-is-403': 'a request without a key gets 403, which is not documented',

  'bad-limit-accepted': 'a limit that is no number counts as the default',
  'limit-clamped': 'a limit above the maximum counts as the maximum',
  'bad-filter-accepted': 'an unknown genre gives an empty list',
  'bad-sort-accepted': 'an unknown sort field gives the default order',
  'required-not-checked': 'a create without genre is fiction',
  'type-coerced': 'pages given as text are read as a number',
  'enum-not-checked': 'any text is taken for a genre',
  'length-not-checked': 'a title of more than 120 characters is accepted',
  'empty-not-checked': 'an empty title is accepted',
  'minimum-not-checked': 'a book may have 0 pages',
  'maximum-refused': 'a book of exactly 10,000 pages is refused',
  'pattern-not-anchored': 'an ISBN may have anything before and after it',
  'date-not-checked': 'any text is taken for a date of publication',
  'extra-field-accepted': 'a field that is not in the contract is accepted and dropped',
  'repeats-accepted': 'the same tag twice is accepted',
  'too-many-accepted': 'six tags are accepted',
  'null-accepted': 'a title of null is accepted as the text null',
  'nested-not-checked': 'an author without a name is called Anonymous',
  'empty-update-accepted': 'an update of no field is accepted',
  'media-type-not-checked': 'a body of any media type is read as JSON',
  'replace-not-checked': 'the bounds of numbers are held only by create and update',
  'enum-value-refused': 'poetry is refused as a genre',
  'null-refused': 'null is refused as date of publication',

  'body-as-html': 'books are answered as text/html',
  'list-not-json': 'the list has a comma after its last entry',
  'body-cut-off': 'the answer to a read breaks off in the middle',
  'location-missing': 'a create answers no Location',
  'int64-rounded': 'a barcode beyond 2^53 is rounded',
  'unicode-mangled': 'letters beyond ASCII are stored as Latin-1',
  'emoji-lost': 'characters beyond 16 bits become question marks',

  'broken-json-is-500': 'a body that is not JSON is an unhandled exception',
  'quote-is-500': 'a title with an apostrophe is an unhandled exception',
  'odd-id-is-500': 'an id that is no number is an unhandled exception',
  'huge-offset-is-500': 'an offset beyond the list is an unhandled exception',
  'array-body-is-500': 'a body that is no object is an unhandled exception',
  'unknown-method-is-get': 'a method that is not in the contract is answered as GET',
  'flaky-read': 'one read in ten answers 500',
  'flaky-list': 'one list in ten is empty',
  'update-hangs': 'an update is never answered',
  'list-slow': 'the list takes two seconds',
} as const;

/** The name of one planted defect. */
export type DefectName = keyof typeof defects;

/** Whether this defect is the planted one. */
export type IsPlanted = (name: DefectName) => boolean;

/**
 * Tells for each defect whether it is the planted one; none is, without a name. Throws where there
 * is no such defect.
 */
export function plant(name: string | undefined): IsPlanted {
  if (name !== undefined && !Object.hasOwn(defects, name))
    throw new Error(`There is no defect ${name}. There are: ${Object.keys(defects).join(', ')}.`);
  return (incoming) => incoming === name;
}
