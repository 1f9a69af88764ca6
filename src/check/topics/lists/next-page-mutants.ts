import type { Paging } from '../../../contract/model.ts';
import {
  headerValue,
  type HttpRequest,
  type HttpResponse,
  withHeader,
  withoutHeader,
} from '../../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Mutation } from '../../mutants/mutant.ts';
import { editAnswers, readJson, withJson } from '../../mutants/edit-service.ts';
import {
  type ListPlace,
  type PagePlace,
  pageSize,
  queryOf,
  readRecords,
  withQuery,
} from '../../mutants/list-place.ts';

const linkNext = /<([^>]*)>(\s*;\s*rel="?next"?)/i;
const memberName = /^next(_?(cursor|page|page_?token|token|link))?$/i;

/** The address in `Link` with the relation `next`. */
function linkOf({ headers }: HttpResponse): string | undefined {
  return linkNext.exec(headerValue(headers, 'link') ?? '')?.[1];
}

function withLink(response: HttpResponse, address: string): HttpResponse {
  return {
    ...response,
    headers: withHeader(
      response.headers,
      'Link',
      (headerValue(response.headers, 'link') ?? '').replace(
        linkNext,
        (_whole, _address, rest: string) => `<${address}>${rest}`,
      ),
    ),
  };
}

/** The response with a `Link` to the next page. */
export function withNext(response: HttpResponse, address: string): HttpResponse {
  const others = headerValue(response.headers, 'link');
  return {
    ...response,
    headers: withHeader(
      response.headers,
      'Link',
      `${others === undefined ? '' : `${others}, `}<${address}>; rel="next"`,
    ),
  };
}

function plantNext(
  mutator: string,
  place: ListPlace,
  words: string,
  edit: (response: HttpResponse, request: HttpRequest) => HttpResponse | undefined,
): Mutation {
  const { operation } = place;
  return {
    mutator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) => editAnswers(service, fired, { operation, status: 200 }, edit),
  };
}

/** The body with another next page in its member; undefined if it has none. */
function withMember(body: JsonValue, value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  const name = Object.keys(body).find(
    (member) => memberName.test(member) && typeof body[member] === 'string',
  );
  if (name !== undefined) return { ...body, [name]: value };
  for (const [member, inner] of Object.entries(body)) {
    const edited = isJsonArray(inner) ? undefined : withMember(inner ?? null, value);
    if (edited !== undefined) return { ...body, [member]: edited };
  }
  return undefined;
}

function editMember(response: HttpResponse, value: JsonValue): HttpResponse | undefined {
  const body = readJson(response);
  const edited = body === undefined ? undefined : withMember(body, value);
  return edited === undefined ? undefined : withJson(response, edited);
}

/** The paging of a list that links to the next page. */
function leading({ list }: ListPlace): Paging[] {
  return list.links
    ? list.paging.filter(({ kind }) => kind !== 'cursor').slice(0, 1)
    : list.paging.filter(({ kind }) => kind === 'cursor');
}

/** A page after the first links to itself. */
export function leadsBack(place: ListPlace): Mutation[] {
  return leading(place).map(({ kind, parameter }) =>
    plantNext(
      'next-leads-back',
      place,
      'links a page to itself as the next one',
      (response, request) => {
        const requested = queryOf(request, parameter.name);
        if (requested === undefined || readRecords(response.body, place).length === 0)
          return undefined;
        const link = linkOf(response);
        return kind === 'cursor'
          ? editMember(response, requested)
          : link === undefined
            ? undefined
            : withLink(response, request.target);
      },
    ),
  );
}

/** A page after the first has no link to the next one. */
export function endsEarly(place: ListPlace): Mutation[] {
  return leading(place).map(({ kind, parameter }) =>
    plantNext('next-ends-early', place, 'names no page after the second', (response, request) => {
      if (queryOf(request, parameter.name) === undefined) return undefined;
      if (kind === 'cursor') return editMember(response, null);
      return linkOf(response) === undefined
        ? undefined
        : { ...response, headers: withoutHeader(response.headers, 'link') };
    }),
  );
}

/** Every page has a next one by its number. */
export function neverEnds(place: PagePlace): Mutation[] {
  const { list, paging } = place;
  if (!list.links) return [];
  return [
    plantNext(
      'next-never-ends',
      place,
      'links to a next page from the last one and those after it',
      (response, request) => {
        const size = pageSize(request, list);
        const requested = Number(queryOf(request, paging.parameter.name) ?? paging.first);
        if (linkOf(response) !== undefined || !Number.isFinite(size) || !Number.isFinite(requested))
          return undefined;
        const next = withQuery(
          request,
          paging.parameter.name,
          String(requested + (paging.kind === 'page' ? 1 : size)),
        );
        return withNext(response, next.target);
      },
    ),
  ];
}

/** The link to the next page lacks the filters of this one. */
export function losesFilter(place: ListPlace): Mutation[] {
  const names = new Set(place.list.filters.map(({ parameter }) => parameter.name));
  if (
    !place.list.links ||
    names.size === 0 ||
    place.list.paging.every(({ kind }) => kind === 'cursor')
  )
    return [];
  return [
    plantNext('next-loses-filter', place, 'leads to a page without its filters', (response) => {
      const [path = '', query = ''] = linkOf(response)?.split('?', 2) ?? [];
      const pairs = query.split('&');
      const kept = pairs.filter(
        (pair) => !names.has(decodeURIComponent(pair.split('=', 1)[0] ?? '')),
      );
      return kept.length === pairs.length
        ? undefined
        : withLink(response, `${path}?${kept.join('&')}`);
    }),
  ];
}

/** The link to the next page has a host that the contract does not name. */
export function leadsElsewhere(place: ListPlace): Mutation[] {
  if (!place.list.links) return [];
  return [
    plantNext(
      'next-on-other-host',
      place,
      'links to a page on another host',
      (response, { target }) => {
        const link = linkOf(response);
        return link === undefined
          ? undefined
          : withLink(
              response,
              new URL(link.replace(/^https?:\/\/[^/]*/, ''), `http://things.internal${target}`)
                .href,
            );
      },
    ),
  ];
}
