import type { ContentFault } from '../model/step.ts';
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { codeOf } from '../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { headerValue, headerValues } from '../../http/message.ts';
import { digest } from '../../platform.ts';
import { maxBodyBytes, sizeWords } from '../transport/send.ts';

/** A body without its content codings, or a clause that says why it cannot be decoded. */
export type DecodedContent =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `isBomb`: the body grows disproportionately (a decompression bomb). */
  | {
      readonly ok: false;
      readonly kind: ContentFault;
      readonly reason: string;
      readonly isBomb?: true;
    };

const options = { maxOutputLength: maxBodyBytes };

const codings: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, options),
  'x-gzip': (bytes) => gunzipSync(bytes, options),
  deflate: inflate,
  br: (bytes) => brotliDecompressSync(bytes, options),
  zstd: (bytes) => zstdDecompressSync(bytes, options),
};

/**
 * The most codings that are decoded: no server needs more than two, and each one may multiply the
 * size.
 */
const longestChain = 3;

/**
 * A body that grows more than this many times is a decompression bomb: real data stays far below.
 */
const bombRatio = 100;

/**
 * Decodes `Content-Encoding`, the last coding first (RFC 9110, section 8.4), to at most 8 MiB at
 * each step. Never throws.
 */
export function decodeContent({
  headers,
  body,
}: Pick<HttpRequest | HttpResponse, 'headers' | 'body'>): DecodedContent {
  // Most bodies have no coding.
  if (body.length === 0 || headerValue(headers, 'content-encoding') === undefined)
    return { ok: true, bytes: body };
  const chain = headerValues(headers, 'content-encoding').flatMap((value) => value.split(','));
  const names = chain.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (names.length === 0) return { ok: true, bytes: body };
  if (names.length > longestChain)
    return {
      ok: false,
      kind: 'encoding.chain',
      reason:
        `Content-Encoding names ${String(names.length)} codings, and vouch ` +
        `undoes ${String(longestChain)} at most`,
    };
  if (!isSmall(body)) return decodeAll(body, names);
  const known = bombs.size === 0 ? undefined : bombs.get(keyOf(body, names));
  if (known !== undefined) return known;
  const decoded = decodeAll(body, names);
  if (decoded.ok || decoded.kind !== 'body.too-large') return decoded;
  const bomb = { ...decoded, isBomb: true } as const;
  if (bombs.size < maxBombs) bombs.set(keyOf(body, names), bomb);
  return bomb;
}

/**
 * The bombs that were decoded: a service that sends one sends it with every answer, and each answer
 * is read several times.
 */
const bombs = new Map<string, DecodedContent>();
const maxBombs = 100;

function keyOf(body: Uint8Array, names: readonly string[]): string {
  return `${names.join()} ${digest(body)}`;
}

function decodeAll(body: Uint8Array, names: readonly string[]): DecodedContent {
  let bytes = body;
  for (const name of names.toReversed()) {
    const step = decodeWith(name, bytes);
    if (!step.ok) return step;
    bytes = step.bytes;
  }
  return { ok: true, bytes };
}

/** Whether a body is smaller than any real data that would grow beyond the limit. */
function isSmall({ length }: Uint8Array): boolean {
  return length * bombRatio < maxBodyBytes;
}

function decodeWith(name: string, bytes: Uint8Array): DecodedContent {
  const decode = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (decode === undefined)
    return {
      ok: false,
      kind: 'encoding.unknown',
      reason: `Content-Encoding is ${name}, which the request did not ask for`,
    };
  try {
    return { ok: true, bytes: decode(bytes) };
  } catch (error) {
    if (isTooLarge(error))
      return {
        ok: false,
        kind: 'body.too-large',
        reason:
          `the body of ${sizeWords(bytes.length)} grows beyond ` +
          `${sizeWords(maxBodyBytes)} when its ${name} is undone`,
      };
    return {
      ok: false,
      kind: 'encoding.mismatch',
      reason: `Content-Encoding is ${name}, but the body is not`,
    };
  }
}

/**
 * `deflate` is the zlib format (RFC 9110, section 8.4.1.2), but some servers send raw deflate data,
 * and clients accept both.
 */
function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return inflateRawSync(bytes, options);
  }
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
}
