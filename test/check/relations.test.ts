import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

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

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

function text(quirk?: Quirk): string {
  const many =
    quirk === 'counts-open-ones' ? 'How many open orders there are.' : 'How many orders.';
  return `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /clients:
    get:
      operationId: listClients
      responses: { '200': { description: All, ${json('Clients')} } }
    post:
      operationId: createClient
      requestBody: { required: true, ${json('Client')} }
      responses:
        '201': { description: Made, ${json('Client')} }
        '400': { description: Not valid }
  /clients/{clientId}:
    parameters: [{ name: clientId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getClient
      responses: { '200': { description: One, ${json('Client')} }, '404': { description: None } }
    patch:
      operationId: updateClient
      requestBody: { required: true, ${json('ClientChange')} }
      responses:
        '200': { description: Changed, ${json('Client')} }
        '400': { description: Not valid }
        '404': { description: None }
    delete:
      operationId: deleteClient
      responses:
        '204': { description: Gone }
        '404': { description: None }
        '409': { description: It has orders. }
  /orders:
    get: { operationId: listOrders, responses: { '200': { description: All, ${json('Orders')} } } }
    post:
      operationId: createOrder
      description: An unknown clientId is refused with 422.
      requestBody: { required: true, ${json('Order')} }
      responses:
        '201': { description: Made, ${json('Order')} }
        '400': { description: Not valid }
        '422': { description: There is no such client. }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getOrder
      responses: { '200': { description: One, ${json('Order')} }, '404': { description: None } }
    delete:
      operationId: deleteOrder
      responses: { '204': { description: Gone }, '404': { description: None } }
  /orders/{orderId}/remarks:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listRemarks
      responses: { '200': { description: All, ${json('Remarks')} }, '404': { description: None } }
    post:
      operationId: createRemark
      requestBody: { required: true, ${json('Remark')} }
      responses:
        '201': { description: Made, ${json('Remark')} }
        '400': { description: Not valid }
        '404': { description: None }
  /orders/{orderId}/remarks/{remarkId}:
    parameters:
      - { name: orderId, in: path, required: true, schema: { type: string } }
      - { name: remarkId, in: path, required: true, schema: { type: string } }
    get:
      operationId: getRemark
      responses: { '200': { description: One, ${json('Remark')} }, '404': { description: None } }
components:
  schemas:
    Client:
      type: object
      required: [name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1 }
        orderCount: { type: integer, readOnly: true, description: ${many} }
        href: { type: string, format: uri-reference, readOnly: true }
    ClientChange:
      type: object
      required: [name]
      properties: { name: { type: string, minLength: 1 } }
    Clients: { type: array, items: { $ref: '#/components/schemas/Client' } }
    Order:
      type: object
      required: [clientId, title]
      properties:
        id: { type: string, readOnly: true }
        clientId: { type: string, minLength: 1 }
        title: { type: string, minLength: 1 }
        client:
          type: object
          readOnly: true
          properties: { name: { type: string } }
        remarksHref: { type: string, format: uri-reference, readOnly: true }
    Orders: { type: array, items: { $ref: '#/components/schemas/Order' } }
    Remark:
      type: object
      required: [text]
      properties:
        id: { type: string, readOnly: true }
        orderId: { type: string, readOnly: true }
        text: { type: string, minLength: 1 }
    Remarks: { type: array, items: { $ref: '#/components/schemas/Remark' } }
`;
}

interface Client {
  id: string;
  name: string;
}
interface Order {
  id: string;
  clientId: string;
  title: string;
  nameThen: string;
}
interface Remark {
  id: string;
  orderId: string;
  text: string;
}

