import type { Contract } from '../contract/model.ts';
import { usage } from '../errors.ts';

/** Which requests the mock answers. */
export interface RequestScope {
  /**
   * The base URL of the contract in the application: `https://api.example.com/v1`, or a path such
   * as `/api` on the origin of the page. Default: the URLs of the contract's servers, and their
   * paths on the origin of the page.
   */
  readonly url?: string;
  /**
   * What happens to a request below the base URL whose path the contract does not have. `refuse`:
   * the contract's error response, status 404. `pass`: the next handler, otherwise
   * `onUnhandledRequest` of MSW. Default `refuse`. On the origin of the page, `refuse` needs a base
   * path: without one, unknown paths pass, because they are the files of the page.
   */
  readonly onUnknown?: 'refuse' | 'pass';
}

/** Whether a request is for the mock, by its URL and by whether the contract has its path. */
export type IsOwn = (url: URL, isKnown: boolean) => boolean;

/** The base path that replaces that of the contract, if the scope has one. */
export function baseOf({ url }: RequestScope): { readonly base?: string } {
  return url === undefined ? {} : { base: readBase(url).pathname.replace(/\/+$/, '') };
}

/** Throws a VouchError ('usage') for an invalid URL. */
export function makeIsOwn(
  documents: readonly Served[],
  { url, onUnknown = 'refuse' }: RequestScope,
): IsOwn {
  const bases = url === undefined ? documents.flatMap(serversOf) : [readBase(url)];
  const page = pageOrigin();
  const origins = new Set(bases.map(({ origin }) => origin));
  const paths = bases.map(({ origin, pathname }) => ({
    origin,
    path: pathname.endsWith('/') ? pathname : `${pathname}/`,
  }));
  return ({ origin, pathname }, isKnown) => {
    if (!origins.has(origin)) return false;
    if (isKnown) return true;
    return (
      onUnknown === 'refuse' &&
      paths.some(
        (base) =>
          base.origin === origin &&
          (base.path !== '/' || origin !== page) &&
          `${pathname}/`.startsWith(base.path),
      )
    );
  };
}

/** A contract, and the base path that replaces its own. */
interface Served {
  readonly contract: Pick<Contract, 'servers' | 'operations'>;
  readonly base?: string | undefined;
}

/** The base URLs of all servers: at their own origins, and at that of the page. */
function serversOf({ contract: { servers, operations }, base }: Served): URL[] {
  const page = pageOrigin();
  const all = [...servers, ...operations.flatMap((operation) => operation.servers)];
  return all.flatMap((server) => {
    const isAbsolute = /^https?:/i.test(server.url) && URL.canParse(server.url);
    const origins = isAbsolute ? [new URL(server.url).origin, page] : [page];
    const paths = base === undefined ? server.basePaths : [base];
    return origins.flatMap((origin) => paths.map((path) => new URL(`${origin}${path}`)));
  });
}

function readBase(url: string): URL {
  const page = pageOrigin();
  if (URL.canParse(url, page)) return new URL(url, page);
  throw usage(`The base URL ${url} is not a URL.`, {
    hint: 'Pass `url` as https://api.example.com/v1, or as a path such as /api.',
  });
}

/** The origin of the page; Node has none, unless the test simulates a browser. */
function pageOrigin(): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  const origin = location?.origin;
  return origin === undefined || origin === 'null' ? 'http://localhost' : origin;
}
