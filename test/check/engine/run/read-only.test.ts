import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { loadContract } from '../../../../src/contract/load.ts';
import type { Send } from '../../../../src/check/transport/send.ts';
import { emptyBody } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { shopContract } from '../../fixture/shop.ts';

const safe = ['GET', 'HEAD', 'OPTIONS'];
const contracts: readonly (readonly [string, () => Promise<Contract>])[] = [
  ['library', async () => libraryContract()],
  ['shop', async () => shopContract()],
  ['bundled', () => loadContract('openapi/petstore.v1.yaml')],
];

let server: Server | undefined;
afterEach(
  () =>
    new Promise<void>((resolve) =>
      server === undefined ? resolve() : server.close(() => resolve()),
    ),
);

/**
 * A server that takes part in every confirmation: everything is suspicious, and whatever is created
 * is said to be.
 */
async function startRecorder(
  answer: (turn: number) => { readonly status: number; readonly body: string },
): Promise<{ readonly url: string; readonly methods: string[] }> {
  const methods: string[] = [];
  const started = createServer((request, response) => {
    methods.push(request.method ?? '');
    const { status, body } = answer(methods.length);
    request.resume();
    response
      .writeHead(status, { 'Content-Type': 'application/json', Location: '/v1/books/7' })
      .end(request.method === 'HEAD' ? undefined : body);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${String((started.address() as AddressInfo).port)}/v1`, methods };
}

describe.each(contracts)(
  'a read-only run of the %s contract sends no unsafe method, in any phase',
  (_name, load) => {
    test.each<[string, (turn: number) => { status: number; body: string }]>([
      [
        'that lists one record for everything',
        () => ({ status: 200, body: '[{"id":7,"title":"x","name":"x"}]' }),
      ],
      ['that says it created something', () => ({ status: 201, body: '{"id":7}' })],
      ['that fails', () => ({ status: 500, body: '{}' })],
      [
        'that never answers the same twice',
        (turn) => ({
          status: [200, 201, 400, 404, 500][turn % 5] ?? 200,
          body: turn % 2 === 0 ? '[{"id":1}]' : '{"id":1}',
        }),
      ],
    ])('against a server %s', async (_variant, answer) => {
      const { url, methods } = await startRecorder(answer);
      const contract = await load();
      const { summary } = await checkTarget({
        url,
        contract,
        token: 'demo-key',
        seed: 'read-only',
        mode: 'read-only',
        concurrency: 4,
      });
      expect(methods.length).toBeGreaterThan(3);
      expect(methods.filter((method) => !safe.includes(method))).toEqual([]);
      expect(summary.requests).toBe(methods.length);
    });
  },
);

test.each(['https://api.example.com/v1', 'http://10.0.0.7'])(
  '%s is read-only by default on other hosts',
  async (url) => {
    const methods: string[] = [];
    const send: Send = async (baseUrl, request) => {
      methods.push(request.method);
      return {
        baseUrl,
        request,
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: new TextEncoder().encode('[]'),
        },
        durationMs: 1,
      };
    };
    await checkTarget({ url, contract: libraryContract(), token: 'key', seed: 's', send });
    expect(methods.length).toBeGreaterThan(3);
    expect(methods.filter((method) => !safe.includes(method))).toEqual([]);
  },
);

test('one remote server is enough to make the run read-only', async () => {
  const methods: string[] = [];
  const send: Send = async (baseUrl, request) => {
    methods.push(request.method);
    return {
      baseUrl,
      request,
      response: { status: 200, headers: [], body: emptyBody },
      durationMs: 1,
    };
  };
  await checkTarget({
    url: 'http://127.0.0.1:1/v1',
    servers: { notes: 'https://notes.example.com' },
    contract: libraryContract(),
    token: 'key',
    seed: 's',
    send,
  });
  expect(methods.filter((method) => !safe.includes(method))).toEqual([]);
});
