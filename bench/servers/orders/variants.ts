import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders } = manners;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders },
  choices: {
    'ids-are-uuids': 'identifiers of new orders and lines are UUIDs',
    'starts-empty': 'there are no orders at the start',
    'examples-unknown': 'no resource has an identifier of the examples in the document',
    'links-absolute': 'links have the address of the service',
    'more-links': 'resources have further links, one of them a list',
    'cursors-are-long': 'cursors are long, with = and / in them',
    'embedded-absent': '_embedded is absent where there is nothing in it',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
