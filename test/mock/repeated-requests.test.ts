import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { emptyBody, type HttpRequest } from '../../src/http/message.ts';
import { mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Draws, version: '1' }
paths:
  /draw:
    get: { operationId: draw, responses: { '200': { description: drawn, content: {
        application/json: { schema: { type: object, required: [number], properties: { number: {
        type: integer, minimum: 0, maximum: 1000000 } } } } } } } }
  /pages:
    get:
      operationId: listPages
      parameters: [{ name: limit, in: query, schema: { type: integer } }, { name: offset,
          in: query, schema: { type: integer } }]
      responses: { '200': { description: all, headers: { Link: { schema: { type: string } } },
          content: { application/json: { schema: { type: array, items: {
          $ref: '#/components/schemas/Page' } } } } } }
    post:
      operationId: createPage
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Page' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Page' } } } } }
  /pages/{id}:
    get:
      operationId: getPage
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: one, content: { application/json: { schema: {
          $ref: '#/components/schemas/Page' } } } }, '404': { description: none } }
components: { schemas: { Page: { type: object, properties: { id: { type: integer,
    readOnly: true }, text: { type: string } } } } }
`,
  'draws.yaml',
);

const get = (target: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  target,
  headers: [['Host', 'localhost']],
  body: emptyBody,
  ...more,
});

test('an undeclared body changes the generated values', async () => {
  const asked = get('/draw', { body: new TextEncoder().encode('other') });
  const draw = async (...before: HttpRequest[]): Promise<string> => {
    const mock = await mockOf({ contract, fixtures: new Map() });
    for (const request of before) await mock.answer(request);
    return new TextDecoder().decode((await mock.answer(asked)).body);
  };
  const alone = await draw();
  expect(alone).toMatch(/^\{"number":\d+\}$/);
  expect(await draw(get('/draw'))).toBe(alone);
  expect(await draw(get('/draw'), get('/draw', { body: new TextEncoder().encode('third') }))).toBe(
    alone,
  );
});

test(
  'links have the scheme of each request, also where the same head came by ' +
    'the other one before',
  async () => {
    const mock = await mockOf({ contract, fixtures: new Map(), seedRecords: 3 });
    const link = async (more: Partial<HttpRequest>): Promise<string | undefined> =>
      (await mock.answer(get('/pages?limit=1', more))).headers.find(
        ([name]) => name === 'Link',
      )?.[1];
    for (const _again of [1, 2]) {
      expect(await link({})).toContain('<http://localhost/pages?limit=1&offset=1>; rel="next"');
      expect(await link({ scheme: 'https' })).toContain(
        '<https://localhost/pages?limit=1&offset=1>; rel="next"',
      );
      expect(
        await link({
          headers: [
            ['Host', 'localhost'],
            ['X-Forwarded-Proto', 'https, http'],
          ],
        }),
      ).toContain('<https://localhost/pages');
    }
  },
);

test('a similar head is checked separately', async () => {
  const mock = await mockOf();
  const status = async (key: string): Promise<number> =>
    (await send(mock, 'GET /v2/tools?limit=1', { key })).status;
  for (const _again of [1, 2, 3]) {
    expect(await status('demo-key')).toBe(200);
    // As long, and with the same end.
    expect(await status('dxmo-key')).toBe(401);
  }
});

test('the request cache distinguishes method, target, scheme and body', async () => {
  const mock = await mockOf({ contract, fixtures: new Map() });
  const headers: HttpRequest['headers'] = [
    ['Host', 'localhost'],
    ['Content-Type', 'application/json'],
  ];
  const ask = async (
    method: string,
    target: string,
    { body = '', ...more }: { readonly body?: string; readonly scheme?: 'https' } = {},
  ) => {
    const answer = await mock.answer({
      method,
      target,
      headers,
      body: new TextEncoder().encode(body),
      ...more,
    });
    return {
      status: answer.status,
      text: new TextDecoder().decode(answer.body),
      link: answer.headers.find(([name]) => name === 'Link')?.[1],
    };
  };
  for (const text of ['a', 'b', 'c'])
    expect(await ask('POST', '/pages', { body: JSON.stringify({ text }) })).toMatchObject({
      status: 201,
      text: expect.stringContaining(`"text":"${text}"`),
    });
  for (let round = 0; round < 3; round += 1) {
    expect((await ask('GET', '/pages/1')).text).toBe('{"id":1,"text":"a"}');
    expect((await ask('GET', '/pages/2')).text).toBe('{"id":2,"text":"b"}');
    expect(JSON.parse((await ask('GET', '/pages')).text)).toHaveLength(3);
    expect((await ask('DELETE', '/pages/1')).status).toBe(405);
    expect((await ask('GET', '/pages?limit=1')).link).not.toContain('https:');
    expect((await ask('GET', '/pages?limit=1', { scheme: 'https' })).link ?? '').not.toContain(
      'http:',
    );
  }
});
