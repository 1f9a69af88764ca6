import type { Resource } from '../model.ts';
import { ownName } from './record-fields.ts';

/**
 * The key in a group that paths call by its name, such as `attributes.code` for
 * `/currencies/{code}`; undefined if there is none.
 */
export function pathKeyOf({
  record,
  identifier,
}: Pick<Resource, 'record' | 'identifier'>): string | undefined {
  return identifier.others?.find((field) => ownName(record, field) !== field);
}
