import type { Operation } from '../../../contract/model.ts';
import type { Case, CaseParts } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Phase } from '../../model/phase.ts';
import type { RecordChanges, RecordName } from '../../model/record.ts';
import type { Step, Withheld } from '../../model/step.ts';
import type { SharedFieldsCache } from '../../request/shared-fields.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { SendSignals, SendWithRetries } from '../../transport/retry-send.ts';
import type { Lessons } from '../learn/lessons.ts';
import type { Verdicts } from '../learn/verdicts.ts';
import type { Memory } from '../memory/memory.ts';
import type { ListsOf } from './find-created.ts';
import type { RecordGuard } from './record-guard.ts';

/** What is needed to send cases. */
export interface Sender {
  readonly send: SendWithRetries;
  readonly secrets: Secrets;
  readonly memory: Memory;
  readonly userAgent: string;
  readonly shared?: SharedFieldsCache;
  /** The run's id, sent with each request. */
  readonly runId?: string;
  readonly signals: SendSignals;
  baseUrl(operation: Operation): string;
  /** Takes one request out of the budget; returns the reason if it must not be sent. */
  spend(baseUrl: string): Withheld | undefined;
  /** Why sending a case would show nothing new; undefined if it may be sent. */
  isPointless(testCase: Case): Withheld | undefined;
  /** Prevents changes of records that the run did not create. */
  readonly records?: RecordGuard;
  /** The user wrote the requests: they may change records that the run did not create. */
  readonly isNamed?: true;
  /** The plain read of a record, if the run may send one. */
  readonly readOf?: (record: RecordName) => CaseParts | undefined;
  /** The lists that may show a record of which the answer to its create names nothing. */
  readonly listsOf?: ListsOf;
  /** Notes which records a step created or deleted. Optional. */
  readonly noteRecords?: (step: Step, changes: RecordChanges) => void;
  /** Learns from refusals of plain requests; confirmations only apply the result. */
  readonly lessons?: Lessons;
  /** Called with every step and those before it, also of requests that no check judges. */
  readonly note?: (step: Step, earlier: readonly Step[]) => void;
  /** Reads refusals that a success carries. */
  readonly verdicts?: Verdicts;
  /** Called with every exchange. The next request waits for the promise that it returns. */
  readonly report?: (recorded: RecordedExchange) => Promise<void> | undefined;
}

export interface RecordedExchange {
  readonly case: Case;
  readonly phase: Phase;
  readonly exchange: Exchange;
}
