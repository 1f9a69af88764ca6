import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { startPrism, type PrismProcess } from '../../src/prism/start-prism.ts';
import { library } from './contracts.ts';
import { credential, isRunning, run } from './running.ts';

const json = { ...credential, 'content-type': 'application/json' };

describe('the responses of Prism', () => {
  test('with a credential, the example of the contract', async () => {
    const { prism } = await run();
    const response = await fetch(`${prism.url}/books`, { headers: credential });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual([{ id: 1, title: 'Emma' }]);
  });

  test('without one, 401 with a challenge', async () => {
    const { prism } = await run();
    const response = await fetch(`${prism.url}/books`);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('a document whose dangling reference vouch repairs', async () => {
    const schema = { $ref: '#/components/schemas/Missing' };
    const { soundDocument } = parseContract(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Torn', version: '1' },
        paths: {
          '/things': {
            get: {
              responses: {
                200: {
                  description: 'ok',
                  content: { 'application/json': { schema, example: { id: 1 } } },
                },
              },
            },
          },
        },
      }),
      'torn.json',
    );
    expect(JSON.stringify(soundDocument)).not.toContain('Missing');
    const { prism } = await run({ document: soundDocument });
    const response = await fetch(`${prism.url}/things`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: 1 });
  });

  test('the bundled contract', async () => {
    const text = readFileSync(new URL('../../openapi/petstore.v1.yaml', import.meta.url), 'utf8');
    const { prism } = await run({ document: load(text) as JsonObject, basePath: '/v1' });
    expect(prism.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const listed = await fetch(`${prism.url}/pets`, { headers: credential });
    expect(listed.status).toBe(200);
    expect(await listed.json()).toBeInstanceOf(Array);
    const refused = await fetch(`${prism.url}/pets`, {
      method: 'POST',
      headers: json,
      body: '{"name":"Biscuit"}',
    });
    expect(refused.status).toBe(400);
  });
});

describe('requests that hang or crash Prism itself', () => {
  let prism: PrismProcess;
  beforeAll(async () => {
    prism = await startPrism({ document: library, port: 0 });
  });
  afterAll(() => prism.close());

  test.each([
    ['a malformed path', '/books/%zz', {}, 400],
    ['a path that is not UTF-8', '/books/%ff', {}, 400],
    ['malformed JSON', '/books', { method: 'POST', body: '{"id": 1,' }, 400],
    [
      'JSON nested 20,000 levels deep',
      '/books',
      { method: 'POST', body: '['.repeat(20_000) + ']'.repeat(20_000) },
      400,
    ],
    [
      'a body over 1 MiB',
      '/books',
      { method: 'POST', body: JSON.stringify('a'.repeat(1024 * 1024)) },
      413,
    ],
    [
      'a compressed body',
      '/books',
      { method: 'POST', body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      415,
    ],
    [
      'a media type that is none',
      '/books',
      { method: 'POST', body: '{}', headers: { ...json, 'content-type': ';;;' } },
      415,
    ],
  ])('%s is answered, and Prism lives on', async (_, target, init, status) => {
    const response = await fetch(prism.url + target, { headers: json, ...init });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status });
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
    expect(prism.restarts).toBe(0);
  });

  test('a callback is not sent', async () => {
    const called: string[] = [];
    const receiver = createServer((request, response) => {
      called.push(request.url ?? '');
      response.end();
    });
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', () => resolve(undefined)));
    onTestFinished(() => void receiver.close());
    const body = JSON.stringify({ url: `http://127.0.0.1:${portOf(receiver)}/noted` });
    expect(
      (await fetch(`${prism.url}/notes`, { method: 'POST', headers: json, body })).status,
    ).toBe(202);
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
    expect(called).toEqual([]);
  });
});

describe('the address of Prism', () => {
  test('a used port is replaced by the next', async () => {
    const first = await run();
    const second = await run({ port: first.prism.port });
    expect(second.prism.port).toBeGreaterThan(first.prism.port);
    expect((await fetch(`${second.prism.url}/books`, { headers: credential })).status).toBe(200);
  });

  test('only under the base path', async () => {
    const { prism } = await run({ basePath: '/v1/' });
    expect((await fetch(`${prism.url}/books`, { headers: credential })).status).toBe(200);
    const outside = await fetch(`${new URL(prism.url).origin}/books`, { headers: credential });
    expect(outside.status).toBe(404);
    expect(await outside.json()).toMatchInlineSnapshot(`
      {
        "detail": "Prism answers under /v1/ here; "/books" is outside.",
        "status": 404,
        "title": "Not Found",
        "type": "about:blank",
      }
    `);
  });

  test('a host of another machine is refused, and no process is left', async () => {
    const started: number[] = [];
    const onEvent = (event: { readonly type: string; readonly pid?: number }): void =>
      void started.push(event.pid ?? 0);
    await expect(
      startPrism({ document: library, port: 0, host: '192.0.2.1', onEvent }),
    ).rejects.toMatchObject({ code: 'prism-failed' });
    expect(started.filter(isRunning)).toEqual([]);
  });
});

describe('it cannot be started for', () => {
  test('a document that refers to another', async () => {
    const document = {
      ...library,
      components: { schemas: { Book: { $ref: 'file:///etc/hostname' } } },
    };
    await expect(startPrism({ document, port: 0 })).rejects.toMatchObject({
      code: 'contract-reference',
    });
    await expect(startPrism({ document, port: 0 })).rejects.toThrow(
      'The document for Prism refers to "file:///etc/hostname", and Prism would fetch that.',
    );
  });

  test('a document that is not OpenAPI', async () => {
    await expect(startPrism({ document: { hello: 'world' }, port: 0 })).rejects.toMatchObject({
      code: 'prism-failed',
    });
    await expect(
      startPrism({ document: { hello: 'world' }, port: 0 }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[VouchError: Prism could not be loaded: Unsupported document format.]`,
    );
  });

  test('a child that does not get ready', async () => {
    await expect(
      startPrism({ document: library, port: 0, limits: { startMillis: 1 } }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[VouchError: Prism was not loaded in 0.001 s and was killed.]`,
    );
  });
});

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}
