import type { Paging } from '../../../contract/model.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { queryOf, type ListPlace } from './list-place.ts';

/** A list whose pages are asked for by a number. */
export interface PagePlace extends ListPlace {
  readonly paging: Paging;
}

/** The ways in which pages of a list are asked for by a number. */
export function numberedPages(place: ListPlace): PagePlace[] {
  return place.list.limit === undefined
    ? []
    : place.list.paging
        .filter(({ kind }) => kind !== 'cursor')
        .map((paging) => ({ ...place, paging }));
}

/** Which page a request asks for, counted from 0; 0 where it says nothing of it. */
export function pageIndex(request: HttpRequest, { paging, list }: PagePlace): number {
  const asked = Number(queryOf(request, paging.parameter.name) ?? paging.first);
  return paging.kind === 'page' ? asked - paging.first : asked / pageSize(request, list);
}

/**
 * How many records a request asks for; what the contract gives where it asks for no number of them.
 */
export function pageSize(request: HttpRequest, { limit }: ListPlace['list']): number {
  return Number(queryOf(request, limit?.parameter.name ?? '') ?? limit?.default ?? Infinity);
}

/** The same request for the page before. */
export function pageBefore(request: HttpRequest, { paging, list }: PagePlace): HttpRequest {
  const asked = Number(queryOf(request, paging.parameter.name));
  return withQuery(
    request,
    paging.parameter.name,
    String(paging.kind === 'page' ? asked - 1 : Math.max(0, asked - pageSize(request, list))),
  );
}

/** The request with another value of a query parameter, whether it has one or not. */
export function withQuery(request: HttpRequest, name: string, value: string): HttpRequest {
  const [path = '', query = ''] = request.target.split('?', 2);
  const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
  return { ...request, target: `${path}?${[...others, `${name}=${value}`].join('&')}` };
}
