import { allHold } from '../../../arazzo/criterion.ts';
import { emptyScope, type Scope, type Values } from '../../../arazzo/expression.ts';
import type { StepAction, WorkflowStep } from '../../../arazzo/model.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { ExpressionFacts } from '../../../contract/runtime-expression.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { arrayOf, type JsonValue } from '../../../json/value.ts';
import { factsOf } from '../../reading/expression-facts.ts';
import { hash, type Sequence } from '../../model/case.ts';
import type { WorkflowStepSummary, WorkflowSummary } from '../../model/run-summary.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import type { RunLog } from '../send/run-log.ts';
import { readRetryAfter } from '../../transport/retry-send.ts';
import type { Wait } from '../../transport/send.ts';
import type { LinkedStep, LinkedWorkflow, WorkflowLinks } from './link-workflows.ts';
import type { Demand, OtherDemand } from './step-case.ts';
import { intentAsSent, makeStepCase, makeStepCriteria } from './step-case.ts';
import {
  fillInputs,
  fillOutputs,
  type Frame,
  inputsOf,
  otherDemand,
  placeOf,
  sentPart,
  shownId,
  traced,
} from './workflow-frame.ts';

/** What is needed to run workflows. */
export interface WorkflowContext {
  readonly links: WorkflowLinks;
  readonly contract: Contract;
  /** The values of inputs that the user gives, by name. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly sender: Sender;
  readonly log: RunLog;
  readonly wait: Wait;
  readonly clock: () => Date;
  /** Called after each exchange; the next request waits for the promise. */
  readonly onStep: () => Promise<void> | undefined;
}

/** The most steps of one workflow, with those that are repeated, and of workflows in one another. */
const maxSteps = 300;
const maxDepth = 20;
/** The longest pause before a retry. */
const longestPauseMs = 60_000;

/** The outputs of the workflows that are complete. */
type Completed = Map<string, { readonly inputs: Values; readonly outputs: Values }>;

/**
 * Runs every workflow once, in the order of their dependencies. The exchanges of each are judged as
 * one sequence of the run.
 */
export async function runWorkflows(context: WorkflowContext): Promise<WorkflowSummary[]> {
  const summaries = new Map<LinkedWorkflow, WorkflowSummary>();
  const completed: Completed = new Map();
  for (const flow of context.links.all) {
    const reason = whyNotRun(flow, context, summaries);
    summaries.set(
      flow,
      reason === undefined
        ? await new WorkflowRun(context, completed).run(flow)
        : { ...nameOf(flow), outcome: 'not-run', reason, durationMs: 0, steps: [] },
    );
  }
  return [...summaries.values()];
}

function nameOf({ document, workflow }: LinkedWorkflow): Pick<WorkflowSummary, 'id' | 'place'> {
  return { id: workflow.id, place: document.locator.locate(workflow.pointer) };
}

/** Why a workflow is not begun, as a clause. */
function whyNotRun(
  flow: LinkedWorkflow,
  { links, inputs, sender }: WorkflowContext,
  before: ReadonlyMap<LinkedWorkflow, WorkflowSummary>,
): string | undefined {
  const obstacle = links.obstacleOf(flow);
  if (obstacle !== undefined) return obstacle;
  if (sender.signals.stop.aborted) return 'the run ended before';
  const { workflow, document } = flow;
  const failed = workflow.dependsOn.find((name) => {
    const other = links.find(document, name);
    return other !== undefined && before.get(other)?.outcome !== 'passed';
  });
  if (failed !== undefined) return `the workflow ${failed}, on which it depends, did not pass`;
  const known = inputsOf(flow, new Map(Object.entries(inputs).map(traced)));
  const required = workflow.inputs?.['required'];
  const lacking = arrayOf(required).find((name) => typeof name === 'string' && !known.has(name));
  return lacking === undefined
    ? undefined
    : `its input ${String(lacking)} has no value; --input ${String(lacking)}=VALUE gives one`;
}

/** What a failed step demanded, and the step of the sequence that did not meet it. */
interface Blame {
  readonly index: number;
  readonly demand: Demand;
}

/** How a step or a workflow ended. `unsent`: as a clause, why a request was not sent. */
type Ending =
  | { readonly kind: 'passed'; readonly outputs: Values }
  | { readonly kind: 'failed'; readonly outputs: Values; readonly blames: readonly Blame[] }
  | { readonly kind: 'unsent'; readonly reason: string };

/** What follows a step: the next one, a step by its index, or the end of the workflow. */
type Next = { readonly kind: 'step'; readonly index: number } | { readonly kind: 'end' } | Ending;

