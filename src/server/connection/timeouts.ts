/** How long a server waits, in milliseconds. */
export interface Timeouts {
  /** For the whole head of a request, from the connection's first moment. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** Between two looks at which connections are late. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For exchanges under way when the server closes. */
  readonly drainMs: number;
}

/**
 * A slow client is let go before it can hold a place for long; a scripted delay is never cut short
 * by these.
 */
export const defaultTimeouts: Timeouts = {
  headersMs: 5_000,
  requestMs: 15_000,
  checkMs: 1_000,
  keepAliveMs: 5_000,
  drainMs: 5_000,
};
