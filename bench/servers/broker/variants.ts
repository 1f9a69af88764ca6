import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { chunked, escaped, 'keys-reversed': reversed } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { chunked, escaped, 'keys-reversed': reversed },
  choices: {
    'other-reasons': 'the reasons of errors are short and in Danish',
    'keys-are-hashes': 'properties_key is a hash of routing key and arguments',
    'entries-have-more': 'queues, exchanges, users and answers to a publish have more members',
    'location-is-whole': 'Location has scheme and host',
    'others-at-work': 'another program declares a queue in orders now and then',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
