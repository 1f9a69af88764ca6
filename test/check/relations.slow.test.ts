import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from './fixture/crud/crud.ts';
import { noticeEach } from './fixture/notice-each.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'remarks-of-all'
  | 'remark-below-any'
  | 'names-number'
  | 'unknown-accepted'
  | 'deleted-accepted'
  | 'client-with-orders-deleted'
  | 'count-stays'
  | 'copy-of-another'
  | 'copies-once'
  | 'href-broken'
  | 'href-of-other'
  | 'counts-open-ones'
  | 'no-references';

const link = shown({ type: 'string', format: 'uri-reference' });

/** Clients, their orders, and remarks below an order; `told`: where a client must exist. */
function orders(
  own: readonly Quirk[],
  told: 'operation' | 'member' | 'nowhere' = 'operation',
): Crud {
  const quirks: ReadonlySet<Quirk> = new Set(own);
  const isTold = told === 'operation';
  const many = quirks.has('counts-open-ones')
    ? 'How many open orders there are.'
    : 'How many orders.';
  const copy = { type: 'object', properties: { name: { type: 'string' } } };
  return crud(
    {
      Client: {
        fields: {
          name: text,
          orderCount: shown({ type: 'integer', description: many }),
          href: link,
        },
        can: 'list create read update delete',
        refuses: { delete: { 409: 'It has orders.' } },
      },
      Order: {
        fields: {
          clientId: told === 'member' ? { ...text, description: 'Of a client, else 422.' } : text,
          title: text,
          client: shown(copy),
          remarksHref: link,
        },
        can: 'list create read delete',
        says: isTold ? { create: 'An unknown clientId is refused with 422.' } : {},
        refuses: { create: { 422: isTold ? 'There is no such client.' : 'Refused.' } },
      },
      Remark: {
        fields: { orderId: shown({ type: 'string' }), text },
        path: '/orders/{orderId}/remarks',
      },
    },
    (rows) => {
      const gone = new Set<unknown>();
      const namesThen = new Map<string, unknown>();
      const clientOf = (order: Row): Row | undefined =>
        rows('clients').find(({ id }) => id === order['clientId']);
      const ordersOf = ({ id }: Row): Row[] =>
        rows('orders').filter((order) => order['clientId'] === id);
      const linked = (client: Row): Row | undefined =>
        quirks.has('href-of-other') ? rows('clients')[0] : client;
      const nameShown = (order: Row): unknown => {
        if (quirks.has('copy-of-another')) return rows('clients')[0]?.['name'];
        const now = quirks.has('copies-once') ? undefined : clientOf(order)?.['name'];
        return now ?? namesThen.get(order.id) ?? '';
      };
      return {
        refuse: {
          orders: (order) => {
            if (quirks.has('unknown-accepted') || quirks.has('no-references')) return undefined;
            const isKept = quirks.has('deleted-accepted') && gone.has(order['clientId']);
            return clientOf(order) === undefined && !isKept ? 422 : undefined;
          },
        },
        refuseDeletion: {
          clients: (client) => {
            const isKept = !quirks.has('client-with-orders-deleted') && ordersOf(client).length > 0;
            if (!isKept) gone.add(client.id);
            return isKept ? 409 : undefined;
          },
        },
        made: { orders: (order) => void namesThen.set(order.id, clientOf(order)?.['name']) },
        show: {
          clients: (client) => ({
            ...client,
            orderCount:
              quirks.has('count-stays') || quirks.has('counts-open-ones')
                ? 0
                : ordersOf(client).length,
            href: `/clients/${linked(client)?.id ?? ''}`,
          }),
          orders: (order) => ({
            ...order,
            client: {
              name: nameShown(order),
            },
            remarksHref: quirks.has('href-broken')
              ? `/remarks-of/${order.id}`
              : `/orders/${order.id}/remarks`,
          }),
          remarks: (remark) => (quirks.has('names-number') ? { ...remark, orderId: '7' } : remark),
        },
        on: {
          listRemarks: ({ row }) =>
            quirks.has('remarks-of-all') && row !== undefined
              ? { status: 200, json: rows('remarks') }
              : undefined,
          getRemark: ({ call, row }) => {
            const other = rows('remarks').find(({ id }) => id === call.path[3]);
            return quirks.has('remark-below-any') && row === undefined && other !== undefined
              ? { status: 200, json: other }
              : undefined;
          },
        },
      };
    },
  );
}

const alarmsOf = (quirks: readonly Quirk[]): Promise<string[]> =>
  orders(quirks).alarms(/^/, { only: ['parent-holds', 'shown-twice-agrees'] });

describe('relations between records', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  noticeEach<Quirk>(
    '%s is noticed',
    [
      [
        ['remarks-of-all', /^error parent-holds listRemarks/],
        ['remark-below-any', /^error parent-holds getRemark/],
        ['deleted-accepted', /^error parent-holds createOrder/],
        ['client-with-orders-deleted', /^error parent-holds deleteClient/],
        ['copy-of-another', /^error shown-twice-agrees getOrder/],
        ['href-broken', /^error shown-twice-agrees listRemarks/],
        ['href-of-other', /^error shown-twice-agrees getClient/],
      ],
      [
        ['names-number', /^error shown-twice-agrees getRemark/],
        ['unknown-accepted', /^error parent-holds createOrder/],
        ['count-stays', /^error shown-twice-agrees getClient/],
      ],
    ],
    alarmsOf,
  );

  test.each<['member' | 'nowhere', string]>([
    ['member', 'error'],
    ['nowhere', 'warning'],
  ])('a client who must exist, which the contract says %s, is a %s', async (told, severity) => {
    const lines = await orders(['unknown-accepted'], told).alarms(/^/, { only: ['parent-holds'] });
    expect(new Set(lines.map((line) => line.split(':')[0]))).toEqual(
      new Set([`${severity} parent-holds createOrder`]),
    );
  });

  test('a copy that stays as it was when the record was made is no finding', async () => {
    expect(await alarmsOf(['copies-once'])).toEqual([]);
  });

  test('a count whose description leaves records out is no error', async () => {
    const lines = await alarmsOf(['counts-open-ones']);
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

/** Crates on racks, whose deletion takes the crates off, unless the service keeps references. */
function crates(says: string, keeps: boolean): Crud {
  return crud(
    {
      Rack: { fields: { name: text }, can: 'list create read delete', says: { delete: says } },
      Crate: { fields: { rackId: text, label: text }, can: 'list create read delete' },
    },
    (rows) => ({
      show: {
        crates: (crate) => ({
          ...crate,
          rackId:
            keeps || rows('racks').some(({ id }) => id === crate['rackId']) ? crate['rackId'] : '',
        }),
      },
    }),
  );
}

describe('a deletion that clears references', () => {
  const said = 'Crates on it lose their rackId.';

  test.each<[string, boolean]>([
    [said, false],
    ['Deletes a rack.', true],
    ['Crates on it do not lose their rackId.', true],
  ])('%j raises no alarm where references are kept: %s', async (says, keeps) => {
    expect(await crates(says, keeps).alarms(/has still the/)).toEqual([]);
  });

  test('and leaves them is an error of it', async () => {
    expect((await crates(said, true).alarms(/^/, { only: ['parent-holds'] })).join()).toMatch(
      /error parent-holds deleteRack: A record has still the rackId/,
    );
  });
});
