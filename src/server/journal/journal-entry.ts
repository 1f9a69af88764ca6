import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { Refusal } from '../../mock/model/reply.ts';
import { readSession } from '../../mock/request/request-context.ts';

/** One recorded exchange. Long bodies are cut. */
export interface JournalEntry {
  /** Counts from 1, including discarded entries. */
  readonly id: number;
  /** When the request head arrived, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly request: HttpRequest;
  readonly answer: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: Uint8Array;
    readonly operation?: string | undefined;
  };
  /** The size of the bodies in bytes. */
  readonly requestSize: number;
  readonly answerSize: number;
  readonly fault: string | undefined;
  /** The number of callbacks that it triggered. */
  readonly callbacks: number;
  /** The name of the scenario that affected the response. */
  readonly scenario: string | undefined;
  /** Why the request was refused by the contract or the records, if it was. */
  readonly refusal: Refusal | undefined;
  /** How the request violates the contract, if it was answered nevertheless. */
  readonly violation: string | undefined;
  /** Why the answer is not the usual one, if the client chose so on the start page. */
  readonly forced: string | undefined;
}

/** The session of a request; undefined if its name is invalid. */
export function sessionOf({ headers }: HttpRequest): string | undefined {
  const session = readSession(headers);
  return typeof session === 'string' ? session : undefined;
}
