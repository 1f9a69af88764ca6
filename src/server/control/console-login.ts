import { randomBytes } from 'node:crypto';
import { originOf } from '../../http/host.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { emptyBody, headerValue, headerValues } from '../../http/message.ts';
import { parseAuthority } from '../guard/guard.ts';
import { makeControlToken, sameToken } from './control-token.ts';
import { controlPrefix } from './control-prefix.ts';
import { json } from './fields.ts';

/** The path below the prefix that exchanges a ticket for a cookie. */
const entrance = '/open/';
/** How long a ticket works that others on this machine may have seen, in milliseconds. */
const briefMs = 60_000;
/** The newest are kept. */
const maxKept = 200;

/** The page that a ticket leads to. */
const pages = { console: `${controlPrefix}/`, start: '/' } as const;

/** How a link to the console is made. */
export interface LinkChoice {
  /**
   * Whether it stands where other users of this machine may read it, such as in a command line. It
   * works for a minute, and if it comes twice, the browser that was first is locked out.
   */
  readonly brief?: boolean;
  /** `start`: it leads to the start page, which comes again without letting anybody in. */
  readonly to?: keyof typeof pages;
}

interface Ticket {
  readonly to: keyof typeof pages;
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

  /** A path that lets a browser in once, and leads to a page. */
  makePath({ brief = false, to = 'console' }: LinkChoice = {}): string {
    const ticket = randomBytes(16).toString('hex');
    this.#tickets.set(ticket, { to, until: brief ? this.#now() + briefMs : undefined });
    dropOldest(this.#tickets);
    return `${controlPrefix}${entrance}${ticket}`;
  }

  /**
   * Exchanges the ticket in a target for a cookie and leads to its page; `used` for one that is
   * unknown, used or too old, unless it leads to the start page; undefined for any other target. A
   * browser that is in already may come with any.
   */
  enter(request: HttpRequest): HttpResponse | 'used' | undefined {
    const [, ticket] =
      new RegExp(`^${controlPrefix}${entrance}([^/?]*)$`).exec(request.target) ?? [];
    if (ticket === undefined) return undefined;
    const { to = 'console' } = this.#tickets.get(ticket) ?? {};
    if (this.#cookieOf(request) !== undefined) return leadTo(pages[to]);
    // A program that looks at a link does not use it up.
    const browser = request.method === 'GET' ? this.#redeem(ticket) : undefined;
    if (browser === undefined) return to === 'start' ? leadTo(pages.start) : 'used';
    return withCookie(leadTo(`${pages[to]}#enter=${this.#keyOf(browser)}`), request, browser);
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

function leadTo(page: string): HttpResponse {
  const headers = [
    ['Location', page],
    ['Referrer-Policy', 'no-referrer'],
  ] as const;
  return { status: 303, headers, body: emptyBody };
}
