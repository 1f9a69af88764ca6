import { lastWord } from '../infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../infer/infer-names.ts';
import type { Parameter, Resource } from '../model.ts';

/**
 * Whether a parameter of a create names the new record: `depot_id` of `POST /depots` (Google
 * AIP-133).
 */
export function isKeyParameter(
  { identifier, collectionPath }: Resource,
  { in: location, name, schema }: Parameter,
): boolean {
  if (location !== 'query' || !schema.flatten().types.includes('string')) return false;
  const word = singularOf(lastWord(collectionPath));
  const { parameter = word } = identifier;
  return [parameter, `${parameter}id`, `${word}id`].map(plainName).includes(plainName(name));
}
