import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { codeOf } from '../../errors.ts';
import { headerValues, type HttpResponse } from '../../http/message.ts';
import { maxBodyBytes } from '../transport/undici-transport.ts';

/** A body without its content codings, or the sentence that says why they cannot be undone. */
export type DecodedContent = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: string };

type Decode = (bytes: Uint8Array) => Uint8Array;

const options = { maxOutputLength: maxBodyBytes };

const codings: Readonly<Record<string, Decode>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, options),
  'x-gzip': (bytes) => gunzipSync(bytes, options),
  // `deflate` is the zlib format (RFC 9110, section 8.4.1.2), but some servers send the bare one, and clients take both.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)),
  br: (bytes) => brotliDecompressSync(bytes, options),
};

const longestChain = 3;

/** Undoes `Content-Encoding`, the last coding first (RFC 9110, section 8.4), to at most 8 MiB. Never throws. */
export function decodeContent(response: HttpResponse): DecodedContent {
  const chain = headerValues(response.headers, 'content-encoding').flatMap((value) => value.split(','));
  const names = chain.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (response.body.length === 0) return { ok: true, bytes: response.body };
  if (names.length > longestChain) return { ok: false, reason: `Content-Encoding names ${String(names.length)} codings` };
  let bytes = response.body;
  for (const name of names.reverse()) {
    const step = decodeWith(name, bytes);
    if (!step.ok) return step;
    bytes = step.bytes;
  }
  return { ok: true, bytes };
}

function decodeWith(name: string, bytes: Uint8Array): DecodedContent {
  const decode = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (decode === undefined) return { ok: false, reason: `Content-Encoding is ${name}, which the request did not ask for` };
  try {
    return { ok: true, bytes: decode(bytes) };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { ok: false, reason: `the body grows beyond ${String(maxBodyBytes / 1024 / 1024)} MiB when its ${name} is undone` };
    return { ok: false, reason: `Content-Encoding is ${name}, but the body is not` };
  }
}
