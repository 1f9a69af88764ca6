import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Shows, version: '1' }
components:
  parameters:
    House: { name: houseId, in: path, required: true, schema: { type: string } }
    Hall: { name: hallId, in: path, required: true, schema: { type: string } }
    Show: { name: showId, in: path, required: true, schema: { type: string } }
    Deleted: { name: includeDeleted, in: query, schema: { type: boolean, default: false } }
  responses:
    Refused: { description: Conflict. }
    Missing: { description: There is none. }
    House:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/House' } } }
    Hall:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Hall' } } }
    Show:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Show' } } }
  schemas:
    House:
      type: object
      required: [id, name]
      properties: { id: { type: string, readOnly: true }, name: { type: string } }
    Hall:
      type: object
      required: [id, houseId, seats, showCount]
      properties:
        showCount: { type: integer, readOnly: true, description: How many planned shows it has. }
        id: { type: string, readOnly: true }
        houseId: { type: string, readOnly: true }
        seats: { type: integer }
    Show:
      type: object
      required: [id, hallId, status, guestCount]
      properties:
        id: { type: string, readOnly: true }
        hallId: { type: string }
        status: { type: string, enum: [planned, cancelled], readOnly: true }
        guestCount: { type: integer, minimum: 0, readOnly: true }
    Guest:
      type: object
      required: [mail]
      properties:
        mail: { type: string }
        seat: { type: [string, 'null'], default: null }
paths:
  /houses:
    post:
      operationId: addHouse
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/House' } } }
      responses: { '201': { $ref: '#/components/responses/House' } }
  /houses/{houseId}:
    parameters: [{ $ref: '#/components/parameters/House' }]
    get: { operationId: getHouse, responses: { '200': { $ref: '#/components/responses/House' } } }
  /houses/{houseId}/halls:
    parameters: [{ $ref: '#/components/parameters/House' }]
    get:
      operationId: listHalls
      parameters: [{ $ref: '#/components/parameters/Deleted' }]
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Hall' } }
    post:
      operationId: addHall
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Hall' } } }
      responses: { '201': { $ref: '#/components/responses/Hall' } }
  /halls/{hallId}:
    parameters: [{ $ref: '#/components/parameters/Hall' }]
    get:
      operationId: getHall
      parameters: [{ $ref: '#/components/parameters/Deleted' }]
      responses:
        '200': { $ref: '#/components/responses/Hall' }
        '404': { $ref: '#/components/responses/Missing' }
    delete:
      operationId: deleteHall
      description: Its shows are cancelled.
      responses: { '204': { description: Gone. } }
  /shows:
    post:
      operationId: addShow
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Show' } } }
      responses: { '201': { $ref: '#/components/responses/Show' } }
  /shows/{showId}:
    parameters: [{ $ref: '#/components/parameters/Show' }]
    get:
      operationId: getShow
      responses: { '200': { $ref: '#/components/responses/Show' } }
    patch:
      operationId: moveShow
      description: A cancelled show is refused with 409.
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, properties: { hallId: { type: string } } }
      responses:
        '200': { $ref: '#/components/responses/Show' }
        '409': { $ref: '#/components/responses/Refused' }
    delete:
      operationId: cancelShow
      description: The status becomes \`cancelled\`.
      responses: { '204': { description: It is cancelled. } }
  /shows/{showId}/guests:
    parameters: [{ $ref: '#/components/parameters/Show' }]
    get:
      operationId: listGuests
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Guest' } }
    post:
      operationId: addGuest
      description: >-
        A mail that is already there, in upper or lower case, and one guest more than the seats of
        the hall are refused with 409.
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Guest' } } }
      responses:
        '201':
          description: It.
          content: { application/json: { schema: { $ref: '#/components/schemas/Guest' } } }
        '409': { $ref: '#/components/responses/Refused' }
`,
  'shows.yaml',
);

async function withShow() {
  const mock = await mockOf({ contract });
  await send(mock, 'POST /houses', { body: { name: 'Opera' } });
  for (const seats of [2, 9]) await send(mock, 'POST /houses/made-1/halls', { body: { seats } });
  await send(mock, 'POST /shows', { body: { hallId: 'made-2' } });
  return {
    status: async (line: string, body?: object): Promise<number> =>
      (await send(mock, line, body === undefined ? {} : { body: body as never })).status,
    get: async (place: string) => jsonOf(await send(mock, `GET ${place}`)),
  };
}

test('parts without identifiers are listed and counted, unique and bounded', async () => {
  const { status, get } = await withShow();
  expect(await get('/shows/made-4/guests')).toEqual([]);
  const statuses = [];
  for (const mail of [
    'kim@mail.example',
    'KIM@mail.example',
    'lee@mail.example',
    'ann@mail.example',
  ])
    statuses.push(await status('POST /shows/made-4/guests', { mail }));
  expect(statuses).toEqual([201, 409, 201, 409]);
  expect(await get('/shows/made-4/guests')).toEqual([
    { mail: 'kim@mail.example', seat: null },
    { mail: 'lee@mail.example', seat: null },
  ]);
  expect(await get('/shows/made-4')).toMatchObject({ guestCount: 2 });
});

test('a deletion ends what names the record, and lists show it where it stood', async () => {
  const { status, get } = await withShow();
  expect(await status('PATCH /shows/made-4', { hallId: 'made-2' })).toBe(200);
  expect(await status('DELETE /halls/made-2')).toBe(204);
  expect(await get('/shows/made-4')).toMatchObject({ status: 'cancelled' });
  expect(await status('PATCH /shows/made-4', { hallId: 'made-3' })).toBe(409);
  expect(await get('/houses/made-1/halls')).toMatchObject([{ id: 'made-3' }]);
  const all = await get('/houses/made-1/halls?includeDeleted=true');
  expect(all).toMatchObject([{ id: 'made-2' }, { id: 'made-3' }]);
});

test('a count that names a state is that of the records in it', async () => {
  const { status, get } = await withShow();
  await status('POST /shows', { hallId: 'made-2' });
  expect(await get('/halls/made-2')).toMatchObject({ showCount: 2 });
  expect(await status('DELETE /shows/made-4')).toBe(204);
  expect(await get('/halls/made-2')).toMatchObject({ showCount: 1 });
});
