import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { codeOf } from '../../errors.ts';
import { headerValue, headerValues, type HeaderList } from '../../http/message.ts';

/** A supported content coding. */
export type ContentCoding = 'identity' | 'gzip' | 'deflate' | 'br';

/** The codings, as `Accept-Encoding` lists them. */
export const acceptedCodings = 'gzip, deflate, br';

/** A decoded body, or why it cannot be decoded. */
export type Decoding =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' };

const names: ReadonlyMap<string, ContentCoding> = new Map([
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);

/**
 * The coding in a `Content-Encoding` header (RFC 9110, section 8.4.1), `identity` without one.
 * Undefined for an unknown coding and for a chain of codings, which would multiply the work for a
 * small body.
 */
export function readCodings(headers: HeaderList): ContentCoding | undefined {
  if (headerValue(headers, 'Content-Encoding') === undefined) return 'identity';
  const applied = headerValues(headers, 'Content-Encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  return applied.length > 1 ? undefined : names.get(applied[0] ?? 'identity');
}

const decoders = {
  gzip: promisify(gunzip),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
};

/** Decodes a body; stops after more than `limit` bytes. An empty body is empty in every coding. */
export async function decodeBody(
  body: Uint8Array,
  coding: ContentCoding,
  limit: number,
): Promise<Decoding> {
  if (coding === 'identity' || body.length === 0) return { kind: 'decoded', body };
  try {
    return {
      kind: 'decoded',
      body: await decoderFor(coding, body)(body, { maxOutputLength: limit }),
    };
  } catch (error) {
    return { kind: isTooLarge(error) ? 'too-large' : 'malformed' };
  }
}

function decoderFor(
  coding: Exclude<ContentCoding, 'identity'>,
  body: Uint8Array,
): (typeof decoders)['gzip'] {
  if (coding !== 'deflate') return decoders[coding];
  // Some clients send deflate without the zlib wrapper of RFC 9110, section 8.4.1.2; the first
  // nibble of the wrapper is 8.
  return ((body[0] ?? 0) & 0x0f) === 8 ? decoders.inflate : decoders.inflateRaw;
}

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
}
