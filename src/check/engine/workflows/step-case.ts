import { judgeCriterion } from '../../../arazzo/criterion.ts';
import { emptyScope, type Scope, type Traced, type Values } from '../../../arazzo/expression.ts';
import type { Criterion, StepParameter, WorkflowStep } from '../../../arazzo/model.ts';
import { fillBody, fillValue, type Filled, type Filling } from '../../../arazzo/payload.ts';
import { readCriterion } from '../../../arazzo/read-step.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { evaluateExpression, type ExpressionFacts } from '../../../contract/runtime-expression.ts';
import { selectMediaType } from '../../../contract/select-response.ts';
import { type Place, usage, type VouchError } from '../../../errors.ts';
import { contentForm, isJsonMediaType } from '../../../http/media-type.ts';
import { isSameName } from '../../../http/message.ts';
import { splitTarget } from '../../../http/target.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, textOf, arrayOf, objectOf } from '../../../json/value.ts';
import { findRequestFault } from '../../reading/find-request-fault.ts';
import { readPath } from '../../reading/read-body.ts';
import { followLink } from '../memory/resolve-source.ts';
import type { Case, CriterionFailure, Intent, StepCriteria } from '../../model/case.ts';
import { makeCase } from '../../model/case.ts';
import type {
  Argument,
  BodyTemplate,
  RequestTemplate,
  Source,
} from '../../model/request-template.ts';
import type { Step } from '../../model/step.ts';
import { findIdentifier } from '../../reading/identifiers.ts';

/** A step of a workflow that is about to be sent. */
export interface StepRequest {
  readonly step: WorkflowStep;
  readonly operation: Operation;
  readonly title: string;
  readonly scope: Scope;
  /** The steps of the run of the workflow before it. */
  readonly earlier: readonly Step[];
  /** The member of a body that names a new record, if the operation creates one. */
  readonly identifier?: string | undefined;
}

/** The case of a step; or the expression that has no value, so that nothing can be sent. */
export type MadeCase =
  { readonly ok: true; readonly case: Case } | { readonly ok: false; readonly missing: string };

/**
 * The case of a step, as the workflow writes it. Values that an earlier response showed are taken
 * from that response again when the sequence is replayed.
 */
export function makeStepCase(asked: StepRequest): MadeCase {
  const { step, operation, title } = asked;
  const given = new GivenArguments(operation);
  for (const parameter of step.parameters) {
    const filling = fillValue(parameter.value, asked.scope);
    const isNeeded = filling.kind === 'missing' || parameter.in === 'path';
    if (filling.kind !== 'filled' && isNeeded) return { ok: false, missing: filling.expression };
    if (filling.kind === 'filled') given.add(parameter, filling.filled, asked);
  }
  const body = step.body === undefined ? undefined : fillStepBody(asked);
  if (body !== undefined && body.kind !== 'filled') return { ok: false, missing: body.expression };
  const request: RequestTemplate = {
    arguments: given.arguments,
    credential: given.hasCredential ? 'none' : 'given',
    ...(given.headers.length === 0 ? {} : { headers: given.headers }),
    ...(body === undefined ? {} : { body: bodyTemplate(body.filled, asked) }),
  };
  const at = joinPointer(operation.pointer, 'responses');
  const intent = { kind: 'valid', rigour: 'invented', at } as const;
  return { ok: true, case: makeCase({ title, phase: 'workflow', operation, request, intent }) };
}

/** The arguments of a step: those that the contract declares, and other fields. */
class GivenArguments {
  readonly arguments: Argument[] = [];
  readonly headers: (readonly [string, string])[] = [];
  hasCredential = false;
  readonly #operation: Operation;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  add({ name, in: place = 'query' }: StepParameter, filled: Filled, asked: StepRequest): void {
    if (place === 'header' && isCredential(name, this.#operation)) this.hasCredential = true;
    const parameter = this.#operation.parameters.find(
      (one) =>
        one.in === place && (place === 'header' ? isSameName(one.name, name) : one.name === name),
    );
    if (parameter !== undefined)
      this.arguments.push({ parameter, source: sourceOf(filled, parameter, asked) });
    else if (place === 'header') this.headers.push([name, textOf(filled.value)]);
    else if (place === 'cookie') this.headers.push(['Cookie', `${name}=${textOf(filled.value)}`]);
  }
}

/** Whether a header has the credential of an operation, in place of that of the run. */
function isCredential(name: string, { security }: Operation): boolean {
  if (isSameName(name, 'Authorization')) return true;
  return security.some((requirement) =>
    requirement.some(
      ({ scheme }) =>
        scheme.kind === 'apiKey' && scheme.in === 'header' && isSameName(scheme.name, name),
    ),
  );
}

