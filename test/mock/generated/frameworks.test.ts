import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { headerValue, type HeaderList } from '../../../src/http/message.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { mockOf, send, textOf } from '../workshop.ts';

/** What a client does with the records of a document as a framework generates it. */
interface Client {
  readonly path: string;
  readonly record: JsonObject;
  /** The query of the first page of two. */
  readonly page?: string;
  readonly items?: string;
  readonly credential?: HeaderList;
  /** Below the collection, the path of a record that there is not. */
  readonly missing?: string;
}

const bearer: HeaderList = [['Authorization', 'Bearer key']];
const clients: Readonly<Record<string, Client>> = {
  nest: {
    path: '/recipes',
    record: { title: 'Soup', difficulty: 'hard' },
    page: 'page=1&take=2',
    items: 'data',
    credential: bearer,
    missing: 'none',
  },
  drf: {
    path: '/plants/',
    record: { name: 'Aspen', genus: 'fern' },
    page: 'limit=2&offset=0&ordering=-name',
    items: 'results',
    credential: [['Authorization', 'Token key']],
    missing: '999/',
  },
  hono: {
    path: '/rooms',
    record: { name: 'Attic' },
    page: 'limit=2',
    items: 'items',
    missing: '00000000-0000-4000-8000-000000000000',
  },
  huma: {
    path: '/trucks',
    record: { plate: 'B 12', load: 3 },
    page: 'limit=2&offset=0',
    items: 'trucks',
    missing: 'none',
  },
  smorest: {
    path: '/dogs/',
    record: { name: 'Rex', breed: 'pug' },
    page: 'page=1&page_size=2',
    missing: '999',
  },
  utoipa: { path: '/todos', record: { id: 50, value: 'Sleep', done: false } },
};

test.each(Object.entries(clients))('%s', async (name, client) => {
  const { path, record, page = '', items, credential = [], missing } = client;
  const file = new URL(`documents/${name}.yaml`, import.meta.url);
  const contract = parseContract(readFileSync(file, 'utf8'), `${name}.yaml`);
  const mock = await mockOf({ contract, seedRecords: 3, keys: ['key'] });
  const ask = async (request: string, body?: JsonObject): Promise<[number, JsonValue]> => {
    const answer = await send(mock, request, { headers: credential, ...(body && { body }) });
    return [answer.status, JSON.parse(textOf(answer) || 'null') as JsonValue];
  };
  const [status, made] = await ask(`POST ${path}`, record);
  expect([status, made]).toEqual([201, expect.objectContaining(record)]);
  const { id } = made as { id: string };

  const [, all] = await ask(`GET ${path}${page === '' ? '' : `?${page.replace('2', '50')}`}`);
  const listed = (list: JsonValue): readonly JsonObject[] =>
    (items === undefined ? list : (list as JsonObject)[items]) as readonly JsonObject[];
  expect(listed(all).filter((one) => one['id'] === id)).toEqual([made]);
  if (page !== '') expect(listed((await ask(`GET ${path}?${page}`))[1])).toHaveLength(2);

  if (missing !== undefined) {
    expect((await ask(`GET ${path.replace(/\/$/, '')}/${missing}`))[0]).toBe(404);
    const [refused] = await ask(`POST ${path}`, {});
    expect([400, 422]).toContain(refused);
  }
});

test('a page that a header describes as an object is described in JSON', async () => {
  const file = new URL('documents/smorest.yaml', import.meta.url);
  const contract = parseContract(readFileSync(file, 'utf8'), 'smorest.yaml');
  const mock = await mockOf({ contract, seedRecords: 3 });
  const { headers } = await send(mock, 'GET /dogs/?page=2&page_size=2');
  const [, text = ''] = headers.find(([name]) => name === 'X-Pagination') ?? [];
  expect(JSON.parse(text)).toEqual({
    total: 3,
    total_pages: 2,
    first_page: 1,
    last_page: 2,
    page: 2,
    previous_page: 1,
  });
});

test('the branch of an error that has its name tells the reason', async () => {
  const file = new URL('documents/utoipa.yaml', import.meta.url);
  const contract = parseContract(readFileSync(file, 'utf8'), 'utoipa.yaml');
  const mock = await mockOf({ contract });
  const body = { id: 50, value: 'Sleep', done: false };
  await send(mock, 'POST /todos', { body });
  const taken = await send(mock, 'POST /todos', { body });
  expect([taken.status, textOf(taken)]).toEqual([
    409,
    '{"Conflict":"A record of todos has the id 50 already. Choose another."}',
  ]);
});

test.each([
  ['drf', 'GET /plants?limit=2', 307, '/plants/?limit=2'],
  ['drf', 'POST /plants', 307, '/plants/'],
  ['drf', 'GET /leaves', 404, undefined],
  ['nest', 'GET /recipes/?take=2', 200, undefined],
  ['huma', 'GET /trucks/', 404, undefined],
])('%s: %s with another slash at the end is answered with %i', async (name, request, ...wanted) => {
  const file = new URL(`documents/${name}.yaml`, import.meta.url);
  const contract = parseContract(readFileSync(file, 'utf8'), `${name}.yaml`);
  const mock = await mockOf({ contract, keys: ['key'] });
  const { status, headers } = await send(mock, request, { headers: bearer });
  expect([status, headerValue(headers, 'Location')]).toEqual(wanted);
});
