import type { ListShape, Paging } from '../../../contract/model.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { encodePercent } from '../../../http/percent.ts';
import { originOf } from '../../../http/host.ts';
import { makeCursor } from '../read-query.ts';

/**
 * A part of a list: where it begins, how many records it may hold (undefined: all) and holds, and
 * how many there are.
 */
export interface Page {
  readonly offset: number;
  readonly size: number | undefined;
  readonly count: number;
  readonly total: number;
}

/** What a link to another page means (RFC 8288, section 3.3; RFC 5988). */
export type PageRelation = 'first' | 'prev' | 'next' | 'last' | 'self';

/** Where the next page begins; undefined on the last. */
export function nextOffset({ offset, count, total }: Page): number | undefined {
  const end = offset + count;
  return count > 0 && end < total ? end : undefined;
}

/**
 * The URL of another page of a list; undefined where there is none. What else the request asked for
 * stays.
 */
export function pageUrl(
  relation: PageRelation,
  page: Page,
  { request, shape }: { readonly request: HttpRequest; readonly shape: ListShape },
): string | undefined {
  if (relation === 'self') return request.target;
  const offset = offsetOf(relation, page);
  const paging =
    shape.paging.find(({ parameter }) => isAsked(request.target, parameter.name)) ??
    shape.paging.find(({ kind }) => kind === 'page') ??
    shape.paging[0];
  if (offset === undefined || paging === undefined) return undefined;
  return withPair(request.target, paging.parameter.name, valueOf(paging, offset, page.size));
}

/** The same as an absolute URL, as far as the request says under which name it was sent. */
export function absoluteUrl(target: string, request: HttpRequest): string {
  const origin = originOf(request);
  return origin !== undefined && /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/.test(origin)
    ? origin + target
    : target;
}

/** The header `Link` of a page (RFC 8288); undefined where there is but one page. */
export function linkHeader(
  page: Page,
  source: { readonly request: HttpRequest; readonly shape: ListShape },
): string | undefined {
  const relations = (['prev', 'next', 'first', 'last'] as const).filter((relation) =>
    relation === 'first'
      ? page.offset > 0
      : relation === 'last'
        ? nextOffset(page) !== undefined
        : true,
  );
  const links = relations.flatMap((relation) => {
    const url = pageUrl(relation, page, source);
    return url === undefined ? [] : [`<${absoluteUrl(url, source.request)}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

function offsetOf(relation: Exclude<PageRelation, 'self'>, page: Page): number | undefined {
  const { offset, size, total } = page;
  if (size === undefined || size === 0) return relation === 'first' ? 0 : undefined;
  if (relation === 'first') return 0;
  if (relation === 'next') return nextOffset(page);
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size;
  if (relation === 'last') return last;
  return offset > 0 ? (offset >= total ? last : Math.max(0, offset - size)) : undefined;
}

function valueOf(
  { kind, first }: Paging,
  offset: number,
  size: number | undefined,
): string | undefined {
  if (kind === 'page') return String(Math.floor(offset / (size || 1)) + first);
  if (kind === 'offset') return String(offset);
  return offset === 0 ? undefined : makeCursor(offset);
}

function isAsked(target: string, name: string): boolean {
  return pairsOf(target).some((pair) => nameOf(pair) === name);
}

/** A target with one query parameter set, or left out where it has no value. */
function withPair(target: string, name: string, value: string | undefined): string {
  const others = pairsOf(target).filter((pair) => nameOf(pair) !== name);
  const pairs =
    value === undefined ? others : [...others, `${encodePercent(name)}=${encodePercent(value)}`];
  const path = target.split('?', 1)[0] ?? '';
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function pairsOf(target: string): string[] {
  const start = target.indexOf('?');
  return start === -1
    ? []
    : target
        .slice(start + 1)
        .split('&')
        .filter((pair) => pair !== '');
}

function nameOf(pair: string): string {
  const written = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return written;
  }
}
