import type { Parameter } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, membersWhere } from '../../json/value.ts';
import type { BodyTemplate, RequestTemplate } from '../model/request-template.ts';
import { showValue } from '../model/step.ts';
import { isSameForm, placeOfCode } from './identifiers.ts';

/** One difference from a planned request: in a member of its body, or in an argument. */
export interface RequestChange {
  readonly at: Pointer | Parameter;
  readonly to: Rewrite;
}

/**
 * The change of a value: omitted, replaced, or replaced by a text in the format of another one,
 * with the mark of the run.
 */
export type Rewrite =
  | { readonly kind: 'dropped' }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'like'; readonly model: string };

/** The planned values of templates, and their changes. */
export interface ChangeOrders {
  readonly planned: RequestTemplate;
  readonly changes: readonly RequestChange[];
  ownName(): string;
}

interface PlacedRewrite<At> {
  readonly at: At;
  readonly to: Rewrite;
  ownName(): string;
}

/**
 * A template with changes applied to planned values. A value that another part of the plan has put
 * there, because it tests that place, does not change. `ownName` returns an unused name for texts
 * without the mark of the run.
 */
export function applyChanges(
  template: RequestTemplate,
  { planned, changes, ownName }: ChangeOrders,
): RequestTemplate {
  let { body, arguments: given } = template;
  for (const { at, to } of changes) {
    if (typeof at === 'string') body = changeBody(body, planned.body, { at, to, ownName });
    else given = changeArguments(given, planned.arguments, { at, to, ownName });
  }
  if (body === template.body && given === template.arguments) return template;
  return { ...template, arguments: given, ...(body === undefined ? {} : { body }) };
}

function changeArguments(
  given: RequestTemplate['arguments'],
  planned: RequestTemplate['arguments'],
  { at, to, ownName }: PlacedRewrite<Parameter>,
): RequestTemplate['arguments'] {
  const index = given.findIndex(({ parameter }) => parameter === at);
  const now = given[index]?.source;
  const before = planned.find(({ parameter }) => parameter === at)?.source;
  if (before === undefined) {
    return index === -1 && to.kind === 'value'
      ? [...given, { parameter: at, source: { kind: 'value', value: to.value } }]
      : given;
  }
  if (now?.kind !== 'value' || before.kind !== 'value' || !isAsPlanned(now.value, before.value))
    return given;
  if (to.kind === 'dropped') return given.toSpliced(index, 1);
  const value = to.kind === 'value' ? to.value : textLike(String(now.value), to.model, ownName);
  return given.with(index, { parameter: at, source: { kind: 'value', value } });
}

function changeBody(
  body: BodyTemplate | undefined,
  planned: BodyTemplate | undefined,
  { at, to, ownName }: PlacedRewrite<Pointer>,
): BodyTemplate | undefined {
  if (body === undefined || body.kind === 'bytes' || planned === undefined) return body;
  if (planned.kind === 'bytes') return body;
  const tokens = splitPointer(at);
  const [now, before] = [valueAt(body.value, at), valueAt(planned.value, at)];
  // A code is another one in each request; one of another form is what the request tests.
  const isCode =
    body.codes?.some((code) => placeOfCode(code) === at) === true &&
    isSameForm(String(now), String(before));
  const value = changeMember(body.value, tokens, {
    planned: isCode ? now : before,
    to,
    ownName,
  });
  return value === body.value ? body : { ...body, value };
}

function changeMember(
  around: JsonValue,
  [token = '', ...rest]: readonly string[],
  change: { readonly planned: JsonValue | undefined; readonly to: Rewrite; ownName(): string },
): JsonValue {
  if (!isJsonObject(around) && !isJsonArray(around)) return around;
  const now = valueAt(around, joinPointer('', token));
  if (rest.length > 0) {
    if (now === undefined) return around;
    const inner = changeMember(now, rest, change);
    return inner === now ? around : withMember(around, token, inner);
  }
  if (!isAsPlanned(now, change.planned)) return around;
  const { to } = change;
  if (to.kind === 'dropped') return withMember(around, token, undefined);
  if (to.kind === 'value')
    return equalJson(now ?? null, to.value) && now !== undefined
      ? around
      : withMember(around, token, to.value);
  return withMember(
    around,
    token,
    textLike(typeof now === 'string' ? now : '', to.model, change.ownName),
  );
}

function withMember(around: JsonValue, token: string, value: JsonValue | undefined): JsonValue {
  if (isJsonArray(around)) {
    const index = Number(token);
    if (!(index in around)) return around;
    return value === undefined ? around.toSpliced(index, 1) : around.with(index, value);
  }
  if (!isJsonObject(around)) return around;
  if (value !== undefined) return { ...around, [token]: value };
  return membersWhere(around, (name) => name !== token);
}

/** Whether a value is the planned one: texts are compared without the mark of the run. */
function isAsPlanned(now: JsonValue | undefined, planned: JsonValue | undefined): boolean {
  if (now === undefined || planned === undefined) return now === planned;
  if (typeof now === 'string' && typeof planned === 'string')
    return withoutMark(now) === withoutMark(planned);
  if (isJsonArray(now) && isJsonArray(planned))
    return (
      now.length === planned.length && now.every((item, index) => isAsPlanned(item, planned[index]))
    );
  if (isJsonObject(now) && isJsonObject(planned)) {
    const names = new Set([...Object.keys(now), ...Object.keys(planned)]);
    return [...names].every((name) => isAsPlanned(now[name], planned[name]));
  }
  return equalJson(now, planned);
}

const marks = /vouch-[0-9a-f]{6,16}(?:-[a-z0-9]+)*/g;

export function withoutMark(text: string): string {
  return text.replaceAll(marks, '').trim();
}

/**
 * A text in the format of another one: its first word is replaced by the name of the record.
 * `example.org.` keeps its end, and `/some/thing` its slashes. A model without a format gives only
 * the name.
 */
function textLike(text: string, model: string, ownName: () => string): string {
  const name = text.match(marks)?.at(-1) ?? ownName();
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/]+\/?/i.exec(model)?.[0];
  if (scheme !== undefined) return `${scheme.replace(/\/?$/, '/')}${name}`;
  // What this run made up before has its name already.
  if (withoutMark(model) !== model) return model.replaceAll(marks, name);
  return /\w/.test(model) ? model.replace(/[A-Za-z0-9_-]+/, name) : name;
}

/** The effect of a change on a request, as a clause: `endsAt is left out`. */
export function describeChange({ at, to }: RequestChange): string {
  const name = typeof at === 'string' ? splitPointer(at).join('.') : at.name;
  if (to.kind === 'dropped') return `${name} is left out`;
  return to.kind === 'value'
    ? `${name} is ${showValue(to.value)}`
    : `${name} is like "${to.model}"`;
}
