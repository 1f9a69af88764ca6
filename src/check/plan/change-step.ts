import { wordsIn } from '../../words-in.ts';
import { splitPointer } from '../../json/pointer.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonObject, objectOf, memberOf } from '../../json/value.ts';
import { cutTo } from '../../values/code-points.ts';
import type { Case } from '../model/case.ts';
import { isReference } from '../reading/identifiers.ts';
import { saysSomething } from '../reading/shown-fields.ts';
import { edgeBodies, manyEdges } from './body-values.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import type { DraftBody } from './draft-body.ts';
import { laterBy, markedBody } from './mark-body.ts';
import type { Draft } from './draft.ts';
import type { DraftWithBody } from './make-create.ts';
import { draftCase, draftFor, draftOf, type PlanContext } from './plan-context.ts';
import type { Resource, Schema } from '../../contract/model.ts';
import type { Argument } from '../model/request-template.ts';

/**
 * A plain value that differs from what the record has, so that it shows; `before` has what is known
 * of that. A member of which nothing is known is to differ from the plain value.
 */
export function changedValue(
  { cache }: PlanContext,
  body: DraftBody,
  before: JsonObject = {},
): JsonValue {
  const changed = edgeBodies(body, manyEdges, cache).find(
    (edge) => visibleClasses.includes(edge.valueClass) && changes(edge, body, before),
  );
  return changed?.value ?? otherValues(body).find(isOther(body, before)) ?? body.value;
}

function changes({ value, at }: LabelledValue, body: DraftBody, before: JsonObject): boolean {
  const [name = ''] = splitPointer(at);
  const had = before[name];
  return had === undefined || !isJsonObject(value)
    ? !equalJson(value, body.value)
    : !equalJson(value[name] ?? null, had);
}

/** The members of a new record, as far as its create tells: what is sent, and the defaults. */
export function createdMembers({ body: { schema, value } }: DraftWithBody): JsonObject {
  const defaults = [...(schema?.flatten().properties ?? [])].flatMap(([name, place]) => {
    const assumed = schema?.flatten(place).node.default;
    return assumed === undefined ? [] : [[name, assumed] as const];
  });
  return { ...Object.fromEntries(defaults), ...objectOf(value) };
}

/** Whether a value has a member that differs from what the record has. */
function isOther({ value: plain }: DraftBody, before: JsonObject): (value: JsonObject) => boolean {
  const had = isJsonObject(plain) ? { ...plain, ...before } : before;
  return (value) =>
    Object.entries(value).some(([name, member]) => !equalJson(member, had[name] ?? null));
}

/** The most members that are updated alone. */
const maxAlone = 3;

/**
 * Bodies that change one member each, with nothing beside it but what is required: an update keeps
 * the others (RFC 7396, section 1; JSON:API 1.1, section 9.2.2). Empty if the schema allows none.
 */
export function partialValues({ cache }: PlanContext, body: DraftBody): LabelledValue[] {
  const { schema, identifier } = body;
  const required = schema?.flatten().required ?? new Set<string>();
  const seen = new Set(identifier);
  return edgeBodies(body, manyEdges, cache)
    .flatMap((edge): LabelledValue[] => {
      const [name = '', ...deeper] = splitPointer(edge.at);
      const isTold = visibleClasses.includes(edge.valueClass) && deeper.length === 0;
      if (!isTold || seen.has(name) || required.has(name) || !isJsonObject(edge.value)) return [];
      const kept = Object.entries(edge.value).filter(
        ([member]) => member === name || required.has(member),
      );
      const value = Object.fromEntries(kept);
      if (value[name] === undefined || schema?.accepts(value, 'request') !== true) return [];
      seen.add(name);
      return [{ ...edge, value }];
    })
    .slice(0, maxAlone);
}

/**
 * Members that an update can change and records show, each with another value than it had: the
 * members with a value of their own first, then the texts, which a mark changes. Names of records
 * are not among them.
 */
export function changedMembers(
  { cache }: PlanContext,
  { record, identifier, foreignKeys }: Resource,
  { body, before }: { readonly body: DraftBody; readonly before: JsonObject },
): ReadonlyMap<string, JsonValue> {
  const shown = record.flatten().properties;
  const named = new Set([identifier.field, ...foreignKeys.map(({ field }) => field)]);
  const isOpen = (name: string): boolean =>
    shown.has(name) && !named.has(name) && !isReference(name);
  const changed = new Map<string, JsonValue>();
  for (const { value, at, valueClass } of edgeBodies(body, manyEdges, cache)) {
    const [name = '', ...deeper] = splitPointer(at);
    const member = memberOf(value, name);
    const isVisible = visibleClasses.includes(valueClass) && deeper.length === 0;
    if (member === undefined || !isVisible || !isOpen(name) || !saysSomething(member)) continue;
    if (!changed.has(name) && !equalJson(member, before[name] ?? null)) changed.set(name, member);
  }
  const texts = Object.entries(objectOf(body.value));
  for (const [name, text] of texts)
    if (typeof text === 'string' && isOpen(name) && !changed.has(name)) changed.set(name, text);
  return changed;
}

