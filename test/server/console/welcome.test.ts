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
  accept = 'text/html',
  options: MockAppOptions = {},
): Promise<request.Response> {
  const app = await createMockApp({
    contract: parseContract(text, 'letters.yaml'),
    config: false,
    ...options,
  });
  closing.push(() => app.close());
  return request(app).get('/').set({ Accept: accept, Host: 'mock.test:4010' });
}

describe('a browser that asks for /', () => {
  test('learns what is served, where, and with which key', async () => {
    const { status, text, headers } = await open(document('/letters', secured));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(text).toContain('<h1>Letters &amp; &lt;Stamps> 2</h1>');
    expect(text).toContain('<dd><code>http://mock.test:4010/v2</code></dd>');
    expect(text).toContain('<dd><code>demo-key</code></dd>');
    expect(text).toContain('<a href="/__vouch/">');
  });

  test.each<[string, string, MockAppOptions, string]>([
    ['a key of its own', secured, { keys: ['s3cret'] }, 'one of <code>mock.keys</code>'],
    ['no authentication', secured, { authentication: 'off' }, 'none needed'],
    ['a contract without credentials', '', {}, 'none needed'],
  ])('of a mock with %s sees no key', async (_what, more, options, expected) => {
    const { text } = await open(document('/letters', more), 'text/html', options);
    expect(text).toContain(`<dt>Key</dt><dd>${expected}</dd>`);
    expect(text).not.toMatch(/s3cret|demo-key/);
  });

  test.each<[string, string, string, MockAppOptions]>([
    ['any other client', document('/letters'), 'application/json', {}],
    ['the operation of a contract there', document('/', '', '/'), 'text/html', {}],
  ])('takes nothing from %s', async (_who, text, accept, options) => {
    const answer = await open(text, accept, options);
    expect(answer.text).not.toContain('served by vouch');
  });
});
