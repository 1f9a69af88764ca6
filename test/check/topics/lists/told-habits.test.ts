import { expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from '../../fixture/crud/crud.ts';

const moment = { type: 'string', format: 'date-time' };
const can = 'list create read update delete';

/** Whether a note is one of those that a filter by several values asks for. */
type Matching = (own: readonly string[], asked: readonly string[]) => boolean;

const all: Matching = (own, asked) => asked.every((one) => own.includes(one));
const any: Matching = (own, asked) => asked.some((one) => own.includes(one));
const last: Matching = (own, asked) => own.includes(asked.at(-1) ?? '');

/** Notes with a kind and labels, of which the list takes several at once. */
function filtered(kinds: Matching, labels: Matching): Crud {
  const several = { type: 'array', items: text };
  const notes = crud(
    {
      Note: {
        fields: { kind: text, labels: several },
        can,
        query: {
          kind: several,
          labels: { ...several, description: 'Notes that have all of them.' },
        },
      },
    },
    () => ({
      find: {
        notes: (note, query) =>
          (!query.has('kind') || kinds([String(note['kind'])], query.getAll('kind'))) &&
          (!query.has('labels') || labels(note['labels'] as string[], query.getAll('labels'))),
      },
    }),
  );
  for (const [at, own] of [['work'], ['home', 'work'], ['home']].entries())
    notes
      .rows('notes')
      .push({ id: `note-${String(at)}`, kind: ['ink', 'pencil'][at % 2], labels: own });
  return notes;
}

test('a filter by several values that takes them as its words say raises no alarm', async () => {
  expect(await filtered(any, all).alarms()).toEqual([]);
});

test('a filter by several values of which only the last one counts is found', async () => {
  const lines = await filtered(last, all).alarms(/^error filter-holds/);
  expect(lines.join('\n')).toContain('The list filtered by kind');
});

test('a filter whose words need all values, and that takes any, is found', async () => {
  const lines = await filtered(any, any).alarms(/^error filter-holds/);
  expect(lines.join('\n')).toContain('The list filtered by labels');
});

/** Notes that a list bounds by `since_made`, of which only the description of the API tells. */
function bounded(isLater: (made: string, bound: string) => boolean): Crud {
  return crud(
    { Note: { fields: { title: text, made: moment }, query: { since_made: moment } } },
    () => ({
      find: {
        notes: ({ made }, query) =>
          !query.has('since_made') || isLater(String(made), query.get('since_made') ?? ''),
      },
    }),
    { description: 'Filters by time: `since_…` is this moment or later.' },
  );
}

test('what an API says of a family of parameters holds for each of them', async () => {
  const isLater = (made: string, bound: string) => Date.parse(made) >= Date.parse(bound);
  expect(await bounded(isLater).alarms()).toEqual([]);
  const excludes = (made: string, bound: string) => Date.parse(made) > Date.parse(bound);
  const lines = await bounded(excludes).alarms(/^error filter-holds/);
  expect(lines.join('\n')).toContain('since_made');
});

/** Notes of which some are pinned; `isShown` says which a list has with the parameter. */
function pinned(isShown: (isPinned: boolean, asked: string | null) => boolean): Crud {
  const flag = { type: 'boolean', default: false };
  return crud(
    {
      Note: {
        fields: { title: text, pinned: flag },
        optional: ['pinned'],
        can,
        query: {
          pinned_only: flag,
        },
      },
    },
    () => ({
      find: { notes: (note, query) => isShown(note['pinned'] === true, query.get('pinned_only')) },
    }),
  );
}

test('a flag with its default lists the same records as without it', async () => {
  expect(await pinned((isPinned, asked) => isPinned || asked !== 'true').alarms()).toEqual([]);
  const lines = await pinned((isPinned, asked) => isPinned || asked === null).alarms(/^error/);
  expect(lines.join('\n')).toContain('with its default');
});

/** Notes that some have a day for, in an order that is asked for. */
function ordered(byDay: (one: Row, other: Row) => number): Crud {
  const due = { type: ['string', 'null'], format: 'date' };
  const made: Crud = crud(
    {
      Note: {
        fields: { title: text, due },
        optional: ['due'],
        can,
        query: { order: { type: 'string', enum: ['due'] } },
        says: { list: 'Notes without a `due` come last.' },
      },
    },
    () => ({
      made: { notes: (note) => (note['due'] ??= null) },
      changed: { notes: (note) => (note['due'] ??= null) },
      on: {
        listNotes: ({ call: { query }, sound }) => {
          const { json, ...answer } = sound();
          if (query.get('order') !== 'due' || !Array.isArray(json)) return undefined;
          return { ...answer, json: (json as Row[]).toSorted(byDay) };
        },
      },
    }),
  );
  return made;
}

const dayOf = ({ due }: Row, none: string): string => (due === null ? none : String(due));
const byDay =
  (none: string) =>
  (one: Row, other: Row): number =>
    dayOf(one, none) < dayOf(other, none) ? -1 : Number(dayOf(one, none) > dayOf(other, none));

test('records without a value stand where the list says', async () => {
  expect(await ordered(byDay('9999')).alarms()).toEqual([]);
  const lines = await ordered(byDay('')).alarms(/^error sort-holds/);
  expect(lines.join('\n')).toContain('but null comes last');
});

test('the link of a record to itself is followed where links are a list', async () => {
  const link = { type: 'object', properties: { rel: text, href: text } };
  const linked = (to: (note: Row) => string): Crud =>
    crud(
      { Note: { fields: { title: text, links: shown({ type: 'array', items: link }) } } },
      () => ({
        show: {
          notes: (note) => ({ ...note, links: [{ rel: 'self', href: `/notes/${to(note)}` }] }),
        },
      }),
    );
  expect(await linked(({ id }) => id).alarms()).toEqual([]);
  const lines = await linked(({ title }) => String(title)).alarms(/^error shown-twice-agrees/);
  expect(lines.join('\n')).toContain('links/self/href');
});
