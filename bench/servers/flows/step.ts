/** Replaces `{name}` in the texts of a value by what a step kept under that name. */
export type Fill = (value: unknown) => unknown;

/** A claim about a value of an answer. */
export interface Claim {
  readonly says: string;
  holds(value: unknown, fill: Fill): boolean;
}

/**
 * One request of a client that read the document, and what it expects of the answer. Texts may have
 * `{name}` for a value that an earlier step kept.
 *
 * A place in an answer is a row of names with spaces between them, from the body on: `data 0 id`.
 * `*` is each entry, `[id={it}]` each entry with this member, and both make a list of what they
 * find. The first name `header:etag` is a header, `text:` the body as a text.
 */
export interface Step {
  readonly does: string;
  /** Method and path, or an address that an answer had. */
  readonly send: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
  readonly bytes?: string | Buffer;
  /** The fields of a form, which is URL-encoded. */
  readonly form?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose credentials the request has; those of the first user unless told. */
  readonly as?: string;
  /** The statuses that are right; 200 unless told. */
  readonly status?: number | readonly number[];
  /** By place: the value itself, or a claim. */
  readonly sees?: Readonly<Record<string, unknown>>;
  /** By name: the place of what later steps need. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Where the next page is; what is seen is then `{ pages: [body, …] }` of all. */
  readonly next?: Next;
  /** Repeats the request until the answer has these. */
  readonly until?: Readonly<Record<string, unknown>>;
}

/** The place of an address of the next page, or of the value of a parameter for it. */
export interface Next {
  readonly at: string;
  readonly as?: string;
}

/** The steps of a client, in order, on one service. */
export interface Flow {
  readonly name: string;
  readonly steps: readonly Step[];
}
