import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, chunked } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, chunked },
  choices: {
    'ids-are-longer': 'ids have 24 characters behind their prefix',
    'newest-first': 'lists whose order is not defined begin with what was added last',
    'other-words': 'errors have other messages',
    'more-properties': 'records and comments have properties that the document does not name',
    'empty-last-page': 'a full page has an offset, behind which there may be no more records',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
