import type { Parameter, Schema } from '../../contract/model.ts';
import type { ParameterReading } from '../../contract/parameter/parameter-form.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Fault } from './fault.ts';
import type { OperationPlan } from './operation-plan.ts';

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
