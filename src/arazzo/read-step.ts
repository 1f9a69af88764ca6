import { compilePattern } from '../contract/pattern/read-pattern.ts';
import type { FaultAt } from '../contract/locate.ts';
import { suggestWord, type VouchError } from '../errors.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../json/value.ts';
import { isFault, parseCondition } from './criterion.ts';
import { parseExpression } from './expression.ts';
import {
  type Criterion,
  type Outputs,
  parameterIns,
  type Replacement,
  type StepAction,
  type StepBody,
  type StepParameter,
  type StepTarget,
  type WorkflowStep,
} from './model.ts';
import { queryFault, readSelector } from './select.ts';

/** An object of the file whose members are read, with errors at their places. */
export class Members {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly fault: FaultAt;
  readonly #noun: string;

  /** Throws if the value is not an object, or has a member that is not known; `x-…` are allowed. */
  constructor(
    value: JsonValue,
    pointer: Pointer,
    { noun, known, fault }: { noun: string; known?: readonly string[]; fault: FaultAt },
  ) {
    if (!isJsonObject(value)) throw fault(pointer, `${noun} must be an object.`);
    this.value = value;
    this.pointer = pointer;
    this.fault = fault;
    this.#noun = noun;
    const stray = Object.keys(value).find(
      (name) => known?.includes(name) === false && !name.startsWith('x-'),
    );
    if (stray !== undefined)
      throw this.refuse(stray, `${noun} has no member ${stray}.`, suggestWord(stray, known ?? []));
  }

  refuse(name: string, message: string, hint?: string): VouchError {
    return this.fault(joinPointer(this.pointer, name), message, hint);
  }

  get(name: string): JsonValue | undefined {
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.refuse(name, `${name} must be a text.`);
  }

  need(name: string, hint?: string): string {
    const text = this.text(name);
    if (text !== undefined && text !== '') return text;
    throw this.fault(this.pointer, `${this.#noun} has no ${name}.`, hint);
  }

  number(name: string, otherwise: number): number {
    const value = this.get(name) ?? otherwise;
    if (typeof value === 'number' && value >= 0) return value;
    throw this.refuse(name, `${name} must be a number, and not below 0.`);
  }

  /** The items of a list with their places. */
  list(name: string): (readonly [item: JsonValue, pointer: Pointer])[] {
    const value = this.get(name) ?? [];
    if (!isJsonArray(value)) throw this.refuse(name, `${name} must be a list.`);
    const at = joinPointer(this.pointer, name);
    return value.map((item, index) => [item, joinPointer(at, index)] as const);
  }

  /** The members of an object with their places. */
  entries(name: string): (readonly [name: string, item: JsonValue, pointer: Pointer])[] {
    const value = this.get(name) ?? {};
    if (!isJsonObject(value)) throw this.refuse(name, `${name} must be an object.`);
    const at = joinPointer(this.pointer, name);
    return Object.entries(value).map(([key, item]) => [key, item, joinPointer(at, key)] as const);
  }
}

/** The objects that other parts of the document refer to (Components Object). */
export interface Components {
  readonly value: JsonObject;
  readonly fault: FaultAt;
}

/** What a workflow gives all its steps. */
export interface StepDefaults {
  readonly components: Components;
  readonly parameters: readonly StepParameter[];
  readonly onSuccess: readonly StepAction[];
  readonly onFailure: readonly StepAction[];
}

const stepMembers = (
  'stepId description operationId operationPath channelPath workflowId parameters ' +
  'requestBody successCriteria onSuccess onFailure outputs timeout correlationId ' +
  'action dependsOn'
).split(' ');

