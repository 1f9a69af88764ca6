import type { Resource } from '../../contract/model.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { MaybePromise, Store } from '../../store/store.ts';
import type { Sampler } from '../../values/sample-value.ts';
import type { Fault } from './fault.ts';
import type { AnswerContent, OperationPlan } from './operation-plan.ts';
import type { ParameterValues } from './request.ts';
import type { Reply } from './reply.ts';

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
