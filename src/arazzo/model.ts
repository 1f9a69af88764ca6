import type { Locator } from '../contract/locate.ts';
import type { VouchError } from '../errors.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Expression } from './expression.ts';

/** An Arazzo Description (Arazzo 1.0 and 1.1) as vouch runs it, with the text it was read from. */
export interface ArazzoDocument {
  /** The name that places show. */
  readonly file: string;
  /** `$self`, the URI that the document gives itself. */
  readonly self?: string | undefined;
  readonly sources: readonly SourceDescription[];
  /** The documents of its sources of type `arazzo`, by the name of the source. */
  readonly imports: ReadonlyMap<string, ArazzoDocument>;
  readonly workflows: readonly Workflow[];
  readonly locator: Locator;
  /** Makes an error with a place in the file. */
  fault(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** A document that the workflows use (Source Description Object). */
export interface SourceDescription {
  readonly name: string;
  /** A URI reference, as written. */
  readonly url: string;
  readonly type: 'openapi' | 'arazzo' | 'asyncapi';
  readonly pointer: Pointer;
}

/** A workflow, with the defaults of its steps already merged into them. */
export interface Workflow {
  readonly id: string;
  /** The JSON Schema of the inputs, with local references resolved at its top level. */
  readonly inputs?: JsonObject | undefined;
  readonly dependsOn: readonly string[];
  readonly steps: readonly WorkflowStep[];
  readonly outputs: Outputs;
  readonly pointer: Pointer;
}

/** Names and the expressions or selectors of their values. */
export type Outputs = readonly (readonly [name: string, value: JsonValue])[];

/** What a step calls. */
export type StepTarget =
  | { readonly kind: 'operationId' | 'operationPath' | 'workflowId'; readonly name: string }
  /** A channel of an AsyncAPI document, which vouch does not call. */
  | { readonly kind: 'channelPath'; readonly name: string };

/** One step of a workflow (Step Object). */
export interface WorkflowStep {
  readonly id: string;
  readonly target: StepTarget;
  readonly parameters: readonly StepParameter[];
  readonly body?: StepBody;
  readonly criteria: readonly Criterion[];
  readonly onSuccess: readonly StepAction[];
  readonly onFailure: readonly StepAction[];
  readonly outputs: Outputs;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  /** The ids of steps that must be complete before. */
  readonly dependsOn: readonly string[];
  readonly pointer: Pointer;
}

/** A value that a step passes; without `in`, an input of a workflow. */
export interface StepParameter {
  readonly name: string;
  readonly in?: (typeof parameterIns)[number];
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

/** The places of parameters (Parameter Object). */
export const parameterIns = ['path', 'query', 'querystring', 'header', 'cookie'] as const;

/** The body that a step sends (Request Body Object). */
export interface StepBody {
  readonly contentType?: string | undefined;
  /** Undefined if only the replacements say what is sent. */
  readonly payload?: JsonValue | undefined;
  readonly replacements: readonly Replacement[];
  readonly pointer: Pointer;
}

/** A value to set in a payload; `target` is a JSON Pointer or a JSONPath. */
export interface Replacement {
  readonly target: string;
  readonly by: 'jsonpointer' | 'jsonpath' | 'xpath';
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

/** An assertion about the exchange of a step (Criterion Object). */
export interface Criterion {
  readonly type: 'simple' | 'regex' | 'jsonpath' | 'xpath';
  /** As written. */
  readonly condition: string;
  /** A runtime expression. */
  readonly context?: string;
  /** The parsed condition of a simple criterion. */
  readonly simple?: Condition;
  readonly pointer: Pointer;
}

/** A parsed simple condition (Arazzo 1.1, Criterion Object). */
export type Condition =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'expression'; readonly text: string; readonly expression: Expression }
  | { readonly kind: 'not'; readonly operand: Condition }
  /** A member or an item of a value. */
  | { readonly kind: 'member'; readonly of: Condition; readonly name: string }
  | {
      readonly kind: 'operator';
      readonly operator: Operator;
      readonly left: Condition;
      readonly right: Condition;
    };

/** A binary operator of a condition. */
export type Operator = '&&' | '||' | '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What follows a step (Success Action Object and Failure Action Object). */
export interface StepAction {
  readonly name: string;
  readonly type: 'end' | 'goto' | 'retry';
  readonly workflowId?: string | undefined;
  readonly stepId?: string | undefined;
  /** Inputs of the workflow that it goes to. */
  readonly parameters: readonly StepParameter[];
  /** In seconds. */
  readonly retryAfter: number;
  readonly retryLimit: number;
  readonly criteria: readonly Criterion[];
  readonly pointer: Pointer;
}
