import type { Parameter, Schema } from '../../contract/model.ts';
import type { ParameterReading } from '../../contract/parameter/parameter-form.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Fault } from './fault.ts';
import type { OperationPlan } from './operation-plan.ts';

/** An operation that a request reached. */
export interface RoutedRequest {
  readonly kind: 'routed';
  readonly plan: OperationPlan;
  readonly target: Target;
  /** The base path that the request named: `/v1`. */
  readonly basePath: string;
  /** Values of the path parameters, decoded; and as they stand on the wire. */
  readonly path: ReadonlyMap<string, string>;
  readonly rawPath: ReadonlyMap<string, string>;
  /** The operation's parameters, read from the target and these header fields. */
  parameters(headers: HeaderList): RequestParameters;
  /** How a body is read that comes with these header fields. */
  bodyReader(headers: HeaderList): ReadBody;
}

/** A request that reached no operation, or not well; `path` is what it asked for. */
export interface UnroutedRequest {
  readonly kind: 'unrouted';
  readonly fault: Fault;
  readonly plan: OperationPlan | undefined;
  readonly path: string;
}

/** A path's methods, for `OPTIONS` (RFC 9110, section 9.3.7). */
export interface OptionsRequest {
  readonly kind: 'options';
  readonly allow: string;
}

/** What a client asks of one answer, by the header `Prefer` (RFC 7240). */
export interface Preferences {
  readonly kind: 'preferences';
  /** Answer with this documented status. */
  readonly code?: number;
  /** Answer with the example of this name. */
  readonly example?: string;
  /** True: a generated value rather than an example or a stored record. */
  readonly dynamic?: boolean;
  readonly seed?: string;
  /** Scenarios that are on for this request, and no others. */
  readonly scenarios?: readonly string[];
  readonly delayMs?: number;
  /** The preferences above as they were written, for `Preference-Applied`. */
  readonly written: readonly WrittenPreference[];
}

export type PreferenceName = 'scenario' | 'delay' | 'dynamic' | 'seed' | 'code' | 'example';

/** One preference as it was written. */
export interface WrittenPreference {
  readonly name: PreferenceName;
  readonly text: string;
}

/** A parameter of the operation, and what the request holds of it. */
export interface ReadParameter {
  readonly parameter: Parameter;
  readonly reading: ParameterReading;
}

/** Values of parameters by place and name: `query limit`. */
export type ParameterValues = ReadonlyMap<string, JsonValue>;

/** The parameters of one request. */
export interface RequestParameters {
  readonly all: readonly ReadParameter[];
  /** The values that are there and can be read, whether they keep their schema or not. */
  readonly values: ParameterValues;
  /** Why they are refused, all of them at once; undefined where they keep the contract. */
  readonly fault: Fault | undefined;
}

/**
 * `itemSchema` is what each item has to keep, where the body is a sequence of values and its schema
 * speaks of one.
 */
export interface ReadValue {
  readonly kind: 'value';
  readonly value: JsonValue;
  readonly mediaType: string;
  readonly schema: Schema | undefined;
  readonly itemSchema?: Schema | undefined;
}

/**
 * The body of a request as read: nothing, a value with the schema that it has to keep, or why it
 * cannot be read.
 */
export type BodyReading =
  | { readonly kind: 'absent' }
  | ReadValue
  /** Bytes that mean nothing here, such as an image. */
  | { readonly kind: 'opaque' }
  | Fault;

/** Reads bodies of one media type. */
export type ReadBody = (bytes: Uint8Array) => BodyReading;
