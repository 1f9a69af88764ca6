import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import type { Query, Collection, Store } from '../../src/store/store.ts';
import type { MakeStore } from './make-store.ts';

const collection: Collection = { session: 'default', name: 'tools' };

const records: readonly JsonObject[] = [
  {
    id: 1,
    name: 'saw',
    price: 20,
    kind: 'hand',
    tags: ['steel', 'wood'],
    owner: { name: 'Ann', at: { city: 'Ulm' } },
    made: '2024-05-01T10:00:00+02:00',
  },
  {
    id: 2,
    name: 'Axe',
    price: 35.5,
    kind: 'hand',
    tags: ['steel'],
    owner: { name: 'bob' },
    made: '2024-05-01T09:00:00Z',
  },
  { id: 3, name: 'drill', price: 20.0, kind: 'power', tags: [], owner: null, made: '2024-04-30' },
  {
    id: 4,
    name: 'file',
    price: 9007199254740993n,
    kind: 'hand',
    tags: [{ name: 'fine' }, { name: 'steel' }],
    'owner.name': 'dotted',
  },
  {
    id: 5,
    name: 'lathe',
    price: 9007199254740992,
    kind: 'power',
    size: null,
    tags: ['wood', 'wood'],
  },
];

function asked(query: Partial<Query>): Query {
  return { where: [], order: [], offset: 0, ...query };
}

async function prepare(make: MakeStore): Promise<Store> {
  const store = await make();
  // Two are fixtures, three are added: a query must see both as one.
  const named = records.map((record) => ({ id: String(record['id']), record }));
  await store.seed(new Map([['tools', named.slice(0, 2)]]));
  for (const stored of named.slice(2)) await store.insert(collection, stored);
  return store;
}

async function found(store: Store, query: Partial<Query>): Promise<string> {
  const result = await store.query(collection, asked(query));
  return result === undefined
    ? 'nowhere'
    : `${result.records.map(({ id }) => id).join(' ')} of ` +
        `${String(result.total)} from ${String(result.offset)}`;
}

