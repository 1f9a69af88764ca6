import { plainName } from '../../../contract/infer/infer-names.ts';
import { namesChange } from '../../../contract/words/names.ts';
import { periodOf } from '../../../contract/words/periods.ts';
import { isLowerBound } from '../../../contract/model/resource.ts';
import type {
  Parameter,
  RangeFilter,
  Resource,
  Expression,
  Schema,
} from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { hash, type RelationRule, type Sequence } from '../../model/case.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { fullBody } from '../../plan/full-body.ts';
import type { Argument, Fill } from '../../model/request-template.ts';
import { singleValues } from '../../reading/compare-records.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import type { Made } from '../../plan/story.ts';
import { changedValue, createdMembers } from '../../plan/change-step.ts';
import { creatorDraft, draftOn, isMakeable, keysOf, nameOf, Story } from '../../plan/story.ts';
import { type Listing, sourced, valued, widestPage } from '../../plan/listing.ts';
import { comparedFields } from './compared-fields.ts';
import { isPlainText } from './compound-conditions.ts';

/**
 * Lists that must have a record which the run created, and lists that must not: bounded by moments
 * close to those of the record, and filtered by a text with a quote.
 */
export function planFinding(listing: Listing, context: PlanContext): Sequence[] {
  if (!isMakeable(context, listing.resource)) return [];
  return [
    ...planQuotedTexts(context, listing),
    ...planEntries(context, listing),
    ...planChanges(context, listing),
    ...listing.shape.ranges.flatMap((range) => momentBounds(context, listing, range)),
  ];
}

/** A request of a list, and whether it has the record. */
interface Look {
  readonly what: string;
  readonly query: readonly Argument[];
  readonly rule: Extract<RelationRule, 'listed' | 'unlisted'>;
  readonly field: string;
}

