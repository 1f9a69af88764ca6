import { manners } from '../serving/manners.ts';
import { namesOf, type NameOf } from '../serving/plant.ts';

const { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders } = manners;

/** Other ways to serve the same document that are within it. */
export const variants = {
  manners: { slow, pretty, 'keys-reversed': keysReversed, 'extra-headers': extraHeaders },
  choices: {
    'ids-are-uuids': 'new resources have UUIDs',
    'starts-empty': 'there are no articles at the start',
    'examples-unknown': 'no resource has an identifier of the examples in the document',
    'links-absolute': 'links have the address of the service',
    'page-links-absent': 'links to the previous and next page are absent instead of null',
    'relationships-204': 'changes of relationships respond with 204',
    'comments-linked': 'the relationship to comments always has data',
    'resources-unlinked': 'resources and relationships have no links, new ones only',
  },
} as const;

export type VariantName = NameOf<typeof variants>;

export const variantNames: readonly VariantName[] = namesOf(variants);
