import { describe, expect, test } from 'vitest';
import { headerValue } from '../../src/http/message.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { shelf } from '../check/fixture/shelf.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const query = (name: string): JsonObject => ({ name, in: 'query', schema: { type: 'integer' } });
const names: JsonObject = { type: 'array', items: { type: 'string' } };

/** The mock of a path that lists names. */
const namesWith = (parameters: readonly string[], answer: JsonObject) =>
  mockOf({
    contract: makeContract({
      paths: {
        '/names': {
          get: {
            operationId: 'listNames',
            parameters: parameters.map(query),
            responses: { '200': { description: 'ok', ...answer } },
          },
        },
      },
    }),
  });

const envelope = (properties: JsonObject): JsonObject =>
  jsonContent({ type: 'object', required: ['names'], properties: { names, ...properties } });

const integer: JsonObject = { type: 'integer' };

describe('a list of names is paged', () => {
  test('by number, with the totals of its envelope', async () => {
    const mock = await namesWith(
      ['page', 'per_page'],
      envelope({ total: integer, pages: integer }),
    );
    const ask = async (target: string) => jsonOf(await send(mock, `GET ${target}`)) as JsonObject;
    const whole = (await ask('/names'))['names'] as readonly JsonValue[];
    expect(new Set(whole).size).toBe(5);
    expect(await ask('/names?page=2&per_page=2')).toEqual({
      names: whole.slice(2, 4),
      total: 5,
      pages: 3,
    });
    expect(await ask('/names?page=4&per_page=2')).toEqual({ names: [], total: 5, pages: 3 });
  });

  test('by an offset, with links to the other pages', async () => {
    const links = { headers: { Link: { schema: { type: 'string' } } } };
    const mock = await namesWith(['limit', 'offset'], { ...jsonContent(names), ...links });
    const whole = jsonOf(await send(mock, 'GET /names')) as readonly JsonValue[];
    const page = await send(mock, 'GET /names?limit=2&offset=1');
    expect(jsonOf(page)).toEqual(whole.slice(1, 3));
    expect(headerValue(page.headers, 'Link')).toContain('/names?limit=2&offset=3>; rel="next"');
  });

  test('by a token, which the last page does not have', async () => {
    const mock = await mockOf({ contract: shelf().contract, seedRecords: 6 });
    const [book] = (jsonOf(await send(mock, 'GET /books')) as JsonObject)['books'] as JsonObject[];
    const path = `/books/${String(book?.['id'])}/tags`;
    const ask = async (more: string) => jsonOf(await send(mock, `GET ${path}?${more}`));
    const whole = ((await ask('')) as JsonObject)['tags'] as readonly JsonValue[];
    expect(await ask('limit=4')).toEqual({ tags: whole.slice(0, 4), next_cursor: 'offset-4' });
    expect(await ask('limit=4&cursor=offset-4')).toEqual({ tags: whole.slice(4) });
    expect((await send(mock, `GET ${path}?cursor=made-up`)).status).toBe(400);
  });

  test('with the items of its example, beside what the example says of other things', async () => {
    const shown = { names: ['Ada', 'Ben', 'Cy'], note: 'by age', total: 40 };
    const schema = envelope({ total: integer, note: { type: 'string' } });
    const media = (schema['content'] as JsonObject)['application/json'] as JsonObject;
    const mock = await namesWith(['limit', 'offset'], {
      content: { 'application/json': { ...media, example: shown } },
    });
    expect(jsonOf(await send(mock, 'GET /names?limit=2'))).toEqual({
      names: ['Ada', 'Ben'],
      note: 'by age',
      total: 3,
    });
  });
});

test('a list of names without parameters of pages is answered with the example', async () => {
  const mock = await namesWith([], {
    content: { 'application/json': { schema: names, example: ['Ada', 'Ada'] } },
  });
  expect(jsonOf(await send(mock, 'GET /names'))).toEqual(['Ada', 'Ada']);
});
