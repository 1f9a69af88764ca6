/** Header fields in the order of the wire, duplicates kept, names in the case they came in. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * A request as plain data. `target` is the origin-form as it stands on the wire: path and query,
 * still percent-encoded.
 */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The scheme of the connection; `http` if absent. */
  readonly scheme?: 'http' | 'https';
  /** Left out where clients are not asked for certificates. */
  readonly certificate?: ClientCertificate;
}

/**
 * What TLS found out about a client that was asked for its certificate. `untrusted`: by which
 * error, as OpenSSL names it.
 */
export type ClientCertificate =
  | { readonly kind: 'missing' }
  | { readonly kind: 'verified' }
  | { readonly kind: 'untrusted'; readonly reason: string };

/**
 * A response as plain data; `body` holds the bytes after transfer decoding and before content
 * decoding.
 */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** The body of a message that has none. */
export const emptyBody: Uint8Array = new Uint8Array(0);

/** Every value of a header field, in order; names are case-insensitive (RFC 9110, section 5.1). */
export function headerValues(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (const field of headers) if (isSameName(field[0], name)) values.push(field[1]);
  return values;
}

/** The first value of a header field, or undefined. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  // Asked many times a message: `for of` would make an object for each field that it passes.
  for (let at = 0; at < headers.length; at += 1) {
    const field = headers[at];
    if (field !== undefined && isSameName(field[0], name)) return field[1];
  }
  return undefined;
}

/**
 * Whether two names are of one field. Asked many times a request: most names differ in length
 * already.
 */
export function isSameName(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  if (left === right) return true;
  // Letter by letter: to make both small would make two texts for each question.
  for (let at = 0; at < left.length; at += 1)
    if (!isSameLetter(left.charCodeAt(at), right.charCodeAt(at))) return false;
  return true;
}

/** Names are of ASCII, where a capital and its small letter differ in one bit. */
function isSameLetter(left: number, right: number): boolean {
  const small = left | 32;
  return left === right || (small === (right | 32) && small >= 97 && small <= 122);
}

/** The header list with one field set: every earlier value of that name is replaced. */
export function withHeader(headers: HeaderList, name: string, value: string): HeaderList {
  return [...withoutHeader(headers, name), [name, value]];
}

/** The header list without one field. */
export function withoutHeader(headers: HeaderList, name: string): HeaderList {
  const unwanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() !== unwanted);
}