/** Where an action of a workflow is taken. */
interface ActionPlace {
  readonly linked: LinkedStep;
  readonly index: number;
  readonly frame: Frame;
  readonly scope: Scope;
}

class WorkflowRun {
  readonly #context: WorkflowContext;
  readonly #completed: Completed;
  readonly #steps: Step[] = [];
  readonly #shown: WorkflowStepSummary[] = [];
  readonly #titles = new Map<string, number>();
  #executed = 0;

  constructor(context: WorkflowContext, completed: Completed) {
    this.#context = context;
    this.#completed = completed;
  }

  async run(flow: LinkedWorkflow): Promise<WorkflowSummary> {
    const { log, clock, inputs } = this.#context;
    const began = clock().getTime();
    const sequence = sequenceOf(flow, []);
    const entry = log.open(sequence);
    const given = new Map(Object.entries(inputs).map(traced));
    const ending = await this.#runFlow(flow, inputsOf(flow, given), 0);
    if (ending.kind === 'failed') this.#blame(ending.blames);
    for (const step of this.#steps) entry.add(step);
    entry.close({ sequence: sequenceOf(flow, this.#steps), steps: this.#steps });
    const isPassed = ending.kind === 'passed';
    if (isPassed)
      this.#completed.set(flow.workflow.id, {
        inputs: inputsOf(flow, given),
        outputs: ending.outputs,
      });
    return {
      ...nameOf(flow),
      outcome: isPassed ? 'passed' : ending.kind === 'failed' ? 'failed' : 'not-run',
      ...(ending.kind === 'unsent' ? { reason: ending.reason } : {}),
      durationMs: clock().getTime() - began,
      steps: this.#shown,
    };
  }

  /** Gives the steps that failed the workflow what they demand, for the check to judge. */
  #blame(blames: readonly Blame[]): void {
    for (const { index, demand } of blames) {
      const step = this.#steps[index];
      if (step === undefined) continue;
      const criteria = makeStepCriteria(demand);
      this.#steps[index] = { ...step, case: { ...step.case, criteria } };
    }
  }

  async #runFlow(flow: LinkedWorkflow, inputs: Values, depth: number): Promise<Ending> {
    const frame: Frame = { flow, inputs, steps: new Map(), retries: new Map(), depth };
    if (depth > maxDepth)
      return this.#endless(frame, `${String(maxDepth)} workflows in one another`);
    let index = 0;
    while (index < flow.steps.length) {
      const linked = flow.steps[index];
      if (linked === undefined) break;
      if (this.#executed >= maxSteps) return this.#endless(frame, `${String(maxSteps)} steps`);
      this.#executed += 1;
      const next = await this.#perform(linked, index, frame);
      if (next.kind === 'end') break;
      if (next.kind !== 'step') return next;
      index = next.index;
    }
    return { kind: 'passed', outputs: this.#outputsOf(frame) };
  }

  #outputsOf(frame: Frame): Values {
    const { outputs } = frame.flow.workflow;
    return fillOutputs(outputs, this.#scope(frame, new Map()));
  }

  /** A workflow that goes round in circles. */
  #endless(frame: Frame, bound: string): Ending {
    const { id, pointer } = frame.flow.workflow;
    const message = `The workflow ${id} does not end within ${bound}.`;
    const expected = 'an end: its actions go back again and again';
    const blame = this.#otherBlame(frame, { pointer, cause: `${id} endless`, message, expected });
    return { kind: 'failed', outputs: new Map(), blames: blame };
  }

  /** The blame for what no criterion says, at the last exchange. */
  #otherBlame(
    { flow }: Frame,
    other: Pick<OtherDemand, 'cause' | 'message' | 'expected'> & { readonly pointer: Pointer },
    holds: OtherDemand['holds'] = { kind: 'never' },
  ): Blame[] {
    const { pointer, ...said } = other;
    const placed = placeOf(flow, pointer);
    const demand = {
      subject: '',
      criteria: [],
      scope: emptyScope,
      other: { ...said, ...placed, holds },
    };
    return this.#steps.length === 0 ? [] : [{ index: this.#steps.length - 1, demand }];
  }

