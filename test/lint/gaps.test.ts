import { expect, test } from 'vitest';
import { gapKinds } from '../../src/contract/model.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';

const silent = `openapi: 3.1.0
info: { title: Things, version: '1', license: { name: MIT,
    url: https://opensource.org/license/mit } }
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
        '200': { description: Success, content: { application/json: { schema: { type: array,
            items: { $ref: '#/components/schemas/Thing' } } } } }
        '404': { description: Missing }
    post:
      operationId: createThing
      summary: Create a thing
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Thing' } } } }
      responses:
        2XX: { description: Success }
        '404': { description: Missing }
  /things/{id}:
    get:
      operationId: readThing
      summary: Read a thing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: Success, content: { application/json: { schema: {
            $ref: '#/components/schemas/Thing' } } } }
        '401': { description: No credential }
        '404': { description: Missing }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer }, name: {
        type: string }, tags: { type: array, items: { type: string } }, count: {
        type: integer, readOnly: true, description: The number of tags. } } }
`;

test('every kind of gap is a note with a hint, not an error', async () => {
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
      "8 paging-unknown: listThings documents no way to request further pages.",
      "13 refusal-undocumented: listThings constrains limit, but
      ↳ documents no status for invalid values.",
      "13 unauthorised-undocumented: listThings requires a credential,
      ↳ but documents no response for a request without one.",
      "22 refusal-undocumented: createThing constrains the request body,
      ↳ but documents no status for invalid values.",
      "22 success-open: createThing documents no success status.",
      "22 unauthorised-undocumented: createThing requires a credential,
      ↳ but documents no response for a request without one.",
      "23 payload-open: createThing does not document the body of its 2XX response.",
      "38 default-unknown: createThing accepts a body without name, which
      ↳ has no documented default.",
      "38 text-unbounded: createThing accepts any text as name: it has no
      ↳ maxLength, pattern or format.",
      "39 default-unknown: createThing accepts a body without tags, which
      ↳ has no documented default.",
      "39 rule-unstated: No rule states what the description of count
      ↳ says ("The number of tags."). A proposal for x-vouch-rules:
      ↳ size(self.tags) == self.count",
    ]
  `);
});
