import { sentForm } from '../../../contract/model/operation.ts';
import { readOperationPath } from '../../../arazzo/expression.ts';
import type { ArazzoDocument, Workflow, WorkflowStep } from '../../../arazzo/model.ts';
import { actionsOf, valuesOf } from '../../../arazzo/refuse-unknown-names.ts';
import { readSelector } from '../../../arazzo/select.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { isSameName } from '../../../http/message.ts';
import { isWithin, joinPointer, type Pointer } from '../../../json/pointer.ts';
import { suggestWord } from '../../../errors.ts';

/** A workflow whose steps have their operations. */
export interface LinkedWorkflow {
  readonly document: ArazzoDocument;
  readonly workflow: Workflow;
  readonly steps: readonly LinkedStep[];
  /** Why it is not run, as a clause: what it calls cannot be, or must not be called. */
  readonly obstacle?: string | undefined;
}

export interface LinkedStep {
  readonly step: WorkflowStep;
  readonly call:
    | { readonly kind: 'operation'; readonly operation: Operation }
    | { readonly kind: 'workflow'; readonly workflow: string }
    | { readonly kind: 'nothing' };
}

/** What decides whether a workflow may be run. */
export interface LinkRules {
  readonly contract: Contract;
  /** Why the run must not send an operation, even by the name of a workflow; as a clause. */
  forbids(operation: Operation): string | undefined;
}

/** The workflows of a run: all of the given files, and those that they refer to. */
export class WorkflowLinks {
  readonly #rules: LinkRules;
  readonly #known = new Map<Workflow, LinkedWorkflow>();
  /** The workflows of the files, each after those that it depends on. */
  readonly all: readonly LinkedWorkflow[];

  /**
   * Links every workflow. Throws a VouchError (`workflow-invalid`) with a place for names that
   * nothing has, and for XPath.
   */
  constructor(files: readonly ArazzoDocument[], rules: LinkRules) {
    this.#rules = rules;
    const ordered = new Set<LinkedWorkflow>();
    for (const document of files)
      for (const workflow of document.workflows) this.#order(document, workflow, ordered, []);
    this.all = [...ordered];
  }

  /** The operations that the workflows call which are run. */
  get operations(): ReadonlySet<Operation> {
    const called = this.all
      .filter((flow) => this.obstacleOf(flow) === undefined)
      .flatMap((flow) => [...this.#reachable(flow)].flatMap(({ steps }) => steps))
      .flatMap(({ call }) => (call.kind === 'operation' ? [call.operation] : []));
    return new Set(called);
  }

  /** Why a workflow is not run: because of itself, or of one that it may run; as a clause. */
  obstacleOf(flow: LinkedWorkflow): string | undefined {
    for (const one of this.#reachable(flow)) if (one.obstacle !== undefined) return one.obstacle;
    return undefined;
  }

  /** The workflow of a name that a document uses; undefined if it has none. */
  find(document: ArazzoDocument, name: string): LinkedWorkflow | undefined {
    const [, source, id] = /^\$sourceDescriptions\.([\w-]+)\.(.+)$/s.exec(name) ?? [];
    const owner = source === undefined ? document : document.imports.get(source);
    const found = owner?.workflows.find((workflow) => workflow.id === (id ?? name));
    return owner === undefined || found === undefined ? undefined : this.#link(owner, found);
  }

  #order(
    document: ArazzoDocument,
    workflow: Workflow,
    ordered: Set<LinkedWorkflow>,
    path: readonly Workflow[],
  ): void {
    const at = joinPointer(workflow.pointer, 'dependsOn');
    if (path.includes(workflow))
      throw document.fault(at, `The workflow ${workflow.id} depends on itself.`);
    const linked = this.#link(document, workflow);
    for (const name of workflow.dependsOn) {
      const other = this.find(document, name);
      if (other === undefined) throw unknownWorkflow(document, name, at);
      this.#order(other.document, other.workflow, ordered, [...path, workflow]);
    }
    ordered.add(linked);
  }

  #link(document: ArazzoDocument, workflow: Workflow): LinkedWorkflow {
    const known = this.#known.get(workflow);
    if (known !== undefined) return known;
    const steps: LinkedStep[] = [];
    const linking = new StepLinking(document, workflow, this.#rules.contract);
    let obstacle: string | undefined;
    for (const step of workflow.steps) {
      const { call, obstacle: own } = linking.link(step);
      obstacle ??= own ?? this.#whyForbidden(step, call);
      steps.push({ step, call });
    }
    const linked = { document, workflow, steps, obstacle };
    this.#known.set(workflow, linked);
    this.#refuseUnknown(linked);
    return linked;
  }

  #whyForbidden(step: WorkflowStep, call: LinkedStep['call']): string | undefined {
    const why = call.kind === 'operation' ? this.#rules.forbids(call.operation) : undefined;
    if (call.kind !== 'operation' || why === undefined) return undefined;
    const { method, path } = sentForm(call.operation);
    return `its step ${step.id} sends ${method} ${path}, and ${why}`;
  }

  #refuseUnknown({ document, steps }: LinkedWorkflow): void {
    for (const { step, call } of steps) {
      const at = joinPointer(step.pointer, 'workflowId');
      if (call.kind === 'workflow' && this.find(document, call.workflow) === undefined)
        throw unknownWorkflow(document, call.workflow, at);
      for (const action of actionsOf(step))
        if (action.workflowId !== undefined && !this.find(document, action.workflowId))
          throw unknownWorkflow(
            document,
            action.workflowId,
            joinPointer(action.pointer, 'workflowId'),
          );
    }
  }

