import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Trips, version: '1' }
components:
  responses:
    Invalid: { description: Invalid. }
    Missing: { description: There is none. }
    Town:
      description: It.
      content: { application/hal+json: { schema: { $ref: '#/components/schemas/Town' } } }
    Trip:
      description: It.
      content: { application/hal+json: { schema: { $ref: '#/components/schemas/Trip' } } }
    Stop:
      description: It.
      content: { application/hal+json: { schema: { $ref: '#/components/schemas/Stop' } } }
  schemas:
    Links:
      type: object
      required: [self]
      properties:
        self: { type: object, required: [href], properties: { href: { type: string } } }
      additionalProperties: { type: object }
    Town:
      type: object
      required: [id, title, fee, _links]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string }
        fee: { type: integer }
        _links: { $ref: '#/components/schemas/Links' }
    Stop:
      type: object
      required: [id, nights, fee, _links]
      properties:
        id: { type: string, readOnly: true }
        nights: { type: integer }
        fee: { type: integer, description: That of the town. }
        _links: { $ref: '#/components/schemas/Links' }
    Trip:
      type: object
      required: [id, title, _links]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string }
        _links: { $ref: '#/components/schemas/Links' }
        _embedded:
          type: object
          properties:
            stops: { type: array, items: { $ref: '#/components/schemas/Stop' } }
    Trips:
      type: object
      required: [_links]
      properties:
        _links: { $ref: '#/components/schemas/Links' }
        _embedded:
          type: object
          properties:
            trips: { type: array, items: { $ref: '#/components/schemas/Trip' } }
paths:
  /towns:
    get:
      operationId: listTowns
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Town' } }
    post:
      operationId: addTown
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title, fee]
              properties: { title: { type: string }, fee: { type: integer } }
      responses: { '201': { $ref: '#/components/responses/Town' } }
  /towns/{town}:
    parameters: [{ name: town, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getTown
      responses:
        '200': { $ref: '#/components/responses/Town' }
        '404': { $ref: '#/components/responses/Missing' }
  /trips:
    get:
      operationId: listTrips
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        '200':
          description: A page.
          content: { application/hal+json: { schema: { $ref: '#/components/schemas/Trips' } } }
    post:
      operationId: addTrip
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, properties: { title: { type: string } } }
      responses: { '201': { $ref: '#/components/responses/Trip' } }
  /trips/{trip}:
    parameters: [{ name: trip, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getTrip
      responses:
        '200': { $ref: '#/components/responses/Trip' }
        '404': { $ref: '#/components/responses/Missing' }
  /trips/{trip}/stops:
    parameters: [{ name: trip, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addStop
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [where, nights]
              properties:
                where: { type: string, description: The link of a town; 422 if there is none. }
                nights: { type: integer }
            example: { where: /towns/7, nights: 2 }
      responses:
        '201': { $ref: '#/components/responses/Stop' }
        '422': { $ref: '#/components/responses/Invalid' }
  /trips/{trip}/stops/{stop}:
    parameters:
      - { name: trip, in: path, required: true, schema: { type: string } }
      - { name: stop, in: path, required: true, schema: { type: string } }
    get:
      operationId: getStop
      responses:
        '200': { $ref: '#/components/responses/Stop' }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      operationId: setNights
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [nights]
              properties: { nights: { type: integer } }
      responses: { '200': { $ref: '#/components/responses/Stop' } }
`,
  'trips.yaml',
);

test('a record embeds what is below it, with the fields of what a body names', async () => {
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    ['POST /towns', { body: { title: 'Turin', fee: 7 } }],
    ['POST /trips', { body: { title: 'South' } }],
    ['POST /trips/made-2/stops', { body: { where: '/towns/made-1', nights: 2 } }],
    ['POST /trips/made-2/stops', { body: { where: '/towns/no-such', nights: 2 } }],
    ['PUT /trips/made-2/stops/made-3', { body: { nights: 3 } }],
    ['GET /trips/made-2'],
    ['GET /trips'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /towns → 201 {"id":"made-1","title":"Turin","fee":7,
      ↳"_links":{"self":{"href":"/towns/made-1"}}}
    POST /trips → 201 {"id":"made-2","title":"South",
      ↳"_links":{"self":{"href":"/trips/made-2"}}}
    POST /trips/made-2/stops → 201 {"id":"made-3","nights":2,"fee":7,
      ↳"_links":{"self":{"href":"/trips/made-2/stops/made-3"}},"where":"/towns/made-1"}
    POST /trips/made-2/stops → 422 {"type":"about:blank","title":"Unprocessable
      ↳ Content","status":422,"detail":"\`where\` in the body must be the address of a
      ↳ record of towns, and there is none at \`/towns/no-such\`.",
      ↳"code":"invalid_reference","errors":[{"in":"body","name":"where","detail":"\`where\`
      ↳ in the body must be the address of a record of towns, and there is none at
      ↳ \`/towns/no-such\`."}]}
    PUT /trips/made-2/stops/made-3 → 200 {"id":"made-3","nights":3,"fee":7,
      ↳"_links":{"self":{"href":"/trips/made-2/stops/made-3"}},"where":"/towns/made-1"}
    GET /trips/made-2 → 200 {"id":"made-2","title":"South",
      ↳"_links":{"self":{"href":"/trips/made-2"}},"_embedded":{"stops":[{"id":"made-3",
      ↳"nights":3,"fee":7,"_links":{"self":{"href":"/trips/made-2/stops/made-3"}},
      ↳"where":"/towns/made-1"}]}}
    GET /trips → 200 {"_links":{"self":{"href":"/trips"}},
      ↳"_embedded":{"trips":[{"id":"made-2","title":"South",
      ↳"_links":{"self":{"href":"/trips/made-2"}}}]}}"
  `);
});

test('a page links to the next one', async () => {
  const mock = await mockOf({ contract });
  for (const title of ['North', 'South', 'West'])
    await send(mock, 'POST /trips', { body: { title } });
  const titles = [];
  for (let place: string | undefined = '/trips?limit=2'; place !== undefined;) {
    const page = jsonOf(await send(mock, `GET ${place}`)) as unknown as {
      readonly _links: { readonly next?: { readonly href: string } };
      readonly _embedded: { readonly trips: readonly { readonly title: string }[] };
    };
    titles.push(page._embedded.trips.map(({ title }) => title));
    place = page._links.next?.href;
  }
  expect(titles).toEqual([['North', 'South'], ['West']]);
});
