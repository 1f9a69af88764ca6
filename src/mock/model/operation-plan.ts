import { wordsIn } from '../../words-in.ts';
import type { OwnParts } from '../../contract/infer/own-kind.ts';
import type { FillPath } from '../../contract/path-template.ts';
import type { ContentForm } from '../../http/media-type.ts';
import type {
  Batch,
  Contract,
  HeaderSpec,
  Operation,
  Parameter,
  Parent,
  RecordAction,
  Resource,
  ResourceAction,
  ResponseSpec,
  Schema,
  ValueOperation,
} from '../../contract/model.ts';
import type { MediaTypeSpec } from '../../contract/model/operation.ts';
import type { Relationship } from '../../contract/protocols/linkage.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Assumption } from './reply.ts';
import type { Fault } from './fault.ts';

/** Facts about an operation that do not depend on a request. */
export interface OperationPlan {
  /** The operation as the mock behaves: of a call, on the ordinary path that it stands for. */
  readonly operation: Operation;
  /** The operation as the document writes it, and as requests reach it. */
  readonly documented: Operation;
  readonly assumption: Assumption | undefined;
  /** The contract as the mock serves it: each convention reads in it what concerns it. */
  readonly contract: Contract;
  /** Undefined if the response depends only on the contract. */
  readonly role: ResourceRole | undefined;
  /** The path parameter that identifies its record; undefined if there is none. */
  readonly recordParameter: string | undefined;
  /** The parents in its path if it belongs to no resource but is below a record, innermost last. */
  readonly above: readonly Parent[];
  /** The status of a success. */
  readonly status: number;
  /** The number of segments of its path. */
  readonly length: number;
  /** Writes its path with the values of its parameters. */
  readonly fillPath: FillPath;
  /** Path parameters that fill a whole segment, with its index: their raw text can be used. */
  readonly wholeSegments: readonly (readonly [name: string, index: number])[];
  /** The same for the path in its plain form: the indexes that resources use for their parents. */
  readonly parentSegments: readonly (readonly [name: string, index: number])[];
  readonly removedAt: Date | undefined;
  /** The header fields about the lifecycle in every response. */
  readonly announcements: HeaderList;
  /** How to write a response of a status. */
  answerPlan(status: number): AnswerPlan;
  /** Memoises a function of this plan. */
  derive<Made>(read: (plan: OperationPlan) => Made): Made;
}

export interface OperationPlans {
  get(id: string): OperationPlan | undefined;
}

/** The action of an operation on a resource. `act`: an action with its own verb. */
export interface ResourceRole {
  readonly resource: Resource;
  readonly action:
    | ResourceAction
    | 'act'
    | 'clear'
    | 'count'
    | 'create-many'
    | 'link'
    | 'read-many'
    | 'replace-many'
    | 'table';
  /** Where the body or the query identifies the record; undefined if the path does. */
  readonly by?: ValueOperation;
  /** What happens to a record if the action is `act`. */
  readonly deed?: RecordAction;
  /** The location of the added records if the action is `create-many` or `replace-many`. */
  readonly batch?: Batch | undefined;
  /** The parts of its records that are records of its own, and what the operation does to them. */
  readonly ownParts?: OwnParts & { readonly leavesOut: boolean; readonly ends: boolean };
  /**
   * The member by which the records of a list name the one in the path, and whether it shows that
   * one too, if they are of one kind.
   */
  readonly partsOfOne?: { readonly field: string; readonly showsWhole: boolean };
  /** The relationship of the record if the action is `link`. */
  readonly relationship?: Relationship;
  /** The members of the body that say which records are asked for, if the action is `list`. */
  readonly asked?: readonly Parameter[] | undefined;
}

/** Actions that change nothing: they need no lock. */
export const readingActions: ReadonlySet<ResourceRole['action']> = new Set(
  wordsIn('list read count read-many table'),
);

export interface AnswerPlan {
  readonly status: number;
  /** Undefined if the operation does not document the status. */
  readonly response: ResponseSpec | undefined;
  /**
   * JSON first, types that the mock cannot write well last; empty if the contract does not describe
   * the payload.
   */
  readonly contents: readonly AnswerContent[];
  readonly headers: readonly HeaderSpec[];
  /** A cache of negotiations by `Accept`, because clients repeat the same few values. */
  readonly negotiations: Map<string, Negotiation>;
}

/** The negotiated content; undefined for a payload that the contract does not describe. */
export type Negotiation =
  { readonly kind: 'negotiated'; readonly content: AnswerContent | undefined } | Fault;

/** One documented media type of a response; a range of the contract becomes one type of it. */
export interface AnswerContent extends Pick<
  MediaTypeSpec,
  'mediaType' | 'itemSchema' | 'encoding' | 'examples'
> {
  readonly form: ContentForm;
  readonly schema: Schema | undefined;
}
