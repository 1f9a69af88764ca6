import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: {
    slow: all.slow,
    'keys-reversed': all['keys-reversed'],
    'integers-with-fraction': all['integers-with-fraction'],
  },
  choices: {
    'ids-are-large': 'ids have thirteen digits, with gaps',
    'times-of-lisbon': 'times are written with the offset +01:00',
    'other-words': 'errors have other messages',
    'more-properties': 'records have properties that the document does not name',
    'links-in-other-order': 'the addresses in links have their parameters in another order',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
