import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a service by the guidelines of the TM Forum, by kind. */
export const defects = {
  errors: {
    'error-without-reason': 'errors have no reason',
    'missing-offering-200': 'a product offering that does not exist is answered with 200',
    'unknown-reference-500': 'an unknown specification in an offering is an unhandled error',
  },
  shapes: {
    'bundle-as-text': 'isBundle is a text',
    'price-as-text': 'the value of a price is a text',
    'href-missing': 'entries of lists have no href',
    'empty-list-null': 'a list without entries is null',
    'item-state-in-snake-case': 'items in progress have the state in_progress',
    'location-missing-id': 'Location of a new offering ends in undefined',
  },
  counts: {
    'total-count-missing': 'lists have no X-Total-Count',
    'total-count-of-page': 'X-Total-Count counts the page',
    'result-count-of-all': 'X-Result-Count counts all that match',
    'total-count-unfiltered': 'X-Total-Count does not look at the filters',
  },
  pages: {
    'offset-ignored': 'offset does nothing',
    'limit-one-more': 'a page has one entry more than limit says',
  },
  fields: {
    'fields-ignored': 'fields does nothing',
    'fields-without-id': 'fields leaves out id and href',
    'fields-in-lists-only': 'fields does nothing for a single entity',
  },
  filters: {
    'status-filter-ignored': 'lifecycleStatus filters nothing',
    'first-alternative-only': 'of several values of a filter only the first one counts',
    'start-gt-with-bound': 'validFor.startDateTime.gt finds that very moment',
    'start-lt-as-text': 'validFor.startDateTime.lt compares texts, whatever their offsets',
    'category-filter-first-only': 'category.id looks at the first category only',
    'name-filter-by-part': 'name finds all whose name contains the value',
  },
  sorting: {
    'sort-ignored': 'sort does nothing',
    'sort-second-ignored': 'of several attributes to sort by only the first one counts',
  },
  writes: {
    'create-lost': 'a new specification is answered and not stored',
    'create-drops-characteristics': 'a new specification loses its characteristics',
    'default-not-sellable': 'an offering without isSellable is not sellable',
    'patch-lost': 'a patch of an offering is answered and not stored',
    'patch-drops-description': 'a patch without a description removes it',
    'patch-null-kept': 'null in a patch leaves the attribute',
    'patch-replaces-nested': 'a patch of validFor replaces all of it',
    'patch-appends-to-lists': 'a list in a patch is appended to the one before',
    'patch-of-id-ignored': 'a patch of id is answered with 200',
    'refused-patch-kept': 'a patch that is refused for its lifecycleStatus is stored in part',
    'last-update-unchanged': 'a patch leaves lastUpdate',
  },
  deletion: {
    'delete-not-done': 'deleting a specification is answered with 204 and not done',
    'deleted-still-listed': 'a deleted offering stays in the list',
    'category-in-use-deleted': 'a category with offerings can be deleted',
    'specification-in-use-deleted': 'a specification can be deleted with the offerings of it',
    'ordered-offering-deleted': 'an offering in an open order can be deleted',
  },
  references: {
    'unknown-category-accepted': 'an offering can be in a category that does not exist',
    'reference-name-stale': 'references have the name that the category had at first',
    'reference-name-of-client': 'references have the name that the client sent',
    'sub-category-missing': 'subCategory does not have those that were added',
    'category-below-itself': 'a category can become a child of its own child',
  },
  states: {
    'lifecycle-skips': 'an offering can go from In design to Active',
    'inactive-offering-ordered': 'an offering that is not Active can be ordered',
    'items-keep-their-state': 'items stay acknowledged when their order goes on',
    'completed-order-cancelled': 'a completed order can be cancelled',
    'cancellation-without-effect': 'a cancellation leaves the order as it is',
    'completion-date-missing': 'a completed order has no completionDate',
  },
  sums: {
    'total-without-quantity': 'the total of an order does not multiply by the quantity',
    'total-follows-price': 'the total of an order changes with the price of its offering',
  },
  uniqueness: {
    'product-number-twice': 'two specifications can have one productNumber',
    'external-id-twice': 'a client can have two orders with one externalId',
  },
  clients: {
    'no-token-needed': 'lists of orders need no token',
    'any-token-accepted': 'any token is accepted',
    'orders-of-others-listed': 'the list has the orders of all clients',
    'order-of-other-shown': 'an order of another client can be read',
    'order-of-other-cancelled': 'an order of another client can be cancelled',
  },
  validation: {
    'quantity-zero-accepted': 'a quantity of 0 is accepted',
    'name-of-100-refused': 'a name of 100 characters is refused',
    'end-before-start-accepted': 'validFor can end before it starts',
    'json-as-merge-patch': 'plain JSON is taken for a merge patch',
    'hub-removal-not-done': 'a removed listener can be removed again',
    'null-body-500': 'a body of null is an unhandled error',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
