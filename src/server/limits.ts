import { VouchError } from '../errors.ts';

/** The longest request target, in bytes: what RFC 9110, section 4.1, asks every server to take. */
export const targetLimit = 8_000;

/**
 * The largest header block, in bytes: names, values, and four bytes for each field's `: ` and line
 * end.
 */
export const headerBlockLimit = 16 * 1024;

/** The most header fields of a request. */
export const headerCountLimit = 100;

/**
 * What Node's parser takes of start line and header block before it gives up: more than the two
 * limits together, so that the guard decides, and says which one was broken.
 */
export const parserHeadLimit = 32 * 1024;

/** The most requests that may wait on one connection for the answer to the one before them. */
export const pipelineLimit = 1_000;

/**
 * For how long the rest of a refused request is read and forgotten, so that the refusal reaches a
 * client that still sends.
 */
export const lingerMs = 1_000;

/** How much the journal remembers: exchanges, bytes of one body, and bytes in all. */
export const journalLimits = { entries: 1_000, body: 64 * 1024, total: 16 * 1024 * 1024 } as const;

const defaultBodyLimit = 1024 * 1024;
const largestBodyLimit = 1024 * 1024 * 1024;

/**
 * The body limit in bytes, 1 MiB unless told. Throws `config-invalid` for anything but a whole
 * number from 1 byte to 1 GiB.
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
