import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { chunked, escaped, 'keys-reversed': reversed, 'more-fields': more } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { chunked, escaped, 'keys-reversed': reversed, 'more-fields': more },
  choices: {
    'ids-are-uuids': 'new records have UUIDs in their ids',
    'links-absolute': 'links and Location are whole addresses',
    'texts-in-german': 'errors have German messages, and a link to the help',
    'others-work-too': 'another account saves journeys and publishes messages meanwhile',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
