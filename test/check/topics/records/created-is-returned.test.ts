import { expect, test } from 'vitest';
import { createdIsReturned } from '../../../../src/check/topics/records/created-is-returned.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const text = { type: 'string' };
const engine: JsonObject = { $ref: '#/components/schemas/Engine' };
const session: JsonObject = { $ref: '#/components/schemas/Session' };
const collection = (schema: JsonObject): JsonObject => ({
  get: {
    responses: { 200: { description: '', ...jsonContent({ type: 'array', items: schema }) } },
  },
  post: {
    requestBody: jsonContent(schema),
    responses: { 201: { description: '', ...jsonContent(schema) } },
  },
});
const item = (schema: JsonObject): JsonObject => ({
  parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
  get: { responses: { 200: { description: '', ...jsonContent(schema) } } },
});
const contract = makeContract({
  paths: {
    '/engines': collection(engine),
    '/engines/{id}': item(engine),
    '/sessions': collection(session),
    '/sessions/{id}': item(session),
  },
  components: {
    schemas: {
      Engine: { type: 'object', properties: { id: text, name: text } },
      Session: {
        type: 'object',
        properties: {
          id: text,
          engine,
          place: { type: ['object', 'null'], properties: { id: text, name: text } },
        },
      },
    },
  },
});

/** A contract in which a limit that is sent is deprecated where it is shown, or in both places. */
const limited = (isSent: boolean): Contract => {
  const limit = { type: 'integer' };
  const old = { ...limit, deprecated: true };
  const made = { type: 'object', properties: { name: text, limit: isSent ? old : limit } };
  const shown = { type: 'object', properties: { id: text, name: text, limit: old } };
  return makeContract({
    paths: {
      '/plans': {
        post: {
          requestBody: jsonContent(made),
          responses: { 201: { description: '', ...jsonContent(shown) } },
        },
      },
      '/plans/{id}': item(shown),
    },
  });
};

/** What is said of a create of a session that sent one object, and got back another. */
function said(body: JsonObject, answer: JsonObject, severity?: string): string[] {
  const create = { ask: 'POST /sessions', status: 201, body, answer: { id: 's1', ...answer } };
  const found = createdIsReturned.inspect(talk(contract, [create])) ?? [];
  return found.filter((one) => one.severity === severity).map(({ at }) => at);
}

test('a record that the request names by its identifier is shown as it is', () => {
  const [sent, kept] = [
    { id: 'e1', name: 'mine' },
    { id: 'e1', name: 'theirs' },
  ];
  expect(said({ engine: sent }, { engine: kept })).toEqual([]);
  expect(said({ engine: sent }, { engine: { ...kept, id: 'e2' } })).toHaveLength(1);
});

test('an object that is no record of the contract comes back as it was sent', () => {
  const [sent, kept] = [
    { id: 'p1', name: 'mine' },
    { id: 'p1', name: 'theirs' },
  ];
  expect(said({ place: sent }, { place: kept })).toHaveLength(1);
});

test('a default where null was sent is set by the service', () => {
  const [sent, kept] = [{ place: null }, { place: { id: 'p1', name: 'usual' } }];
  expect(said(sent, kept)).toEqual([]);
  expect(said(sent, kept, 'note')).toHaveLength(1);
});

test.each([
  ['in the answer alone', false, 0],
  ['in the request too', true, 1],
])('a member that is deprecated %s', (_where, isSent, count) => {
  const answer = { id: 'p1', name: 'a', limit: 0 };
  const create = { ask: 'POST /plans', status: 201, body: { name: 'a', limit: 7 }, answer };
  expect(createdIsReturned.inspect(talk(limited(isSent), [create]))).toHaveLength(count);
});
