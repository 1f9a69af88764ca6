import { VouchError } from '../errors.ts';

/**
 * The maximum length of a request target in bytes, which RFC 9110, section 4.1, recommends to
 * support.
 */
export const targetLimit = 8_000;

/**
 * The maximum size of the header block in bytes: names, values, and four bytes for each field's `:
 * ` and line end.
 */
export const headerBlockLimit = 16 * 1024;

/** The maximum number of header fields in a request. */
export const headerCountLimit = 100;

/**
 * The limit of Node's parser for start line and header block: more than both limits together, so
 * that the guard can name the exceeded one.
 */
export const parserHeadLimit = 32 * 1024;

/** The maximum number of pipelined requests on a connection. */
export const pipelineLimit = 1_000;

/**
 * How long the rest of a refused request is read and discarded, so that the refusal reaches a
 * client that is still sending.
 */
export const lingerMs = 1_000;

/**
 * The limits of the journal: exchanges, bytes of one body, and bytes in total of those that checks
 * have sent, and of the others.
 */
export const journalLimits = { entries: 1_000, body: 64 * 1024, total: 16 * 1024 * 1024 } as const;

const defaultBodyLimit = 1024 * 1024;
const largestBodyLimit = 1024 * 1024 * 1024;

/**
 * The body limit in bytes. Default 1 MiB. Throws `config-invalid` unless it is a whole number from
 * 1 byte to 1 GiB.
 */
export function checkBodyLimit(limit: number = defaultBodyLimit): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= largestBodyLimit) return limit;
  throw new VouchError(
    'config-invalid',
    `The body limit ${String(limit)} is no number of bytes that a body may have.`,
    {
      hint:
        `Give a whole number from 1 to ${largestBodyLimit} (1 GiB); without one the ` +
        `limit is ${defaultBodyLimit} (1 MiB).`,
    },
  );
}