/** The source of a value: the response that showed it, if that gives the same value. */
function sourceOf(
  { value, traces }: Filled,
  parameter: Parameter | undefined,
  { earlier }: StepRequest,
  at = '',
): Source {
  const origin = traces.find((trace) => trace.at === at)?.origin;
  const shown = earlier.findLast(({ case: { title } }) => title === origin?.step);
  const isAllowed =
    parameter === undefined || parameter.schema.validate(value, 'request').length === 0;
  if (origin === undefined || shown === undefined || !isAllowed) return { kind: 'value', value };
  const { step, expression } = origin;
  const operation = shown.case.operation.id;
  const source: Source = { kind: 'link', operation, expression, step };
  const found = followLink(source, earlier);
  return found !== undefined && equalJson(found, value) ? source : { kind: 'value', value };
}

function fillStepBody({ step, operation, scope }: StepRequest): Filling | undefined {
  const { body } = step;
  return body && fillBody(body, mediaTypeOf(step, operation), scope);
}

/** The media type that a step names; otherwise the contract's, JSON before others. */
function mediaTypeOf({ body }: WorkflowStep, { requestBody }: Operation): string {
  const types = (requestBody?.content ?? []).map(({ mediaType }) => mediaType);
  return body?.contentType ?? types.find(isJsonMediaType) ?? types[0] ?? 'application/json';
}

const utf8 = new TextEncoder();

function bodyTemplate(filled: Filled, asked: StepRequest): BodyTemplate {
  const { step, operation, identifier: field } = asked;
  const { value, traces } = filled;
  const mediaType = mediaTypeOf(step, operation);
  const identifier = field === undefined ? undefined : findIdentifier(value, field);
  const named = identifier === undefined ? {} : { identifier };
  const isTemplate = typeof value === 'string' && typeof step.body?.payload === 'string';
  if (isTemplate && !step.body.payload.startsWith('$'))
    return { kind: 'bytes', mediaType, bytes: utf8.encode(value) };
  if (isJsonMediaType(mediaType)) {
    const fills = traces.flatMap(({ at, origin }) => {
      const part = { value: partAt(value, at), traces: [{ at, origin }] };
      const source = sourceOf(part, undefined, asked, at);
      return source.kind === 'link' ? [{ at, source }] : [];
    });
    const filling = fills.length === 0 ? {} : { fills };
    return { kind: 'json', mediaType, value, ...filling, ...named };
  }
  const media = selectMediaType(operation.requestBody?.content ?? [], mediaType);
  if (media !== undefined && contentForm(mediaType) !== 'binary')
    return { kind: 'content', media: { ...media, mediaType }, value, ...named };
  return { kind: 'bytes', mediaType, bytes: utf8.encode(textOf(value)) };
}

function partAt(value: JsonValue, at: string): JsonValue {
  return evaluateExpression(`$request.body#${at}`, factsWith(value)) ?? null;
}

function factsWith(body: JsonValue): ExpressionFacts {
  return { url: '', method: '', request: { headers: [], query: [], path: new Map(), body } };
}

/** The intent of a step as it was sent: what the contract says of its request. */
export function intentAsSent({ case: { operation, intent }, exchange }: Step): Intent {
  const { request, baseUrl } = exchange;
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '');
  const path = readPath(operation.path, splitTarget(request.target).path.slice(base.length));
  const fault = findRequestFault(operation, request, path ?? new Map());
  // A workflow may send an invalid request on purpose, and says itself what it expects.
  return fault === undefined ? intent : { kind: 'invalid', ...fault, accepted: 'fine' };
}

/** What a step demands, and where the workflow says so. */
export interface Demand {
  /** Names the step in messages: `the step read of the workflow pets`. */
  readonly subject: string;
  readonly criteria: readonly PlacedCriterion[];
  readonly scope: Scope;
  /** A failure that is no criterion: a sentence, with the place of what it concerns. */
  readonly other?: OtherDemand | undefined;
}

export interface PlacedCriterion {
  readonly criterion: Criterion;
  readonly place: Place;
  readonly frame: string;
}

/** A demand that the exchange did not meet, and that no criterion states. */
export interface OtherDemand extends Omit<CriterionFailure, 'actual'> {
  /** Holds where this expression has a value, or where the status is below 400. */
  readonly holds: { readonly kind: 'status' } | { readonly kind: 'never' };
}

/** The criteria of a step as its case carries them. */
export function makeStepCriteria(demand: Demand): StepCriteria {
  return {
    plain: writeDemand(demand),
    failures: (facts, factsOf) => failuresOf(demand, facts, factsOf),
  };
}