  #reachable(flow: LinkedWorkflow): Set<LinkedWorkflow> {
    const reached = new Set([flow]);
    // A set yields what is added while it is read.
    for (const { document, steps } of reached) {
      const found = steps.flatMap(calledBy).map((name) => this.find(document, name));
      for (const next of found) if (next !== undefined) reached.add(next);
    }
    return reached;
  }
}

/** The names of the workflows that a step may run. */
function calledBy({ step, call }: LinkedStep): readonly string[] {
  const names = actionsOf(step).flatMap(({ workflowId }) => workflowId ?? []);
  return call.kind === 'workflow' ? [call.workflow, ...names] : names;
}

function unknownWorkflow(document: ArazzoDocument, name: string, at: Pointer): Error {
  const [, source] = /^\$sourceDescriptions\.([\w-]+)\./.exec(name) ?? [];
  const owner = source === undefined ? document : document.imports.get(source);
  const known = owner?.workflows.map(({ id }) => id) ?? [];
  return document.fault(at, `There is no workflow ${name}.`, suggestWord(name, known));
}

interface StepLink {
  readonly call: LinkedStep['call'];
  readonly obstacle?: string;
}

/** Finds what the steps of one workflow call. */
class StepLinking {
  readonly #document: ArazzoDocument;
  readonly #workflow: Workflow;
  readonly #contract: Contract;

  constructor(document: ArazzoDocument, workflow: Workflow, contract: Contract) {
    this.#document = document;
    this.#workflow = workflow;
    this.#contract = contract;
  }

  link(step: WorkflowStep): StepLink {
    this.#refuseXPath(step);
    const { target } = step;
    if (target.kind === 'workflowId') return { call: { kind: 'workflow', workflow: target.name } };
    if (target.kind === 'channelPath')
      return {
        call: { kind: 'nothing' },
        obstacle: `its step ${step.id} uses a channel of AsyncAPI, and vouch sends only HTTP`,
      };
    const link =
      target.kind === 'operationId'
        ? this.#byId(step, target.name)
        : this.#byPath(step, target.name);
    if (link.call.kind === 'operation') this.#checkParameters(step, link.call.operation);
    return link;
  }

  #byId(step: WorkflowStep, name: string): StepLink {
    const [, source, id = name] = /^\$sourceDescriptions\.([\w-]+)\.(.+)$/s.exec(name) ?? [];
    const at = joinPointer(step.pointer, 'operationId');
    const elsewhere = source === undefined ? undefined : this.#elsewhere(source, step, at);
    if (elsewhere !== undefined) return elsewhere;
    const { operations, file } = this.#contract;
    const operation = operations.find((one) => one.id === id);
    if (operation !== undefined) return { call: { kind: 'operation', operation } };
    if (source === undefined && this.#document.sources.length > 1)
      return this.#obstacle(step, `the operation ${id}, which ${file} does not have`);
    const known = operations.map((one) => one.id);
    throw this.#document.fault(at, `${file} has no operation ${id}.`, suggestWord(id, known));
  }