/** Reads a step; what it declares overrides the defaults of its workflow. */
export function readStep(value: JsonValue, pointer: Pointer, defaults: StepDefaults): WorkflowStep {
  const { components } = defaults;
  const { fault } = components;
  const members = new Members(value, pointer, { noun: 'A step', known: stepMembers, fault });
  const id = members.need('stepId', 'Name the step: stepId: create-item');
  const target = readTarget(members);
  members.text('description');
  const body = members.get('requestBody');
  const timeout = members.get('timeout') === undefined ? undefined : members.number('timeout', 0);
  const parameters = readParameters(members, components, target.kind === 'workflowId');
  const shared = target.kind === 'workflowId' ? [] : defaults.parameters;
  return {
    id,
    target,
    parameters: override(shared, parameters, (one) => `${one.in ?? ''} ${one.name}`),
    criteria: members.list('successCriteria').map(([item, at]) => readCriterion(item, at, fault)),
    onSuccess: override(
      defaults.onSuccess,
      readActions(members, 'onSuccess', components),
      ({ name }) => name,
    ),
    onFailure: override(
      defaults.onFailure,
      readActions(members, 'onFailure', components),
      ({ name }) => name,
    ),
    outputs: readOutputs(members),
    dependsOn: members.list('dependsOn').map(([item]) => String(item)),
    pointer,
    timeout,
    ...(body === undefined
      ? {}
      : { body: readBody(body, joinPointer(pointer, 'requestBody'), fault) }),
  };
}

/** What a step declares replaces the default of the same name; its own come first. */
function override<Item>(
  defaults: readonly Item[],
  own: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const taken = new Set(own.map(keyOf));
  return [...own, ...defaults.filter((item) => !taken.has(keyOf(item)))];
}

const targets = ['operationId', 'operationPath', 'workflowId', 'channelPath'] as const;

function readTarget(members: Members): StepTarget {
  const given = targets.filter((kind) => members.get(kind) !== undefined);
  const [kind, second] = given;
  if (kind === undefined)
    throw members.fault(
      members.pointer,
      'The step calls nothing.',
      'Add operationId, operationPath or workflowId.',
    );
  if (second !== undefined)
    throw members.refuse(second, `A step has either ${kind} or ${second}, not both.`);
  return { kind, name: members.need(kind) };
}

/** Reads the parameters of a step, a workflow or an action. */
export function readParameters(
  members: Members,
  components: Components,
  areInputs: boolean,
): readonly StepParameter[] {
  const read = members
    .list('parameters')
    .map(([item, pointer]) => readParameter(item, pointer, { components, areInputs }));
  const seen = new Set<string>();
  for (const { name, in: place = '', pointer } of read) {
    if (seen.has(`${place} ${name}`))
      throw members.fault(pointer, `The parameter ${name} is given twice.`, 'Remove one of them.');
    seen.add(`${place} ${name}`);
  }
  return read;
}

function readParameter(
  value: JsonValue,
  pointer: Pointer,
  context: { readonly components: Components; readonly areInputs: boolean },
): StepParameter {
  const { components, areInputs } = context;
  const { fault } = components;
  const shared = readReference(value, pointer, 'parameters', components);
  if (shared !== undefined) {
    const own = isJsonObject(value) && Object.hasOwn(value, 'value') ? value['value'] : undefined;
    const parameter = readParameter(shared.value, shared.pointer, context);
    return { ...parameter, pointer, ...(own === undefined ? {} : { value: own }) };
  }
  const known = ['name', 'in', 'value'];
  const members = new Members(value, pointer, { noun: 'A parameter', known, fault });
  const name = members.need('name');
  const place = members.text('in');
  const found = parameterIns.find((one) => one === place);
  if (place !== undefined && found === undefined)
    throw members.refuse(
      'in',
      `A parameter cannot be in ${place}.`,
      suggestWord(place, parameterIns),
    );
  if (found === undefined && !areInputs)
    throw fault(pointer, `The parameter ${name} has no in.`, `Say where it goes: in: query`);
  const given = members.get('value');
  if (given === undefined) throw fault(pointer, `The parameter ${name} has no value.`);
  checkSelector(given, members);
  return {
    name,
    value: given,
    pointer,
    ...(found === undefined || areInputs ? {} : { in: found }),
  };
}

