import { expect, test } from 'vitest';
import { isJsonObject } from '../../../src/json/value.ts';
import { contractOf } from '../../check/fixture/odd-contract.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const contract = contractOf(`
paths:
  /jars:
    get:
      operationId: listJars
      parameters: [{ name: state, in: query, schema: { type: string } }]
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, open, sealed, state, kind, lid]
                  properties:
                    id: { type: integer }
                    open: { type: boolean }
                    sealed: { type: boolean }
                    state: { type: string, enum: [FULL, HALF, NONE] }
                    kind: { const: jar }
                    lid:
                      type: object
                      required: [tight]
                      properties: { tight: { type: boolean } }`);

async function jars(query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const body = jsonOf(
    await send(await mockOf({ contract, seedRecords: 6 }), `GET /v2/jars${query}`),
  );
  return Array.isArray(body) ? body.filter(isJsonObject) : [];
}

test('generated records have all values of an enum, true and false, in objects too', async () => {
  const all = await jars();
  const valuesOf = (name: string): unknown[] => [...new Set(all.map((jar) => jar[name]))];
  expect(valuesOf('state')).toEqual(['FULL', 'HALF', 'NONE']);
  expect(valuesOf('open')).toEqual([true, false]);
  expect(valuesOf('kind')).toEqual(['jar']);
  expect(valuesOf('lid')).toContainEqual({ tight: false });
});

test('the values of generated records are combined in several ways', async () => {
  const pairs = new Set(
    (await jars()).map(({ open, sealed }) => `${String(open)} ${String(sealed)}`),
  );
  expect(pairs.size).toBe(4);
});

test('a filter selects some of the generated records', async () => {
  expect(await jars('?state=HALF')).toHaveLength(2);
});

test('one of six generated records has no values that it need not have', async () => {
  const cups = contractOf(`
paths:
  /cups:
    get:
      operationId: listCups
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, owner, colour]
                  properties:
                    id: { type: integer }
                    owner: { type: [string, 'null'] }
                    colour: { type: string }
                    volume: { type: integer }`);
  const body = jsonOf(await send(await mockOf({ contract: cups, seedRecords: 6 }), 'GET /v2/cups'));
  const records = Array.isArray(body) ? body.filter(isJsonObject) : [];
  const sparse = records.filter(({ owner }) => owner === null);
  expect(sparse.map((cup) => Object.keys(cup))).toEqual([['id', 'owner', 'colour']]);
  expect(records.filter((cup) => Object.hasOwn(cup, 'volume'))).toHaveLength(5);
});

test('a record has no state that the list of records does not know', async () => {
  const tours = contractOf(`
paths:
  /guides/{guideId}/tours:
    get:
      operationId: listTours
      parameters:
        - { name: guideId, in: path, required: true, schema: { type: string } }
        - { name: state, in: query, schema: { type: string } }
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, state]
                  properties:
                    id: { type: string }
                    title: { type: string }
                    state: { enum: [planned, over] }
  /tours/{tourId}:
    get:
      operationId: getTour
      parameters: [{ name: tourId, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [id, state]
                properties:
                  id: { type: string }
                  title: { type: string }
                  state: { enum: [planned, late, over] }`);
  const mock = await mockOf({ contract: tours, seedRecords: 6 });
  const listed = async (query: string): Promise<unknown[]> => {
    const body = jsonOf(await send(mock, `GET /v2/guides/ada/tours${query}`));
    return Array.isArray(body) ? body.filter(isJsonObject).map(({ id }) => id) : [];
  };
  const [planned, over] = [await listed('?state=planned'), await listed('?state=over')];
  expect([planned.length, over.length]).toEqual([3, 3]);
  expect(new Set([...planned, ...over])).toEqual(new Set(await listed('')));
});
