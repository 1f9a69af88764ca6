import type { Pages } from '../../contract/protocols/pages.ts';
import { headerValue } from '../../http/message.ts';
import type { Query, QueryResult } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { parameterKey } from '../request/read-request.ts';
import { withPair } from './show/envelope.ts';

/**
 * Pages that a service divides a list into as it likes, or as a client prefers, and that lead to
 * each other by addresses: OData 4.01, protocol, sections 8.2.8.5 and 11.2.6.7. A list may be
 * bounded besides: `$skip` and `$top` concern all pages together.
 */
export interface DrivenPage {
  /** The part of the list on this page. */
  readonly query: Query;
  /** The target of the next page; undefined for the last one. */
  next(found: QueryResult): string | undefined;
}

const ownToken = /^next-page-(\d{1,9})$/;

/**
 * The page that a request asks for; undefined for a list without such pages, and `stray` for a
 * token that no page gave.
 */
export function readDrivenPage(
  request: ValidRequest,
  pages: Pages | undefined,
  whole: Query,
): DrivenPage | 'stray' | undefined {
  const { token, size, style } = pages ?? {};
  if (style !== 'OData' || token === undefined || size?.by !== 'preference') return undefined;
  const given = request.parameters.get(parameterKey(token));
  const begin = given === undefined || given === '' ? 0 : beginOf(String(given));
  if (begin === undefined) return 'stray';
  const { offset, limit = Infinity } = whole;
  const most = Math.min(preferredSize(request) ?? Infinity, Math.max(0, limit - begin));
  const { limit: _whole, ...others } = whole;
  const query = { ...others, offset: offset + begin };
  return {
    query: most === Infinity ? query : { ...query, limit: most },
    next: ({ records, total }) => {
      const end = begin + records.length;
      const isMore = records.length > 0 && end < Math.min(limit, total - offset);
      return isMore
        ? withPair(request.request.target, token.name, `next-page-${String(end)}`)
        : undefined;
    },
  };
}

function beginOf(token: string): number | undefined {
  const own = ownToken.exec(token)?.[1];
  return own === undefined ? undefined : Number(own);
}

/** `Prefer: odata.maxpagesize=5`, or `maxpagesize=5`; undefined without a size of one or more. */
function preferredSize({ request }: ValidRequest): number | undefined {
  const prefer = headerValue(request.headers, 'prefer') ?? '';
  const [, size] = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})/i.exec(prefer) ?? [];
  return size === undefined || Number(size) < 1 ? undefined : Number(size);
}
