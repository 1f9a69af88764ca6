import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { newsroom } from '../check/fixture/newsroom.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const type = 'application/vnd.api+json';

async function openNewsroom() {
  const mock = await mockOf({
    contract: newsroom().contract,
    authentication: 'off',
    seedRecords: 3,
    makeId: () => crypto.randomUUID(),
  });
  return async (line: string, data?: JsonValue): Promise<[number, JsonValue]> => {
    const body = data === undefined ? {} : { body: { data }, type };
    const answer = await send(mock, line, { key: false, ...body });
    const json = answer.body.length === 0 ? {} : jsonOf(answer);
    return [answer.status, isJsonObject(json) ? (json['data'] ?? null) : null];
  };
}

/** Makes a person or an article, and returns what identifies it. */
async function make(
  ask: Awaited<ReturnType<typeof openNewsroom>>,
  kind: string,
  attributes: JsonObject,
): Promise<{ readonly type: string; readonly id: string }> {
  const [status, data] = await ask(`POST /${kind}`, { type: kind, attributes });
  expect(status).toBe(201);
  return { type: kind, id: isJsonObject(data) ? String(data['id']) : '' };
}

test('a relationship endpoint changes what its record names, and the record shows it', async () => {
  const ask = await openNewsroom();
  const [ada, bo] = [
    await make(ask, 'people', { name: 'Ada' }),
    await make(ask, 'people', { name: 'Bo' }),
  ];
  const article = await make(ask, 'articles', { title: 'Night shift', words: 400 });
  const at = `/articles/${article.id}/relationships`;
  expect((await ask(`PATCH ${at}/author`, ada))[0]).toBe(200);
  expect(await ask(`GET ${at}/author`)).toEqual([200, ada]);
  await ask(`POST ${at}/reviewers`, [ada]);
  expect(await ask(`POST ${at}/reviewers`, [ada, bo])).toEqual([200, [ada, bo]]);
  expect(await ask(`DELETE ${at}/reviewers`, [ada])).toEqual([200, [bo]]);
  const [, shown] = await ask(`GET /articles/${article.id}`);
  expect(shown).toMatchObject({
    relationships: { author: { data: ada }, reviewers: { data: [bo] } },
  });
});

test('a relationship names only records that are there, of a record that is there', async () => {
  const ask = await openNewsroom();
  const article = await make(ask, 'articles', { title: 'Night shift', words: 400 });
  const at = `/articles/${article.id}/relationships`;
  const [before] = [await ask(`GET ${at}/author`)];
  const [status] = await ask(`PATCH ${at}/author`, { type: 'people', id: 'nobody' });
  expect([404, 422]).toContain(status);
  expect(await ask(`GET ${at}/author`)).toEqual(before);
  expect((await ask('GET /articles/nothing/relationships/author'))[0]).toBe(404);
});