  /** Executes a step and its actions. */
  async #perform(linked: LinkedStep, index: number, frame: Frame): Promise<Next> {
    const { step } = linked;
    const first = this.#shown.length;
    const done = await this.#execute(linked, frame);
    if (done.kind === 'unsent') return done;
    const scope = this.#scope(frame, done.kind === 'passed' ? done.outputs : new Map());
    const passes = done.kind === 'passed';
    for (const action of passes ? step.onSuccess : step.onFailure) {
      if (!allHold(action.criteria, scope)) continue;
      const next = await this.#act(action, { linked, index, frame, scope });
      if (next === undefined) continue;
      if (!passes && next.kind === 'step') this.#markHandled(first, action);
      // To end is no way to handle a failure.
      return next.kind === 'end' && done.kind === 'failed' ? done : next;
    }
    return done.kind === 'failed' ? done : { kind: 'step', index: index + 1 };
  }

  #markHandled(first: number, { type }: StepAction): void {
    for (let at = first; at < this.#shown.length; at += 1) {
      const shown = this.#shown[at];
      const outcome = type === 'retry' ? 'retried' : 'handled';
      if (shown?.outcome === 'failed') this.#shown[at] = { ...shown, outcome };
    }
  }

  /** What an action leads to; undefined if its retries are exhausted. */
  async #act(action: StepAction, at: ActionPlace): Promise<Next | undefined> {
    const { frame, index, scope } = at;
    if (action.type === 'end') return { kind: 'end' };
    if (action.type === 'retry') return this.#retry(action, at);
    if (action.workflowId !== undefined) return this.#goTo(action, frame, scope);
    const target = frame.flow.steps.findIndex(({ step }) => step.id === action.stepId);
    return { kind: 'step', index: target < 0 ? index + 1 : target };
  }

  async #goTo(
    { workflowId = '', parameters }: StepAction,
    frame: Frame,
    scope: Scope,
  ): Promise<Ending> {
    const { links } = this.#context;
    const flow = links.find(frame.flow.document, workflowId);
    if (flow === undefined) return { kind: 'unsent', reason: `there is no workflow ${workflowId}` };
    const given = parameters.length === 0 ? frame.inputs : fillInputs(parameters, scope);
    return this.#runFlow(flow, inputsOf(flow, given), frame.depth + 1);
  }

  async #retry(
    action: StepAction,
    { linked, index, frame, scope }: ActionPlace,
  ): Promise<Next | undefined> {
    const key = `${linked.step.id} ${action.name}`;
    const before = frame.retries.get(key) ?? 0;
    if (before >= action.retryLimit) return undefined;
    frame.retries.set(key, before + 1);
    if (!(await this.#pause(action.retryAfter))) return { kind: 'unsent', reason: runEnded };
    if (action.workflowId !== undefined) {
      const called = await this.#goTo(action, frame, scope);
      if (called.kind === 'unsent') return called;
    }
    const other = frame.flow.steps.find(({ step }) => step.id === action.stepId);
    if (other !== undefined && other !== linked) {
      const helped = await this.#execute(other, frame);
      if (helped.kind === 'unsent') return helped;
    }
    return { kind: 'step', index };
  }

  /** Waits for a retry; answers whether the run goes on. */
  async #pause(seconds: number): Promise<boolean> {
    const { sender, wait, clock } = this.#context;
    const { response } = this.#steps.at(-1)?.exchange ?? {};
    const asked = response && readRetryAfter(response, clock());
    const pause = Math.min(asked ?? seconds * 1_000, longestPauseMs);
    const { stop } = sender.signals;
    if (stop.aborted) return false;
    if (pause <= 0) return true;
    return wait(pause, stop).then(
      () => true,
      () => false,
    );
  }

  async #execute(linked: LinkedStep, frame: Frame): Promise<Ending> {
    const { call, step } = linked;
    if (call.kind === 'operation') return this.#send(step, call.operation, frame);
    if (call.kind === 'nothing') return { kind: 'unsent', reason: 'it calls nothing' };
    const flow = this.#context.links.find(frame.flow.document, call.workflow);
    if (flow === undefined) return { kind: 'unsent', reason: `there is no ${call.workflow}` };
    const given = fillInputs(step.parameters, this.#scope(frame, new Map()));
    const ending = await this.#runFlow(flow, inputsOf(flow, given), frame.depth + 1);
    if (ending.kind !== 'passed') return ending;
    return this.#conclude(step, frame, ending.outputs);
  }

  async #send(step: WorkflowStep, operation: Operation, frame: Frame): Promise<Ending> {
    const { sender, contract, onStep } = this.#context;
    const role = roleOf(contract, operation);
    const identifier = role?.action === 'create' ? role.resource.identifier.field : undefined;
    const title = this.#titleOf(step, frame);
    const scope = this.#scope(frame, new Map());
    const earlier = this.#steps;
    const made = makeStepCase({ step, operation, title, scope, earlier, identifier });
    if (!made.ok) return this.#missing(step, made.missing, frame);
    const cases = [...earlier.map((one) => one.case), made.case];
    const sequence = { ...sequenceOf(frame.flow, []), cases };
    const { steps, unsent } = await executeSequence(sequence, sender, { earlier });
    const sent = steps.at(-1);
    if (unsent !== undefined || sent === undefined || steps.length === earlier.length)
      return this.#unsent(step, unsent?.reason ?? runEnded, frame);
    this.#steps.push({ ...sent, case: { ...sent.case, intent: intentAsSent(sent) } });
    await onStep();
    return this.#conclude(step, frame, new Map());
  }

  #titleOf({ id }: WorkflowStep, { flow }: Frame): string {
    const title = `step ${id} of the workflow ${flow.workflow.id}`;
    const count = (this.#titles.get(title) ?? 0) + 1;
    this.#titles.set(title, count);
    return count === 1 ? title : `${title}, attempt ${String(count)}`;
  }

  #unsent({ id }: WorkflowStep, why: string, frame: Frame): Ending {
    const reason = `its step ${id} was not sent: ${why}`;
    this.#shown.push({ id: shownId(id, frame), outcome: 'failed', reason: why });
    return { kind: 'unsent', reason };
  }

  /** A step whose request needs a value that no earlier response showed. */
  #missing(step: WorkflowStep, expression: string, frame: Frame): Ending {
    const why = `${expression} has no value`;
    if (this.#steps.length === 0) return this.#unsent(step, why, frame);
    this.#shown.push({ id: shownId(step.id, frame), outcome: 'failed', reason: why });
    const { id } = frame.flow.workflow;
    const message = `The step ${step.id} of the workflow ${id} cannot be sent: ${why}.`;
    const expected = `a response from which ${expression} can be read`;
    const { pointer } = step;
    const cause = `${id} ${step.id} needs ${expression}`;
    const blames = this.#otherBlame(frame, { pointer, cause, message, expected });
    return { kind: 'failed', outputs: new Map(), blames };
  }

  /** Judges a step by its criteria, and keeps its outputs. */
  #conclude(step: WorkflowStep, frame: Frame, outputs: Values): Ending {
    const scope = this.#scope(frame, outputs);
    const own = fillOutputs(step.outputs, scope);
    frame.steps.set(step.id, new Map([...(frame.steps.get(step.id) ?? []), ...own]));
    const last = this.#steps.at(-1);
    const isCall = step.target.kind === 'workflowId';
    const demand = this.#demandOf(step, frame, scope);
    const facts = last && factsOf(last);
    const failed = makeStepCriteria(demand).failures(facts, (title) => this.#factsOf(title));
    const shown = { id: shownId(step.id, frame), ...(isCall ? {} : sentPart(last)) };
    const reason = failed.map(({ message }) => message).join(' ');
    this.#shown.push(
      failed.length === 0
        ? { ...shown, outcome: 'passed' }
        : { ...shown, outcome: 'failed', reason },
    );
    if (failed.length === 0) return { kind: 'passed', outputs: own };
    const blames = [{ index: this.#steps.length - 1, demand }];
    return { kind: 'failed', outputs: own, blames };
  }

  #factsOf(title: string): ExpressionFacts | undefined {
    const step = this.#steps.findLast((one) => one.case.title === title);
    return step && factsOf(step);
  }

  #demandOf(step: WorkflowStep, frame: Frame, scope: Scope): Demand {
    const { flow } = frame;
    const subject = `the step ${step.id} of the workflow ${flow.workflow.id}`;
    const { facts: _facts, at: _at, ...known } = scope;
    // A step that is executed again has other outputs.
    const rest = { ...known, steps: new Map(known.steps) };
    const criteria = step.criteria.map((criterion) => ({
      criterion,
      ...placeOf(flow, joinPointer(criterion.pointer, 'condition')),
    }));
    const { durationMs } = this.#steps.at(-1)?.exchange ?? { durationMs: 0 };
    const other = otherDemand(step, { flow, subject, durationMs });
    return { subject, criteria, scope: rest, other };
  }

  /** What the expressions of a workflow can refer to, after its last exchange. */
  #scope({ flow, inputs, steps }: Frame, outputs: Values): Scope {
    const last = this.#steps.at(-1);
    const facts = last && factsOf(last);
    const { sources, self } = flow.document;
    return {
      inputs,
      outputs,
      steps,
      workflows: this.#completed,
      sources: new Map(sources.map(({ name, url, type }) => [name, { name, url, type }])),
      self,
      facts,
      at: last?.case.title,
    };
  }
}

const runEnded = 'the run ended before';

function sequenceOf({ document, workflow }: LinkedWorkflow, steps: readonly Step[]): Sequence {
  const id = hash(`workflow ${document.file} ${workflow.id}`);
  return { id, cases: steps.map((step) => step.case), workflow: workflow.id };
}
