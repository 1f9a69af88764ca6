import { expect, test } from 'vitest';
import { gapKinds } from '../../src/contract/model.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';

const silent = `openapi: 3.1.0
info: { title: Things, version: '1', license: { name: MIT, url: https://opensource.org/license/mit } }
servers: [{ url: https://api.things.test }]
security: [{ bearer: [] }]
paths:
  /things:
    get:
      operationId: listThings
      summary: List things
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200': { description: Success, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } }
        '404': { description: Missing }
    post:
      operationId: createThing
      summary: Create a thing
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses:
        2XX: { description: Success }
        '404': { description: Missing }
  /things/{id}:
    get:
      operationId: readThing
      summary: Read a thing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: Success, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        '401': { description: No credential }
        '404': { description: Missing }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
`;

test('every kind of gap is a note with a hint, and no fault', async () => {
  const { problems, counts } = await lintContract({ file: 'things.yaml', text: silent });
  expect(counts).toMatchObject({ error: 0, warning: 0 });
  expect(new Set(problems.map(({ rule }) => rule))).toEqual(
    new Set(gapKinds.map((kind) => `vouch/gap-${kind}`)),
  );
  expect(problems.filter(({ hint }) => hint === undefined)).toEqual([]);
  expect(
    problems.map(
      ({ rule, place, message }) =>
        `${String(place.line)} ${rule.slice('vouch/gap-'.length)}: ${message}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "7 paging-unknown: listThings does not say how records beyond the first page are had.",
      "12 refusal-undocumented: listThings constrains limit, but documents no status for a value that breaks the constraint.",
      "12 unauthorised-undocumented: listThings needs a credential, but documents no answer to a request without one.",
      "19 refusal-undocumented: createThing constrains the request body, but documents no status for a value that breaks the constraint.",
      "19 success-open: createThing does not say which status its success has.",
      "19 unauthorised-undocumented: createThing needs a credential, but documents no answer to a request without one.",
      "20 payload-open: createThing does not say what its 2XX answer holds.",
      "34 default-unknown: createThing may be sent without name, and nothing says which value it then has.",
      "34 text-unbounded: createThing takes any text as name: no length, pattern or format is given.",
    ]
  `);
});
