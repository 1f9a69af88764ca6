import type { Phrase } from '../phrase.ts';

/** What contracts say of amounts that follow from others. */
export const amountPhrases = {
  'sum-of': {
    means: 'the field is the sum of what the value names',
    in: ['field'],
    patterns: [/\bsum of (?:all )?(?:the )?(?<value>.+)$/i],
    unless: [/\b(?:maximum|minimum|limit|at most|except|excluding|before|after|rounded)\b/i],
    states: [
      'The sum of the size in bytes of all the active cache items in the repository.',
      'The sum of the amounts of its lines.',
      'Sum of all line totals.',
    ],
    not: [
      'The maximum size limit for the sum of all caches in a repository.',
      'The sum of the amounts before discounts.',
      'A summary of the lines.',
    ],
  },
  'compares-to': {
    means: 'a field is refused on one side of the other one that the value names',
    in: ['field', 'operation'],
    patterns: [
      new RegExp(
        '\\b(?:(?:must|has to|have to|needs to)(?<not> not)?|(?:can|may) ?(?<never>not)) ' +
          '(?:be |come )?(?<side>after|before|exceed|' +
          '(?:later|earlier|greater|higher|more|larger|less|lower|smaller) than)' +
          '(?<same> or equal to)? (?<value>[^.,;:()]+)',
        'i',
      ),
      new RegExp(
        '\\b(?<refused>(?<side>above|below|exceeding|after|before|' +
          '(?:later|earlier|greater|higher|more|larger|less|lower|smaller)(?: than)?) ' +
          '(?<value>[^.,;:()]+?) (?:is|are) (?:refused|rejected))',
        'i',
      ),
    ],
    unless: [/\b(?:if|unless|depending)\b/i],
    states: [
      'A date formatted YYYY-MM-DD. Must be after "start".',
      'This value must be higher than the `from_value` of the same tier.',
      'An amount above the balance is refused with 422.',
    ],
    not: [
      'If the coupon has specified a `redeems_by`, then this value cannot be after it.',
      'It is more than a name.',
      'Requests above the limit are queued.',
    ],
  },
  'computed-from': {
    means: 'the field is what the value computes from others: `total minus paid`',
    in: ['field'],
    patterns: [
      new RegExp(
        '(?<value>`?[a-z]\\w*`?(?: ' +
          '(?:[-−+×*]|plus|minus|less|times|(?:is |will be )?multiplied by) ' +
          '(?:the |its )?`?[a-z]\\w*`?)+)(?=[.;)]|$| to |,(?! (?:less|minus|plus|without)))',
        'i',
      ),
    ],
    unless: [/\b(?:version|round\w*|sum of|number of times|many times|discount\w*)\b/i],
    states: [
      'This represents the `balance_cents` minus the `ongoing_usage_balance_cents`, after usage.',
      'This `unit_amount` will be multiplied by the quantity to get the full amount.',
      'net + tax - paid',
    ],
    not: [
      'Version 1: is equal to the sum of `fees`, minus `coupons`.',
      'The number of times the coupon can be redeemed.',
      'The price times the tax rate.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
