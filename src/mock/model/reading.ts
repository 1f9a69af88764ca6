import type { Parameter, Schema } from '../../contract/model.ts';
import type { ParameterReading } from '../../contract/parameter/parameter-form.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Fault } from './fault.ts';

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