  #byPath(step: WorkflowStep, text: string): StepLink {
    const at = joinPointer(step.pointer, 'operationPath');
    const read = readOperationPath(text);
    if (read === undefined)
      throw this.#document.fault(
        at,
        `The operationPath ${text} cannot be read.`,
        "Write '{$sourceDescriptions.NAME.url}#/paths/~1pets/get'.",
      );
    const elsewhere = this.#elsewhere(read.source, step, at);
    if (elsewhere !== undefined) return elsewhere;
    const [root, path = '', method] = read.tokens;
    const here = this.#contract.operations.filter((one) => root === 'paths' && one.path === path);
    const [operation, second] = here.filter(
      (one) => method === undefined || one.method.toLowerCase() === method.toLowerCase(),
    );
    if (operation !== undefined && second === undefined)
      return { call: { kind: 'operation', operation } };
    const hint =
      here.length === 0
        ? suggestWord(path, [...new Set(this.#contract.operations.map((one) => one.path))])
        : `It has the methods ${here.map((one) => one.method.toLowerCase()).join(', ')}.`;
    const message = `${this.#contract.file} has no one operation at ${path}.`;
    throw this.#document.fault(at, message, hint);
  }

  /** The link of a step whose source is not the contract of the run; undefined if it is. */
  #elsewhere(name: string, step: WorkflowStep, at: Pointer): StepLink | undefined {
    const { sources, fault } = this.#document;
    const source = sources.find((one) => one.name === name);
    if (source === undefined) {
      const known = sources.map((one) => one.name);
      throw fault(at, `There is no source description ${name}.`, suggestWord(name, known));
    }
    const described = sources.filter(({ type }) => type === 'openapi');
    const isOther = described.length > 1 && baseName(source.url) !== baseName(this.#contract.file);
    return source.type === 'openapi' && !isOther
      ? undefined
      : this.#obstacle(step, `the source ${name}, and the run checks ${this.#contract.file}`);
  }

  #obstacle(step: WorkflowStep, what: string): StepLink {
    return { call: { kind: 'nothing' }, obstacle: `its step ${step.id} uses ${what}` };
  }

  #checkParameters(step: WorkflowStep, { id, path, parameters }: Operation): void {
    const { fault } = this.#document;
    for (const { name, in: place, pointer } of step.parameters) {
      // Other header fields and cookies may be sent to any operation.
      if (place === undefined || place === 'header' || place === 'cookie') continue;
      // What the workflow gives all its steps counts where an operation has such a parameter.
      if (isWithin(pointer, joinPointer(this.#workflow.pointer, 'parameters'))) continue;
      if (place === 'querystring')
        throw fault(pointer, 'vouch does not send a whole query string.', 'Write in: query.');
      const known = parameters.filter((one) => one.in === place).map((one) => one.name);
      if (!known.includes(name))
        throw fault(
          pointer,
          `The operation ${id} has no ${place} parameter ${name}.`,
          suggestWord(name, known),
        );
    }
    const given = step.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const lacking = [...path.matchAll(/\{([^{}]+)\}/g)].find(
      ([, name = '']) => !given.some((one) => isSameName(one, name)),
    );
    if (lacking !== null && lacking !== undefined)
      throw fault(
        step.pointer,
        `The step ${step.id} gives no value for ${lacking[1] ?? ''} in ${path}.`,
        `Add the parameter: { name: ${lacking[1] ?? ''}, in: path, value: … }`,
      );
  }

  #refuseXPath(step: WorkflowStep): void {
    const criteria = [...step.criteria, ...actionsOf(step).flatMap((action) => action.criteria)];
    const pointer =
      criteria.find(({ type }) => type === 'xpath')?.pointer ??
      step.body?.replacements.find(({ by }) => by === 'xpath')?.pointer ??
      valuesOf(step).find(([value]) => readSelector(value)?.by === 'xpath')?.[1];
    if (pointer !== undefined)
      throw this.#document.fault(
        pointer,
        'vouch does not evaluate XPath.',
        'Write a criterion of type regex for XML, and of type jsonpath for JSON.',
      );
  }
}

function baseName(path: string): string {
  return (
    path
      .replace(/[?#].*$/s, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  );
}
