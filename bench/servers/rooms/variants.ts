import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners,
  choices: {
    'ids-are-uuids': 'ids are UUIDs',
    'absolute-links': 'Location, hrefs and Link are absolute',
    'bookings-of-others-appear': 'another user books another room at each request',
    'times-with-fraction': 'moments have milliseconds',
    'times-with-zero-offset': 'moments end in +00:00 instead of Z',
    'limited-at-times': 'some requests are refused with 429 and Retry-After',
    'more-links': 'Link has first and last as well, and parameters before rel',
    'calendar-folded': 'lines of the calendar are folded and end with CR LF',
    'calendar-with-more': 'the calendar has a zone, alarms and fields of its own',
    'etags-are-long': 'ETags are 64 characters long',
    'content-languages': 'responses have Content-Language and Cache-Control',
    'deprecation-with-link': 'the deprecated operation links to its documentation',
    'more-in-problems': 'error responses have more members and their own type',
    'starts-empty': 'there are no sites at the start',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
