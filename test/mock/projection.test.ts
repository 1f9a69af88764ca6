import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { isJsonObject } from '../../src/json/value.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(JSON.stringify(magazineDocument), 'magazine.json');

test.each(['/articles/7', '/articles'])(
  'the mock shows the fields of %s that a request asks for (JSON:API 1.1, section 6.4)',
  async (path) => {
    const mock = await mockOf({
      contract,
      fixtures: new Map([
        [
          'articles',
          [
            {
              id: '7',
              record: {
                type: 'articles',
                id: '7',
                attributes: { title: 'Engines', words: 300, summary: 'On looms.' },
                relationships: { author: { data: { type: 'people', id: '1' } } },
              },
            },
          ],
        ],
      ]),
    });
    const body = jsonOf(await send(mock, `GET ${path}?fields%5Barticles%5D=title,words`));
    const data = isJsonObject(body) ? [body['data']].flat() : [];
    expect(data[0]).toEqual({
      type: 'articles',
      id: '7',
      attributes: { title: 'Engines', words: 300 },
      relationships: {},
    });
  },
);
