import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { hostOf, isLoopbackHost, isMetadataHost } from '../../http/host.ts';
import {
  emptyBody,
  type HeaderList,
  headerValue,
  type HttpResponse,
  inPairs,
} from '../../http/message.ts';
import { decodePercent } from '../../http/target.ts';
import type { OutgoingRequest } from '../../mock/mock.ts';
import { remember } from '../../remember.ts';

/** Resolves a host name to all its addresses. */
export type FindAddresses = (host: string) => Promise<readonly LookupAddress[]>;

/** The hosts that a client may send to, and the timeout of an attempt. */
export interface ClientOptions extends HostRules {
  /** The timeout of an attempt in milliseconds. */
  readonly timeoutMs: number;
  readonly findAddresses?: FindAddresses | undefined;
}

/** Sends requests, one attempt each. */
export interface OutgoingClient {
  /**
   * Returns the response, with at most a megabyte of its body. Rejects with an error whose message
   * says why there is none.
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<HttpResponse>;
  close(): Promise<void>;
}

const longestBody = 1024 * 1024;

/**
 * A client that follows no redirects and connects only to allowed addresses. Addresses are checked
 * when the connection is made, so that DNS cannot change them after the check. Loads undici with
 * the first request.
 */
export function makeOutgoingClient(options: ClientOptions): OutgoingClient {
  const agents = new Map<boolean, Promise<Agent>>();
  const agentFor = (allowed: boolean): Promise<Agent> => {
    return remember(agents, allowed, () => openAgent(options, allowed));
  };
  return {
    async send(request, signal) {
      const url = new URL(request.url);
      const whole = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
      try {
        return await exchange(await agentFor(isAllowed(url, options)), url, request, whole);
      } catch (error) {
        if (signal.aborted)
          throw new Error('was given up because the mock stopped', { cause: error });
        throw new Error(
          whole.aborted
            ? `got no answer in ${String(options.timeoutMs / 1_000)} s`
            : describe(error),
          { cause: error },
        );
      }
    },
    close: async () =>
      void (await Promise.all([...agents.values()].map(async (agent) => (await agent).destroy()))),
  };
}

async function openAgent(
  { findAddresses = findAll, timeoutMs }: ClientOptions,
  allowed: boolean,
): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connections: 8,
    allowH2: false,
    keepAliveTimeout: 1_000,
    connect: { timeout: timeoutMs, lookup: guardLookup(findAddresses, allowed) },
  });
}

const findAll: FindAddresses = (host) => lookUp(host, { all: true, order: 'verbatim' });

/** Every address must be allowed, because any of them may be used. */
function guardLookup(find: FindAddresses, allowed: boolean): LookupFunction {
  return (host, { all }, callback) => {
    find(host).then(
      (addresses) => {
        const [first] = addresses;
        const refusal = addresses
          .map(({ address }) => refuseAddress(address, allowed))
          .find((found) => found !== undefined);
        if (refusal !== undefined || first === undefined)
          return callback(new Error(refusal?.reason ?? 'has a host without an address'), '', 0);
        return all === true
          ? callback(null, [...addresses])
          : callback(null, first.address, first.family);
      },
      (error: unknown) =>
        callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

async function exchange(
  agent: Agent,
  url: URL,
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    // The methods of a contract are those of OpenAPI, which undici can send.
    method,
    headers: withCredentials(headers, url).flatMap(([name, value]) => [name, value]),
    body: body.length === 0 ? null : body,
    signal,
    responseHeaders: 'raw',
  });
  return {
    status: answer.statusCode,
    // With `responseHeaders: 'raw'` the fields are a flat list of names and values.
    headers: inPairs(Array.isArray(answer.headers) ? answer.headers.map(String) : []),
    body: await readBody(answer.body),
  };
}

/** Credentials in a URL (`user:password@`) become a Basic header (RFC 7617, section 2). */
function withCredentials(headers: HeaderList, { username, password }: URL): HeaderList {
  if ((username === '' && password === '') || headerValue(headers, 'Authorization') !== undefined)
    return headers;
  const pair = [username, password].map((part) => decodePercent(part) ?? part).join(':');
  return [...headers, ['Authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`]];
}

async function readBody(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the stream and its connection.
    if (length > longestBody) break;
  }
  return length === 0 ? emptyBody : Buffer.concat(chunks).subarray(0, longestBody);
}

const words: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'found no listener there'],
  ['ECONNRESET', 'found the connection reset'],
  ['UND_ERR_SOCKET', 'found the connection closed without a response'],
  ['UND_ERR_CONNECT_TIMEOUT', 'could not connect in time'],
  ['ENOTFOUND', 'found no host of that name'],
  ['EAI_AGAIN', 'found no host of that name'],
]);

/**
 * The reason of a failure as a clause without a subject. A name with several addresses fails with
 * several errors.
 */
function describe(error: unknown): string {
  const each: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause =
    each instanceof Error && each.cause instanceof Error && !('code' in each) ? each.cause : each;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return words.get(code) ?? (cause instanceof Error ? cause.message || code : String(cause));
}

/** The hosts that the mock may send requests to: this machine and those in `allow`. */
export interface HostRules {
  /** Names and addresses, with or without a port; `*` is every host. */
  readonly allow: readonly string[];
}

/** Why a host is refused: a clause without a subject, and whether the flag would allow it. */
interface Refusal {
  readonly reason: string;
  readonly mayBeAllowed: boolean;
}

/**
 * Checks a URL before its name is resolved. Names that are not allowed are not resolved, except
 * names of this machine.
 */
export function refuseUrl(url: URL, rules: HostRules): Refusal | undefined {
  const host = hostOf(url);
  if (isIP(host) !== 0 || isMetadataHost(host)) return refuseAddress(host, isAllowed(url, rules));
  if (isLoopbackHost(host) || isAllowed(url, rules)) return undefined;
  return { reason: 'does not lead to this machine', mayBeAllowed: true };
}

/** Checks the address of a host: as written, or as resolved. */
export function refuseAddress(address: string, allowed: boolean): Refusal | undefined {
  if (isMetadataHost(address))
    return {
      reason: `leads to ${address}, a link-local or metadata address, where nothing is ever sent`,
      mayBeAllowed: false,
    };
  if (allowed || isLoopbackHost(address)) return undefined;
  return { reason: `leads to ${address}, which is not this machine`, mayBeAllowed: true };
}

/** Whether a host is allowed by name. */
function isAllowed(url: URL, { allow }: HostRules): boolean {
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allow.some((entry) => {
    const wanted = entry.toLowerCase();
    return (
      wanted === '*' ||
      wanted.replace(/^\[(.*)\]$/, '$1') === host ||
      wanted === `${host}:${port}` ||
      wanted === `[${host}]:${port}`
    );
  });
}
