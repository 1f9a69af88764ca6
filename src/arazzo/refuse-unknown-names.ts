import { joinPointer, type Pointer } from '../json/pointer.ts';
import { type JsonValue, objectOf } from '../json/value.ts';
import { suggestWord } from '../errors.ts';
import { expressionsOfCriterion } from './criterion.ts';
import { expressionsIn, parseExpression, textsIn } from './expression.ts';
import type { Outputs, StepAction, Workflow, WorkflowStep } from './model.ts';
import type { FaultAt } from '../contract/locate.ts';

/**
 * Throws the fault of the first runtime expression that names a step, an output or an input that
 * its document does not define (Arazzo 1.1, section Runtime Expressions): it would have no value in
 * any run.
 */
export function refuseUnknownNames(workflows: readonly Workflow[], fault: FaultAt): void {
  for (const workflow of workflows) {
    const names = new Names(workflow, workflows, fault);
    for (const step of workflow.steps)
      for (const [text, at] of textsOf(step)) names.refuseUnknown(text, at);
    for (const [value, at] of outputsOf(workflow))
      for (const [text, place] of textsIn(value, at)) names.refuseUnknown(text, place);
  }
}

/** The names that the expressions of one workflow can use. */
class Names {
  readonly #own: Workflow;
  readonly #all: readonly Workflow[];
  readonly #fault: FaultAt;

  constructor(own: Workflow, all: readonly Workflow[], fault: FaultAt) {
    this.#own = own;
    this.#all = all;
    this.#fault = fault;
  }

  /** Throws for an unknown name in a text, whose place is known. */
  refuseUnknown(text: string, at: Pointer): void {
    for (const written of expressionsIn(text)) {
      const expression = parseExpression(written);
      if (expression?.kind === 'steps') this.#ofStep(expression, at);
      if (expression?.kind === 'inputs') this.#input(expression.name, at);
      if (expression?.kind === 'workflows') this.#ofWorkflow(expression, at);
    }
  }

  #ofStep({ step: id, name }: { readonly step: string; readonly name: string }, at: Pointer): void {
    const { steps } = this.#own;
    const step = steps.find((one) => one.id === id);
    if (step === undefined) {
      const known = steps.map((one) => one.id);
      throw this.#fault(at, `The workflow has no step ${id}.`, suggestWord(id, known));
    }
    const known = this.#outputsOf(step);
    if (known !== undefined)
      this.#output(name, { owner: `The step ${id}`, outputs: known, example: exampleOf(step) }, at);
  }

  /** A step that calls a workflow also has its outputs; those of another document are not known. */
  #outputsOf({ target, outputs }: WorkflowStep): Outputs | undefined {
    if (target.kind !== 'workflowId') return outputs;
    const called = this.#all.find(({ id }) => id === target.name);
    return called && [...outputs, ...called.outputs];
  }

  #ofWorkflow(
    { workflow: id, of, name }: { workflow: string; of: 'inputs' | 'outputs'; name: string },
    at: Pointer,
  ): void {
    const workflow = this.#all.find((one) => one.id === id);
    if (workflow === undefined) {
      const known = this.#all.map((one) => one.id);
      throw this.#fault(at, `There is no workflow ${id}.`, suggestWord(id, known));
    }
    if (of === 'inputs') return;
    const { outputs } = workflow;
    this.#output(name, { owner: `The workflow ${id}`, outputs, example: '$steps.…' }, at);
  }

  #output(
    name: string,
    { owner, outputs, example }: { owner: string; outputs: Outputs; example: string },
    at: Pointer,
  ): void {
    const known = outputs.map(([one]) => one);
    if (name === '' || isKnown(name, known)) return;
    throw this.#fault(
      at,
      `${owner} has no output ${name}.`,
      known.length === 0
        ? `It has no outputs; add this one: outputs: { ${name}: ${example} }`
        : suggestWord(name, known),
    );
  }

  #input(name: string, at: Pointer): void {
    const properties = this.#own.inputs?.['properties'];
    const known = Object.keys(objectOf(properties));
    if (name === '' || known.length === 0 || isKnown(name, known)) return;
    throw this.#fault(at, `The workflow has no input ${name}.`, suggestWord(name, known));
  }
}

/** Names may have dots, and what follows a known name are members of its value. */
function isKnown(name: string, known: readonly string[]): boolean {
  return known.some((one) => name === one || name.startsWith(`${one}.`));
}

function exampleOf({ target }: WorkflowStep): string {
  return target.kind === 'workflowId' ? '$outputs.…' : '$response.body#/…';
}

/** The values of a step in which selectors may stand, with their places. */
export function valuesOf(step: WorkflowStep): [JsonValue, Pointer][] {
  return [
    ...step.parameters.map((one): [JsonValue, Pointer] => [one.value, one.pointer]),
    ...(step.body?.replacements ?? []).map((one): [JsonValue, Pointer] => [one.value, one.pointer]),
    ...outputsOf(step),
  ];
}

function outputsOf({
  outputs,
  pointer,
}: Pick<Workflow, 'outputs' | 'pointer'>): [JsonValue, Pointer][] {
  return outputs.map(([name, value]) => [value, joinPointer(pointer, 'outputs', name)]);
}

/** The actions that may follow a step. */
export function actionsOf({ onSuccess, onFailure }: WorkflowStep): readonly StepAction[] {
  return [...onSuccess, ...onFailure];
}

/** The texts of a step in which expressions may stand, with their places. */
function* textsOf(step: WorkflowStep): Generator<readonly [string, Pointer]> {
  for (const [value, at] of valuesOf(step)) yield* textsIn(value, at);
  if (step.body?.payload !== undefined)
    yield* textsIn(step.body.payload, joinPointer(step.body.pointer, 'payload'));
  const actions = actionsOf(step);
  for (const criterion of [...step.criteria, ...actions.flatMap(({ criteria }) => criteria)])
    for (const text of expressionsOfCriterion(criterion)) yield [text, criterion.pointer];
  for (const { parameters } of actions)
    for (const { value, pointer } of parameters) yield* textsIn(value, pointer);
}
