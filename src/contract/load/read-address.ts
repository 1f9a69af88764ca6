import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { hostOf, isMetadataHost } from '../../http/host.ts';

/**
 * A document from the network, or a clause with a subject that says why it could not be fetched.
 */
export type AddressReading =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

const timeoutMs = 10_000;
const maxBytes = 16 * 1024 * 1024;

/**
 * Fetches a document once over http or https: at most 16 MiB, within ten seconds, without
 * redirects, and never from a link-local or metadata address, even if a name resolves to one. Never
 * throws.
 */
export async function readAddress(url: URL): Promise<AddressReading> {
  const host = hostOf(url);
  if (isMetadataHost(host))
    return refuse(`${host} is a link-local or metadata address, which vouch never contacts`);
  try {
    return await fetchText(url);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (cause instanceof Error && cause.name === 'TimeoutError')
      return refuse(`no complete response arrived within ${String(timeoutMs / 1000)} seconds`);
    return refuse(cause instanceof Error ? cause.message : String(cause));
  }
}

function refuse(reason: string): AddressReading {
  return { ok: false, reason };
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

function fetchText(url: URL): Promise<AddressReading> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressReading>();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    accept: 'application/yaml, application/json;q=0.9, */*;q=0.1',
    'accept-encoding': 'identity',
  };
  const request = send(
    url,
    { lookup: guardedLookup, agent: false, headers, signal: AbortSignal.timeout(timeoutMs) },
    (response) => {
      readResponse(response).then((reading) => {
        request.destroy();
        resolve(reading);
      }, reject);
    },
  );
  request.on('error', reject);
  request.end();
  return promise;
}

async function readResponse(response: IncomingMessage): Promise<AddressReading> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    const target = response.headers.location ?? 'elsewhere';
    return refuse(`it redirects to ${target}, and vouch does not follow redirects`);
  }
  if (status !== 200) return refuse(`it responds with ${String(status)}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    // An HTTP message without an encoding set arrives in buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBytes) return refuse(`it is larger than ${String(maxBytes / 1024 / 1024)} MiB`);
    chunks.push(bytes);
  }
  return { ok: true, text: Buffer.concat(chunks).toString('utf8') };
}
