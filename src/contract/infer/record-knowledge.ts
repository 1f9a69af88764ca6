import type { Resource } from '../model.ts';

/**
 * Whether a client can know which records there are: records that nobody can list or add may be
 * any.
 */
export function isKnowable({ kind, operations }: Pick<Resource, 'kind' | 'operations'>): boolean {
  return (
    kind === 'collection' && (operations.list !== undefined || operations.create !== undefined)
  );
}

/**
 * Whether every identifier names a record: nothing lists, adds or changes records, and the contract
 * does not say that one may be missing. `GET /weather/{city}` is asked for any city.
 */
export function answersAnyIdentifier({
  kind,
  operations,
  replaceByBody,
}: Pick<Resource, 'kind' | 'operations' | 'replaceByBody'>): boolean {
  const { read, ...others } = operations;
  if (
    kind === 'singleton' ||
    read === undefined ||
    replaceByBody !== undefined ||
    Object.keys(others).length > 0
  )
    return false;
  return !read.responses.some(({ status }) => status === '404' || status === '410');
}
