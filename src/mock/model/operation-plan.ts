import type { ContentForm } from '../../contract/content/content-form.ts';
import type {
  Batch,
  Clearing,
  Example,
  HeaderSpec,
  MemberEncoding,
  Operation,
  Parent,
  RecordAction,
  Resource,
  ResourceAction,
  ResponseSpec,
  Schema,
} from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Assumption } from './reply.ts';
import type { Fault } from './fault.ts';

/** What the mock knows of an operation before any request comes. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly assumption: Assumption | undefined;
  /** Undefined where the operation answers from the contract alone. */
  readonly role: ResourceRole | undefined;
  /**
   * The kinds of record with which those of its role may stand together; undefined without a role.
   */
  readonly family: RecordFamily | undefined;
  /** The path parameter that names its record; undefined where none does. */
  readonly recordParameter: string | undefined;
  /**
   * What its path names, where it belongs to no resource and stands below a record of one:
   * innermost last.
   */
  readonly above: readonly Parent[];
  /** The status of its success. */
  readonly status: number;
  /** The number of segments of its own path. */
  readonly length: number;
  /**
   * Path parameters that fill a whole segment, with the segment's index: their text can be taken as
   * it stands on the wire.
   */
  readonly wholeSegments: readonly (readonly [name: string, index: number])[];
  /** From which moment the operation is gone. */
  readonly removedAt: Date | undefined;
  /** What every answer says of the operation's life cycle. */
  readonly announcements: HeaderList;
  /** How an answer of a status is written. */
  answerPlan(status: number): AnswerPlan;
}

/** The kind that keeps the records of a resource, and the kinds that may stand below it. */
export interface RecordFamily {
  readonly keeper: Resource;
  readonly others: readonly Resource[];
}

/**
 * What an operation does with the records of a resource. `act`: something that the contract has a
 * verb for.
 */
export interface ResourceRole {
  readonly resource: Resource;
  readonly action: ResourceAction | 'act' | 'clear' | 'create-many' | 'replace-many';
  /** What is done to a record, where the action is `act`. */
  readonly deed?: RecordAction;
  /** Which records are removed, where the action is `clear`. */
  readonly clearing?: Clearing;
  /** Where the records are that are added, where the action is `create-many` or `replace-many`. */
  readonly batch?: Batch;
}

/** How an operation's answer of one status is written. */
export interface AnswerPlan {
  readonly status: number;
  /** Undefined where the operation documents no such status. */
  readonly response: ResponseSpec | undefined;
  /**
   * JSON first, what the mock cannot write well last; empty where the contract leaves the payload
   * open.
   */
  readonly contents: readonly AnswerContent[];
  readonly headers: readonly HeaderSpec[];
  /** What was negotiated before, by `Accept`: clients send the same few again and again. */
  readonly negotiations: Map<string, Negotiation>;
}

/** How an answer may be written: undefined stands for a payload that the contract leaves open. */
export type Negotiation =
  { readonly kind: 'negotiated'; readonly content: AnswerContent | undefined } | Fault;

/** One way of writing an answer: a media type that the contract documents for it. */
export interface AnswerContent {
  /** As it is sent: a range of the contract's made into one type of it. */
  readonly mediaType: string;
  readonly form: ContentForm;
  readonly schema: Schema | undefined;
  /** What each item of a sequence has to keep, where the contract says it of one item. */
  readonly itemSchema?: Schema | undefined;
  readonly encoding?: ReadonlyMap<string, MemberEncoding>;
  readonly examples: readonly Example[];
}
