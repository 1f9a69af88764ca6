import { afterEach, describe, expect, test } from 'vitest';
import { startMock, type CallbackReport, type RunningMock } from '../../src/library/start-mock.ts';
import { startReceiver, type Receiver } from '../server/callbacks/receiver.ts';
import { jsonContent } from '../contract/make-contract.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const order = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'integer', readOnly: true },
    state: { enum: ['placed', 'shipped'] },
    hook: { type: 'string' },
  },
};
const answers = {
  200: {
    description: 'taken',
    ...jsonContent({ type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } }),
  },
  204: { description: 'taken' },
};
const contract = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'placeOrder',
        requestBody: { required: true, ...jsonContent(order) },
        responses: { 201: { description: 'placed', ...jsonContent(order) } },
        callbacks: {
          shipped: {
            '{$request.body#/hook}/orders/{$response.body#/id}': {
              post: { requestBody: jsonContent(order), responses: answers },
            },
          },
        },
      },
      get: {
        operationId: 'listOrders',
        responses: { 200: { description: 'all', ...jsonContent({ type: 'array', items: order }) } },
      },
    },
  },
  webhooks: {
    restocked: {
      post: {
        summary: 'There is more.',
        requestBody: jsonContent({
          type: 'object',
          required: ['item', 'count'],
          properties: {
            item: { type: 'string', minLength: 1 },
            count: { type: 'integer', minimum: 1 },
          },
        }),
        responses: answers,
      },
    },
  },
};

interface Shop {
  readonly mock: RunningMock;
  readonly reports: CallbackReport[];
  /** Resolves with the next report. */
  reported(count: number): Promise<void>;
}

async function startShop(): Promise<Shop> {
  const reports: CallbackReport[] = [];
  let wake = (): void => undefined;
  const mock = await startMock({
    contract,
    config: false,
    onCallback: (report) => {
      reports.push(report);
      wake();
    },
  });
  closing.push(() => mock.close());
  return {
    mock,
    reports,
    reported: async (count) => {
      while (reports.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

async function receive(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...given);
  closing.push(() => receiver.close());
  return receiver;
}

function place(mock: RunningMock, hook?: string): Promise<Response> {
  return fetch(`${mock.url}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ state: 'placed', ...(hook === undefined ? {} : { hook }) }),
  });
}

function control(
  { controlUrl, controlToken }: RunningMock,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(`${controlUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${controlToken}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe('a mock that is served', () => {
  test('sends callbacks after the response', async () => {
    const { mock, reports, reported } = await startShop();
    const receiver = await receive();
    const placed = (await (await place(mock, receiver.url)).json()) as { id: number };
    await receiver.came(1);
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        target: `/orders/${String(placed.id)}`,
        headers: { 'vouch-callback': 'shipped' },
      },
    ]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(placed);
    await reported(1);
    expect(reports).toMatchObject([
      { name: 'shipped', operation: 'placeOrder', outcome: 'answered', status: 204, attempt: 1 },
    ]);
    expect(await (await control(mock, 'GET', '/callbacks')).json()).toMatchObject({
      callbacks: [
        {
          name: 'shipped',
          operation: 'placeOrder',
          outcome: 'answered',
          status: 204,
          reason: null,
        },
      ],
    });
    expect(mock.journal()).toMatchObject([{ operation: 'placeOrder', callbacks: 1 }]);
  });

  test('sends no callback without a URL, or to another machine', async () => {
    const { mock, reports, reported } = await startShop();
    expect((await place(mock)).status).toBe(201);
    expect((await place(mock, 'http://192.0.2.1')).status).toBe(201);
    await reported(1);
    expect(reports).toMatchObject([
      { outcome: 'refused', attempt: 0, hint: 'Allow it with --allow-callback-host 192.0.2.1' },
    ]);
  });

  test('sends a requested webhook, and reports the response', async () => {
    const { mock } = await startShop();
    const receiver = await receive(
      (response) =>
        void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
    );
    expect(await (await control(mock, 'GET', '/webhooks')).json()).toEqual({
      webhooks: [{ name: 'restocked', method: 'POST', summary: 'There is more.' }],
    });
    const answer = await control(mock, 'POST', '/webhooks/restocked', {
      url: `${receiver.url}/hook`,
      body: { item: 'lamp' },
    });
    const said = (await answer.json()) as { sent: { body: { count: number } } };
    expect(said).toMatchObject({
      sent: { method: 'POST', url: `${receiver.url}/hook`, body: { item: 'lamp' } },
      status: 200,
      body: { ok: true },
      valid: true,
      broken: [],
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(said.sent.body);
    expect(said.sent.body.count).toBeGreaterThanOrEqual(1);
  });

  test('reports how the response to a webhook violates the contract', async () => {
    const { mock } = await startShop();
    const receiver = await receive((response) => void response.writeHead(418).end());
    const answer = await control(mock, 'POST', '/webhooks/restocked', { url: receiver.url });
    expect(await answer.json()).toMatchObject({
      status: 418,
      valid: false,
      broken: ['The status 418 is not documented; there are: 200, 204.'],
    });
  });

  test.each([
    [
      'an unknown one',
      '/webhooks/restoked',
      { url: 'http://127.0.0.1:9' },
      404,
      'There is no webhook restoked. Did you mean restocked?',
    ],
    ['one that goes nowhere', '/webhooks/restocked', {}, 400, 'url must be where the webhook goes'],
    [
      'one that goes to another machine',
      '/webhooks/restocked',
      { url: 'http://192.0.2.1/' },
      403,
      'Allow it with --allow-callback-host 192.0.2.1',
    ],
    [
      'one that is not valid',
      '/webhooks/restocked',
      { url: 'http://127.0.0.1:9', body: { count: 0 } },
      400,
      '/count must be',
    ],
    [
      'one with a method that it has not',
      '/webhooks/restocked',
      { url: 'http://127.0.0.1:9', method: 'put' },
      404,
      'There is no webhook PUT restocked',
    ],
  ])('refuses a webhook: %s', async (_name, path, body, status, detail) => {
    const { mock } = await startShop();
    const answer = await control(mock, 'POST', path, body);
    expect([answer.status, await answer.json()]).toEqual([
      status,
      expect.objectContaining({ detail: expect.stringContaining(detail) }),
    ]);
  });

  test('reports a webhook without a response', async () => {
    const { mock } = await startShop();
    const gone = await receive();
    await gone.close();
    const answer = await control(mock, 'POST', '/webhooks/restocked', { url: gone.url });
    expect([answer.status, await answer.json()]).toEqual([
      502,
      expect.objectContaining({
        detail: `The webhook restocked to ${gone.url} found no listener there.`,
      }),
    ]);
  });

  test('stops without waiting for missing responses', async () => {
    const { mock } = await startShop();
    const receiver = await receive(() => undefined);
    await place(mock, receiver.url);
    await receiver.came(1);
    await expect(mock.close()).resolves.toBeUndefined();
  });
});