/** The component that a Reusable Object refers to; undefined for any other value. */
function readReference(
  value: JsonValue,
  pointer: Pointer,
  kind: 'parameters' | 'successActions' | 'failureActions',
  { value: components, fault }: Components,
): { readonly value: JsonValue; readonly pointer: Pointer } | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'reference')) return undefined;
  const at = joinPointer(pointer, 'reference');
  const reference = value['reference'];
  const start = `$components.${kind}.`;
  const group = components[kind];
  const known = Object.keys(objectOf(group));
  if (typeof reference !== 'string' || !reference.startsWith(start))
    throw fault(at, `The reference does not begin with ${start}`, `Write ${start}NAME.`);
  const name = reference.slice(start.length);
  const found = isJsonObject(group) && Object.hasOwn(group, name) ? group[name] : undefined;
  if (found === undefined)
    throw fault(at, `The components have no ${name} in ${kind}.`, suggestWord(name, known));
  return { value: found, pointer: `/components/${kind}${joinPointer('', name)}` };
}

function readBody(value: JsonValue, pointer: Pointer, fault: FaultAt): StepBody {
  const known = ['contentType', 'payload', 'replacements'];
  const members = new Members(value, pointer, { noun: 'A request body', known, fault });
  const contentType = members.text('contentType');
  const payload = members.get('payload');
  return {
    pointer,
    replacements: members
      .list('replacements')
      .map(([item, at]) => readReplacement(item, at, { fault, isXml: isXml(contentType) })),
    contentType,
    payload,
  };
}

function isXml(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]xml\b/.test(contentType);
}

const selectorTypes = ['jsonpointer', 'jsonpath', 'xpath'] as const;

function readReplacement(
  value: JsonValue,
  pointer: Pointer,
  { fault, isXml: xml }: { readonly fault: FaultAt; readonly isXml: boolean },
): Replacement {
  const known = ['target', 'targetSelectorType', 'value'];
  const members = new Members(value, pointer, { noun: 'A replacement', known, fault });
  const target = members.need('target');
  const given = members.get('value');
  if (given === undefined) throw fault(pointer, 'The replacement has no value.');
  checkSelector(given, members);
  const usual = target.startsWith('$') ? 'jsonpath' : 'jsonpointer';
  const by = typeMember(members, 'targetSelectorType', selectorTypes) ?? (xml ? 'xpath' : usual);
  if (by === 'jsonpointer' && target !== '' && !target.startsWith('/'))
    throw members.refuse(
      'target',
      `${target} is not a JSON Pointer.`,
      `Begin with a slash: /${target}`,
    );
  const invalid = by === 'jsonpath' ? queryFault(target) : undefined;
  if (invalid !== undefined) throw members.refuse('target', `The target ${target} ${invalid}.`);
  return { target, by, value: given, pointer };
}

/** A type as a word, or as an Expression Type Object. */
function typeMember<Word extends string>(
  members: Members,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const given = members.get(name);
  const word = isJsonObject(given) ? given['type'] : given;
  if (word === undefined) return undefined;
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  throw members.refuse(
    name,
    `${name} cannot be ${typeof word === 'string' ? word : 'that'}.`,
    suggestWord(String(word), words),
  );
}

function checkSelector(value: JsonValue, members: Members, name = 'value'): void {
  const selector = readSelector(value);
  if (selector === undefined) return;
  if (parseExpression(selector.context) === undefined)
    throw members.refuse(name, `${selector.context} is not a runtime expression.`);
  const invalid = selector.by === 'jsonpath' ? queryFault(selector.selector) : undefined;
  if (invalid !== undefined)
    throw members.refuse(name, `The selector ${selector.selector} ${invalid}.`);
}

/** Reads the outputs of a step or a workflow. */
export function readOutputs(members: Members): Outputs {
  return members.entries('outputs').map(([name, value, pointer]) => {
    const isRead = typeof value === 'string' || readSelector(value) !== undefined;
    if (!isRead)
      throw members.fault(
        pointer,
        `The output ${name} is not a runtime expression.`,
        'Write one such as $response.body#/id.',
      );
    checkSelector(value, members, 'outputs');
    return [name, value] as const;
  });
}

