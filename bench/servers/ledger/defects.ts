import { namesOf, type NameOf } from '../serving/plant.ts';

/** What teams get wrong in a service that keeps the books of small companies, by kind. */
export const defects = {
  answers: {
    'missing-customer-200': 'a customer that does not exist is answered with 200 and an error',
    'errors-without-code': 'errors have no code',
    'amounts-as-texts': 'debit and credit of the rows of vouchers are texts',
    'due-date-with-time': 'the DueDate of an invoice has a time',
  },
  filters: {
    'todate-excludes-day': 'todate leaves out the vouchers of that day',
    'account-filter-first-row': 'account looks at the first row of a voucher only',
    'lastmodified-compares-created': 'lastmodified does not find customers that were changed',
    'search-case-sensitive': 'search distinguishes capitals and small letters',
    'state-filter-keeps-cancelled': 'state=booked finds cancelled invoices that were booked',
    'year-date-excludes-last-day': 'date does not find the year whose last day it is',
  },
  order: {
    'vouchers-in-order-of-entry': 'vouchers come in the order in which they were posted',
    'descending-ignored': 'sortorder does nothing',
  },
  paging: {
    'page-counts-from-zero': 'page=1 is the second page',
    'total-resources-of-page': '@TotalResources counts the page',
    'total-pages-rounded-down': '@TotalPages does not count a page that is not full',
  },
  accounts: {
    'account-number-twice': 'a number that is in use replaces the account',
    'update-empties-vat-code': 'an update without a VATCode removes it',
    'used-account-deleted': 'an account with vouchers can be deleted',
    'inactive-account-hidden': 'an account that is not active cannot be read',
  },
  customers: {
    'number-series-gives-taken': 'the number series gives a number that another customer has',
    'organisation-number-with-hyphen': 'an OrganisationNumber with a hyphen counts as another one',
    'customer-update-lost': 'an update of a customer is answered and not stored',
    'terms-default-zero': 'a customer without TermsOfPayment has 0 days',
    'null-ignored': 'null in an update of a customer leaves the member',
  },
  years: {
    'years-overlap-accepted': 'a year can begin within another one',
    'close-out-of-order': 'a period can be closed while an earlier one is open',
    'close-with-drafts': 'a period with drafts can be closed',
    'reopen-not-done': 'reopening a period is answered and not done',
    'last-day-of-period-open': 'the last day of a closed period can be posted on',
  },
  vouchers: {
    'off-by-an-ore-accepted': 'debit and credit may differ by an öre',
    'inactive-account-posted': 'an account that is not active can be posted on',
    'refusal-leaves-gap': 'a refused voucher uses up a number',
    'numbers-over-all-series': 'all series of a year share their numbers',
    'row-on-both-sides-accepted': 'a row can have both debit and credit',
    'three-decimals-accepted': 'amounts with three decimals are rounded',
    'rows-sorted-by-account': 'a voucher is read with its rows in the order of accounts',
    'batch-not-atomic': 'of a refused batch, the vouchers before the fault are posted',
    'batch-balanced-as-a-whole': 'the vouchers of a batch need to balance only together',
    'reversed-twice': 'a voucher can be reversed again',
    'reversal-on-same-sides': 'a reversal has debit and credit as the voucher has them',
    'reversed-by-missing': 'a reversed voucher does not tell its reversal',
  },
  invoices: {
    'vat-rounded-per-row': 'VAT is rounded for each row',
    'discount-not-in-net': 'Net does not look at the discounts of rows',
    'totals-of-old-rows': 'an update of the rows leaves the totals',
    'due-date-ignores-terms': 'DueDate is always 30 days behind without one',
    'unknown-customer-accepted': 'an invoice can be given to a customer that does not exist',
    'booked-invoice-changed': 'a booked invoice can be updated',
    'cancellation-without-reversal': 'cancelling a booked invoice leaves its voucher unreversed',
    'cancelled-invoice-booked': 'a cancelled invoice can be booked',
    'version-unchanged': 'an update leaves the Version',
    'old-version-accepted': 'an update with an old Version is made',
    'refused-update-kept': 'an update that is refused for its Version is stored',
    'vat-on-one-account': 'VAT of all rates is posted on 2611',
  },
  reports: {
    'trial-balance-ignores-todate': 'the trial balance goes to the end of the year',
    'opening-balance-zero': 'OpeningBalance is always 0',
  },
  companies: {
    'list-without-token': 'the list of vouchers needs no token',
    'any-token-accepted': 'any token is accepted',
    'invoice-of-other-shown': 'an invoice of another company can be read',
    'year-of-other-shown': 'a financial year of another company can be read',
    'account-number-of-other-taken': 'a number that another company uses counts as in use',
  },
} as const;

export type DefectName = NameOf<typeof defects>;

export const defectNames: readonly DefectName[] = namesOf(defects);
