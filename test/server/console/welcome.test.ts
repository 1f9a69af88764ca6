import request from 'supertest';
import { afterAll, describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { createMockApp } from '../../../src/library/start-mock.ts';
import type { MockAppOptions } from '../../../src/library/start-mock.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const secured =
  'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n' +
  'security: [{ key: [] }]\n';

function document(path: string, more = '', base = '/v2'): string {
  return `openapi: 3.1.0
info: { title: "Letters & <Stamps>", version: "2" }
servers: [{ url: "${base}" }]
${more}paths:
  ${path}: { get: { operationId: list, responses: { '200': { description: all } } } }`;
}

async function open(
  text: string,
  { target = '/', accept = 'text/html', ...options }: MockAppOptions & Wanted = {},
): Promise<request.Response> {
  const app = await createMockApp({
    contract: parseContract(text, 'letters.yaml'),
    config: false,
    ...options,
  });
  closing.push(() => app.close());
  return request(app).get(target).set({ Accept: accept, Host: 'localhost:4010' });
}

interface Wanted {
  readonly target?: string;
  readonly accept?: string;
}

describe('a browser that asks for /', () => {
  test('sees a page with the title of the contract, and without a secret', async () => {
    const { status, text, headers } = await open(document('/letters', secured));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(text).toContain('Letters &amp; &lt;Stamps> 2, served by vouch.');
    expect(text).not.toContain('demo-key');
  });

  test.each<[string, string, MockAppOptions & Wanted]>([
    ['any other client', document('/letters'), { accept: 'application/json' }],
    ['the operation of a contract there', document('/', '', '/'), {}],
  ])('takes nothing from %s', async (_who, text, options) => {
    const answer = await open(text, options);
    expect(answer.text).not.toContain('served by vouch');
  });
});

describe('the facts of the page', () => {
  const target = '/__vouch/start';

  test('are where the mock is, its key, and a request that works', async () => {
    const { status, body } = await open(document('/letters', secured), { target });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Letters & <Stamps>',
      bases: ['http://localhost:4010/v2'],
      secured: true,
      key: 'demo-key',
      first: {
        operation: 'list',
        curl: "curl -H 'X-Key: demo-key' 'http://localhost:4010/v2/letters'",
        javascript: expect.stringContaining('"X-Key": "demo-key"'),
      },
      session: null,
      mode: 'usual',
    });
  });

  test.each<[string, string, MockAppOptions, object]>([
    ['a key of its own', secured, { keys: ['s3cret'] }, { secured: true, key: null }],
    ['no authentication', secured, { authentication: 'off' }, { secured: false, key: null }],
    ['a contract without credentials', '', {}, { secured: false, key: null }],
  ])('of a mock with %s have no key', async (_what, more, options, expected) => {
    const { body, text } = await open(document('/letters', more), { target, ...options });
    expect(body).toMatchObject(expected);
    expect(text).not.toMatch(/s3cret/);
  });
});
