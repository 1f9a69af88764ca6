import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: {
    slow: all.slow,
    'keys-reversed': all['keys-reversed'],
  },
  choices: {
    'ids-are-large': 'ids have eleven digits, with gaps',
    'times-with-offset': 'times are written with the offset +02:00',
    'other-words': 'errors have other messages',
    'more-members': 'records have members that the document does not name',
    'opaque-cursors': 'the cursors of pages are not numbers',
    'batches-reversed': 'the results of a batch come in another order',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