/** Clients, their orders, and remarks below an order. */
function service(quirk?: Quirk): Service {
  let last = 100;
  const newId = (): string => `r-${String((last += 1))}`;
  const clients = new Map<string, Client>();
  const orders = new Map<string, Order>();
  const remarks = new Map<string, Remark>();
  const gone = new Set<string>();
  const missing: Answered = { status: 404 };
  const ordersOf = (id: string): Order[] =>
    [...orders.values()].filter((one) => one.clientId === id);
  const showClient = (client: Client): unknown => ({
    ...client,
    orderCount: ['count-stays', 'counts-open-ones'].includes(quirk ?? '')
      ? 0
      : ordersOf(client.id).length,
    href:
      quirk === 'href-of-other'
        ? `/clients/${clients.keys().next().value ?? ''}`
        : `/clients/${client.id}`,
  });
  const showOrder = ({ nameThen, ...order }: Order): unknown => ({
    ...order,
    client: {
      name:
        quirk === 'copy-of-another'
          ? [...clients.values()][0]?.name
          : quirk === 'copies-once'
            ? nameThen
            : (clients.get(order.clientId)?.name ?? nameThen),
    },
    remarksHref:
      quirk === 'href-broken' ? `/remarks-of/${order.id}` : `/orders/${order.id}/remarks`,
  });
  const read = (body: string, names: readonly string[]): Record<string, string> | undefined => {
    try {
      const value: unknown = JSON.parse(body);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const record = value as Record<string, unknown>;
      const isText = (name: string): boolean =>
        typeof record[name] === 'string' && record[name] !== '';
      return names.every(isText) ? (record as Record<string, string>) : undefined;
    } catch {
      return undefined;
    }
  };
  const isUnknown = (id: string): boolean => {
    if (quirk === 'unknown-accepted' || quirk === 'no-references') return false;
    return !clients.has(id) && !(quirk === 'deleted-accepted' && gone.has(id));
  };
  const onClients = ({ method, path: [, id], body }: Call): Answered => {
    const sent = read(body, ['name']);
    if (id === undefined) {
      if (method === 'GET') return { status: 200, json: [...clients.values()].map(showClient) };
      if (sent === undefined) return { status: 400 };
      const client = { id: newId(), name: sent['name'] ?? '' };
      clients.set(client.id, client);
      return { status: 201, json: showClient(client) };
    }
    const client = clients.get(id);
    if (client === undefined) return missing;
    if (method === 'DELETE') {
      if (ordersOf(id).length > 0 && quirk !== 'client-with-orders-deleted') return { status: 409 };
      gone.add(id);
      clients.delete(id);
      return { status: 204 };
    }
    if (method === 'PATCH') {
      if (sent === undefined) return { status: 400 };
      client.name = sent['name'] ?? '';
    }
    return { status: 200, json: showClient(client) };
  };
  const onOrders = ({ method, path: [, id], body }: Call): Answered => {
    if (id === undefined) {
      if (method === 'GET') return { status: 200, json: [...orders.values()].map(showOrder) };
      const sent = read(body, ['clientId', 'title']);
      if (sent === undefined) return { status: 400 };
      const { clientId = '', title = '' } = sent;
      if (isUnknown(clientId)) return { status: 422 };
      const order = { id: newId(), clientId, title, nameThen: clients.get(clientId)?.name ?? '' };
      orders.set(order.id, order);
      return { status: 201, json: showOrder(order) };
    }
    const order = orders.get(id);
    if (order === undefined) return missing;
    if (method === 'DELETE') {
      orders.delete(id);
      for (const remark of remarks.values()) if (remark.orderId === id) remarks.delete(remark.id);
      return { status: 204 };
    }
    return { status: 200, json: showOrder(order) };
  };
  const showRemark = (remark: Remark): unknown =>
    quirk === 'names-number' ? { ...remark, orderId: '7' } : remark;
  const onRemarks = ({ method, path: [, orderId = '', , id], body }: Call): Answered => {
    if (!orders.has(orderId)) return missing;
    const all = [...remarks.values()].filter(
      (one) => one.orderId === orderId || quirk === 'remarks-of-all',
    );
    if (id !== undefined) {
      const found =
        quirk === 'remark-below-any' ? remarks.get(id) : all.find((one) => one.id === id);
      return found === undefined ? missing : { status: 200, json: showRemark(found) };
    }
    if (method === 'GET') return { status: 200, json: all.map(showRemark) };
    const sent = read(body, ['text']);
    if (sent === undefined) return { status: 400 };
    const remark = { id: newId(), orderId, text: sent['text'] ?? '' };
    remarks.set(remark.id, remark);
    return { status: 201, json: showRemark(remark) };
  };
  return (call) => {
    if (!['GET', 'POST', 'PATCH', 'DELETE'].includes(call.method)) return { status: 405 };
    const [first, , third] = call.path;
    if (first === 'clients' && call.path.length <= 2) return onClients(call);
    if (first === 'orders' && third === 'remarks' && call.path.length <= 4) return onRemarks(call);
    return first === 'orders' && call.path.length <= 2 ? onOrders(call) : missing;
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string[]> {
  const findings = await findingsOf(parseContract(text(quirk), 'orders.yaml'), service(quirk));
  return alarms(findings).filter((line) => /parent-holds|shown-twice-agrees/.test(line));
}

describe('relations between records', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['remarks-of-all', 'error parent-holds listRemarks'],
    ['remark-below-any', 'error parent-holds getRemark'],
    ['names-number', 'error shown-twice-agrees getRemark'],
    ['unknown-accepted', 'error parent-holds createOrder'],
    ['deleted-accepted', 'error parent-holds createOrder'],
    ['client-with-orders-deleted', 'error parent-holds deleteClient'],
    ['count-stays', 'error shown-twice-agrees getClient'],
    ['copy-of-another', 'error shown-twice-agrees getOrder'],
    ['href-broken', 'error shown-twice-agrees listRemarks'],
    ['href-of-other', 'error shown-twice-agrees getClient'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.some((line) => line.startsWith(expected))).toBe(true);
  });

  test('a copy that stays as it was when the record was made is no finding', async () => {
    expect(await alarmsOf('copies-once')).toEqual([]);
  });

  test('a count whose description leaves records out is no error', async () => {
    const lines = await alarmsOf('counts-open-ones');
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
