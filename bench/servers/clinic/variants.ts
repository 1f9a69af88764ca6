import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { charset, chunked, 'keys-reversed': reversed, 'extra-headers': headers } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { charset, chunked, 'keys-reversed': reversed, 'extra-headers': headers },
  choices: {
    'ids-are-uuids': 'new resources get UUIDs as ids',
    'texts-in-german': 'issues have German diagnostics, and details',
    'more-links': 'bundles have first and previous links too',
    'others-work-too': 'a colleague registers and measures a patient at each seventh request',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
