import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, 'keys-reversed': keysReversed, 'more-fields': moreFields } = manners;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, 'keys-reversed': keysReversed, 'more-fields': moreFields },
  choices: {
    'ids-are-long': 'identifiers of channels have 24 characters',
    'starts-empty': 'there are no channels at the start',
    'examples-unknown': 'no record has an identifier of the examples in the document',
    'cursors-are-numbers': 'cursors are numbers, and mean nothing else',
    'metadata-absent': 'the last page has no response_metadata',
    'empty-members-absent': 'members that are empty lists or texts are absent from responses',
    warns: 'each response that is ok has a warning in response_metadata',
    'limited-at-times': 'some calls are refused with 429 and Retry-After',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
