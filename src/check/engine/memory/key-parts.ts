import type { Contract, Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { PathValues } from '../../model/record.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import type { Step } from '../../model/step.ts';
import { givenPathValues } from './ownership.ts';

/**
 * The other paths of the records of a resource that name them by several of their fields:
 * `/entries/{year}/{series}/{number}` for those of `/entries`.
 */
export function keyedPaths({ resources }: Contract, own: Resource): readonly Resource[] {
  let found = keyed.get(own);
  if (found === undefined) {
    found = resources.filter(
      (other) =>
        other !== own &&
        other.collection === own.collection &&
        other.parents.length > 0 &&
        other.parents.every(({ resource, field }) => resource === undefined && field !== undefined),
    );
    keyed.set(own, found);
  }
  return found;
}

const keyed = new WeakMap<Resource, readonly Resource[]>();

/** What paths to a record are filled with: the values of a request, and those of its own fields. */
export function withKeyParts(
  values: PathValues,
  record: JsonObject | undefined,
  paths: readonly Resource[],
): PathValues {
  if (record === undefined || paths.length === 0) return values;
  const own = paths.flatMap(({ parents }) =>
    parents.flatMap(({ segment, field = '' }) => {
      const [value] = singleValues(record, field);
      return value !== undefined && isIdentifier(value) ? [[segment, value] as const] : [];
    }),
  );
  return new Map([...own, ...values]);
}

/** What the path of a request is filled with. */
export function pathValues({ case: { operation }, sent }: Step): PathValues {
  return givenPathValues(operation, sent);
}
