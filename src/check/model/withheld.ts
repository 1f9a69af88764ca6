/** Why a request was not sent, as a code. */
export type WithheldCode =
  | 'run-over'
  | 'requests-spent'
  | 'time-spent'
  | 'server-gone'
  | 'credential-refused'
  | 'no-answers'
  | 'unknown-record'
  /** It would change a record that the run did not create, or use the name of one. */
  | 'not-own-record'
  | 'unsendable';

/** A request that was not sent: why, as a code and as a clause. */
export interface Withheld {
  readonly code: WithheldCode;
  readonly reason: string;
}
