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
import type { ParameterReading } from '../../contract/parameter/parameter-form.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Assumption, Fault, Reply } from './reply.ts';
import type { MaybePromise, Store } from '../../store/store.ts';
import type { Sampler } from '../../values/sample-value.ts';
import { wordsIn } from '../../words-in.ts';
import type { OwnParts } from '../../contract/infer/own-kind.ts';
import type { FillPath } from '../../contract/path-template.ts';
import type { ContentForm } from '../../http/media-type.ts';
import type { MediaTypeSpec } from '../../contract/model/operation.ts';
import type { Relationship } from '../../contract/protocols/linkage.ts';

export interface RoutedRequest {
  readonly kind: 'routed';
  readonly plan: OperationPlan;
  readonly target: Target;
  /** The base path of the request: `/v1`. */
  readonly basePath: string;
  /** Decoded values of the path parameters, and raw ones. */
  readonly path: ReadonlyMap<string, string>;
  readonly rawPath: ReadonlyMap<string, string>;
}

/** A request that matches no operation; `path` is the requested path. */
export interface UnroutedRequest {
  readonly kind: 'unrouted';
  readonly fault: Fault;
  readonly plan: OperationPlan | undefined;
  readonly path: string;
}

/** A request that its target answers alone: `OPTIONS` of a path, or a path with another slash. */
export interface AnsweredRequest {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: HeaderList;
}

/** The preferences of a client for one response, in the header `Prefer` (RFC 7240). */
export interface Preferences {
  readonly kind: 'preferences';
  /** Answer with this documented status. */
  readonly code?: number;
  /** Answer with the example of this name. */
  readonly example?: string;
  /** True: a generated value instead of an example or a stored record. */
  readonly dynamic?: boolean;
  readonly seed?: string;
  /** The only scenarios that are active for this request. */
  readonly scenarios?: readonly string[];
  readonly delayMs?: number;
  /** The preferences as written, for `Preference-Applied`. */
  readonly written: readonly WrittenPreference[];
}

export type PreferenceName = 'scenario' | 'delay' | 'dynamic' | 'seed' | 'code' | 'example';

export interface WrittenPreference {
  readonly name: PreferenceName;
  readonly text: string;
}

/** A parameter of the operation with its value in the request. */
export interface ReadParameter {
  readonly parameter: Parameter;
  readonly reading: ParameterReading;
}

/** Values of parameters by location and name: `query limit`. */
export type ParameterValues = ReadonlyMap<string, JsonValue>;

/** `itemSchema` is the schema of each item, if the body is a sequence of values. */
export interface ReadValue {
  readonly kind: 'value';
  readonly value: JsonValue;
  readonly mediaType: string;
  readonly schema: Schema | undefined;
  readonly itemSchema?: Schema | undefined;
}

/** The parsed body: nothing, a value with its schema, or why it cannot be parsed. */
export type ParsedBody =
  | { readonly kind: 'absent' }
  | ReadValue
  /** Bytes without a structure, such as an image. */
  | { readonly kind: 'opaque' }
  | Fault;

/**
 * A routed, admitted and valid request. If the mock answers invalid ones too, what is not valid in
 * its parameters and its body is left out.
 */
export interface ValidRequest {
  readonly plan: OperationPlan;
  readonly request: HttpRequest;
  /** The content of a success; undefined if the contract does not describe it. */
  readonly content: AnswerContent | undefined;
  readonly parameters: ParameterValues;
  /** The parameters for each further record that the request names, such as those of `ids`. */
  readonly others?: readonly ParameterValues[] | undefined;
  /** Values of the path parameters, decoded. */
  readonly path: ReadonlyMap<string, string>;
  readonly basePath: string;
  /** Undefined if there is none, or if it cannot be parsed. */
  readonly body: JsonValue | undefined;
  /** The media type of the body, without parameters. */
  readonly bodyType: string | undefined;
  /** The name that an entry of a batch gives its record, beside it. */
  readonly entryName?: JsonValue | undefined;
  readonly session: string;
  readonly now: Date;
  /** The seed of generated values. */
  readonly seed: string;
  /** A seed from the content of the request, computed on demand. */
  readonly requestSeed: () => string;
  /** Set if the client requested generated values instead of examples and records. */
  readonly sampler: Sampler | undefined;
  readonly makeId: () => string;
  /** How the request violates the contract, if it is answered nevertheless. */
  readonly violation: Fault | undefined;
  /** The body of the success that the contract shows for exactly this request. */
  readonly paired?: JsonValue | undefined;
}

/** A request that is handled, and the store that it reads and changes. */
export interface Asking {
  readonly request: ValidRequest;
  readonly store: Store;
}

export interface Concern {
  readonly request: ValidRequest;
  readonly resource: Resource;
  /** The record that the request changes, as it was before, where that is known. */
  readonly earlier?: JsonObject;
}

/** A request on the records of a resource. */
export interface Acting extends Asking, Concern {}

/** Executes an operation. */
export type Behaviour<On extends Asking = Acting> = (on: On) => MaybePromise<Reply | Fault>;

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
