import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const topic = { type: 'object', properties: { id: text, name: text } };
const change = { type: 'object', properties: { isOpen: { type: 'boolean' } } };
const course = {
  type: 'object',
  required: ['id'],
  properties: {
    id: text,
    isOpen: { type: 'boolean' },
    topic: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: text } } },
  },
};
const sent = {
  allOf: [
    change,
    {
      type: 'object',
      properties: { isOpen: { type: 'boolean', default: true }, topic: course.properties.topic },
    },
  ],
};
const collection = (schema: object, body: object) => ({
  get: { responses: { 200: { description: '.', ...json({ type: 'array', items: schema }) } } },
  post: {
    requestBody: json(body),
    responses: { 201: { description: 'New.', ...json(schema) } },
  },
});
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Courses', version: '1' },
    paths: {
      '/topic': collection(topic, topic),
      '/topic/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'It.', ...json(topic) } } },
        delete: {
          description: '409 if it has evening courses.',
          responses: { 204: { description: 'Gone.' }, 409: { description: 'Conflict.' } },
        },
      },
      '/eveningCourse': collection(course, sent),
    },
  }),
  'courses.json',
);

test('a record that a list of objects names is not deleted, as two words say', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ topic: [], eveningCourse: [] }) });
  const said = await converse(mock, [
    ['POST /topic', { body: { name: 'Birds' } }],
    ['POST /topic', { body: { name: 'Trees' } }],
    ['POST /eveningCourse', { body: { topic: [{ id: 'made-1' }] } }],
    ['DELETE /topic/made-1'],
    ['DELETE /topic/made-2'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /topic → 201 {"id":"made-1","name":"Birds"}
    POST /topic → 201 {"id":"made-2","name":"Trees"}
    POST /eveningCourse → 201 {"id":"made-3","isOpen":true,"topic":[{"id":"made-1"}]}
    DELETE /topic/made-1 → 409 {"type":"about:blank","title":"Conflict","status":409,
      ↳"detail":"The record of topic has eveningCourse. Delete those first.",
      ↳"code":"conflict"}
    DELETE /topic/made-2 → 204"
  `);
});
