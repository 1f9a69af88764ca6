/** Header fields in the order of the wire, duplicates kept, names in the case they came in. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as plain data. `target` is the origin-form as it stands on the wire: path and query, still percent-encoded. */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** A response as plain data; `body` holds the bytes after transfer decoding and before content decoding. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

export const emptyBody: Uint8Array = new Uint8Array(0);

/** Every value of a header field, in order; names are case-insensitive (RFC 9110, section 5.1). */
export function headerValues(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** The first value of a header field, or undefined. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
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
