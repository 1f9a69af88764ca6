import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const file = new URL('../../bench/servers/catalog/catalog.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'catalog.yaml');

test('what a deletion says that it takes along is gone, and nothing else', async () => {
  const mock = await mockOf({ contract, authentication: 'off' });
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await send(mock, `POST ${path}`, { body: body as never });
    return String((jsonOf(answer) as { ID: number }).ID);
  };
  const kite = await made('/Products', { Name: 'Kite', Sku: 'KT-900', Price: 1 });
  const ball = await made('/Products', { Name: 'Ball', Sku: 'BL-900', Price: 1 });
  const reviews = [
    await made(`/Products(${kite})/Reviews`, { Rating: 4 }),
    await made(`/Products(${ball})/Reviews`, { Rating: 2 }),
  ];
  expect((await send(mock, `DELETE /Products(${kite})`)).status).toBe(204);
  const statuses = [];
  for (const id of reviews) statuses.push((await send(mock, `GET /Reviews(${id})`)).status);
  expect(statuses).toEqual([404, 200]);
});
