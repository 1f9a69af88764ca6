import type { Operation, Parameter, Schema } from '../../contract/model.ts';
import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { invalidTexts } from '../../values/invalid-texts.ts';
import { invalidValues } from '../../values/invalid-values.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { makeCase, makeSequence, type BodyTemplate, type Intent, type RequestTemplate, type Sequence, type Source } from '../case.ts';
import { isSafe, jsonBody, requestOf, type Draft, type DraftBody, type RecordKind } from './draft.ts';
import { markBody } from './mark-body.ts';
import type { PlanContext } from './plan-context.ts';
import { rebase } from './rebase.ts';

/** The most invalid bodies that one operation gets. */
const mostBodies = 80;

type Accepted = Extract<Intent, { kind: 'invalid' }>['accepted'];

/** What many sound servers let pass: they read numbers out of texts, ignore case, or take an empty text for none. */
const forgiven: Partial<Readonly<Record<ValueClass, Accepted>>> = { 'coercible-type': 'warning', 'wrong-case': 'warning', 'integer-overflow': 'warning', 'empty-text': 'fine' };

/** Each operation's plain request with one thing made invalid, beside the plain request as its control. */
export function planNegative(context: PlanContext): Sequence[] {
  return context.drafts.flatMap((draft) => [...breakParameters(draft), ...breakBody(context, draft)]);
}

/** Whatever may change a record is only ever sent for one that the run created. */
function recordFor({ operation }: Draft): RecordKind {
  return isSafe(operation) ? 'known' : 'own';
}

function breakParameters(draft: Draft): Sequence[] {
  const { operation } = draft;
  // Nothing says what an unsafe operation would do that took the value after all.
  const parameters = isSafe(operation) || (operation.method === 'POST' && draft.role?.action !== 'update') ? operation.parameters : operation.parameters.filter(({ in: place }) => place === 'path');
  return parameters.flatMap((parameter) => [...invalidArguments(draft, parameter), ...malformed(draft, parameter), ...leftOut(draft, parameter)]);
}

function invalidArguments(draft: Draft, parameter: Parameter): Sequence[] {
  const usable = invalidTexts(parameter.schema).filter(({ text }) => parameter.in === 'query' || (text !== '' && text.trim() === text));
  return usable.map(({ text, label, valueClass, pointer }) => {
    const intent: Intent = { kind: 'invalid', at: pointer, rule: `${parameter.name} ${label}`, part: parameter.in, subject: parameter.name, accepted: forgiven[valueClass] ?? 'error' };
    return argumentCase(draft, parameter, { title: `${parameter.name} ${label}`, source: { kind: 'text', text }, intent });
  });
}

/** Escapes that are none, and bytes that are no text. A server may pass over them; it may not fail. */
function malformed(draft: Draft, parameter: Parameter): Sequence[] {
  if (parameter.in !== 'path' && parameter.in !== 'query') return [];
  const texts = [['%zz', 'a percent sign without two digits'], ['%ff', 'a byte that is not UTF-8']] as const;
  return texts.map(([text, what]) => {
    const rule = `${parameter.name} is ${text}, ${what}`;
    const intent: Intent = { kind: 'invalid', at: parameter.pointer, rule, part: parameter.in, subject: parameter.name, accepted: 'fine' };
    return argumentCase(draft, parameter, { title: rule, source: { kind: 'raw', text }, intent });
  });
}

function leftOut(draft: Draft, parameter: Parameter): Sequence[] {
  if (!parameter.required || parameter.in === 'path') return [];
  const whole = requestOf(draft, recordFor(draft));
  const request = { ...whole, arguments: whole.arguments.filter((argument) => argument.parameter !== parameter) };
  const { name, pointer, in: part } = parameter;
  const intent: Intent = { kind: 'invalid', at: joinPointer(pointer, 'required'), rule: `${name} is required`, part, subject: name, accepted: 'error' };
  return [negative(draft.operation, { title: `${name} is missing`, request, control: whole, intent })];
}

interface BrokenArgument {
  readonly title: string;
  readonly source: Source;
  readonly intent: Intent;
}

function argumentCase(draft: Draft, parameter: Parameter, { title, source, intent }: BrokenArgument): Sequence {
  const record = recordFor(draft);
  return negative(draft.operation, { title, intent, request: requestOf(draft, record, { extra: [{ parameter, source }] }), control: requestOf(draft, record) });
}

