import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

/** What the service does wrong, or otherwise than others. */
type Quirk =
  | 'takes nothing'
  | 'gives nothing back'
  | 'gives back what a draft has not taken'
  | 'says nothing of the stock'
  | 'has other clients'
  | 'keeps what a cancelled order took';

const json = (schema: object): object => ({ 'application/json': { schema } });
const named = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const key = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});
const shows = (schema: object, status = 200): object => ({
  [status]: { description: 'Done.', content: json(schema) },
  404: { description: 'There is none.' },
  409: { description: 'Not in this state.' },
  422: { description: 'Not valid.' },
});
const many = (name: string): object => ({ type: 'array', items: named(name) });

function contractOf(quirk?: Quirk): Contract {
  const isSilent = quirk === 'says nothing of the stock';
  const isKept = quirk === 'keeps what a cancelled order took';
  const act = (operationId: string, description: string): object => ({
    parameters: [key('orderId')],
    post: {
      operationId,
      description: isSilent ? '' : description,
      responses: shows(named('Order')),
    },
  });
  const create = (operationId: string, body: object, name: string): object => ({
    operationId,
    requestBody: { required: true, content: json(body) },
    responses: shows(named(name), 201),
  });
  const members = (properties: object): object => ({
    type: 'object',
    required: Object.keys(properties),
    properties,
  });
  const id = { type: 'string', readOnly: true };
  const quantity = { type: 'integer', minimum: 1, maximum: 9 };
  return parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Stock', version: '1' },
      paths: {
        '/products': { get: { operationId: 'listProducts', responses: shows(many('Product')) } },
        '/products/{productId}': {
          parameters: [key('productId')],
          get: { operationId: 'readProduct', responses: shows(named('Product')) },
        },
        '/orders': {
          get: { operationId: 'listOrders', responses: shows(many('Order')) },
          post: create(
            'createOrder',
            members({ note: { type: 'string', maxLength: 90 } }),
            'Order',
          ),
        },
        '/orders/{orderId}': {
          parameters: [key('orderId')],
          get: { operationId: 'readOrder', responses: shows(named('Order')) },
        },
        '/orders/{orderId}/submit': act('submitOrder', 'Takes the quantities from the stock.'),
        '/orders/{orderId}/cancel': act(
          'cancelOrder',
          isKept ? 'Nothing goes back to the stock.' : 'Gives what was taken back to the stock.',
        ),
        '/orders/{orderId}/lines': {
          parameters: [key('orderId')],
          get: { operationId: 'listLines', responses: shows(many('Line')) },
          post: create('addLine', members({ productId: { type: 'string' }, quantity }), 'Line'),
        },
      },
      components: {
        schemas: {
          Product: members({ id, name: { type: 'string' }, stock: { type: 'integer' } }),
          Order: members({
            id,
            note: { type: 'string' },
            status: { type: 'string', enum: ['draft', 'submitted', 'cancelled'] },
          }),
          Line: members({ id, productId: { type: 'string' }, quantity }),
        },
      },
    }),
    'stock.json',
  );
}

interface Line {
  readonly id: string;
  readonly productId: string;
  readonly quantity: number;
}

interface Order {
  readonly id: string;
  readonly note: string;
  readonly status: string;
  readonly lines: readonly Line[];
}

/** Orders of products, which take from a stock. */
function stock(quirk?: Quirk): Service {
  const products = [
    { id: 'p1', name: 'Desk', stock: 400 },
    { id: 'p2', name: 'Chair', stock: 700 },
  ];
  const orders = new Map<string, Order>();
  let last = 0;
  const show = ({ lines: _lines, ...order }: Order): object => order;
  const move = (order: Order, by: number): void => {
    for (const { productId, quantity } of order.lines)
      for (const product of products) if (product.id === productId) product.stock += by * quantity;
  };
  const bring = (order: Order, status: string): ReturnType<Service> => {
    const isDraft = order.status === 'draft';
    const isAllowed = status === 'submitted' ? isDraft : order.status !== 'cancelled';
    if (!isAllowed) return { status: 409 };
    const isTaken = !isDraft || quirk === 'gives back what a draft has not taken';
    const isKept = quirk === 'gives nothing back' || quirk === 'keeps what a cancelled order took';
    if (status === 'submitted' && quirk !== 'takes nothing') move(order, -1);
    if (status === 'cancelled' && isTaken && !isKept) move(order, 1);
    const changed = { ...order, status };
    orders.set(order.id, changed);
    return { status: 200, json: show(changed) };
  };
  return ({ method, path: [kind, of, part], body }) => {
    last += 1;
    if (quirk === 'has other clients')
      for (const product of products) product.stock += 1 + (last % 2) * 4;
    const given = jsonObject(body) ?? {};
    if (kind === 'products') {
      const own = products.find(({ id }) => id === of);
      if (method !== 'GET') return { status: 405 };
      if (of === undefined) return { status: 200, json: products };
      return own === undefined ? { status: 404 } : { status: 200, json: own };
    }
    const order = orders.get(of ?? '');
    if (of !== undefined && order === undefined) return { status: 404 };
    if (method === 'GET') {
      const shown = part === 'lines' ? order?.lines : order && show(order);
      return { status: 200, json: shown ?? [...orders.values()].map(show) };
    }
    if (method !== 'POST') return { status: 405 };
    if (order === undefined) {
      const { note } = given;
      if (typeof note !== 'string' || [...note].length > 90) return { status: 422 };
      const made: Order = { id: `o${String(last)}`, note, status: 'draft', lines: [] };
      orders.set(made.id, made);
      return { status: 201, json: show(made) };
    }
    if (part === 'submit' || part === 'cancel')
      return bring(order, part === 'submit' ? 'submitted' : 'cancelled');
    const { productId, quantity } = given;
    const isKnown = products.some(({ id }) => id === productId);
    const isRight = Number.isInteger(quantity) && Number(quantity) > 0 && Number(quantity) < 10;
    if (typeof productId !== 'string' || !isKnown || !isRight) return { status: 422 };
    if (order.status !== 'draft') return { status: 409 };
    const line = { id: `l${String(last)}`, productId, quantity: Number(quantity) };
    orders.set(order.id, { ...order, lines: [...order.lines, line] });
    return { status: 201, json: line };
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string> {
  const only = ['amounts-agree'];
  return alarms(await findingsOf(contractOf(quirk), stock(quirk), { only })).join('\n');
}

describe('orders that take from a stock', () => {
  test.each<Quirk | undefined>([
    undefined,
    'says nothing of the stock',
    'has other clients',
    'keeps what a cancelled order took',
  ])('raise no alarm: %s', async (quirk) => {
    expect(await alarmsOf(quirk)).toBe('');
  });

  test.each<Quirk>([
    'takes nothing',
    'gives nothing back',
    'gives back what a draft has not taken',
  ])('that a cancelled order %s is noticed', async (quirk) => {
    expect(await alarmsOf(quirk)).toMatch(
      /error amounts-agree cancelOrder: The stock is \d+ after cancelOrder; it was \d+ before/,
    );
  });
});
