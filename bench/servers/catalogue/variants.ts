import { manners as all } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, gzip, 'keys-reversed': reversed, 'more-fields': more } = all;
const { 'integers-with-fraction': fraction, 'header-names-lower': lower } = all;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: {
    slow,
    gzip,
    'keys-reversed': reversed,
    'more-fields': more,
    'integers-with-fraction': fraction,
    'header-names-lower': lower,
  },
  choices: {
    'ids-are-uuids': 'ids are UUIDs',
    'hrefs-are-paths': 'hrefs have no origin',
    'newest-first': 'lists without sort have the newest entries first',
    'other-messages': 'errors have other codes and messages, and a referenceError',
    'others-add-offerings': 'others add a category and an offering at each seventh request',
    'empty-lists-left-out': 'attributes that are empty lists are left out',
    'dates-with-offset': 'moments of the service have the offset +00:00',
    'refs-with-more': 'references have a version and an @baseType',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
