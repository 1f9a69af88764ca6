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
  'product-of': {
    means: 'two fields, which the sentence names, are multiplied',
    in: ['field'],
    patterns: [
      new RegExp(
        '`?(?<value>[a-z]\\w*)`? (?:(?:is |will be )?multiplied by|times) ' +
          '(?:the |its )?`?(?<by>[a-z]\\w*)`?',
        'i',
      ),
    ],
    unless: [/\b(?:number of times|many times|round\w*|discount\w*|tax\w*)\b/i],
    states: [
      'This `unit_amount` will be multiplied by the quantity to get the full amount.',
      'price times quantity',
      'The cost multiplied by the copies.',
    ],
    not: [
      'The number of times the coupon can be redeemed.',
      'The price times the tax rate.',
      'How many times it was read.',
    ],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
