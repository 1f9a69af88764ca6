import { createServer, type Server } from 'node:http';
import {
  createServer as listenPlain,
  type AddressInfo,
  type Server as PlainServer,
} from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget, type CheckReport } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { openLibrary, type Library } from './fixture/library-server.ts';

let server: Server | PlainServer | undefined;
let library: Library | undefined;
afterEach(async () => {
  server?.close();
  await library?.close();
});

async function listen(made: Server | PlainServer): Promise<string> {
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((made.address() as AddressInfo).port)}`;
}

const contract = parseContract(
  `openapi: 3.1.0
info: { title: Budget, version: 1.0.0 }
paths:
  /a: { get: { operationId: a, parameters: [{ name: q, in: query, schema: { type: integer,
      minimum: 1, maximum: 9 } }], responses: { '200': { description: ok }, '400': {
      description: bad } } } }
  /b: { get: { operationId: b, parameters: [{ name: q, in: query, schema: { type: integer,
      minimum: 1, maximum: 9 } }], responses: { '200': { description: ok }, '400': {
      description: bad } } } }
  /c: { get: { operationId: c, parameters: [{ name: q, in: query, schema: { enum: [x, y] } }],
      responses: { '200': { description: ok }, '400': { description: bad } } } }
`,
  'budget.yaml',
);

const limits = [1, 2, 3, 5, 8, 13, 25];

function cleanupOf({ summary }: CheckReport): number {
  return summary.cleanup ?? 0;
}

describe('no more requests arrive than --max-requests allows', () => {
  test.each(limits)('%i, if every second request gets 429 or 503', async (maxRequests) => {
    let arrived = 0;
    const url = await listen(
      createServer((_request, response) => {
        arrived += 1;
        const status = arrived % 4 === 0 ? 429 : arrived % 2 === 0 ? 503 : 200;
        response.writeHead(status, { 'Retry-After': '0', 'Content-Length': '0' }).end();
      }),
    );
    const { summary } = await checkTarget({
      url,
      contract,
      seed: 'budget',
      maxRequests,
      wait: async () => {},
    });
    expect(arrived).toBeLessThanOrEqual(maxRequests);
    expect(summary.requests).toBe(arrived);
  });

  test.each(limits)(
    '%i, if idle connections are closed when the next request is sent',
    async (maxRequests) => {
      let arrived = 0;
      const url = await listen(
        listenPlain((socket) => {
          let isUsed = false;
          socket.on('error', () => {});
          socket.on('data', () => {
            arrived += 1;
            if (isUsed) return socket.destroy();
            isUsed = true;
            socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
          });
        }),
      );
      const { summary } = await checkTarget({
        url,
        contract,
        seed: 'budget',
        maxRequests,
        concurrency: 1,
      });
      expect(arrived).toBeLessThanOrEqual(maxRequests);
      expect(summary.requests).toBe(arrived);
    },
  );

  test.each(limits)('%i, including confirmation and shrinking', async (maxRequests) => {
    let arrived = 0;
    const url = await listen(
      createServer((request, response) => {
        arrived += 1;
        response
          .writeHead(request.url?.startsWith('/c') === true ? 500 : 200, { 'Content-Length': '0' })
          .end();
      }),
    );
    const { summary } = await checkTarget({ url, contract, seed: 'budget', maxRequests });
    expect(arrived).toBeLessThanOrEqual(maxRequests);
    expect(summary.requests).toBe(arrived);
  });

  test.each(limits)('%i, if the connection breaks repeatedly', async (maxRequests) => {
    let arrived = 0;
    const url = await listen(
      createServer((request, response) => {
        arrived += 1;
        if (arrived > 2) request.socket.destroy();
        else response.writeHead(200, { 'Content-Length': '0' }).end();
      }),
    );
    const { summary } = await checkTarget({ url, contract, seed: 'budget', maxRequests });
    expect(arrived).toBeLessThanOrEqual(maxRequests);
    expect(summary.requests).toBe(arrived);
  });

  test.each([40, 60, 90])('%i, plus counted cleanup requests', async (maxRequests) => {
    library = await openLibrary();
    const report = await checkTarget({
      ...library.target,
      contract: libraryContract(),
      seed: 'budget',
      maxRequests,
    });
    const arrived = library.log.length;
    expect(arrived - cleanupOf(report)).toBeLessThanOrEqual(maxRequests);
    expect(report.summary.requests).toBe(arrived);
    expect(cleanupOf(report)).toBeGreaterThan(0);
    expect(library.size()).toBe(12);
  });
});
