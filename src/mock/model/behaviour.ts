import type { Resource } from '../../contract/model.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import type { MaybePromise, Store } from '../../store/store.ts';
import type { Sampler } from '../../values/sample-value.ts';
import type { Fault } from './fault.ts';
import type { AnswerContent, OperationPlan } from './operation-plan.ts';
import type { ParameterValues } from './request.ts';
import type { Reply } from './reply.ts';

/** A request that is routed, let in and valid. */
export interface ValidRequest {
  readonly plan: OperationPlan;
  /** As it came. */
  readonly request: HttpRequest;
  /**
   * How the answer of success is to be written; undefined where the contract leaves its payload
   * open.
   */
  readonly content: AnswerContent | undefined;
  readonly parameters: ParameterValues;
  /** Values of the path parameters, decoded. */
  readonly path: ReadonlyMap<string, string>;
  readonly basePath: string;
  /** Undefined where there is none, or none that can be read. */
  readonly body: JsonValue | undefined;
  /** The media type of the body, without parameters. */
  readonly bodyType: string | undefined;
  readonly session: string;
  readonly now: Date;
  /** What generated values are made from. */
  readonly seed: string;
  /** The same as long as the request is; most requests have nothing generated for them. */
  readonly requestSeed: () => string;
  /** Set where the client asked for generated values rather than examples and records. */
  readonly sampler: Sampler | undefined;
  readonly makeId: () => string;
}

/** What an operation does with the records of its resource. */
export type Behaviour = (
  request: ValidRequest,
  resource: Resource,
  store: Store,
) => MaybePromise<Reply | Fault>;
