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
    'ids-are-long': 'ids and cursors have some thirty characters',
    'pages-are-short': 'pages have half as many entries as their limit allows',
    'times-with-offset': 'times are written with the offset +00:00',
    'summaries-have-dots': 'the summaries of errors end in dots',
    'more-members': 'metadata has members that the document does not name',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
