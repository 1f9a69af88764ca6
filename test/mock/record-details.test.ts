import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { headerValue } from '../../src/http/message.ts';
import { converse, jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Boats, version: '1' }
components:
  responses:
    Boat:
      description: It.
      headers: { ETag: { required: true, schema: { type: string } } }
      content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } }
    Missing: { description: There is none. }
    Taken: { description: Another boat has this name. }
  schemas:
    BoatInput:
      type: object
      required: [name]
      properties:
        name: { type: string }
        length: { type: integer }
    Survey:
      type: object
      required: [id, scope, status]
      properties:
        id: { type: string, readOnly: true }
        scope: { type: string }
        status: { type: string, enum: [pending, complete, failed], readOnly: true }
        faults: { type: integer, minimum: 0, readOnly: true }
        reportUrl: { type: string, format: uri-reference, readOnly: true }
        error: { type: string, readOnly: true }
    Boat:
      allOf:
        - $ref: '#/components/schemas/BoatInput'
        - type: object
          required: [id, plate, photoUrl]
          properties:
            id: { type: string, readOnly: true }
            plate: { type: string, readOnly: true, description: Unique., example: KA-009 }
            photoUrl:
              type: [string, 'null']
              format: uri-reference
              readOnly: true
paths:
  /boats:
    get:
      operationId: listBoats
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Boat' } }
    post:
      operationId: addBoat
      description: The name is unique, regardless of case.
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/BoatInput' } } }
      responses:
        '201': { $ref: '#/components/responses/Boat' }
        '409': { $ref: '#/components/responses/Taken' }
  /boats/{boatId}:
    parameters: [{ name: boatId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBoat
      responses:
        '200': { $ref: '#/components/responses/Boat' }
        '404': { $ref: '#/components/responses/Missing' }
    head:
      operationId: probeBoat
      responses:
        '200':
          description: It is there.
          headers: { ETag: { required: true, schema: { type: string } } }
        '404': { $ref: '#/components/responses/Missing' }
    patch:
      operationId: changeBoat
      description: If an operation fails, also a \`test\`, it is refused with 422.
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema:
              type: object
              properties: { name: { type: string }, length: { type: integer } }
          application/json-patch+json: { schema: { type: array, items: { type: object } } }
      responses:
        '200': { $ref: '#/components/responses/Boat' }
        '409': { $ref: '#/components/responses/Taken' }
        '422': { description: Invalid. }
  /boats/{boatId}/photo:
    parameters: [{ name: boatId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPhoto
      responses:
        '200': { description: The photo., content: { image/png: {} } }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      operationId: setPhoto
      requestBody: { required: true, content: { image/png: {} } }
      responses: { '204': { description: Kept. } }
    delete:
      operationId: removePhoto
      responses: { '204': { description: Gone. } }
  /boats/{boatId}/papers:
    parameters: [{ name: boatId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPapers
      responses:
        '200':
          description: The papers.
          headers:
            Content-Disposition:
              required: true
              schema: { type: string }
              example: attachment; filename="KA-009.pdf"
          content: { application/pdf: {} }
        '404': { $ref: '#/components/responses/Missing' }
  /surveys:
    post:
      operationId: startSurvey
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [scope], properties: { scope: { type: string } } }
      responses:
        '202':
          description: It runs.
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Survey' } } }
  /surveys/{surveyId}:
    parameters: [{ name: surveyId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getSurvey
      description: It has \`faults\` and \`reportUrl\` as soon as it is \`complete\`.
      responses:
        '200':
          description: It.
          content: { application/json: { schema: { $ref: '#/components/schemas/Survey' } } }
        '404': { $ref: '#/components/responses/Missing' }
  /surveys/{surveyId}/report:
    parameters: [{ name: surveyId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getReport
      responses: { '200': { description: The report., content: { text/plain: {} } } }
`,
  'boats.yaml',
);
const boat = (name: string) => ['POST /boats', { body: { name } }] as const;
const patch = (type: string, body: object[] | object) =>
  ['PATCH /boats/made-1', { type: `application/${type}+json`, body: body as never }] as const;

test('a change is refused for a value that is taken, in the words of the create', async () => {
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    boat('Lark'),
    boat('Wren'),
    patch('merge-patch', { name: 'WREN' }),
    patch('merge-patch', { name: 'LARK' }),
  ]);
  expect(said.match(/→ \d+/g)).toEqual(['→ 201', '→ 201', '→ 409', '→ 200']);
});

test('a number of the service that is unique is the next one', async () => {
  const mock = await mockOf({ contract });
  const plates = [];
  for (const name of ['Lark', 'Wren', 'Tern']) plates.push(jsonOf(await send(mock, ...boat(name))));
  expect(plates).toMatchObject([{ plate: 'KA-009' }, { plate: 'KA-010' }, { plate: 'KA-011' }]);
});

test('HEAD has the tag of the GET of its path, and the 404', async () => {
  const mock = await mockOf({ contract });
  await send(mock, ...boat('Lark'));
  const [got, probed, missing] = [
    await send(mock, 'GET /boats/made-1'),
    await send(mock, 'HEAD /boats/made-1'),
    await send(mock, 'HEAD /boats/no-such'),
  ];
  expect(headerValue(probed.headers, 'etag')).toBe(headerValue(got.headers, 'etag'));
  expect([got.status, probed.status, missing.status]).toEqual([200, 200, 404]);
  expect(probed.body).toHaveLength(0);
  expect(headerValue(probed.headers, 'content-length')).not.toBe('0');
});

test('a JSON Patch whose test fails has the status that names the test', async () => {
  const mock = await mockOf({ contract });
  await send(mock, ...boat('Lark'));
  const failed = [{ op: 'test', path: '/name', value: 'Wren' }];
  expect((await send(mock, ...patch('json-patch', failed))).status).toBe(422);
});

test('a new record has no file until one is uploaded, nor after a deletion', async () => {
  const mock = await mockOf({ contract });
  await send(mock, ...boat('Lark'));
  const seen = async () => {
    const file = await send(mock, 'GET /boats/made-1/photo');
    const { photoUrl } = jsonOf(await send(mock, 'GET /boats/made-1')) as { photoUrl: unknown };
    return [file.status, photoUrl];
  };
  expect(await seen()).toEqual([404, null]);
  await send(mock, 'PUT /boats/made-1/photo', { type: 'image/png', body: Uint8Array.of(1, 2) });
  expect(await seen()).toEqual([200, '/boats/made-1/photo']);
  await send(mock, 'DELETE /boats/made-1/photo');
  expect(await seen()).toEqual([404, null]);
});

test('a header has the value of the field whose example its own example has', async () => {
  const mock = await mockOf({ contract });
  for (const name of ['Lark', 'Wren']) await send(mock, ...boat(name));
  const { headers } = await send(mock, 'GET /boats/made-2/papers');
  expect(headerValue(headers, 'content-disposition')).toBe('attachment; filename="KA-010.pdf"');
});

test('a job that is done has the fields that a sentence names with its state', async () => {
  const mock = await mockOf({ contract });
  const started = await send(mock, 'POST /surveys', { body: { scope: 'Hull' } });
  expect(jsonOf(started)).toEqual({ id: 'made-1', scope: 'Hull', status: 'pending' });
  expect(jsonOf(await send(mock, 'GET /surveys/made-1'))).toEqual({
    id: 'made-1',
    scope: 'Hull',
    status: 'complete',
    faults: expect.any(Number) as number,
    reportUrl: '/surveys/made-1/report',
  });
});
