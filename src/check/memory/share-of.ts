import type { Resource } from '../../contract/model.ts';
import { isSuccess } from '../../http/status.ts';
import { listedRecords } from '../evidence/record/shown-records.ts';
import type { Source } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';

/**
 * Fewer pages than that show nothing of what comes after the second: unless so few records are
 * there that one of two is to be the last.
 */
const fewestPages = 3;
const veryFew = 5;

/**
 * The size of a page, or where it begins, by the number of records that the last list of a sequence
 * held which was asked for as a whole. Undefined for a page that would begin behind its end.
 */
export function shareOf(
  { pages, page, of }: Extract<Source, { kind: 'share' }>,
  resource: Resource,
  earlier: readonly Step[],
): number | undefined {
  const whole = earlier.findLast(
    ({ case: { operation, request }, exchange }) =>
      operation === resource.operations.list &&
      isSuccess(exchange.response?.status ?? 0) &&
      !request.arguments.some(({ source }) => source.kind === 'share'),
  );
  const count = (whole && listedRecords(resource, whole.answer)?.length) ?? 0;
  const size = pageSize(resource, count, pages);
  if (size === undefined) return undefined;
  const start = (page - 1) * size;
  if (page > 1 && start >= count) return undefined;
  return of === 'size' ? size : start;
}

const longest = 1000;

/**
 * The smallest size that the contract allows and that leaves a last page which is not full; where
 * there is none, the smallest.
 */
function pageSize({ list }: Resource, count: number, pages: number): number | undefined {
  const limit = list?.limit;
  const least = Math.max(1, limit?.minimum ?? 1, Math.ceil(count / pages));
  const isAllowed = (size: number): boolean =>
    limit === undefined || limit.parameter.schema.validate(size, 'request').length === 0;
  let smallest: number | undefined;
  for (let size = least; size <= Math.min(longest, limit?.maximum ?? longest); size += 1) {
    if (!isAllowed(size)) continue;
    smallest ??= size;
    if (Math.ceil(count / size) < (count < veryFew ? 2 : fewestPages)) break;
    if (count % size !== 0) return size;
  }
  return smallest;
}
