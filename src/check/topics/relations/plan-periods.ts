import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import type { ForeignKey, Operation, Parameter, Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import type { RelationRule, Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { recurrenceOf } from './plan-files.ts';
import {
  eachMade,
  creatorDraft,
  draftOn,
  keysOf,
  type Made,
  nameOf,
  relationTo,
  sameSet,
  Story,
} from '../../plan/story.ts';

/** Records that take a period of another one: bookings of a room. */
interface Periods {
  readonly child: Resource;
  readonly key: ForeignKey;
  readonly create: Draft;
  readonly start: string;
  readonly end: string;
  /** The planned beginning, one year later, in ms. */
  readonly at: number;
}

/** What shows that periods do not overlap, are repeated as they say, and make their owner busy. */
export function planPeriods(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((child) => {
    const periods = periodsOf(context, child);
    if (periods === undefined) return [];
    return [
      ...withOffset(context, periods),
      ...(isExclusive(periods.create.operation) ? overlaps(context, periods) : []),
      ...repeated(context, periods),
      ...context.drafts.flatMap((view) => availability(context, periods, view)),
    ];
  });
}

function periodsOf(context: PlanContext, child: Resource): Periods | undefined {
  const create = creatorDraft(context, child);
  const [key] = create === undefined ? [] : keysOf(child, create);
  const value = create?.body.value;
  if (create === undefined || key === undefined || !isJsonObject(value)) return undefined;
  const names = Object.keys(value).filter((name) => isMoment(value[name]));
  const start = names.find((name) => /^(start|begin|from)/i.test(name));
  const end = names.find((name) => /^(end|finish|to$|until)/i.test(name));
  if (start === undefined || end === undefined) return undefined;
  const at = Date.parse(String(value[start])) + year;
  return { child, key, create, start, end, at };
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

const minute = 60_000;
const day = 24 * 60 * minute;
const year = 364 * day;

/** Whether a conflict is documented for periods that overlap. */
function isExclusive({ description = '', responses }: Operation): boolean {
  const conflict = responses.find(({ status }) => status === '409');
  return (
    conflict !== undefined &&
    /overlap|at (this|the same) time|double[- ]book/i.test(`${description} ${conflict.description}`)
  );
}

/** The members of a body for a period, in minutes after the planned beginning. */
function period({ start, end, at }: Periods, from: number, to: number): JsonObject {
  const write = (minutes: number): string =>
    new Date(at + minutes * minute).toISOString().replace('.000Z', 'Z');
  return { [start]: write(from), [end]: write(to) };
}

/** A period written with an offset: the answer has the same moments. */
function withOffset(context: PlanContext, periods: Periods): Sequence[] {
  const { child, start, end, at } = periods;
  const story = new Story(context, `${child.name} with an offset`);
  const write = (moment: number): string =>
    `${new Date(moment + 2 * 60 * minute).toISOString().slice(0, 19)}+02:00`;
  const value = { [start]: write(at), [end]: write(at + 60 * minute) };
  const made = story.make(child, { fixed: value });
  story.read(made, 'a read of the record with an offset');
  return story.sequences();
}

interface Second {
  readonly about: string;
  readonly first: JsonObject;
  readonly then: JsonObject;
  readonly rule: 'conflicts' | 'fits';
  /** The documented status of the refusal, where nothing but the conflict can be the reason. */
  readonly status?: string;
}

function overlaps(context: PlanContext, periods: Periods): Sequence[] {
  const { create, child } = periods;
  const { description = '' } = create.operation;
  const first = period(periods, 0, 60);
  const after = /(moment at which another|may (start|begin)|back[- ]to[- ]back)/i;
  const pairs: readonly Second[] = [
    { about: 'the same period', first, then: first, rule: 'conflicts', status: '409' },
    {
      about: 'a period within another one',
      first,
      then: period(periods, 15, 45),
      rule: 'conflicts',
    },
    { about: 'a period across an end', first, then: period(periods, 30, 90), rule: 'conflicts' },
    ...(after.test(description)
      ? [
          {
            about: 'a period right after',
            first,
            then: period(periods, 60, 120),
            rule: 'fits',
          } as const,
        ]
      : []),
    ...repeatedPairs(periods),
  ];
  return [
    ...pairs.flatMap((pair) => secondOf(context, periods, pair)),
    ...changed(context, periods),
    ...freed(context, periods),
    ...reversed(context, periods),
  ].filter(() => child.operations.create !== undefined);
}

/** Periods of which a later repetition meets the other one. */
function repeatedPairs(periods: Periods): Second[] {
  const weekly = recurrenceOf(periods.create, { count: 3, interval: 1 });
  const rule = weekly && isJsonObject(weekly.value) ? weekly.value[weekly.field] : undefined;
  if (weekly === undefined || rule === undefined) return [];
  const week = isJsonObject(rule) && /week/i.test(String(rule['frequency'])) ? 7 : 1;
  const later = period(periods, week * 24 * 60, week * 24 * 60 + 60);
  const often = { ...period(periods, 0, 60), [weekly.field]: rule };
  return [
    { about: 'a period of a later repetition', first: often, then: later, rule: 'conflicts' },
    { about: 'a repetition that meets another', first: later, then: often, rule: 'conflicts' },
  ];
}

function secondOf(context: PlanContext, periods: Periods, pair: Second): Sequence[] {
  const { child, key, create } = periods;
  const story = new Story(context, `${pair.about} in ${child.name}`);
  const owner = story.make(key.resource);
  const made = story.make(child, { of: [owner], fixed: pair.first });
  story.make(child, {
    of: [owner],
    fixed: pair.then,
    title: `a POST of ${pair.about}`,
    intent: relationTo(create, {
      rule: pair.rule,
      of: [made.title],
      ...(pair.status === undefined ? {} : { field: pair.status }),
    }),
  });
  return story.sequences();
}

/** A period is moved by a part of itself, and onto another one. */
function changed(context: PlanContext, periods: Periods): Sequence[] {
  const { child, key } = periods;
  const change = draftOn(context, child, 'update');
  if (change === undefined) return [];
  const story = new Story(context, `moved ${child.name}`);
  const owner = story.make(key.resource);
  const first = story.make(child, { of: [owner], fixed: period(periods, 0, 60) });
  const other = story.make(child, { of: [owner], fixed: period(periods, 240, 300) });
  const move = (made: Made, what: string, value: JsonObject, rule: RelationRule): void =>
    story.step(change, {
      title: `a ${change.operation.method} ${what}`,
      of: [made],
      value: {},
      fixed: value,
      intent: relationTo(change, { rule, of: [first.title, other.title] }),
    });
  move(first, 'by a part of the period itself', period(periods, 30, 90), 'fits');
  story.read(other, 'a read of the period before it is moved');
  move(other, 'onto another period', period(periods, 45, 75), 'conflicts');
  story.read(other, 'a read of the period after a change that is to be refused');
  return story.sequences();
}

/** The period of what was deleted can be taken again. */
function freed(context: PlanContext, periods: Periods): Sequence[] {
  const { child, key, create } = periods;
  const remove = draftOn(context, child, 'delete');
  if (remove === undefined) return [];
  const story = new Story(context, `${child.name} after a deletion`);
  const owner = story.make(key.resource);
  const value = period(periods, 0, 60);
  const made = story.make(child, { of: [owner], fixed: value });
  const title = 'a deletion of what takes the period';
  story.step(remove, { title, of: [made] });
  story.make(child, {
    of: [owner],
    fixed: value,
    title: 'a POST of a period that is free again',
    intent: relationTo(create, { rule: 'fits', of: [made.title, title] }),
  });
  return story.sequences();
}

/** A period that ends before it begins, where the description forbids it. */
function reversed(context: PlanContext, periods: Periods): Sequence[] {
  const { child, key, create, start, end } = periods;
  const { description = '' } = create.operation;
  const says = new RegExp(`${end}\\W+must be after\\W+${start}|${start}\\W+must be before`, 'i');
  if (!says.test(description)) return [];
  const story = new Story(context, `reversed ${child.name}`);
  const owner = story.make(key.resource);
  const made = story.make(child, { of: [owner], fixed: period(periods, 0, 60) });
  story.make(child, {
    of: [owner],
    fixed: period(periods, 400, 340),
    title: 'a POST of a period that ends before it begins',
    intent: relationTo(create, { rule: 'conflicts', of: [made.title] }),
  });
  return story.sequences();
}

/** The repetitions that an operation below a record lists. */
function repeated(context: PlanContext, periods: Periods): Sequence[] {
  const { child, create } = periods;
  const list = context.drafts.find(
    ({ operation, names }) =>
      operation.method === 'GET' &&
      /\/(occurrences?|instances?)$/i.test(operation.path) &&
      names.at(-1)?.resource.collection === child.collection,
  );
  const rule = recurrenceOf(create);
  if (list === undefined || rule === undefined) return [];
  const story = new Story(context, `repeated ${child.name}`);
  const made = story.make(child, { fixed: { ...rule.value, ...period(periods, 0, 60) } });
  story.step(list, {
    title: 'a list of the repetitions',
    of: [made],
    intent: relationTo(list, { rule: 'occurrences', of: [made.title], field: periods.start }),
  });
  return story.sequences();
}

/** A view that shows what is free between two moments. */
interface View {
  readonly draft: Draft;
  readonly from: Parameter;
  readonly to: Parameter;
  readonly zone: Parameter | undefined;
}

function viewOf({ key }: Periods, draft: Draft): View | undefined {
  const { summary = '', description = '', parameters, method } = draft.operation;
  const isFree = /\b(free|available|availability|vacant)\b/i.test(`${summary} ${description}`);
  const shown = draft.role?.resource.record;
  const isOwner = shown?.pointer === key.resource.record.pointer || isSame(draft, key.resource);
  if (method !== 'GET' || !isFree || !isOwner) return undefined;
  const named = (pattern: RegExp): Parameter | undefined =>
    parameters.find(({ in: place, name }) => place === 'query' && pattern.test(name));
  const [from, to] = [named(/^(from|start|begin)/i), named(/^(to$|end|until)/i)];
  const zone = named(/^time_?-?zone$|^tz$/i);
  return from === undefined || to === undefined ? undefined : { draft, from, to, zone };
}

function isSame({ role }: Draft, { identifier, record }: Resource): boolean {
  const known = record.flatten().properties;
  const names = [...(role?.resource.record.flatten().properties.keys() ?? [])];
  return (
    role?.resource.identifier.field === identifier.field &&
    names.length > 0 &&
    names.every((name) => known.has(name))
  );
}

function availability(context: PlanContext, periods: Periods, draft: Draft): Sequence[] {
  const view = viewOf(periods, draft);
  if (view === undefined) return [];
  return [
    ...takenAndFree(context, periods, view),
    ...repeatedTaken(context, periods, view),
    ...inZones(context, periods, view),
  ];
}

function takenAndFree(context: PlanContext, periods: Periods, view: View): Sequence[] {
  const { child, key } = periods;
  const story = new Story(context, `what ${view.draft.operation.id} shows`);
  const { look, owner } = looking(story, periods, view);
  const made = story.make(child, { of: [owner], fixed: period(periods, 0, 60), isStill: true });
  look('at the time of a record', [0, 60], { rule: 'busy', made });
  look('across the end of a record', [30, 90], { rule: 'busy', made });
  look('right after a record', [60, 120], { rule: 'free', made });
  for (const range of view.draft.role?.resource.list?.ranges ?? []) {
    const most = range.parameter.schema.flatten().node.maximum;
    if (!range.op.startsWith('gt') || typeof most !== 'number') continue;
    const extra = [{ parameter: range.parameter, source: { kind: 'value', value: most } } as const];
    look(`with the largest ${range.parameter.name}`, [60, 120], { rule: 'busy', made, extra });
  }
  const remove = draftOn(context, child, 'delete');
  if (remove !== undefined) {
    story.step(remove, { title: 'a deletion of what makes it busy', of: [made] });
    look('at the time of a deleted record', [0, 60], { rule: 'free', made });
  }
  const end = draftOn(context, key.resource, 'delete');
  if (end !== undefined) {
    story.step(end, { title: 'a deletion of what is free', of: [owner] });
    look('after that deletion', [60, 120], { rule: 'busy', made });
  }
  return story.sequences();
}

function repeatedTaken(context: PlanContext, periods: Periods, view: View): Sequence[] {
  const [often] = repeatedPairs(periods);
  if (often === undefined) return [];
  const story = new Story(context, `what ${view.draft.operation.id} shows of repetitions`);
  const { look, owner } = looking(story, periods, view);
  const made = story.make(periods.child, { of: [owner], fixed: often.first, isStill: true });
  const from = (Date.parse(String(often.then[periods.start])) - periods.at) / minute;
  look('at the time of a repetition', [from, from + 60], { rule: 'busy', made });
  return story.sequences();
}

/**
 * A record in summer, looked for by the time of the clock in a zone with summer time: an hour later
 * it is not there. The zone is that of the parameter, or that of what the owner belongs to, where a
 * description says so.
 */
function inZones(context: PlanContext, periods: Periods, view: View): Sequence[] {
  const { zone, draft } = view;
  // With an offset, a time is that of a moment, whatever the zone is.
  if (zone === undefined || momentFor(view.from, periods.at)?.endsWith('Z') !== false) return [];
  const summer = Date.parse(`${new Date(periods.at).toISOString().slice(0, 4)}-07-14T09:00:00Z`);
  const hours = (from: number, to: number): JsonObject =>
    period({ ...periods, at: summer }, from * 60, to * 60);
  return zonesOf(context, periods, view).flatMap(({ name, given, of }) => {
    const story = new Story(context, `what ${draft.operation.id} shows in ${name} (${given})`);
    const parents = of(story);
    const { owner, ask } = looking(story, periods, view, parents);
    const made = story.make(periods.child, { of: [owner], fixed: hours(0, 1), isStill: true });
    const clock = summer + aheadOf(name, summer);
    const extra = given === 'parameter' ? [valued(zone, name)] : [];
    const at = (what: string, hour: number, rule: 'busy' | 'free'): void => {
      ask(what, [clock + hour * 60 * minute, clock + (hour + 1) * 60 * minute], {
        rule,
        made,
        extra,
      });
    };
    at(`in ${name} at the time of a record`, 0, 'busy');
    at(`in ${name} an hour after that`, 1, 'free');
    return story.sequences();
  });
}

/** A zone that a view is asked in, and where it is given. */
interface ZoneGiven {
  readonly name: string;
  readonly given: 'parameter' | 'owner';
  /** Creates the records that have the zone. */
  readonly of: (story: Story) => readonly Made[];
}

function zonesOf(context: PlanContext, { key }: Periods, { zone, draft }: View): ZoneGiven[] {
  const usual = ['America/New_York', 'Europe/Lisbon', 'Europe/Berlin', 'Asia/Tokyo'];
  const asked = usual.find((name) => zone?.schema.accepts(name, 'request') === true);
  const { description = '' } = draft.operation;
  const given: ZoneGiven[] =
    asked === undefined ? [] : [{ name: asked, given: 'parameter', of: () => [] }];
  // `Without it in that of the site`: of a record that the owner is below, which has such a field.
  const text = `${description} ${zone?.description ?? ''}`;
  const parents = sameSet(context, key.resource).flatMap((one) => one.parents.at(-1) ?? []);
  const above = parents[0]?.resource ?? key.resource;
  const noun = singularOf(lastWord(above.collectionPath));
  const says = new RegExp(`\\b(without|default\\w*|omitted|otherwise)\\b[^.]*\\b${noun}\\b`, 'i');
  const create = creatorDraft(context, above);
  const field = zone?.name ?? '';
  const value = create?.body.value;
  const own = [...usual].find(
    (name) =>
      isJsonObject(value) &&
      value[field] !== name &&
      create?.body.schema?.flatten().properties.has(field) === true &&
      create.body.schema.accepts({ ...value, [field]: name }, 'request'),
  );
  if (own === undefined || !says.test(text)) return given;
  return [
    ...given,
    {
      name: own,
      given: 'owner',
      of: (story) => [story.make(above, { value: { [field]: own } })],
    },
  ];
}

/** By how much the clock of a zone is ahead of UTC at a moment, in ms (IANA time zone database). */
function aheadOf(timeZone: string, moment: number): number {
  const clock = new Date(moment).toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${clock.replace(' ', 'T')}Z`) - moment;
}

type Look = (
  what: string,
  range: readonly [from: number, to: number],
  shown: {
    readonly rule: 'busy' | 'free';
    readonly made: Made;
    readonly extra?: readonly Argument[];
  },
) => void;

/**
 * Creates an owner, and what looks for it: `look` between minutes after the planned beginning in
 * UTC, `ask` between two times of the clock.
 */
function looking(
  story: Story,
  periods: Periods,
  { draft, from, to, zone }: View,
  above: readonly Made[] = [],
): { readonly owner: Made; readonly look: Look; readonly ask: Look } {
  const parents = draft.operation.parameters.flatMap((parameter) => {
    const parent = periods.key.resource.foreignKeys.find(({ field }) => field === parameter.name);
    const own = above.find(({ resource }) => resource.collection === parent?.resource.collection);
    return parent === undefined ? [] : [{ parameter, made: own ?? story.make(parent.resource) }];
  });
  const owner = story.make(periods.key.resource, { of: parents.map(({ made }) => made) });
  const given = parents.map(({ parameter, made }): Argument => ({
    parameter,
    source: nameOf(made),
  }));
  const utc = zone?.schema.accepts('UTC', 'request') === true ? zone : undefined;
  const fixed = utc === undefined ? [] : [valued(utc, 'UTC')];
  const ask: Look = (what, range, { rule, made, extra = [] }) => {
    const moments = [from, to].flatMap((parameter, index) => {
      const text = momentFor(parameter, range[index] ?? periods.at);
      return text === undefined ? [] : [valued(parameter, text)];
    });
    story.step(draft, {
      title: `a GET of what is free ${what}`,
      extra: [...given, ...moments, ...extra],
      intent: relationTo(draft, { rule, of: [owner.title, made.title] }),
    });
  };
  return {
    owner,
    ask,
    look(what, [first, last], shown) {
      ask(what, [periods.at + first * minute, periods.at + last * minute], {
        ...shown,
        extra: [...fixed, ...(shown.extra ?? [])],
      });
    },
  };
}

function valued(parameter: Parameter, value: string): Argument {
  return { parameter, source: { kind: 'value', value } };
}

/** A moment as a parameter takes it: with its zone, or a time of the clock. */
function momentFor({ schema }: Parameter, moment: number): string | undefined {
  const text = new Date(moment).toISOString();
  const forms = [`${text.slice(0, 19)}Z`, text.slice(0, 19), text.slice(0, 16)];
  return forms.find((form) => schema.accepts(form, 'request'));
}
