import { expect, test } from 'vitest';
import { scanDocument } from '../../../src/contract/references/scan-document.ts';
import type { JsonObject } from '../../../src/json/value.ts';

const away: JsonObject = { $ref: 'away.yaml' };

/** Where references lead out of a document. */
function placesIn(document: JsonObject): string[] {
  return scanDocument(document).outward.map(({ pointer }) => pointer);
}

test.each<[string, JsonObject, string]>([
  ...[
    'schemas',
    'responses',
    'parameters',
    'requestBodies',
    'headers',
    'securitySchemes',
    'links',
    'callbacks',
    'pathItems',
    'mediaTypes',
    '$defs',
    'definitions',
    'dependentSchemas',
    'securityDefinitions',
    'additionalOperations',
  ].map((key): [string, JsonObject, string] => [
    `one of ${key}`,
    { [key]: { example: away } },
    `/${key}/example/$ref`,
  ]),
  [
    'a property',
    { components: { schemas: { A: { properties: { default: away } } } } },
    '/components/schemas/A/properties/default/$ref',
  ],
  [
    'a pattern',
    { components: { schemas: { A: { patternProperties: { enum: away } } } } },
    '/components/schemas/A/patternProperties/enum/$ref',
  ],
  ['a schema', { components: { schemas: { example: away } } }, '/components/schemas/example/$ref'],
  [
    'a response',
    { components: { responses: { default: away } } },
    '/components/responses/default/$ref',
  ],
  [
    'a part of a form',
    {
      content: { 'multipart/form-data': { encoding: { example: { headers: { default: away } } } } },
    },
    '/content/multipart~1form-data/encoding/example/headers/default/$ref',
  ],
  ['a media type', { content: { 'x-world/x-3dmf': away } }, '/content/x-world~1x-3dmf/$ref'],
  ['a webhook', { webhooks: { default: away } }, '/webhooks/default/$ref'],
  ['a webhook of 3.0', { 'x-webhooks': { 'x-paid': away } }, '/x-webhooks/x-paid/$ref'],
  ['a callback', { callbacks: { example: away } }, '/callbacks/example/$ref'],
])('%s may be called like a keyword whose value is data', (_name, document, place) => {
  expect(placesIn(document)).toEqual([place]);
});

test.each<[string, JsonObject]>([
  ['an example', { schema: { example: away } }],
  ['examples of a schema', { schema: { examples: [away] } }],
  ['a default', { schema: { default: away } }],
  ['a constant', { schema: { const: away } }],
  ['words of an enum', { schema: { enum: [away] } }],
  ['an extension', { 'x-own': away }],
  ['an extension beside paths', { paths: { 'x-own': away } }],
  ['the value of an Example Object', { examples: { one: { value: away } } }],
])('what stands in %s is data', (_name, document) => {
  expect(placesIn(document)).toEqual([]);
});
