import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, shown, text } from './fixture/crud/crud.ts';
import { noticeEach } from './fixture/notice-each.ts';
import { allowedStates } from '../../src/contract/words/read-states.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'edits-published'
  | 'deletes-published'
  | 'publishes-twice'
  | 'publish-is-lost'
  | 'moves-on'
  | 'search-leaves-out-note'
  | 'search-by-case'
  | 'search-lags'
  | 'bound-by-text'
  | 'bound-includes';

const wrongState = { 409: 'Wrong state' };
const offerLine = {
  type: 'object',
  required: ['price'],
  properties: { price: { type: 'number', minimum: 0, maximum: 100, multipleOf: 0.01 } },
};

const offer = {
  fields: {
    status: shown({ type: 'string', enum: ['draft', 'published', 'archived'] }),
    title: { ...text, maxLength: 60 },
    note: { type: 'string', maxLength: 60 },
    start: moment,
    lines: {
      type: 'array',
      minItems: 1,
      items: offerLine,
      example: [{ price: 10.1 }, { price: 20.2 }],
    },
  },
  optional: ['note'],
  can: 'list create read replace delete',
  query: {
    q: {
      ...text,
      description: 'Returns offers whose title or note has this text, regardless of case.',
    },
    before: { ...moment, description: 'Only offers that start before this moment.' },
  },
  says: {
    replace: 'Only drafts can be edited. Published offers cannot be deleted.',
    delete: 'An offer can only be deleted if it is in the `draft` state.',
  },
  refuses: { replace: wrongState, delete: wrongState },
};

const publishing = `
/offers/{offerId}/publish:
  parameters: [{ name: offerId, in: path, required: true, schema: { type: string } }]
  post:
    operationId: publishOffer
    description: Only drafts can be published. The status becomes \`published\`.
    responses:
      '200': { description: Done, content: { application/json: { schema: {
          $ref: '#/components/schemas/Offer' } } } }
      '404': { description: None }
      '409': { description: Wrong state }
`;

type Quirks = ReadonlySet<Quirk>;

/** Whether an offer has a text, and starts before a moment. */
function isFound(row: Row, query: URLSearchParams, quirks: Quirks): boolean {
  const [q, before] = [query.get('q'), query.get('before')];
  const plain = (part: string): string =>
    quirks.has('search-by-case') ? part : part.toLowerCase();
  const has = (name: string): boolean => plain(String(row[name] ?? '')).includes(plain(q ?? ''));
  const isInText = has('title') || (!quirks.has('search-leaves-out-note') && has('note'));
  const at = (one: string): number =>
    Date.parse(quirks.has('bound-by-text') ? `${one.slice(0, 19)}Z` : one);
  const [left, right] = [at(String(row['start'])), at(before ?? '')];
  const isBefore = left === right ? quirks.has('bound-includes') : left < right;
  return (q === null || (!quirks.has('search-lags') && isInText)) && (before === null || isBefore);
}

/** Offers that are drafts until they are published. */
function offers(own: readonly Quirk[] = []): Crud {
  const quirks: Quirks = new Set(own);
  const isLocked = ({ status }: Row, free: Quirk): boolean =>
    status !== 'draft' && !quirks.has(free);
  return crud(
    { Offer: offer },
    () => ({
      made: { offers: (row) => void Object.assign(row, { status: 'draft' }) },
      refuse: {
        offers: (_next, _beside, before) =>
          before !== undefined && isLocked(before, 'edits-published') ? 409 : undefined,
      },
      refuseDeletion: { offers: (row) => (isLocked(row, 'deletes-published') ? 409 : undefined) },
      find: { offers: (row, query) => isFound(row, query, quirks) },
      on: {
        publishOffer: ({ row }) => {
          if (row === undefined) return undefined;
          if (isLocked(row, 'publishes-twice')) return { status: 409 };
          const status = quirks.has('moves-on') ? 'archived' : 'published';
          if (!quirks.has('publish-is-lost')) Object.assign(row, { status });
          return { status: 200, json: { ...row, status: 'published' } };
        },
      },
    }),
    { paths: publishing },
  );
}

const alarmsOf = (quirks: readonly Quirk[]): Promise<string[]> =>
  offers(quirks).alarms(/^/, { only: ['states-hold', 'filter-holds'] });

describe('states, searches and bounds that descriptions state', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  noticeEach<Quirk>(
    '%s is noticed',
    [
      [
        ['edits-published', /^error states-hold replaceOffer/],
        ['search-leaves-out-note', /^error filter-holds listOffers/],
      ],
      [
        [
          'deletes-published',
          /^error states-hold deleteOffer.*status was "published", and the contract allows it only in/,
        ],
        [
          'search-by-case',
          /^error filter-holds listOffers.*filtered by q=.* lacks \d+ records? that the whole list/,
        ],
      ],
      [
        ['publish-is-lost', /^error states-hold publishOffer/],
        ['bound-by-text', /^error filter-holds listOffers/],
      ],
      [
        ['publishes-twice', /^error states-hold publishOffer/],
        ['bound-includes', /^error filter-holds listOffers/],
      ],
    ],
    alarmsOf,
  );

  test.each<[Quirk, string]>([
    ['moves-on', 'a state that changes again by itself'],
    ['search-lags', 'a search that finds new records later'],
  ])('%s, %s, is no finding', async (quirk) => {
    expect(await alarmsOf([quirk])).toEqual([]);
  });
});

