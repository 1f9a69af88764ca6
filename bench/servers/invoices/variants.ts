import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners,
  choices: {
    'ids-are-uuids': 'ids are UUIDs instead of numbered texts',
    'absolute-links': 'Location and hrefs are absolute',
    'cursors-are-long': 'cursors are longer, and different at each read',
    'customers-of-others-appear': 'another user of the account creates a customer at each request',
    'numbers-have-gaps': 'the number of an invoice leaves numbers out',
    'times-with-offset': 'date-times have an offset of +02:00 and fractions of a second',
    'csv-quotes-everything': 'each field of the CSV is quoted, and rows end with CR LF',
    'export-is-quick': 'an export is done when it is read for the first time',
    'export-is-slow': 'an export takes a second, and is pending for half of it',
    'more-in-problems': 'error responses have more members and their own type',
    'challenge-with-details': 'WWW-Authenticate has a realm and an error',
    'nothing-cached': 'responses have Cache-Control: no-store and Vary',
    'replay-is-marked': 'a replayed response has the header Idempotency-Replayed',
    'links-in-headers': 'lists have Link headers besides nextCursor',
    'pdf-differs-each-time': 'the PDF has the time of its creation inside',
    'starts-empty': 'there are no invoices and customers at the start',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