interface Negative {
  readonly title: string;
  readonly intent: Intent;
  readonly request: RequestTemplate;
  readonly control: RequestTemplate;
}

function negative(operation: Operation, parts: Negative): Sequence {
  return makeSequence(makeCase({ phase: 'negative', operation, ...parts }));
}

function breakBody(context: PlanContext, draft: Draft): Sequence[] {
  const { body, operation } = draft;
  if (body === undefined || isSafe(operation)) return [];
  return [...brokenBodies(draft, body), ...invalidBodies(body).map((value) => invalidBody(context, draft, { body, value }))];
}

function invalidBodies(body: DraftBody): LabelledValue[] {
  const { schema } = body;
  return schema === undefined ? [] : invalidValues(schema, 'request').slice(0, mostBodies).map((value) => rebase(value, body));
}

function invalidBody({ runId }: PlanContext, draft: Draft, { body, value }: { readonly body: DraftBody; readonly value: LabelledValue }): Sequence {
  const { operation } = draft;
  const label = value.label.replace(/^the value /, 'the body ');
  const mark = (given: LabelledValue['value'], at: Pointer, word: string): BodyTemplate => jsonBody(body, markBody(body, given, { runId, label: `${operation.id} ${label} ${word}`, at }));
  const intent: Intent = { kind: 'invalid', at: value.pointer, rule: label, part: 'body', subject: 'the body', accepted: acceptedOf(value, body.schema) };
  return negative(operation, {
    title: label,
    intent,
    request: requestOf(draft, recordFor(draft), { body: mark(value.value, value.at, '') }),
    control: requestOf(draft, recordFor(draft), { body: mark(body.value, '', 'control') }),
  });
}

/** Many servers take null in an optional field for a field that was left out. */
function acceptedOf({ valueClass, at }: LabelledValue, schema: Schema | undefined): Accepted {
  const [field, ...deeper] = splitPointer(at);
  const optional = field !== undefined && (deeper.length > 0 || schema?.flatten().required.has(field) !== true);
  return valueClass === 'null-given' && optional ? 'warning' : (forgiven[valueClass] ?? 'error');
}

interface BrokenBody {
  readonly title: string;
  readonly body: BodyTemplate | 'none';
  readonly accepted: Accepted;
}

/** Bodies that are none, not whole, or not in a media type that the contract declares. */
function brokenBodies(draft: Draft, body: DraftBody): Sequence[] {
  const { operation } = draft;
  const at = operation.requestBody?.pointer ?? operation.pointer;
  return brokenBodiesOf(operation, body).map(({ title, body: broken, accepted }) => {
    const record = recordFor(draft);
    const intent: Intent = { kind: 'invalid', at, rule: title, part: 'body', subject: 'the body', accepted };
    return negative(operation, { title, request: requestOf(draft, record, { body: broken }), control: requestOf(draft, record), intent });
  });
}

function brokenBodiesOf({ requestBody }: Operation, { mediaType, value }: DraftBody): BrokenBody[] {
  const text = stringifyJson(value);
  const bytes = (content: string, type: string | undefined = mediaType): BodyTemplate => ({ kind: 'bytes', bytes: new TextEncoder().encode(content), ...(type === undefined ? {} : { mediaType: type }) });
  const invalidUtf8: BodyTemplate = { kind: 'bytes', mediaType, bytes: Uint8Array.from([...new TextEncoder().encode('{"'), 0xff, 0xfe, ...new TextEncoder().encode('":1}')]) };
  const mislabelled: BrokenBody[] = [
    { title: 'the body is XML', body: bytes('<value/>', 'application/xml'), accepted: 'error' },
    { title: 'the body is labelled text/plain', body: bytes(text, 'text/plain'), accepted: 'warning' },
  ];
  const open = requestBody?.content.some((entry) => entry.mediaType.includes('*')) === true;
  return [
    ...(requestBody?.required === true ? [{ title: 'there is no body', body: 'none', accepted: 'error' } as const] : []),
    { title: 'the body is not JSON', body: bytes('not JSON'), accepted: 'error' },
    { title: 'the body breaks off in the middle', body: bytes(text.slice(0, Math.max(1, Math.ceil(text.length / 2)))), accepted: 'error' },
    { title: 'the body holds bytes that are not UTF-8', body: invalidUtf8, accepted: 'warning' },
    ...(open ? [] : mislabelled),
  ];
}
