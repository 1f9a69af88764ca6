import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { isJsonObject } from '../../src/json/value.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
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

  test('400 where a request asks for what is no relationship (section 6.3)', async () => {
    const { status } = await answer(`${path}?include=author,colours`);
    expect(status).toBe(400);
  });
});
