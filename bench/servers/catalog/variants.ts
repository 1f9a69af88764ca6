import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, 'keys-reversed': keysReversed, charset } = manners;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, 'keys-reversed': keysReversed, charset },
  choices: {
    'ids-are-large': 'the ID of a new entity has ten digits, with gaps',
    'starts-empty': 'there are no products at the start',
    'examples-unknown': 'no entity has a key of the examples in the document',
    'links-relative': 'nextLink and Location are paths',
    'tokens-are-long': 'a $skiptoken is long, with = and / in it',
    'pages-of-seven': 'a list has at most 7 entities',
    'preferences-ignored': 'the preference odata.maxpagesize does nothing',
    'more-annotations': 'entities have further annotations: @odata.id and @odata.editLink',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