function look(story: Story, { draft }: Listing, made: Made, asked: Look): void {
  const { what, query, rule, field } = asked;
  story.step(draft, {
    title: `a list ${what}`,
    of: [made],
    extra: query,
    relation: { rule, of: [made.title], field },
  });
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * A record with a known moment, and lists bounded a minute before it, a minute after it, and by it:
 * the first two are written with an offset.
 */
function momentBounds(context: PlanContext, listing: Listing, range: RangeFilter): Sequence[] {
  const { parameter, field, bound: atBound } = range;
  const { resource } = listing;
  const moments = ownMoments(context, resource, field);
  const [at] = singleValues(moments ?? {}, field);
  if (moments === undefined || typeof at !== 'string') return [];
  const story = new Story(context, `the bound ${parameter.name} of ${listing.draft.operation.id}`);
  const { made, narrow } = narrowed(context, story, listing, moments);
  const ask = (what: string, text: string, rule: Look['rule']): void => {
    const bound = valued(parameter, text);
    if (bound.length === 0) return;
    const query = [...narrow, ...bound, ...widestPage(listing)];
    look(story, listing, made, { what: `whose ${parameter.name} is ${what}`, query, rule, field });
  };
  story.step(listing.draft, {
    title: 'a list without that bound',
    of: [made],
    extra: [...narrow, ...widestPage(listing)],
  });
  // A service that reads the time of the clock alone is wrong by the offset.
  const [zone, side] = isLowerBound(range) ? [330, -1] : [-330, 1];
  const inside = withOffset(Date.parse(at) + side * minute, zone);
  const outside = withOffset(Date.parse(at) - side * minute, -zone);
  ask(`within a minute of the ${field} of a record, with an offset`, inside, 'listed');
  ask(`a minute beyond the ${field} of a record, with an offset`, outside, 'unlisted');
  if (atBound !== 'unknown')
    ask(`the ${field} of a record`, at, atBound === 'included' ? 'listed' : 'unlisted');
  return story.sequences();
}

/** A moment written with an offset in minutes. */
function withOffset(moment: number, minutes: number): string {
  const local = new Date(moment + minutes * minute).toISOString().slice(0, 19);
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The moment of a field, and of the other end of its period, at a time of their own. */
function ownMoments(
  context: PlanContext,
  resource: Resource,
  field: string,
): JsonObject | undefined {
  const create = creatorDraft(context, resource);
  const schema = create?.body.schema;
  const value = create?.body.value;
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const by = (400 + (Number.parseInt(hash(`${resource.name} ${field}`), 16) % 200)) * day;
  const moments = movedMoments(schema, value, { path: field.split('.'), by });
  return moments && schema.accepts({ ...value, ...moments }, 'request') ? moments : undefined;
}

/** The members of an object with the moment at a path, at another time or at one of its own. */
function movedMoments(
  schema: Schema,
  value: JsonValue,
  { path: [name = '', ...rest], by }: { readonly path: readonly string[]; readonly by: number },
): JsonObject | undefined {
  const { properties } = schema.flatten();
  const place = properties.get(name);
  const isSet = place !== undefined && schema.flatten(place).node.readOnly !== true;
  if (!isSet || !isJsonObject(value)) return undefined;
  if (rest.length > 0) {
    const inner = value[name] ?? {};
    const moved = movedMoments(schema.part(place), inner, { path: rest, by });
    return moved && isJsonObject(inner) ? { [name]: { ...inner, ...moved } } : undefined;
  }
  const ends = periodOf(schema);
  const names = ends?.includes(name) === true ? ends : [name];
  const entries = names.map((one, index) => {
    const { format } = schema.flatten(properties.get(one)).node;
    const usual = format === 'date-time' ? `2026-01-0${String(index + 5)}T10:00:00Z` : undefined;
    return [one, movedMoment(value[one] ?? usual, by)] as const;
  });
  if (entries.some(([, moment]) => moment === undefined)) return undefined;
  return Object.fromEntries(entries) as JsonObject;
}

function movedMoment(before: JsonValue | undefined, by: number): string | undefined {
  if (typeof before !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(before)) return undefined;
  const moment = Date.parse(before);
  return Number.isNaN(moment) ? undefined : `${new Date(moment + by).toISOString().slice(0, 19)}Z`;
}

/** A record of a parent of its own, by which the list is filtered where it can be. */
function narrowed(
  context: PlanContext,
  story: Story,
  { resource, shape }: Listing,
  fixed: JsonObject,
): { readonly made: Made; readonly narrow: readonly Argument[] } {
  const create = creatorDraft(context, resource);
  const keys = create === undefined ? [] : keysOf(resource, create);
  for (const key of keys) {
    const filter = shape.filters.find(({ field }) => field === key.field);
    if (filter === undefined || !isMakeable(context, key.resource)) continue;
    const owner = story.make(key.resource);
    const parameter: Parameter = filter.parameter;
    return {
      made: story.make(resource, { of: [owner], fixed, isStill: true }),
      narrow: [{ parameter, source: nameOf(owner) }],
    };
  }
  return { made: story.make(resource, { fixed, isStill: true }), narrow: [] };
}

/** A record that refers to two others in a list, and the lists of what refers to either of them. */
function planEntries(context: PlanContext, listing: Listing): Sequence[] {
  const { draft, resource, shape } = listing;
  const create = creatorDraft(context, resource);
  if (create === undefined || resource.parents.length > 0) return [];
  return shape.filters.flatMap(({ parameter, field, member, any }) => {
    const key = resource.foreignKeys.find((one) => one.many && one.field === field);
    const [list = '', part = ''] = field.split('.');
    const [item] = [fullBody(create.body, [list])[list] ?? []].flat();
    const isPlain =
      member === undefined && any === undefined && key?.by === key?.resource.identifier.field;
    if (key === undefined || item === undefined || !isPlain) return [];
    const story = new Story(context, `the entries by ${parameter.name} of ${draft.operation.id}`);
    const others = [story.make(key.resource), story.make(key.resource)];
    const fills = others.map((other, at): Fill => ({
      at: joinPointer('', list, String(at), ...(part === '' ? [] : [part])),
      source: nameOf(other),
    }));
    const made = story.make(resource, { of: others, fixed: { [list]: [item, item] }, fills });
    others.forEach((other, at) => {
      const query = [...sourced(parameter, nameOf(other)), ...widestPage(listing)];
      const what = `of what has the ${at === 0 ? 'first' : 'second'} ${field} of a record`;
      look(story, listing, made, { what, query, rule: 'listed', field });
    });
    return story.sequences();
  });
}

/** A record that is changed some time after it was made, and found by the moment of its change. */
function planChanges(context: PlanContext, listing: Listing): Sequence[] {
  const { draft, resource, shape } = listing;
  const update = draftOn(context, resource, 'update') ?? draftOn(context, resource, 'replace');
  const create = creatorDraft(context, resource);
  if (update?.body === undefined || create === undefined || resource.parents.length > 0) return [];
  const value = changedValue(context, update.body, createdMembers(create));
  const changes = shape.ranges.filter(
    ({ field, op, bound }) => op === 'gte' && bound === 'included' && namesChange(plainName(field)),
  );
  return changes.flatMap(({ parameter, field }) => {
    const story = new Story(context, `the changes by ${parameter.name} of ${draft.operation.id}`);
    const made = story.make(resource);
    const since = (what: string, step: string): void => {
      const moment = sourced(parameter, { ...nameOf(made), step, field });
      const query = [...moment, ...widestPage(listing)];
      look(story, listing, made, { what: `since ${what}`, query, rule: 'listed', field });
    };
    since('the creation of a record', made.title);
    story.read(made, 'read before the change');
    const change = 'the record is changed some time after it was made';
    story.step(update, { title: change, of: [made], value, more: { tick: `/${field}` } });
    story.read(made, 'read after the change');
    since('the change of a record', 'read after the change');
    return story.sequences();
  });
}

/**
 * A record with a quote in a text, and the list of those that have this text: an expression escapes
 * the quote. Before it the list of those with a part of the text, which shows that the record is
 * there.
 */
function planQuotedTexts(context: PlanContext, listing: Listing): Sequence[] {
  // The record of a story may be below another parent than the list is.
  if (listing.resource.parents.length > 0) return [];
  return (listing.shape.expressions ?? []).flatMap((expression) => {
    const word = `Qz${hash(`${context.runId} ${listing.resource.name} quote`).slice(0, 8)}`;
    const text = `${word}'s own`;
    const field = textField(context, listing, expression, text);
    const ask = (op: 'eq' | 'starts', value: string): Argument[] => {
      const written =
        field === undefined ? undefined : expression.language.write({ field, op, value });
      return written === undefined ? [] : valued(expression.parameter, written);
    };
    const [whole, part] = [ask('eq', text), ask('starts', word)];
    const { draft, resource } = listing;
    const isWritten = whole.length > 0 && part.length > 0 && expression.parts.includes('starts');
    if (field === undefined || !isWritten) return [];
    const story = new Story(
      context,
      `the quotes in ${expression.parameter.name} of ${draft.operation.id}`,
    );
    const made = story.make(resource, { fixed: { [field]: text } });
    story.step(draft, {
      title: `a list of what starts as the ${field} of a record does`,
      of: [made],
      extra: [...part, ...widestPage(listing)],
    });
    story.step(draft, {
      title: `a list of what has the ${field} of a record, which has a quote`,
      of: [made],
      extra: [...whole, ...widestPage(listing)],
      relation: { rule: 'listed', of: [made.title], field, at: expression.parameter.pointer },
    });
    return story.sequences();
  });
}

/** A text that a create may set to a value. */
function textField(
  context: PlanContext,
  listing: Listing,
  expression: Expression,
  value: JsonValue,
): string | undefined {
  const create = creatorDraft(context, listing.resource);
  const plain = create?.body.value;
  if (create === undefined || !isJsonObject(plain)) return undefined;
  const { schema } = create.body;
  return comparedFields(listing, expression)
    .filter(isPlainText)
    .map(({ name }) => name)
    .find(
      (name) =>
        schema?.flatten().properties.has(name) === true &&
        schema.accepts({ ...plain, [name]: value }, 'request'),
    );
}