/**
 * The changed value with another value of each other member, too; undefined if the schema allows
 * none.
 */
export function otherwiseChanged(
  context: PlanContext,
  resource: Resource,
  body: DraftBody,
): JsonObject | undefined {
  const [plain, changed] = [body.value, changedValue(context, body)];
  if (!isJsonObject(plain) || !isJsonObject(changed)) return undefined;
  const others = [...changedMembers(context, resource, { body, before: plain })].filter(
    ([name, value]) => !equalJson(value, plain[name] ?? null) && changed[name] === plain[name],
  );
  const whole = { ...changed, ...Object.fromEntries(others) };
  const isAllowed = others.length > 0 && body.schema?.accepts(whole, 'request') === true;
  return isAllowed ? whole : undefined;
}

/** The members of a record after it got the changed value of a body. */
export function membersAfter(
  context: PlanContext,
  before: JsonObject,
  body: DraftBody | undefined,
): JsonObject {
  const sent = body && changedValue(context, body, before);
  return isJsonObject(sent) ? { ...before, ...sent } : before;
}

/** A change of the created record, of which `before` has what is known. */
export function changeStep(
  context: PlanContext,
  draft: Draft,
  { title, before }: { readonly title: string; readonly before: JsonObject },
): Case {
  const { body, operation } = draft;
  const marking = { runId: context.runId, label: `${operation.id} ${title}` };
  return draftCase(draft, {
    title,
    body: body && markedBody(body, changedValue(context, body, before), marking),
  });
}

/**
 * Makes the request that shows the created record again, by a title: its read, otherwise its list.
 * Undefined if nothing shows it.
 */
export function showingOf(
  context: PlanContext,
  resource: Resource,
): ((title: string) => Case) | undefined {
  const read = draftFor(context, resource, 'read');
  const list = read === undefined ? draftOf(context, resource.operations.list) : undefined;
  if (read !== undefined) return (title) => draftCase(read, { title });
  return list && ((title) => lookInList(list, resource, null, title));
}

/** The list in which the record must be: filtered by a value of it, and as long as possible. */
export function lookInList(
  list: Draft,
  resource: Resource,
  body: JsonValue,
  title = 'the created record is looked for in the list',
): Case {
  const limit = resource.list?.limit;
  const page: Argument[] =
    limit?.maximum === undefined
      ? []
      : [{ parameter: limit.parameter, source: { kind: 'value', value: limit.maximum } }];
  const filters = (resource.list?.filters ?? []).flatMap((filter): Argument[] => {
    const value = memberOf(body, filter.field);
    return value !== undefined &&
      (filter.parameter.schema.flatten().node.enum ?? []).includes(value)
      ? [{ parameter: filter.parameter, source: { kind: 'value', value } }]
      : [];
  });
  return draftCase(list, { title, extra: [...page, ...filters.slice(0, 1)] });
}

const visibleClasses: readonly string[] = wordsIn(
  'enum-value inside-minimum inside-maximum boolean-value minimum maximum',
);

/** The longest beginning of a text that another text keeps: the mark of the run has room behind. */
const kept = 24;

/** The day of the week stays the same. */
const week = 7 * 24 * 3_600_000;

/**
 * Plain values that differ from that of a body, and that a service takes as well as that one: with
 * more of a text, all dates weeks later, or a number one higher. Empty if its schema accepts none.
 */
function otherValues({ value, schema, identifier }: DraftBody): JsonObject[] {
  if (!isJsonObject(value)) return [];
  const members = Object.entries(value).filter(
    ([name]) => name !== identifier?.[0] && !isReference(name),
  );
  const texts = members.flatMap(([name, text]) =>
    typeof text === 'string' ? [{ ...value, [name]: `${cutTo(text, kept).trimEnd()} again` }] : [],
  );
  const numbers = members.flatMap(([name, number]) =>
    typeof number === 'number' ? [{ ...value, [name]: number + 1 }] : [],
  );
  const dates = [1, 2].flatMap((weeks) => withDates(value, schema, weeks * week));
  return [...texts, ...dates, ...numbers].filter(
    (changed) => schema?.accepts(changed, 'request') === true,
  );
}

/** A value with all its dates later by some milliseconds: what is between them stays the same. */
function withDates(value: JsonObject, schema: Schema | undefined, by: number): JsonObject[] {
  const properties = schema?.flatten().properties;
  const moved = Object.entries(value).flatMap(([name, text]) => {
    const place = properties?.get(name);
    const format = place && schema?.flatten(place).node.format;
    const isDate = format === 'date' || format === 'date-time';
    return isDate && typeof text === 'string' && !Number.isNaN(Date.parse(text))
      ? [[name, laterBy(text, by)] as const]
      : [];
  });
  return moved.length === 0 ? [] : [{ ...value, ...Object.fromEntries(moved) }];
}
