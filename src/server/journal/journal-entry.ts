import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { Refusal } from '../../mock/model/fault.ts';

/** One exchange as the journal gives it back. Of a long body only the beginning is there. */
export interface JournalEntry {
  /** Counts up from 1, also over what was forgotten. */
  readonly id: number;
  readonly at: number;
  readonly durationMs: number;
  readonly request: HttpRequest;
  readonly answer: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: Uint8Array;
    readonly operation?: string | undefined;
  };
  /** How many bytes the bodies had. */
  readonly requestSize: number;
  readonly answerSize: number;
  readonly fault: string | undefined;
  /** How many callbacks it led to. */
  readonly callbacks: number;
  /** The scenario that had a say in the answer, by its name. */
  readonly scenario: string | undefined;
  /** Why the request was refused by the contract or the records, where it was. */
  readonly refusal: Refusal | undefined;
}
