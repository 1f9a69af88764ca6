import { randomBytes } from 'node:crypto';
import { originOf } from '../../http/host.ts';
import {
  emptyBody,
  headerValue,
  headerValues,
  type HttpRequest,
  type HttpResponse,
} from '../../http/message.ts';
import { parseAuthority } from '../guard/guard.ts';
import { makeControlToken, sameToken } from './control-token.ts';
import { controlPrefix } from './control-prefix.ts';
import { json } from './control-response.ts';

/** The path below the prefix that exchanges a ticket for a cookie. */
const entrance = '/open/';
/** How long a ticket works that others on this machine may have seen, in milliseconds. */
const briefMs = 60_000;
/** The newest are kept. */
const maxKept = 200;

interface Ticket {
  /** The end of its time; undefined for one that works until the mock stops. */
  readonly until: number | undefined;
  /** The browser that came with it. */
  browser?: string;
}

/**
 * Who may use the console: a browser that has exchanged a ticket, which works once, for a cookie
 * and a key. Browsers send the cookie to every port of this host (RFC 6265, section 8.5); the key
 * is kept by pages of this port alone, and other origins need leave to send its header. Neither is
 * enough without the other, and both end with the mock.
 */
export class ConsoleLogin {
  readonly #tickets = new Map<string, Ticket>();
  /** The keys by the cookies. */
  readonly #browsers = new Map<string, string>();
  readonly #now: () => number;

  /** `now`: milliseconds of any clock that does not go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * A path that opens the console once. `brief`: it stands where other users of this machine may
   * read it, such as in a command line. It works for a minute, and if it comes twice, the browser
   * that was first is locked out.
   */
  makePath({ brief = false }: { readonly brief?: boolean } = {}): string {
    const ticket = randomBytes(16).toString('hex');
    this.#tickets.set(ticket, { until: brief ? this.#now() + briefMs : undefined });
    dropOldest(this.#tickets);
    return `${controlPrefix}${entrance}${ticket}`;
  }

  /**
   * Exchanges the ticket in a target for a cookie and leads to the console; `used` for one that is
   * unknown, used or too old; undefined for any other target. A browser that is in already may come
   * with any.
   */
  enter(request: HttpRequest): HttpResponse | 'used' | undefined {
    const [, ticket] =
      new RegExp(`^${controlPrefix}${entrance}([^/?]*)$`).exec(request.target) ?? [];
    if (ticket === undefined) return undefined;
    if (this.#cookieOf(request) !== undefined) return toConsole();
    // A program that looks at a link does not use it up.
    const browser = request.method === 'GET' ? this.#redeem(ticket) : undefined;
    if (browser === undefined) return 'used';
    return withCookie(toConsole(`#enter=${this.#keyOf(browser)}`), request, browser);
  }

  /** Lets the browser of a request in, which has shown the control token. */
  welcome(request: HttpRequest): HttpResponse {
    const browser = this.#admit();
    return withCookie(json({ key: this.#keyOf(browser) }), request, browser);
  }

  /** Whether a request is one of the console in a browser that was let in. */
  admits(request: Pick<HttpRequest, 'headers'>): boolean {
    const site = headerValue(request.headers, 'Sec-Fetch-Site');
    const browser = this.#cookieOf(request);
    return (
      browser !== undefined &&
      (site === undefined || site === 'same-origin') &&
      sameToken(headerValue(request.headers, 'Vouch-Console') ?? '', this.#keyOf(browser))
    );
  }

  #redeem(text: string): string | undefined {
    const ticket = this.#tickets.get(text);
    if (ticket === undefined) return undefined;
    if (ticket.browser !== undefined) {
      if (ticket.until !== undefined) this.#browsers.delete(ticket.browser);
      return undefined;
    }
    if (ticket.until !== undefined && ticket.until < this.#now()) return undefined;
    return (ticket.browser = this.#admit());
  }

  #admit(): string {
    const [browser, key] = [makeControlToken(), makeControlToken()];
    this.#browsers.set(browser, key);
    dropOldest(this.#browsers);
    return browser;
  }

  #keyOf(browser: string): string {
    return this.#browsers.get(browser) ?? '';
  }

  /** The cookie of a browser that was let in. */
  #cookieOf({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
    const start = `${cookieName(headers)}=`;
    return headerValues(headers, 'Cookie')
      .flatMap((field) => field.split(';'))
      .map((pair) => pair.trim())
      .flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : []))
      .find((value) => this.#browsers.has(value));
  }
}

function dropOldest(kept: Map<string, unknown>): void {
  const [oldest = ''] = kept.keys();
  if (kept.size > maxKept) kept.delete(oldest);
}

/** Ports share the cookies of their host, and mocks run beside each other. */
function cookieName(headers: HttpRequest['headers']): string {
  const port = parseAuthority(headerValue(headers, 'Host') ?? '')?.port ?? '';
  return `vouch-console${port === '' ? '' : `-${port}`}`;
}

function withCookie(response: HttpResponse, request: HttpRequest, value: string): HttpResponse {
  const secure = originOf(request)?.startsWith('https:') === true ? '; Secure' : '';
  const cookie =
    `${cookieName(request.headers)}=${value}; Path=${controlPrefix}; ` +
    `HttpOnly; SameSite=Strict${secure}`;
  return { ...response, headers: [...response.headers, ['Set-Cookie', cookie]] };
}

function toConsole(fragment = ''): HttpResponse {
  const headers = [
    ['Location', `${controlPrefix}/${fragment}`],
    ['Referrer-Policy', 'no-referrer'],
  ] as const;
  return { status: 303, headers, body: emptyBody };
}