const criterionTypes = ['simple', 'regex', 'jsonpath', 'xpath'] as const;

/** Reads a criterion. Throws for a condition that is not one of its type. */
export function readCriterion(value: JsonValue, pointer: Pointer, fault: FaultAt): Criterion {
  const known = ['context', 'condition', 'type', 'version'];
  const members = new Members(value, pointer, { noun: 'A criterion', known, fault });
  const condition = members.need('condition', 'Write one such as condition: $statusCode == 200');
  const type = typeMember(members, 'type', criterionTypes) ?? 'simple';
  const context = members.text('context');
  if (context !== undefined && parseExpression(context) === undefined)
    throw members.refuse('context', `${context} is not a runtime expression.`, contextHint);
  if (type === 'simple') {
    const simple = parseCondition(condition);
    if (isFault(simple)) throw members.refuse('condition', simple.message, simple.hint);
    return { type, condition, simple, pointer };
  }
  if (context === undefined)
    throw fault(pointer, `A criterion of type ${type} has no context.`, contextHint);
  // With expressions in braces, the condition is only known when the step has its response.
  const invalid = condition.includes('{$') ? undefined : conditionFault(type, condition);
  if (invalid !== undefined)
    throw members.refuse('condition', `The condition ${condition} ${invalid}.`, jsonpathHint(type));
  return { type, condition, context, pointer };
}

const contextHint = 'Say what the condition is applied to: context: $response.body';

function jsonpathHint(type: Criterion['type']): string | undefined {
  return type === 'jsonpath' ? 'Write a query such as $.items[?@.id == 1].' : undefined;
}

function conditionFault(type: Criterion['type'], condition: string): string | undefined {
  if (type === 'jsonpath') return queryFault(condition);
  if (type !== 'regex' || compilePattern(condition) !== undefined) return undefined;
  return 'is not a regular expression';
}

/** Reads the actions of a step or a workflow. */
export function readActions(
  members: Members,
  name: 'onSuccess' | 'onFailure' | 'successActions' | 'failureActions',
  components: Components,
): readonly StepAction[] {
  const isFailure = name === 'onFailure' || name === 'failureActions';
  return members.list(name).map(([item, pointer]) => {
    const kind = isFailure ? 'failureActions' : 'successActions';
    const shared = readReference(item, pointer, kind, components);
    const value = shared?.value ?? item;
    return readAction(value, shared?.pointer ?? pointer, { components, isFailure });
  });
}

const actionMembers = ['name', 'type', 'workflowId', 'stepId', 'parameters', 'criteria'];

function readAction(
  value: JsonValue,
  pointer: Pointer,
  { components, isFailure }: { readonly components: Components; readonly isFailure: boolean },
): StepAction {
  const { fault } = components;
  const known = [...actionMembers, ...(isFailure ? ['retryAfter', 'retryLimit'] : [])];
  const members = new Members(value, pointer, { noun: 'An action', known, fault });
  const name = members.need('name');
  const types = isFailure ? (['end', 'goto', 'retry'] as const) : (['end', 'goto'] as const);
  const type = typeMember<'end' | 'goto' | 'retry'>(members, 'type', types);
  if (type === undefined) throw fault(pointer, `The action ${name} has no type.`);
  const [workflowId, stepId] = [members.text('workflowId'), members.text('stepId')];
  if (workflowId !== undefined && stepId !== undefined)
    throw members.refuse('stepId', 'An action has either workflowId or stepId, not both.');
  if (type === 'goto' && workflowId === undefined && stepId === undefined)
    throw fault(pointer, `The action ${name} goes nowhere.`, 'Add stepId or workflowId.');
  return {
    name,
    type,
    parameters: readParameters(members, components, true),
    retryAfter: members.number('retryAfter', 0),
    retryLimit: Math.floor(members.number('retryLimit', 1)),
    criteria: members.list('criteria').map(([item, at]) => readCriterion(item, at, fault)),
    pointer,
    workflowId,
    stepId,
  };
}
