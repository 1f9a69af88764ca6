import { decodeUtf8 } from '../json/parse-json.ts';

/** Header fields in wire order, with duplicates, and with names in their original case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * A request as plain data. `target` is the origin-form on the wire: path and query, still
 * percent-encoded.
 */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The scheme of the connection; `http` if absent. */
  readonly scheme?: 'http' | 'https';
  /** Undefined if the server does not request client certificates. */
  readonly certificate?: ClientCertificate;
}

/**
 * The result of TLS verification of a client certificate. `untrusted` has the error code of
 * OpenSSL.
 */
export type ClientCertificate =
  | { readonly kind: 'missing' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'untrusted'; readonly reason: string };

/**
 * A response as plain data; `body` has the bytes after transfer decoding and before content
 * decoding.
 */
export interface HttpResponse {
  readonly status: number;
  /** The status on the wire, where the body says that the request was refused all the same. */
  readonly sentStatus?: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** Why only the beginning of a stream is there: it was still open, or it broke off. */
  readonly cut?: 'open' | 'broken off';
}

/** The body of a message without one. */
export const emptyBody: Uint8Array = new Uint8Array(0);

/** Every value of a header field, in order; names are case-insensitive (RFC 9110, section 5.1). */
export function headerValues(headers: HeaderList, name: string): readonly string[] {
  let values: string[] | undefined;
  for (const field of headers) if (isSameName(field[0], name)) (values ??= []).push(field[1]);
  return values ?? noValues;
}

const noValues: readonly string[] = [];

/** The first value of a header field, or undefined. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  // An index loop, because this runs many times per message and `for of` allocates.
  for (let at = 0; at < headers.length; at += 1) {
    const field = headers[at];
    if (field !== undefined && isSameName(field[0], name)) return field[1];
  }
  return undefined;
}

/**
 * Whether two header names are equal. Compares lengths first, because this runs many times per
 * request.
 */
export function isSameName(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  if (left === right) return true;
  // Compares letters without lowercasing, which would allocate two strings.
  for (let at = 0; at < left.length; at += 1)
    if (!isSameLetter(left.charCodeAt(at), right.charCodeAt(at))) return false;
  return true;
}

/** Header names are ASCII, where upper and lower case differ in one bit. */
function isSameLetter(left: number, right: number): boolean {
  const small = left | 32;
  return left === right || (small === (right | 32) && small >= 97 && small <= 122);
}

/** Sets one header field; replaces every earlier value of that name. */
export function withHeader(headers: HeaderList, name: string, value: string): HeaderList {
  return [...withoutHeader(headers, name), [name, value]];
}

export function withoutHeader(headers: HeaderList, name: string): HeaderList {
  const unwanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() !== unwanted);
}

const alphabet = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes a base64 text (RFC 4648, section 4) as UTF-8. Returns undefined if it is not valid. */
export function decodeBase64Text(text: string): string | undefined {
  if (!alphabet.test(text)) return undefined;
  try {
    const reading = decodeUtf8(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    return reading.ok ? reading.text : undefined;
  } catch {
    // Invalid padding.
    return undefined;
  }
}

/** A flat list of names, each with its value behind it, as pairs. */
export function inPairs(flat: readonly string[]): [name: string, value: string][] {
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : [],
  );
}

/** Whether a status is 2xx (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status is 3xx (RFC 9110, section 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether a status is 4xx (RFC 9110, section 15.5). */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/**
 * Whether a response asks the client to retry later: 429 (RFC 6585, section 4), or 503 with
 * `Retry-After`.
 */
export function asksToWait({ status, headers }: HttpResponse): boolean {
  return status === 429 || (status === 503 && headerValue(headers, 'retry-after') !== undefined);
}
