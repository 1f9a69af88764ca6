import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders } = manners;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders },
  choices: {
    'ids-are-uuids': 'identifiers that the service chooses are UUIDs',
    'starts-empty': 'there are no depots at the start',
    'examples-unknown': 'no resource has an identifier of the examples in the document',
    'tokens-are-long': 'page tokens are long, with = and / in them',
    'empty-members-absent': 'members that are empty, 0 or false are absent from responses',
    'operations-done-at-once': 'operations are done when they are created',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
