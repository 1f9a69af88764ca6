import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, chunked, 'keys-reversed': reversed } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, chunked, 'keys-reversed': reversed },
  choices: {
    'ids-far-apart': 'global ids of new records leave large gaps',
    'errors-in-other-words': 'the texts of errors are others, and errors have a code',
    'unordered-reversed':
      'members, labels, links and the labels of issues come the other way round',
    'busy-and-verbose': 'optional fields are present, and another member files issues meanwhile',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
