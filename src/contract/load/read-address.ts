import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { hostOf, isMetadataHost } from '../../http/host.ts';

/** Header fields by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** A document from the network, or why it could not be fetched. */
export type AddressReading = FetchedAddress | UnreadAddress;

/** A document, its address after redirects, and its media type (`''` without one). */
interface FetchedAddress {
  readonly ok: true;
  readonly text: string;
  readonly url: URL;
  readonly type: string;
}

/** A clause with a subject that says why, and the status that was not 200. */
interface UnreadAddress {
  readonly ok: false;
  readonly reason: string;
  readonly status?: number;
}

export interface AddressOptions {
  /** Sent to the origin of the address alone. */
  readonly headers?: RequestHeaders;
  /** Whether a redirect to another address is followed. Default: none is. */
  readonly mayFollow?: (url: URL) => boolean;
  /** Default: 16 MiB. */
  readonly maxBytes?: number;
  /** With all redirects; default: ten seconds. */
  readonly timeoutMs?: number;
}

const maxRedirects = 5;

/**
 * Fetches a document over http or https, never from a link-local or metadata address, even if a
 * name resolves to one, and never over http where it began with https. Never throws.
 */
export async function readAddress(
  url: URL,
  { timeoutMs = 10_000, ...options }: AddressOptions = {},
): Promise<AddressReading> {
  try {
    return await follow(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (cause instanceof Error && cause.name === 'TimeoutError')
      return refuse(`no complete response arrived within ${String(timeoutMs / 1000)} seconds`);
    return refuse(messageOf(cause));
  }
}

/** Node leaves the message empty where several addresses of a host refuse the connection. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}

type Following = Omit<AddressOptions, 'timeoutMs'> & { readonly signal: AbortSignal };

async function follow(first: URL, options: Following): Promise<AddressReading> {
  let url = first;
  for (let left = maxRedirects; ; left -= 1) {
    const host = hostOf(url);
    if (isMetadataHost(host))
      return refuse(`${host} is a link-local or metadata address, which vouch never contacts`);
    const headers = isSameOrigin(first, url) ? options.headers : {};
    const reading = await fetchText(url, { ...options, headers: headers ?? {} });
    if (!(reading instanceof URL)) return reading;
    const why = left === 0 ? 'redirects too often' : whyNotFollowed(url, reading, options);
    if (why !== undefined) return refuse(`it ${why}`);
    url = reading;
  }
}

/** Whether an address is on the origin of the first one, or on the same host over TLS. */
export function isSameOrigin(first: URL, url: URL): boolean {
  const isUpgrade = first.protocol === 'http:' && url.protocol === 'https:' && first.port === '';
  return url.origin === first.origin || (isUpgrade && url.host === first.host);
}

function whyNotFollowed(from: URL, to: URL, { mayFollow }: Following): string | undefined {
  const target = `redirects to ${to.origin}${to.pathname}`;
  if (mayFollow === undefined) return `${target}, and vouch does not follow redirects`;
  if (!/^https?:$/.test(to.protocol)) return `${target}, which is no web address`;
  if (from.protocol === 'https:' && to.protocol === 'http:')
    return `${target}, which is not encrypted`;
  if (mayFollow(to)) return undefined;
  const way = `name that address, or allow it with --allow-ref-host ${to.host}`;
  return `${target}, on another host: ${way}`;
}

function refuse(reason: string, status?: number): UnreadAddress {
  return { ok: false, reason, ...(status === undefined ? {} : { status }) };
}

/**
 * Resolves a name and returns only allowed addresses, so that the address cannot change between the
 * check and the connection.
 */
const guardedLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const allowed = (addresses ?? []).filter(({ address }) => !isMetadataHost(address));
    const [first] = allowed;
    if (error !== null) done(error, '', 0);
    else if (first === undefined)
      done(
        new Error(`${host} has only link-local or metadata addresses, which vouch never contacts`),
        '',
        0,
      );
    else if (options.all === true) done(null, allowed);
    else done(null, first.address, first.family);
  });
};

/** The document, or the address to which it redirects. */
function fetchText(
  url: URL,
  { headers: own = {}, signal, maxBytes }: Following,
): Promise<AddressReading | URL> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressReading | URL>();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    accept: 'application/yaml, application/json;q=0.9, */*;q=0.1',
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
    'accept-encoding': 'identity',
  };
  const request = send(
    url,
    { lookup: guardedLookup, agent: false, headers, signal },
    (response) => {
      readResponse(response, url, maxBytes).then((reading) => {
        request.destroy();
        resolve(reading);
      }, reject);
    },
  );
  request.on('error', reject);
  request.end();
  return promise;
}

async function readResponse(
  response: IncomingMessage,
  url: URL,
  maxBytes: number = 16 * 1024 * 1024,
): Promise<AddressReading | URL> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    const target = URL.parse(response.headers.location ?? '', url.href);
    return response.headers.location === undefined || target === null
      ? refuse(`it responds with ${String(status)} and no address to go to`)
      : target;
  }
  if (status !== 200) return refuse(`it responds with ${String(status)}`, status);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    // An HTTP message without an encoding set arrives in buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBytes) return refuse(`it is larger than ${String(maxBytes / 1024 / 1024)} MiB`);
    chunks.push(bytes);
  }
  const type = response.headers['content-type'] ?? '';
  return { ok: true, text: Buffer.concat(chunks).toString('utf8'), url, type };
}
