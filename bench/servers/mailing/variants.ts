import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, chunked } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, chunked },
  choices: {
    'ids-are-uuids': 'lists and campaigns have UUIDs, and numbers have gaps',
    'newest-first': 'lists without sort_field begin with what was added last',
    'times-of-oslo': 'times are written with the offset +02:00',
    'other-words': 'problems have other words, and name no field',
    'more-properties': 'records have properties that the document does not name',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
