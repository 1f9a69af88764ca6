import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Tours, version: '1' }
components:
  responses:
    Refused: { description: Conflict. }
    Guide:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Guide' } } }
    Tour:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Tour' } } }
  schemas:
    Guide:
      type: object
      required: [id, name]
      properties: { id: { type: string, readOnly: true }, name: { type: string } }
    TourInput:
      type: object
      required: [guideId, leaves, returns]
      properties:
        guideId: { type: string }
        leaves: { type: string, format: date-time }
        returns: { type: string, format: date-time }
        repeats:
          oneOf:
            - type: object
              required: [frequency, count]
              properties:
                frequency: { type: string, enum: [daily, weekly] }
                interval: { type: integer, minimum: 1, default: 1 }
                count: { type: integer, minimum: 1 }
            - { type: 'null' }
    Tour:
      allOf:
        - { $ref: '#/components/schemas/TourInput' }
        - type: object
          required: [id, status]
          properties:
            id: { type: string, readOnly: true }
            status: { type: string, enum: [planned, cancelled], readOnly: true }
paths:
  /guides:
    post:
      operationId: addGuide
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Guide' } } }
      responses: { '201': { $ref: '#/components/responses/Guide' } }
  /guides/{guideId}:
    parameters: [{ name: guideId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getGuide, responses: { '200': { $ref: '#/components/responses/Guide' } } }
  /tours:
    post:
      operationId: addTour
      description: No two planned tours of a guide overlap.
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/TourInput' } } }
      responses:
        '201': { $ref: '#/components/responses/Tour' }
        '409': { $ref: '#/components/responses/Refused' }
  /tours/{tourId}:
    parameters: [{ name: tourId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getTour, responses: { '200': { $ref: '#/components/responses/Tour' } } }
    patch:
      operationId: moveTour
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                leaves: { type: string, format: date-time }
                returns: { type: string, format: date-time }
      responses:
        '200': { $ref: '#/components/responses/Tour' }
        '409': { $ref: '#/components/responses/Refused' }
  /tours/{tourId}/dates:
    parameters: [{ name: tourId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listDates
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [leaves, returns]
                  properties:
                    leaves: { type: string, format: date-time }
                    returns: { type: string, format: date-time }
  /tours/{tourId}/cancel:
    parameters: [{ name: tourId, in: path, required: true, schema: { type: string } }]
    post: { operationId: cancelTour, responses: { '200': { $ref: '#/components/responses/Tour' } } }
`,
  'tours.yaml',
);

test('periods of one record overlap nowhere, where the contract says so', async () => {
  const mock = await mockOf({ contract });
  const status = async (line: string, body?: object): Promise<number> =>
    (await send(mock, line, body === undefined ? {} : { body: body as never })).status;
  const at = (hour: string) => `2031-05-04T${hour}:00Z`;
  const tour = (guideId: string, leaves: string, returns: string): Promise<number> =>
    status('POST /tours', { guideId, leaves: at(leaves), returns: at(returns) });
  for (const name of ['Ann', 'Bo']) await status('POST /guides', { name });
  expect(await tour('made-1', '09:00', '10:00')).toBe(201);
  expect(await tour('made-1', '09:30', '11:00')).toBe(409);
  expect(await tour('made-2', '09:30', '11:00')).toBe(201);
  expect(await tour('made-1', '10:00', '11:00')).toBe(201);
  const last = await send(mock, 'GET /tours/made-3');
  expect(jsonOf(last)).toMatchObject({ guideId: 'made-1', status: 'planned' });
  expect(await status('PATCH /tours/made-3', { returns: at('10:01') })).toBe(409);
  expect(await status('PATCH /tours/made-3', { returns: at('09:59') })).toBe(200);
  expect(await status('POST /tours/made-3/cancel')).toBe(200);
  expect(await tour('made-1', '09:00', '10:00')).toBe(201);
});

test('a period recurs by the rule of its record (RFC 8984, section 4.3.3)', async () => {
  const mock = await mockOf({ contract });
  await send(mock, 'POST /guides', { body: { name: 'Ann' } });
  const tour = async (day: string, repeats?: object): Promise<number> => {
    const [leaves, returns] = ['09', '10'].map((hour) => `2031-05-${day}T${hour}:30:00Z`);
    const body = { guideId: 'made-1', leaves, returns, ...(repeats && { repeats }) };
    return (await send(mock, 'POST /tours', { body: body as never })).status;
  };
  expect(await tour('04', { frequency: 'daily', interval: 2, count: 3 })).toBe(201);
  expect(await tour('05')).toBe(201);
  expect(await tour('08')).toBe(409);
  expect(await tour('01', { frequency: 'weekly', count: 2 })).toBe(409);
  expect(jsonOf(await send(mock, 'GET /tours/made-2/dates'))).toEqual([
    { leaves: '2031-05-04T09:30:00Z', returns: '2031-05-04T10:30:00Z' },
    { leaves: '2031-05-06T09:30:00Z', returns: '2031-05-06T10:30:00Z' },
    { leaves: '2031-05-08T09:30:00Z', returns: '2031-05-08T10:30:00Z' },
  ]);
});
