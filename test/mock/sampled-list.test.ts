import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Boats, version: '1' }
paths:
  /boats:
    get:
      operationId: listBoats
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: offset, in: query, schema: { type: integer, minimum: 0 } }
        - { name: kind, in: query, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: sort, in: query, schema: { type: string, enum: [length, -length] } }
      responses:
        '200':
          description: Boats
          content:
            application/json:
              schema:
                type: object
                required: [items, total]
                properties:
                  items: { type: array, items: { $ref: '#/components/schemas/Boat' } }
                  total: { type: integer }
  /harbors/{harborId}/boats:
    get:
      operationId: listBoatsOfHarbor
      parameters: [{ name: harborId, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: Boats
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Boat' } }
  /harbors/{id}:
    get:
      operationId: readHarbor
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: A harbor
          content:
            application/json:
              schema: { type: object, required: [id], properties: { id: { type: integer } } }
components:
  schemas:
    Kind: { type: string, enum: [sail, motor, oar] }
    Boat:
      type: object
      required: [id, kind, harborId]
      properties:
        id: { type: integer }
        kind: { $ref: '#/components/schemas/Kind' }
        length: { type: integer, minimum: 2, maximum: 40 }
        harborId: { type: integer }
        description: { type: string }
`,
  'boats.yaml',
);

interface Page {
  readonly items: readonly JsonObject[];
  readonly total: number;
}

const page = async (mock: Mock, line: string): Promise<Page> =>
  jsonOf(await send(mock, `GET ${line}`)) as unknown as Page;

describe('a mock that generates every response', () => {
  test('honours limit and offset, and counts what it has', async () => {
    const mock = await mockOf({ contract, dynamic: { repeats: false } });
    const first = await page(mock, '/boats?limit=5');
    const second = await page(mock, '/boats?limit=5&offset=5');
    const all = await page(mock, '/boats?limit=100&offset=1');
    expect([first.items.length, second.items.length]).toEqual([5, 5]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(10);
    expect([second.total, all.items.length]).toEqual([first.total, first.total - 1]);
    const again = await page(mock, '/boats?limit=5');
    expect(again.items).not.toEqual(first.items);
  });

  test('honours filters and orders', async () => {
    const mock = await mockOf({ contract, dynamic: { repeats: false } });
    const { items } = await page(mock, '/boats?kind=oar&sort=length');
    expect(items.length).toBeGreaterThan(5);
    expect(items.filter(({ kind }) => kind !== 'oar')).toEqual([]);
    const lengths = items.flatMap(({ length }) => (typeof length === 'number' ? [length] : []));
    expect(lengths).toEqual(lengths.toSorted((left, right) => left - right));
  });

  test('lists below a parent that nobody made', async () => {
    const mock = await mockOf({ contract, dynamic: { repeats: false } });
    const boats = jsonOf(await send(mock, 'GET /harbors/7/boats')) as unknown as JsonObject[];
    expect(boats.length).toBeGreaterThan(5);
    expect(boats.filter(({ harborId }) => harborId !== 7)).toEqual([]);
  });
});

test('a client that asks for generated values gets a page of them', async () => {
  const mock = await mockOf({ contract });
  const headers: [string, string][] = [['Prefer', 'dynamic=true, seed=3']];
  const line = 'GET /boats?limit=4&kind=sail';
  const one = jsonOf(await send(mock, line, { headers }));
  expect((one as unknown as Page).items).toHaveLength(4);
  expect(jsonOf(await send(mock, line, { headers }))).toEqual(one);
  expect((await page(mock, '/boats')).items).not.toHaveLength(4);
});
