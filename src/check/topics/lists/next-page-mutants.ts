import type { Contract } from '../../../contract/model.ts';
import { namesNextPage } from '../../../contract/protocols/pages.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { dropHeader, editJson, setHeader } from '../../mutants/edit-service.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import {
  inLists,
  type ListPlace,
  listsOf,
  numberedPages,
  pageSize,
  queryOf,
  readRecords,
  withQuery,
} from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { promisesNext } from '../../reading/promised-next.ts';

const mutant = mutantsOf('list');
const linkNext = /<([^>]*)>(\s*;\s*rel="?next"?)/i;

/** The address in `Link` with the relation `next`. */
function linkOf({ headers }: HttpResponse): string | undefined {
  return linkNext.exec(headerValue(headers, 'link') ?? '')?.[1];
}

function withLink(response: HttpResponse, address: string): HttpResponse {
  const links = headerValue(response.headers, 'link') ?? '';
  return setHeader(
    response,
    'Link',
    links.replace(linkNext, (_whole, _address, rest: string) => `<${address}>${rest}`),
  );
}

/** The response with a `Link` to the next page. */
export function withNext(response: HttpResponse, address: string): HttpResponse {
  const others = headerValue(response.headers, 'link');
  const next = `<${address}>; rel="next"`;
  return setHeader(response, 'Link', others === undefined ? next : `${others}, ${next}`);
}

/** The body with another next page in its member; undefined if it has none. */
function withMember(body: JsonValue, value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  const name = Object.keys(body).find(
    (member) => namesNextPage(member) && typeof body[member] === 'string',
  );
  if (name !== undefined) return { ...body, [name]: value };
  for (const [member, inner] of Object.entries(body)) {
    const edited = isJsonArray(inner) ? undefined : withMember(inner ?? null, value);
    if (edited !== undefined) return { ...body, [member]: edited };
  }
  return undefined;
}

/** Lists with the paging that leads to the next page. */
const leading = (contract: Contract) =>
  inLists(contract, ({ list }) =>
    list.links
      ? list.paging.filter(({ kind }) => kind !== 'cursor').slice(0, 1)
      : list.paging.filter(({ kind }) => kind === 'cursor'),
  );

const linked = (contract: Contract): ListPlace[] =>
  listsOf(contract).filter(({ list }) => list.links);

/** Faults of what leads to the next page. */
export const nextPageMutants: readonly Mutator[] = [
  mutant('next-leads-back', {
    rule: 'A page after the first links to itself as the next.',
    where: leading,
    says: 'links a page to itself as the next one',
    status: 200,
    answer: (response, place, { request }) => {
      const requested = queryOf(request, place.parameter.name);
      if (requested === undefined || readRecords(response.body, place).length === 0)
        return undefined;
      if (place.kind === 'cursor') return editJson(response, (body) => withMember(body, requested));
      return linkOf(response) === undefined ? undefined : withLink(response, request.target);
    },
  }),
  mutant('next-ends-early', {
    rule: 'The second page links to no next one.',
    where: leading,
    says: 'names no page after the second',
    status: 200,
    answer: (response, { kind, parameter }, { request }) => {
      if (queryOf(request, parameter.name) === undefined) return undefined;
      if (kind === 'cursor') return editJson(response, (body) => withMember(body, null));
      return linkOf(response) === undefined ? undefined : dropHeader(response, 'link');
    },
  }),
  mutant('next-never-ends', {
    rule: 'The last page, and each one after it, links to a next one.',
    where: (contract) => linked(contract).flatMap(numberedPages),
    says: 'links to a next page from the last one and those after it',
    status: 200,
    answer: (response, { list, paging: { kind, parameter, first } }, { request }) => {
      const size = pageSize(request, list);
      const requested = Number(queryOf(request, parameter.name) ?? first);
      if (linkOf(response) !== undefined || !Number.isFinite(size) || !Number.isFinite(requested))
        return undefined;
      const next = String(requested + (kind === 'page' ? 1 : size));
      return withNext(response, withQuery(request, parameter.name, next).target);
    },
  }),
  mutant('next-loses-filter', {
    rule: 'The link to the next page lacks the filters.',
    where: (contract) =>
      linked(contract).filter(
        ({ list }) => list.filters.length > 0 && list.paging.some(({ kind }) => kind !== 'cursor'),
      ),
    says: 'leads to a page without its filters',
    status: 200,
    answer: (response, { list }) => {
      const names = list.filters.map(({ parameter }) => parameter.name);
      const [path = '', query = ''] = linkOf(response)?.split('?', 2) ?? [];
      const pairs = query.split('&');
      const kept = pairs.filter(
        (pair) => !names.includes(decodeURIComponent(pair.split('=', 1)[0] ?? '')),
      );
      return kept.length === pairs.length
        ? undefined
        : withLink(response, `${path}?${kept.join('&')}`);
    },
  }),
  mutant('next-on-other-host', {
    rule:
      'The link to the next page has an unknown host; it may be another name of the ' +
      'same service, so this can only be a warning.',
    killedBy: 'warning',
    where: linked,
    says: 'links to a page on another host',
    status: 200,
    answer: (response, _place, { request }) => {
      const path = linkOf(response)?.replace(/^https?:\/\/[^/]*/, '');
      return path === undefined
        ? undefined
        : withLink(response, new URL(path, `http://things.internal${request.target}`).href);
    },
  }),
  mutant('promised-link-missing', {
    rule: 'The pages have no Link to the next one, although the contract describes it.',
    where: (contract) => linked(contract).filter((place) => promisesNext({ contract, ...place })),
    says: 'has no Link to the next page',
    answer: (response) =>
      headerValue(response.headers, 'link') === undefined
        ? undefined
        : dropHeader(response, 'link'),
  }),
];
