import { expect, test } from 'vitest';
import { walkDocument } from '../../src/lint/walk-document.ts';

test('every object is visited once, in the order of the document, with its type', () => {
  const document = {
    paths: {
      'x-note': { get: {} },
      '/things': {
        parameters: [
          { $ref: '#/components/parameters/Id' },
          { name: 'a', schema: { type: 'string' } },
        ],
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  properties: { schema: { items: true }, default: { type: 'null' } },
                  default: { schema: {} },
                },
                example: { schema: {} },
              },
            },
          },
          responses: {
            '200': {
              headers: { 'x-total': { schema: { allOf: [{ $ref: '#/components/schemas/A' }] } } },
            },
            'x-more': {},
          },
          callbacks: { done: { '{$request.body#/url}': { post: { responses: {} } } } },
        },
      },
    },
    components: {
      schemas: { A: { $ref: '#/components/schemas/B' }, 'x-b': { type: 'string' } },
      parameters: { Id: { schema: {} } },
    },
  };
  expect(
    walkDocument(document).map(
      ({ kind, pointer, direction }) =>
        `${kind} ${pointer}${direction === undefined ? '' : ` (${direction})`}`,
    ),
  ).toMatchInlineSnapshot(`
    [
      "document ",
      "pathItem /paths/~1things",
      "parameter /paths/~1things/parameters/1 (request)",
      "schema /paths/~1things/parameters/1/schema (request)",
      "operation /paths/~1things/post",
      "requestBody /paths/~1things/post/requestBody (request)",
      "mediaType /paths/~1things/post/requestBody/content/application~1json (request)",
      "schema /paths/~1things/post/requestBody/content/application~1json/schema (request)",
      "schema /paths/~1things/post/requestBody/content/application~1json/
      ↳schema/properties/schema (request)",
      "schema /paths/~1things/post/requestBody/content/application~1json/
      ↳schema/properties/default (request)",
      "response /paths/~1things/post/responses/200 (response)",
      "header /paths/~1things/post/responses/200/headers/x-total (response)",
      "schema /paths/~1things/post/responses/200/headers/x-total/schema (response)",
      "schema /paths/~1things/post/responses/200/headers/x-total/schema/allOf/0 (response)",
      "callback /paths/~1things/post/callbacks/done",
      "pathItem /paths/~1things/post/callbacks/done/{$request.body#~1url}",
      "operation /paths/~1things/post/callbacks/done/{$request.body#~1url}/post",
      "components /components",
      "schema /components/schemas/A",
      "schema /components/schemas/x-b",
      "parameter /components/parameters/Id (request)",
      "schema /components/parameters/Id/schema (request)",
    ]
  `);
});

test('a deep document does not overflow the stack', () => {
  let schema: { [key: string]: object } = {};
  for (let level = 0; level < 5000; level += 1) schema = { items: schema };
  expect(walkDocument({ components: { schemas: { deep: schema as never } } })).toHaveLength(5003);
});
