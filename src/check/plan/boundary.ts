import type { Filter, Parameter } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { boundaryValues } from '../../values/boundary-values.ts';
import { exoticValues } from '../../values/exotic-values.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { makeCase, makeSequence, type Case, type Intent, type RequestTemplate, type Sequence } from '../case.ts';
import type { Phase } from '../event.ts';
import { isSafe, jsonBody, requestOf, type Draft, type DraftBody } from './draft.ts';
import { markBody } from './mark-body.ts';
import { plainIntent, type PlanContext } from './plan-context.ts';
import { rebase } from './rebase.ts';

/** The most cases that one operation gets for its edges, and for what nobody expects. */
const mostEdges = 60;
const mostExotic = 24;

/** Values that no keyword of the contract asks for: valid, but a documented refusal of them proves nothing. */
const exoticClasses: readonly ValueClass[] = ['integer-edge', 'zero', 'format-edge', 'exotic'];

/** Bodies at the edges of their schemas, for operations that make something new. They come first: what they create is read later. */
export function planBodyBoundaries(context: PlanContext): Sequence[] {
  return context.drafts.filter(makesSomethingNew).flatMap((draft) => bodyCases(context, draft).map((edge) => makeSequence(edge)));
}

/** A POST makes something new; whatever else has a body changes a record, and has its turn in the sequences. */
function makesSomethingNew({ operation, body, identifier }: Draft): boolean {
  return operation.method === 'POST' && identifier === undefined && body !== undefined;
}

function bodyCases(context: PlanContext, draft: Draft): Case[] {
  const { body, operation } = draft;
  if (body === undefined) return [];
  const media = operation.requestBody?.content.find(({ mediaType }) => mediaType === body.mediaType);
  const examples = (media?.examples ?? []).filter(({ value }) => body.schema === undefined || body.schema.validate(value, 'request').length === 0);
  return [
    makeCreate(context, draft, { title: 'a plain request', value: body.value, intent: plainIntent(draft) }),
    ...examples.slice(1).map(({ name, value, pointer }) => makeCreate(context, draft, { title: `the body is the example ${name}`, value, intent: { kind: 'valid', rigour: 'plain', at: pointer } })),
    ...edgeValues(draft, body).map((edge) => makeCreate(context, draft, { title: edge.label, value: edge.value, at: edge.at, intent: intentOf(edge) })),
  ];
}

/** A body to send, what it shows, and the place in it that is put to the test. */
export interface Creation {
  readonly title: string;
  readonly value: JsonValue;
  readonly at?: Pointer;
  readonly intent: Intent;
  /** `boundary` unless told. */
  readonly phase?: Phase;
}

/** A case that sends a body of its own, with the plain body as its control. */
export function makeCreate({ runId }: PlanContext, draft: Draft, { title, value, at, intent, phase = 'boundary' }: Creation): Case {
  const { body, operation } = draft;
  const written = (given: JsonValue, label: string): RequestTemplate =>
    requestOf(draft, 'own', body === undefined ? {} : { body: jsonBody(body, markBody(body, given, { runId, label: `${operation.id} ${phase} ${label}`, ...(at === undefined ? {} : { at }) })) });
  const control = body === undefined || value === body.value ? {} : { control: written(body.value, `${title} control`) };
  return makeCase({ title, phase, operation, request: written(value, title), intent, ...control });
}

function edgeValues({ role }: Draft, body: DraftBody): LabelledValue[] {
  const { schema } = body;
  if (schema === undefined) return [];
  const edges = [...boundaryValues(schema, 'request').slice(0, mostEdges), ...spread(exoticValues(schema, 'request'), mostExotic)].map((edge) => rebase(edge, body));
  // What is easily mangled is sent once, where it is read back too.
  return role?.action === 'create' ? edges.filter((edge) => edge.valueClass === 'enum-value' || !isFragile(edge)) : edges;
}

/** 64-bit integers, enum values and texts beyond ASCII: what a server is most likely to keep otherwise than it was given. */
export function isFragile({ valueClass, label }: LabelledValue): boolean {
  if (valueClass === 'exotic') return /bytes$|right to left|combining|quote|HTML|double does not hold/.test(label);
  return valueClass === 'enum-value' || valueClass === 'integer-edge';
}

