import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { chunked, 'keys-reversed': reversed, 'more-fields': more } = all;
const { 'integers-with-fraction': fraction } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: {
    chunked,
    'keys-reversed': reversed,
    'more-fields': more,
    'integers-with-fraction': fraction,
  },
  choices: {
    'numbers-high': 'number series start at 900001, the Ids of financial years at 4001',
    'texts-in-swedish': 'errors have Swedish messages, and a help text',
    'urls-absolute': '@url has the origin',
    'others-work-too': 'a colleague adds a customer and posts a voucher at each seventh request',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