function failuresOf(
  { subject, criteria, scope, other }: Demand,
  facts: ExpressionFacts | undefined,
  factsOf: (title: string) => ExpressionFacts | undefined,
): CriterionFailure[] {
  const now = { ...againScope(scope, factsOf), ...(facts === undefined ? {} : { facts }) };
  const failed = criteria.flatMap(({ criterion, place, frame }): CriterionFailure[] => {
    const { holds, seen } = judgeCriterion(criterion, now);
    if (holds) return [];
    const { condition } = criterion;
    const message = `A criterion of ${subject} does not hold: ${condition} (${seen}).`;
    const cause = `${subject}: ${condition}`;
    return [{ cause, message, expected: condition, actual: seen, place, frame }];
  });
  if (other === undefined || isMet(other, facts)) return failed;
  const { cause, message, expected, place, frame } = other;
  const actual = facts?.response === undefined ? 'no response' : String(facts.response.status);
  return [...failed, { cause, message, expected, actual, place, frame }];
}

function isMet({ holds }: OtherDemand, facts: ExpressionFacts | undefined): boolean {
  return holds.kind === 'status' && (facts?.response?.status ?? 500) < 400;
}

/** The scope with the values that the responses show now: those of a replay differ. */
function againScope(scope: Scope, factsOf: (title: string) => ExpressionFacts | undefined): Scope {
  const again = (values: Values): Values =>
    new Map([...values].map(([name, traced]) => [name, readAgain(traced, factsOf)]));
  return {
    ...scope,
    inputs: again(scope.inputs),
    outputs: again(scope.outputs),
    steps: new Map([...scope.steps].map(([id, values]) => [id, again(values)])),
  };
}

function readAgain(
  traced: Traced,
  factsOf: (title: string) => ExpressionFacts | undefined,
): Traced {
  const { origin } = traced;
  const facts = origin && factsOf(origin.step);
  const value = facts && evaluateExpression(origin.expression, facts);
  return value === undefined ? traced : { ...traced, value };
}

function writeDemand({ subject, criteria, scope, other }: Demand): JsonObject {
  const written = (values: Values): JsonObject =>
    Object.fromEntries(
      [...values].map(([name, { value, origin }]) => [
        name,
        { value, ...(origin === undefined ? {} : { origin: { ...origin } }) },
      ]),
    );
  return {
    subject,
    criteria: criteria.map(({ criterion: { type, condition, context }, place, frame }) => ({
      type,
      condition,
      ...(context === undefined ? {} : { context }),
      place: { ...place },
      frame,
    })),
    inputs: written(scope.inputs),
    outputs: written(scope.outputs),
    steps: Object.fromEntries([...scope.steps].map(([id, values]) => [id, written(values)])),
    ...(other === undefined
      ? {}
      : { other: { ...other, holds: other.holds.kind, place: { ...other.place } } }),
  };
}

/** Reads the criteria of a step from a replay. Throws an error if they are not what was written. */
export function readStepCriteria(plain: JsonObject): StepCriteria {
  const { criteria, subject, inputs, outputs, steps, other } = plain;
  const stepValues = Object.entries(objectOf(steps));
  return makeStepCriteria({
    subject: String(subject),
    criteria: arrayOf(criteria).map(readPlaced),
    scope: {
      ...emptyScope,
      inputs: readValues(inputs),
      outputs: readValues(outputs),
      steps: new Map(stepValues.map(([id, values]) => [id, readValues(values)])),
    },
    ...(isJsonObject(other) ? { other: readOther(other) } : {}),
  });
}

function readPlaced(written: JsonValue): PlacedCriterion {
  const { place, frame, ...criterion } = objectOf(written);
  const refuse = (_at: string, message: string): VouchError => usage(message);
  return {
    criterion: readCriterion(criterion, '', refuse),
    place: readPlace(place),
    frame: String(frame),
  };
}

function readPlace(written: JsonValue | undefined): Place {
  const { file, line, column } = objectOf(written);
  return { file: String(file), line: Number(line), column: Number(column) };
}

function readOther({ cause, message, expected, holds, place, frame }: JsonObject): OtherDemand {
  return {
    cause: String(cause),
    message: String(message),
    expected: String(expected),
    holds: { kind: holds === 'status' ? 'status' : 'never' },
    place: readPlace(place),
    frame: String(frame),
  };
}

function readValues(written: JsonValue | undefined): Values {
  const entries = Object.entries(objectOf(written));
  return new Map(
    entries.map(([name, traced]): [string, Traced] => {
      const { value = null, origin } = objectOf(traced);
      if (!isJsonObject(origin)) return [name, { value }];
      const { step, expression } = origin;
      return [name, { value, origin: { step: String(step), expression: String(expression) } }];
    }),
  );
}
