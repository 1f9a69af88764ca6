import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { valueAt } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
import { newsroom } from '../check/fixture/newsroom.ts';
import { fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(JSON.stringify(magazineDocument), 'magazine.json');

const fixtures = fixturesOf({
  articles: [
    {
      type: 'articles',
      id: '7',
      attributes: { title: 'Engines', words: 300, summary: 'On looms.' },
      relationships: {
        author: { data: { type: 'people', id: '1' } },
        reviewers: {
          data: [
            { type: 'people', id: '1' },
            { type: 'people', id: '9' },
          ],
        },
      },
    },
  ],
  people: [{ type: 'people', id: '1', attributes: { name: 'Ada', city: 'London', born: 1815 } }],
});

async function answer(target: string): ReturnType<typeof send> {
  return send(await mockOf({ contract, fixtures }), `GET ${target}`);
}

async function ask(target: string): Promise<Readonly<Record<string, unknown>>> {
  const body = jsonOf(await answer(target));
  return isJsonObject(body) ? body : {};
}

describe('the mock of a contract in JSON:API', () => {
  const paper = newsroom().contract;
  const type = 'application/vnd.api+json';
  const article = (author: string): JsonObject => ({
    data: {
      type: 'articles',
      attributes: { title: 'Looms' },
      relationships: { author: { data: { type: 'people', id: author } } },
    },
  });
  const records = fixturesOf({
    articles: ['Bobbins', 'Anvils', 'Carts'].map((title, index) => ({
      type: 'articles',
      id: String(index),
      attributes: { title, status: 'published', words: index },
    })),
    people: [{ type: 'people', id: '1', attributes: { name: 'Ada' } }],
  });
  const open = async (): ReturnType<typeof mockOf> =>
    mockOf({ contract: paper, fixtures: records });

  test('sorts by a field of the attributes (section 6.5)', async () => {
    const body = jsonOf(
      await send(await open(), 'GET /articles?sort=-title&filter[status]=published'),
    );
    expect(valueAt(body, '/data/0/attributes/title')).toBe('Carts');
  });

  test('gives the attributes that a create leaves out their defaults', async () => {
    const body = jsonOf(await send(await open(), 'POST /articles', { body: article('1'), type }));
    expect(valueAt(body, '/data/attributes')).toEqual({ title: 'Looms', status: 'draft' });
  });

  test('refuses relationships to records that do not exist', async () => {
    const mock = await open();
    const made = await send(mock, 'POST /articles', { body: article('9'), type });
    const link: JsonObject = { data: [{ type: 'people', id: '9' }] };
    const path = '/articles/1/relationships/reviewers';
    const linked = await send(mock, `POST ${path}`, { body: link, type });
    expect([made.status, linked.status]).toEqual([404, 404]);
    const reviewers = { reviewers: link };
    const body = { data: { type: 'articles', id: '1', relationships: reviewers } };
    expect((await send(mock, 'PATCH /articles/1', { body, type })).status).toBe(404);
  });
});

describe.each(['/articles/7', '/articles'])('the mock shows of %s', (path) => {
  test('the fields that a request asks for (JSON:API 1.1, section 6.4)', async () => {
    const { data } = await ask(`${path}?fields%5Barticles%5D=title,words`);
    expect([data].flat()).toEqual([
      {
        type: 'articles',
        id: '7',
        attributes: { title: 'Engines', words: 300 },
        relationships: {},
      },
    ]);
  });

  test('the related records that a request asks for, once (section 6.3)', async () => {
    const { included } = await ask(`${path}?include=author,reviewers`);
    expect(included).toEqual([
      { type: 'people', id: '1', attributes: { name: 'Ada', city: 'London', born: 1815 } },
    ]);
    expect(await ask(path)).not.toHaveProperty('included');
  });

  test('of the related records the fields of their type (section 6.4)', async () => {
    const { included } = await ask(`${path}?include=author&fields%5Bpeople%5D=name`);
    expect(included).toEqual([{ type: 'people', id: '1', attributes: { name: 'Ada' } }]);
  });

  test('400 where a request asks for what is no relationship (section 6.3)', async () => {
    const { status } = await answer(`${path}?include=author,colours`);
    expect(status).toBe(400);
  });
});
