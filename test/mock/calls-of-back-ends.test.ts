import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const boat = object({ id: integer, name: text, length: integer }, 'id', 'name');
const form = object({ id: integer, name: { ...text, minLength: 1 }, length: integer }, 'name');
const told = (data: JsonValue): JsonObject =>
  object({ code: { ...integer, description: '0 on success' }, msg: text, data }, 'code');

function post(body: JsonValue, data: JsonValue): JsonObject {
  return {
    post: {
      requestBody: { required: true, ...jsonContent(body) },
      responses: { '200': { description: 'OK', ...jsonContent(told(data)) } },
    },
  };
}

const ids = object({ ids: { type: 'array', items: integer } }, 'ids');
const paths = {
  '/boat/query': post(
    object({ pageNo: integer, pageSize: integer, filter: object({ name: text }) }),
    object({ rows: { type: 'array', items: boat }, total: integer }),
  ),
  '/boat/save': post(form, { type: 'integer', description: 'The id' }),
  '/boat/detail': post(object({ id: integer }, 'id'), boat),
  '/boat/removeByIds': post(ids, { type: 'boolean' }),
};

async function ask(mock: Mock, path: string, body: JsonValue): Promise<Record<string, unknown>> {
  const answer = await send(mock, `POST ${path}`, { body });
  expect(answer.status).toBe(200);
  return jsonOf(answer) as Record<string, unknown>;
}

const fleet = (): Promise<Mock> => mockOf({ contract: makeContract({ paths }) });
const query = async (mock: Mock, body: JsonValue = {}): Promise<Record<string, unknown>> =>
  (await ask(mock, '/boat/query', body))['data'] as Record<string, unknown>;

describe('a back end of calls has records', () => {
  test('what is saved is read, listed, changed and removed, and each success says so', async () => {
    const mock = await fleet();
    const { total } = await query(mock);
    const { code, data: id } = await ask(mock, '/boat/save', { name: 'Ada', length: 7 });
    expect({ code, id: typeof id }).toEqual({ code: 0, id: 'number' });
    expect(await ask(mock, '/boat/detail', { id: id as number })).toMatchObject({
      code: 0,
      data: { id, name: 'Ada', length: 7 },
    });
    await ask(mock, '/boat/save', { id: id as number, name: 'Ada II' });
    expect(await query(mock, { filter: { name: 'Ada II' } })).toEqual({
      rows: [{ id, name: 'Ada II', length: 7 }],
      total: 1,
    });
    expect((await query(mock))['total']).toBe(Number(total) + 1);
    await ask(mock, '/boat/save', { name: 'Bea' });
    const { rows } = await query(mock, { pageNo: 2, pageSize: 1 });
    expect(rows).toHaveLength(1);
  });

  test('a list of keys names several records', async () => {
    const mock = await fleet();
    const made = await Promise.all(
      ['Bea', 'Cleo'].map(async (name) => (await ask(mock, '/boat/save', { name }))['data']),
    );
    const { total } = await query(mock);
    await ask(mock, '/boat/removeByIds', { ids: made as number[] });
    expect((await query(mock))['total']).toBe(Number(total) - 2);
  });

  test.each<[what: string, path: string, body: JsonValue, code: number]>([
    ['a missing record', '/boat/detail', { id: 987654 }, 404],
    ['an invalid body', '/boat/save', { name: '' }, 400],
    ['a save of no record', '/boat/save', { id: 987654, name: 'Dido' }, 404],
  ])('%s is refused with 200 and another code', async (_what, path, body, code) => {
    const answer = await ask(await fleet(), path, body);
    expect(answer).toMatchObject({ code });
    expect(answer['msg']).toEqual(expect.stringMatching(/\w/));
    expect(answer['data'] ?? null).toBeNull();
  });
});
