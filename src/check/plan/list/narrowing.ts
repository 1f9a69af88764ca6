import type { Filter } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { readSortWord } from '../../evidence/list/sort-words.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Listing, sourced, valued } from './listing.ts';

/**
 * A filter that the records of some bodies keep, so that they are not hidden behind many others:
 * the one that fits the fewest records.
 */
export function narrowing({ resource, shape }: Listing, bodies: readonly JsonValue[]): Argument[] {
  const [first, ...others] = bodies;
  const usable = shape.filters.filter(({ field, member, any }) => {
    const value = isJsonObject(first) ? first[field] : undefined;
    return (
      member === undefined &&
      any === undefined &&
      value !== undefined &&
      others.every(
        (body) => isJsonObject(body) && body[field] !== undefined && equalJson(body[field], value),
      )
    );
  });
  const [best] = usable.toSorted((left, right) => breadth(left) - breadth(right));
  if (best === undefined || !isJsonObject(first)) return [];
  // What one create sent, the run may have marked: its answer shows it.
  if (others.length === 0)
    return sourced(best.parameter, { kind: 'field', resource: resource.name, field: best.field });
  return valued(best.parameter, first[best.field] ?? null);
}

function breadth({ parameter }: Filter): number {
  const { node, types } = parameter.schema.flatten();
  return types.includes('boolean') ? 2 : node.enum === undefined ? 0 : 1;
}

/** The order that shows new records first, where the contract lists a word for it. */
export function newestFirst({ resource, shape }: Listing): Argument[] {
  const { sort } = shape;
  const words = sort?.by.schema.flatten().node.enum ?? [];
  const falling = (isWanted: (field: string) => boolean): JsonValue | undefined =>
    words.find((candidate) => {
      const key =
        typeof candidate === 'string' && sort !== undefined
          ? readSortWord(sort, candidate)
          : undefined;
      return key?.descending === true && isWanted(key.field);
    });
  // Counted identifiers tell the newest better than moments, of which many may be the same.
  const counted =
    resource.identifier.type === 'integer'
      ? falling((field) => field === resource.identifier.field)
      : undefined;
  const word = counted ?? falling((field) => /^created/i.test(field));
  return sort === undefined || word === undefined ? [] : valued(sort.by, word);
}
