import type { MediaTypeSpec, Operation, ResponseSpec } from './model.ts';
import { countSharedParameters, matchesMediaRange, precisionOf } from '../http/media-type.ts';

/**
 * Whether an operation has one of these entries among its responses, literally: `404`, `2XX`,
 * `default`.
 */
export function documents(
  { responses }: Pick<Operation, 'responses'>,
  ...keys: readonly string[]
): boolean {
  return responses.some(({ status }) => keys.includes(status));
}

/**
 * The response that documents a status: the exact one, otherwise its range (`2XX`), otherwise
 * `default` (OpenAPI 3.1, section 4.8.16). Undefined if the operation documents none of them.
 */
export function selectResponse(
  { responses }: Pick<Operation, 'responses'>,
  status: number,
): ResponseSpec | undefined {
  const exact = String(status);
  let range: ResponseSpec | undefined;
  let fallback: ResponseSpec | undefined;
  for (const response of responses) {
    if (response.status === exact) return response;
    if (response.status === 'default') fallback ??= response;
    else if (response.status.endsWith('XX') && response.status.startsWith(exact.charAt(0)))
      range ??= response;
  }
  return range ?? fallback;
}

/**
 * The entry of a `content` map for a media type; the most precise range wins (OpenAPI 3.1, section
 * 4.8.14), and among several of one type the one with the closest parameters: `application/json;
 * v=2`.
 */
export function selectMediaType(
  content: readonly MediaTypeSpec[],
  mediaType: string,
): MediaTypeSpec | undefined {
  // Runs several times per response; array destructuring would allocate an iterator.
  const only = content[0];
  if (only === undefined || content.length === 1)
    return only !== undefined && matchesMediaRange(mediaType, rangeOf(only)) ? only : undefined;
  const fitting = content.filter((entry) => matchesMediaRange(mediaType, rangeOf(entry)));
  if (fitting.length < 2) return fitting[0];
  return fitting.sort(
    (left, right) =>
      precisionOf(rangeOf(right)) - precisionOf(rangeOf(left)) ||
      countSharedParameters(right.mediaType, mediaType) -
        countSharedParameters(left.mediaType, mediaType),
  )[0];
}

/** The media types that an entry of a `content` map allows: as the document names them. */
export function rangeOf({ range, mediaType }: Pick<MediaTypeSpec, 'range' | 'mediaType'>): string {
  return range ?? mediaType;
}

/**
 * The documented successes of an operation, the lowest exact status first, then `2XX`, then
 * `default` if there is no other.
 */
export function successResponses(operation: Pick<Operation, 'responses'>): ResponseSpec[] {
  const exact = operation.responses.filter((response) => /^2\d\d$/.test(response.status));
  const range = operation.responses.filter((response) => response.status === '2XX');
  const found = [
    ...exact.sort((left, right) => Number(left.status) - Number(right.status)),
    ...range,
  ];
  return found.length > 0
    ? found
    : operation.responses.filter((response) => response.status === 'default');
}
