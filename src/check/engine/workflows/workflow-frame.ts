import type { Scope, Traced, Values } from '../../../arazzo/expression.ts';
import type { StepParameter, WorkflowStep } from '../../../arazzo/model.ts';
import { fillValue } from '../../../arazzo/payload.ts';
import { parseJson } from '../../../json/parse-json.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonArray, memberOf, objectOf, type JsonValue } from '../../../json/value.ts';
import type { WorkflowStepSummary } from '../../model/run-summary.ts';
import type { Step } from '../../model/step.ts';
import type { LinkedWorkflow } from './link-workflows.ts';
import type { OtherDemand } from './step-case.ts';

/** An input by its name, as a value that no exchange showed. */
export function traced([name, value]: readonly [string, JsonValue]): readonly [string, Traced] {
  return [name, { value }];
}

/**
 * The inputs of a workflow: what is given, and the defaults of its schema. A text is read as JSON
 * where the schema wants no text, because a command line has only texts.
 */
export function inputsOf({ workflow }: LinkedWorkflow, given: Values): Values {
  const properties = workflow.inputs?.['properties'];
  const typed = [...given].map(([name, known]) => {
    const type = memberOf(memberOf(properties, name), 'type') ?? 'string';
    const isText = typeof known.value !== 'string' || type === 'string' || isJsonArray(type);
    const reading = isText ? undefined : parseJson(String(known.value));
    return reading?.ok === true ? traced([name, reading.value]) : ([name, known] as const);
  });
  const defaults = Object.entries(objectOf(properties)).flatMap(([name, schema]) => {
    const value = memberOf(schema, 'default');
    return value === undefined ? [] : [traced([name, value])];
  });
  return new Map([...defaults, ...typed]);
}

/** One workflow while it runs: its inputs, and the outputs of its steps so far. */
export interface Frame {
  readonly flow: LinkedWorkflow;
  readonly inputs: Values;
  readonly steps: Map<string, Values>;
  /** How often an action has retried a step. */
  readonly retries: Map<string, number>;
  readonly depth: number;
}

/** The name of a step in a report. */
export function shownId(id: string, { flow, depth }: Frame): string {
  return depth === 0 ? id : `${flow.workflow.id}/${id}`;
}

/** What a report says of the exchange of a step. */
export function sentPart(step: Step | undefined): Partial<WorkflowStepSummary> {
  if (step === undefined) return {};
  const { method, path } = step.case.operation;
  const { response, durationMs } = step.exchange;
  const operation = `${method} ${path}`;
  return { operation, durationMs, status: response?.status };
}

/** A place in the file of a workflow, with the lines around it. */
export function placeOf(
  { document: { locator } }: LinkedWorkflow,
  pointer: Pointer,
): Pick<OtherDemand, 'place' | 'frame'> {
  return { place: locator.locate(pointer), frame: locator.frame(pointer) };
}

/** The inputs that a step or an action passes to a workflow. */
export function fillInputs(parameters: readonly StepParameter[], scope: Scope): Values {
  return fillOutputs(
    parameters.map(({ name, value }) => [name, value] as const),
    scope,
  );
}

/** The values of outputs or inputs; those without a value are left out. */
export function fillOutputs(
  outputs: readonly (readonly [name: string, value: JsonValue])[],
  scope: Scope,
): Values {
  return new Map(
    outputs.flatMap(([name, value]): (readonly [string, Traced])[] => {
      const filling = fillValue(value, scope);
      if (filling.kind !== 'filled') return [];
      const origin = filling.filled.traces.find(({ at }) => at === '')?.origin;
      return [[name, { value: filling.filled.value, origin }]];
    }),
  );
}

/** A step that was sent: its workflow, its name in messages, and how long the response took. */
interface Called {
  readonly flow: LinkedWorkflow;
  readonly subject: string;
  readonly durationMs: number;
}

/** A step without criteria succeeds below 400; and each one ends within its timeout. */
export function otherDemand(
  step: WorkflowStep,
  { flow, subject, durationMs }: Called,
): OtherDemand | undefined {
  const placed = placeOf(flow, step.pointer);
  if (step.timeout !== undefined && durationMs > step.timeout) {
    const bound = `${String(step.timeout)} ms`;
    const message = `The response to ${subject} took longer than its timeout of ${bound}.`;
    const expected = `a response within ${bound}`;
    return {
      cause: `${subject} timeout`,
      message,
      expected,
      holds: { kind: 'never' },
      ...placed,
    };
  }
  if (step.criteria.length > 0 || step.target.kind === 'workflowId') return undefined;
  return {
    cause: `${subject} succeeds`,
    message: `The response to ${subject}, which has no criteria, is no success.`,
    expected: 'a status below 400',
    holds: { kind: 'status' },
    ...placed,
  };
}
