import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in the admin API of a shop, by kind. */
export const defects = {
  answers: {
    'created-answers-200': 'a new product is answered with 200',
    'deleted-again-200': 'a product that is deleted already is deleted again with 200',
    'blank-title-accepted': 'a title of spaces is accepted',
    'wrapper-not-required': 'a product is taken without its wrapper',
    'limit-251-accepted': 'a limit of 251 is accepted',
  },
  pages: {
    'page-skips-record': 'the page behind a cursor begins one record too late',
    'page-loses-filters': 'the page behind a cursor has records that the filters left out',
    'page-loses-limit': 'the address of the next page has not the limit of the request',
    'last-page-has-next': 'a page that is full has a next page, which is empty at the end',
    'previous-link-missing': 'pages behind the first have no link back',
    'filter-beside-page-info': 'a filter beside page_info is accepted',
    'count-ignores-status': 'the count of products ignores the status',
  },
  filters: {
    'since-id-includes-it': 'since_id finds the record of this id too',
    'times-compared-as-texts': 'created_at_min is compared as a text, whatever its offset',
    'orders-default-any': 'without a status, orders that are not open are listed',
    'vendor-by-beginning': 'vendor finds those whose names begin with it',
    'second-filter-ignored': 'of several filters only the first counts',
    'fields-of-one-ignored': 'fields does nothing for a single record',
    'levels-location-ignored': 'levels at other locations than those of location_ids are listed',
  },
  records: {
    'put-clears-left-out': 'a change of a product empties what it leaves out',
    'handle-taken-accepted': 'two products can have the same handle',
    'updated-at-still': 'a change of a product leaves updated_at',
    'published-at-stays': 'a product that becomes a draft keeps published_at',
    'variant-option-taken': 'a product can have two variants of one title',
    'email-taken-in-other-case': 'an e-mail address is taken again in another case',
    'email-taken-by-change': 'a customer can be given the address of another one',
    'variant-change-lost': 'a change of a sku is answered, but not stored',
  },
  atomicity: {
    'refused-variant-change-kept': 'a change of a variant that is refused has changed its sku',
    'refused-product-created': 'a product with a variant that is refused is created without it',
    'refused-order-takes-stock': 'an order that lacks stock has taken that of its first lines',
    'order-number-lost': 'an order that is refused uses up a number',
  },
  stock: {
    'adjust-sets': 'an adjustment replaces what is available',
    'order-leaves-stock': 'an order takes nothing from the stock',
    'cancel-keeps-stock': 'a cancellation with restock gives nothing back',
    'no-restock-restocks': 'a refund without restock gives the stock back',
    'oversold-accepted': 'an order can take more than is available',
    'repeated-lines-oversold': 'two lines of one variant together can take more than is available',
    'quantity-of-main-location': 'inventory_quantity counts the main location only',
  },
  sums: {
    'shipping-not-in-total': 'the total of an order is without its shipping',
    'discount-below-zero': 'a fixed discount can exceed the sum of the line items',
    'percentage-cut-off': 'a percentage is cut off at the cent, not rounded',
    'price-follows-variant': 'orders show the price that the variant has now',
    'spent-with-cancelled': 'total_spent has orders that are cancelled',
    'refund-not-deducted': 'current_total_price is without refunds',
  },
  states: {
    'cancelled-reopened': 'a closed order that is cancelled can be opened again',
    'cancelled-again': 'an order can be cancelled twice, and its stock comes back twice',
    'pending-refunded': 'an order that is not paid can be refunded',
    'refunded-beyond-quantity': 'several refunds can exceed the quantity of a line',
    'full-refund-partial': 'an order with nothing left is still partially_refunded',
    'draft-completed-twice': 'a completed draft can be completed again, to a second order',
    'draft-pending-paid': 'payment_pending is ignored when a draft is completed',
  },
  discounts: {
    'code-taken-in-other-case': 'a code of the shop is taken again in another case',
    'usage-limit-ignored': 'a code can be used more often than its limit',
    'usage-count-still': 'usage_count stays 0',
    'expired-code-accepted': 'a code can be used after the end of its rule',
  },
  access: {
    'any-token-accepted': 'any access token is accepted',
    'product-of-other-shop': 'a product of another shop can be read',
    'email-taken-across-shops': 'addresses of customers are unique across all shops',
    'variant-of-other-shop-ordered': 'a variant of another shop can be ordered',
    'count-of-all-shops': 'the count of products has those of all shops',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
