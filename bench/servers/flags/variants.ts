import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, chunked } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, chunked },
  choices: {
    'ids-are-uuids': 'ids are UUIDs, not hexadecimal numbers',
    'links-are-addresses': 'each href is a whole address',
    'tags-sorted': 'tags come in their alphabetical order',
    'other-words': 'errors have other words',
    'more-properties': 'records have properties that the document does not name',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