/** What a labelled value is sent for. */
export function intentOf({ valueClass, pointer }: LabelledValue): Intent {
  return { kind: 'valid', rigour: exoticClasses.includes(valueClass) ? 'exotic' : 'plain', at: pointer };
}

/** A share of each place in turn, so that the first place does not take all that there is room for. */
function spread(values: readonly LabelledValue[], most: number): LabelledValue[] {
  if (values.length <= most) return [...values];
  const byPlace = Map.groupBy(values, ({ at }) => at);
  const share = Math.max(1, Math.floor(most / byPlace.size));
  return [...byPlace.values()].flatMap((group, index) => rotate(group, index * share).slice(0, share)).slice(0, most);
}

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Parameters at the edges of their schemas, one at a time, on operations that change nothing. */
export function planParameterBoundaries(context: PlanContext): Sequence[] {
  return context.drafts.filter(({ operation }) => isSafe(operation)).flatMap((draft) => parameterCases(draft).map((edge) => makeSequence(edge)));
}

function parameterCases(draft: Draft): Case[] {
  const cases = draft.operation.parameters.filter(({ in: place }) => place !== 'path').flatMap((parameter) => [
    ...edgesOf(parameter, draft).map((edge) => makeParameterCase(draft, parameter, edge)),
    ...(filterOf(draft, parameter) === undefined ? [] : seenValueCase(draft, parameter)),
  ]);
  return cases.slice(0, mostEdges);
}

function edgesOf(parameter: Parameter, draft: Draft): LabelledValue[] {
  const { schema } = parameter;
  const edges = [...boundaryValues(schema, 'request'), ...smallPages(draft, parameter), ...spread(exoticValues(schema, 'request'), 4)];
  const byValue = new Map(edges.toReversed().map((edge) => [stringifyJson(edge.value), edge]));
  return [...byValue.values()].reverse();
}

/** Pages of one and of two: the smallest that show whether a limit is kept. */
function smallPages({ role }: Draft, parameter: Parameter): LabelledValue[] {
  if (role?.resource.list?.limit?.parameter !== parameter) return [];
  const valid = [1, 2].filter((value) => parameter.schema.validate(value, 'request').length === 0);
  return valid.map((value) => ({ value, label: `the value is ${String(value)}`, valueClass: 'inside-minimum', at: '', pointer: parameter.pointer }));
}

function makeParameterCase(draft: Draft, parameter: Parameter, edge: LabelledValue): Case {
  const { operation } = draft;
  return makeCase({
    title: nameValue(edge.label, parameter),
    phase: 'boundary',
    operation,
    request: requestOf(draft, 'known', { extra: [{ parameter, source: { kind: 'value', value: edge.value } }] }),
    intent: intentOf(edge),
    control: requestOf(draft, 'known'),
  });
}

/** A label speaks of `the value`; a person knows it by the parameter's name. */
function nameValue(label: string, { name }: Parameter): string {
  return label.startsWith('the value ') ? `${name} ${label.slice('the value '.length)}` : `${name}: ${label}`;
}

function filterOf({ role }: Draft, parameter: Parameter): Filter | undefined {
  return role?.resource.list?.filters.find((filter) => filter.parameter === parameter);
}

/** A filter without an enumeration is asked for a value that some record really has. */
function seenValueCase(draft: Draft, parameter: Parameter): Case[] {
  const filter = filterOf(draft, parameter);
  if (filter === undefined || draft.role === undefined || parameter.schema.flatten().node.enum !== undefined) return [];
  const source = { kind: 'field', resource: draft.role.resource.name, field: filter.field } as const;
  const request = requestOf(draft, 'known', { extra: [{ parameter, source }] });
  const intent: Intent = { kind: 'valid', rigour: 'plain', at: parameter.pointer };
  return [makeCase({ title: `${parameter.name} is what a record has`, phase: 'boundary', operation: draft.operation, request, intent, control: requestOf(draft, 'known') })];
}
