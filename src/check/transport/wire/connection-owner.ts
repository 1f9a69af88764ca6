import type { Connection } from './connection.ts';
import type { Job } from './job.ts';
import type { Route } from './socket/open-socket.ts';

/** What a connection tells the pool that it belongs to. */
export interface ConnectionOwner {
  readonly route: Route;
  readonly timeoutMs: number;
  /** Takes one more request out of the budget; false where none may be sent. */
  spendResend(): boolean;
  /** The connection can take another job. */
  freed(connection: Connection): void;
  /** The server closed it although its last answer left it open, and soon after that. */
  closedEarly(): void;
  /** It takes no more jobs, and will soon be gone. */
  retired(connection: Connection): void;
  /** It is gone. */
  lost(connection: Connection): void;
  /** A job came back that is to be sent once more, on another connection. */
  again(job: Job): void;
}
