import { lastWord } from '../infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../infer/infer-names.ts';
import type { Parameter, Resource } from '../model.ts';

/**
 * Whether a parameter of a create names the new record: `depot_id` of `POST /depots` (Google
 * AIP-133).
 */
export function isKeyParameter(
  resource: Resource,
  { in: location, name, schema }: Parameter,
): boolean {
  const isText = schema.flatten().types.includes('string');
  return location === 'query' && isText && isKeyName(resource, name);
}

/** Whether a name is that of what names a new record: `depot_id`, also in the entry of a batch. */
export function isKeyName({ identifier, collectionPath }: Resource, name: string): boolean {
  const word = singularOf(lastWord(collectionPath));
  const { parameter = word } = identifier;
  return [parameter, `${parameter}id`, `${word}id`].map(plainName).includes(plainName(name));
}