/** What every driver answers to queries. */
export function describeQueries(make: MakeStore): void {
  describe('a query', () => {
    test.each<[string, Partial<Query>, string]>([
      ['asks for all', {}, '1 2 3 4 5 of 5 from 0'],
      ['asks for a page', { offset: 1, limit: 2 }, '2 3 of 5 from 1'],
      ['goes beyond the end', { offset: 7, limit: 2 }, ' of 5 from 7'],
      ['asks for nothing but the total', { limit: 0 }, ' of 5 from 0'],
      ['begins before the beginning', { offset: -3, limit: 1 }, '1 of 5 from 0'],
      [
        'filters by a text',
        { where: [{ op: 'in', field: 'kind', values: ['hand'] }] },
        '1 2 4 of 3 from 0',
      ],
      ['minds case', { where: [{ op: 'in', field: 'name', values: ['axe'] }] }, ' of 0 from 0'],
      [
        'takes one of several values',
        { where: [{ op: 'in', field: 'name', values: ['file', 'saw', 'file'] }] },
        '1 4 of 2 from 0',
      ],
      [
        'takes none of no values',
        { where: [{ op: 'in', field: 'name', values: [] }] },
        ' of 0 from 0',
      ],
      [
        'compares numbers by value',
        { where: [{ op: 'in', field: 'price', values: [20n] }] },
        '1 3 of 2 from 0',
      ],
      [
        'compares integers exactly',
        { where: [{ op: 'in', field: 'price', values: [9007199254740993n] }] },
        '4 of 1 from 0',
      ],
      [
        'does not take a text for a number',
        { where: [{ op: 'in', field: 'price', values: ['20'] }] },
        ' of 0 from 0',
      ],
      [
        'looks into lists',
        { where: [{ op: 'in', field: 'tags', values: ['wood'] }] },
        '1 5 of 2 from 0',
      ],
      [
        'goes through lists of objects',
        { where: [{ op: 'in', field: 'tags.name', values: ['steel'] }] },
        '4 of 1 from 0',
      ],
      [
        'goes into objects',
        { where: [{ op: 'in', field: 'owner.at.city', values: ['Ulm'] }] },
        '1 of 1 from 0',
      ],
      [
        'takes a field by its whole name first',
        { where: [{ op: 'in', field: 'owner.name', values: ['dotted', 'bob'] }] },
        '2 4 of 2 from 0',
      ],
      [
        'finds null where it is, not where nothing is',
        { where: [{ op: 'in', field: 'size', values: [null] }] },
        '5 of 1 from 0',
      ],
      [
        'knows no field that is not there',
        { where: [{ op: 'in', field: 'constructor', values: ['x'] }] },
        ' of 0 from 0',
      ],
      [
        'leaves out what has one of some values',
        { where: [{ op: 'not in', field: 'kind', values: ['hand', 'none'] }] },
        '3 5 of 2 from 0',
      ],
      [
        'joins conditions',
        {
          where: [
            {
              op: 'any',
              of: [
                { op: 'in', field: 'owner.name', values: ['dotted'] },
                {
                  op: 'all',
                  of: [
                    { op: 'in', field: 'tags', values: ['wood'] },
                    { op: 'none', of: [{ op: 'in', field: 'kind', values: ['hand'] }] },
                  ],
                },
              ],
            },
          ],
        },
        '4 5 of 2 from 0',
      ],
      [
        'looks at parts of texts in their own case',
        {
          where: [
            { op: 'starts', field: 'kind', value: 'ha' },
            { op: 'none', of: [{ op: 'ends', field: 'kind', value: 'D' }] },
          ],
        },
        '1 2 4 of 3 from 0',
      ],
      [
        'compares texts in one case, and their lengths',
        {
          where: [
            { op: 'contains', field: 'kind', by: 'upper', value: 'HAN' },
            { op: 'in', field: 'kind', by: 'length', values: [4] },
            { op: 'not in', field: 'kind', by: 'lower', values: ['HAND'] },
            { op: 'none', of: [{ op: 'in', field: 'price', by: 'length', values: [2] }] },
          ],
        },
        '1 2 4 of 3 from 0',
      ],
      [
        'compares with a bound',
        {
          where: [
            { op: 'gte', field: 'price', value: 35.5 },
            { op: 'lt', field: 'price', value: 9007199254740993n },
          ],
        },
        '2 5 of 2 from 0',
      ],
      [
        'compares exactly with a bound',
        { where: [{ op: 'gt', field: 'price', value: 9007199254740992 }] },
        '4 of 1 from 0',
      ],
      [
        'compares texts with a bound',
        { where: [{ op: 'lte', field: 'name', value: 'drill' }] },
        '2 3 of 2 from 0',
      ],
      [
        'compares moments, not their texts',
        { where: [{ op: 'lt', field: 'made', value: '2024-05-01T08:30:00Z' }] },
        '1 3 of 2 from 0',
      ],
      [
        'compares dates with moments',
        { where: [{ op: 'gte', field: 'made', value: '2024-05-01' }] },
        '1 2 of 2 from 0',
      ],
      [
        'compares no number with a text',
        { where: [{ op: 'gte', field: 'price', value: '1' }] },
        ' of 0 from 0',
      ],
      [
        'wants every condition',
        {
          where: [
            { op: 'in', field: 'kind', values: ['hand'] },
            { op: 'in', field: 'tags', values: ['steel'] },
            { op: 'gt', field: 'price', value: 20 },
          ],
        },
        '2 of 1 from 0',
      ],
      ['searches everywhere', { search: { text: 'UL' } }, '1 of 1 from 0'],
      [
        'searches fields',
        { search: { text: 'S', fields: ['name', 'tags.name'] } },
        '1 4 of 2 from 0',
      ],
      ['searches for nothing', { search: { text: '' } }, '1 2 3 4 5 of 5 from 0'],
      ['sorts', { order: [{ field: 'name', descending: false }] }, '2 3 4 5 1 of 5 from 0'],
      [
        'sorts the other way',
        { order: [{ field: 'name', descending: true }] },
        '1 5 4 3 2 of 5 from 0',
      ],
      [
        'sorts exactly, equal ones as they were',
        { order: [{ field: 'price', descending: false }] },
        '1 3 2 5 4 of 5 from 0',
      ],
      [
        'finds what is absent or null',
        { where: [{ op: 'null', field: 'owner' }] },
        '3 4 5 of 3 from 0',
      ],
      [
        'puts null before all values where it is the lowest',
        { order: [{ field: 'owner.name', descending: false, isNullLowest: true }] },
        '3 5 1 2 4 of 5 from 0',
      ],
      [
        'puts null behind all values where it is the lowest, and the order descends',
        { order: [{ field: 'owner.name', descending: true, isNullLowest: true }] },
        '4 2 1 3 5 of 5 from 0',
      ],
      [
        'puts what is absent or null last',
        { order: [{ field: 'owner.name', descending: true }] },
        '4 2 1 3 5 of 5 from 0',
      ],
      [
        'sorts by a second key',
        {
          order: [
            { field: 'kind', descending: true },
            { field: 'price', descending: true },
          ],
        },
        '5 3 4 2 1 of 5 from 0',
      ],
      [
        'sorts by what nobody has',
        { order: [{ field: 'unknown', descending: true }] },
        '1 2 3 4 5 of 5 from 0',
      ],
      [
        'filters, sorts and cuts',
        {
          where: [{ op: 'in', field: 'kind', values: ['hand'] }],
          order: [{ field: 'price', descending: true }],
          offset: 1,
          limit: 1,
        },
        '2 of 3 from 1',
      ],
      ['begins behind a record', { after: '2', limit: 2 }, '3 4 of 5 from 2'],
      [
        'begins behind a record in its order',
        { after: '2', order: [{ field: 'name', descending: false }], limit: 1 },
        '3 of 5 from 1',
      ],
      ['begins behind the last one', { after: '5' }, ' of 5 from 5'],
      ['counts its offset from there', { after: '2', offset: 2 }, '5 of 5 from 4'],
      ['begins behind a record that is not there', { after: '9' }, 'nowhere'],
      [
        'begins behind a record that does not match',
        { after: '3', where: [{ op: 'in', field: 'kind', values: ['hand'] }] },
        'nowhere',
      ],
    ])('that %s', async (_name, query, expected) => {
      expect(await found(await prepare(make), query)).toBe(expected);
    });

    test('that was asked before sees what has changed since', async () => {
      const store = await prepare(make);
      const query: Partial<Query> = {
        where: [{ op: 'in', field: 'kind', values: ['hand'] }],
        order: [{ field: 'name', descending: false }],
      };
      expect(await found(store, query)).toBe('2 4 1 of 3 from 0');
      await store.insert(collection, { id: '6', record: { name: 'brush', kind: 'hand' } });
      await store.replace(collection, { id: '1', record: { name: 'Anvil', kind: 'hand' } });
      await store.replace(collection, { id: '4', record: { name: 'file', kind: 'power' } });
      expect(await found(store, query)).toBe('1 2 6 of 3 from 0');
      await store.delete(collection, '2');
      await store.delete(collection, '6');
      expect(await found(store, query)).toBe('1 of 1 from 0');
      expect(await found(store, { ...query, after: '2' })).toBe('nowhere');
      await store.reset();
      expect(await found(store, query)).toBe('2 1 of 2 from 0');
    });

    test('of another session sees nothing of it', async () => {
      const store = await prepare(make);
      const query = asked({ where: [{ op: 'in', field: 'kind', values: ['hand'] }] });
      expect((await store.query({ session: 'other', name: 'tools' }, query))?.total).toBe(2);
      expect(await store.query({ session: 'other', name: 'unknown' }, query)).toEqual({
        records: [],
        total: 0,
        offset: 0,
      });
    });
  });
}