describe('the states in which an error that a description names refuses an operation', () => {
  const { contract } = crud(
    {
      Room: {
        fields: { title: text, is_closed: { type: 'boolean' }, status: { enum: ['new', 'used'] } },
        can: 'create read delete',
        refuses: { delete: { 409: 'It is refused.' } },
      },
    },
    () => ({}),
  );
  const [resource] = contract.resources;
  const operation = resource?.operations.delete;

  test.each([
    ['Errors: already_closed.', 'is_closed', ['false']],
    ['Errors: room_not_found, ROOM_NOT_CLOSED.', 'is_closed', ['true']],
    ['Refused with `is_used`.', 'status', ['new']],
    ['Errors: not_used', 'status', ['used']],
    ['Errors: closed_room, not_empty, already_there.', undefined, undefined],
  ])('%s', (description, field, values) => {
    if (operation === undefined || resource === undefined) throw new Error('No deletion.');
    const allowed = allowedStates({ ...operation, description }, resource);
    expect([allowed?.field, allowed?.values]).toEqual([field, values]);
  });
});

describe('the states in which a description allows an operation', () => {
  const { contract } = offers();
  const statesOf = (description: string, id = 'deleteOffer'): readonly string[] | undefined => {
    const operation = contract.operations.find((one) => one.id === id);
    const [resource] = contract.resources;
    if (operation === undefined || resource === undefined) throw new Error(id);
    return allowedStates({ ...operation, description }, resource)?.values;
  };

  test.each([
    'Only drafts can be deleted.',
    'Delete an offer. Only offers in `draft` status can be deleted.',
    'An offer can only be deleted if its status is <code>draft</code>.',
    'An offer can be deleted when it is in one of these statuses: `draft`.',
    'The offer can be deleted only while it is still a draft.',
    '409 if it is published or archived.',
    'Deletes an offer. Responds with 409 while the offer is already published or archived.',
    'Published or archived offers cannot be deleted.',
    '409 if it is no draft any more, or has lines.',
    '409 unless it is a draft and has lines.',
  ])('%s', (description) => {
    expect(statesOf(description)).toEqual(['draft']);
  });

  test.each([
    'Only the owner can delete a draft.',
    'Only published authors can delete offers.',
    'Only drafts can be deleted unless force is true.',
    'An offer can only be deleted if it is draft or has no lines.',
    'Deletes a draft or published offer. Only drafts can be edited afterwards.',
    'Only published offers are returned.',
    'The offer can be deleted only if it is in a `draft` status and was never shown.',
    'An offer can be deleted if it is a draft or, in rare cases, published.',
    '409 if it is published and has lines.',
    'Deletes an offer, also if it is archived.',
  ])('%s (says nothing certain)', (description) => {
    expect(statesOf(description)).toBeUndefined();
  });
});

type BoardQuirk = 'unique-everywhere' | 'not-unique' | 'no-default';

/** Boards of five labels at most, whose names differ. */
function boards(quirk?: BoardQuirk): Crud {
  const colour = { type: 'string', enum: ['red', 'blue'], default: 'blue' };
  return crud(
    {
      Board: { fields: { title: text }, can: 'create read' },
      Label: {
        fields: { name: text, colour },
        optional: ['colour'],
        isAnonymous: true,
        can: 'list create',
        path: '/boards/{boardId}/labels',
        says: {
          create: 'The name is unique within the board. A board takes at most five labels.',
        },
        refuses: { create: { 409: 'Another label of the board has this name.' } },
      },
    },
    (rows) => ({
      refuse: {
        labels: ({ name }, own) => {
          const others = quirk === 'unique-everywhere' ? rows('labels') : own;
          const isTaken = quirk !== 'not-unique' && others.some((label) => label['name'] === name);
          return isTaken || own.length >= 5 ? 409 : undefined;
        },
      },
      made: {
        labels: (label, sent) => {
          if (quirk === 'no-default' && sent['colour'] === undefined) delete label['colour'];
        },
      },
      show: { labels: ({ id: _id, ...label }) => label },
    }),
  );
}

describe('what is added below a record', () => {
  const linesOf = (quirk?: BoardQuirk): Promise<string[]> =>
    boards(quirk).alarms(/^/, { only: ['unique-is-kept', 'default-is-applied'] });

  test('a board that takes five labels, and keeps their rules, has no finding', async () => {
    expect(await linesOf()).toEqual([]);
  });

  test.each<[BoardQuirk, string]>([
    ['unique-everywhere', 'error unique-is-kept createLabel'],
    ['not-unique', 'error unique-is-kept createLabel'],
    ['no-default', 'error default-is-applied createLabel'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await linesOf(quirk);
    expect(lines.some((line) => line.startsWith(expected))).toBe(true);
  });
});
