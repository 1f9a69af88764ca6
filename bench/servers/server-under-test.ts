/** The one key that every server here knows. */
export const key = 'shelf-key-4711';

/** A server under test. */
export interface ServerUnderTest {
  /** Without a slash at its end. */
  readonly url: string;
  /** How many requests have come in so far. */
  requests(): number;
  stop(): Promise<void>;
}

/**
 * Starts one of the servers on a free port of loopback, with the named defect, or sound without a
 * name.
 */
export type StartServer = (defect?: string) => Promise<ServerUnderTest>;
