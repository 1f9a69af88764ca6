import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, escaped, chunked, 'keys-reversed': reversed, 'more-fields': more } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, escaped, chunked, 'keys-reversed': reversed, 'more-fields': more },
  choices: {
    'ids-far-apart': 'ids start at 70000 and leave gaps',
    'texts-in-german': 'the texts of errors are German',
    'first-error-only': 'only the first of several errors is told, with a code',
    'cookie-renewed': 'each answer sets the cookie of the session again',
    'tickets-of-others-appear': 'another agent makes a ticket now and then',
    'lists-by-name': 'customers, queues and macros come by name instead of their ids',
    'cookie-is-long': 'sessions are 128 characters long and have a date of expiry',
    'answers-have-more': 'answers have the duration and a token for forms',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
