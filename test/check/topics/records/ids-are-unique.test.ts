import { expect, test } from 'vitest';
import { idsAreUnique } from '../../../../src/check/topics/records/ids-are-unique.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const thing: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const contract = makeContract({
  paths: {
    '/things': {
      post: {
        operationId: 'addThing',
        requestBody: jsonContent(thing),
        responses: { 201: { description: 'made', ...jsonContent(thing) } },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok', ...jsonContent(thing) } },
      },
    },
  },
});

/** What is said of two creates, with these identifiers, that a server answers with 7. */
function said(first: JsonObject, second: JsonObject, names = ['a', 'b']): string[] | undefined {
  const [one = '', other = ''] = names;
  const create = (body: JsonObject, name: string): Said => ({
    ask: 'POST /things',
    status: 201,
    body: { ...body, name },
    answer: { id: 7, name },
  });
  return idsAreUnique
    .inspect(talk(contract, [create(first, one), create(second, other)]))
    ?.map(({ message }) => message);
}

test('one identifier for two creates is reported, with what was sent', () => {
  expect(said({}, {})).toEqual(['Two creates returned the same id: 7.']);
  expect(said({ id: 8 }, { id: 9 })).toEqual([
    'Two creates returned the same id: 7, and 8 and 9 were sent.',
  ]);
});

test('one identifier that the client sent twice is its own, however the server writes it', () => {
  expect(said({ id: 8 }, { id: 8 })).toEqual([]);
  expect(said({ id: 7 }, {})).toEqual([]);
});

test('equal creates may return one record, whatever identifiers are sent with them', () => {
  expect(said({ id: 8 }, { id: 9 }, ['a', 'a'])).toEqual([]);
  expect(said({ id: 8 }, {}, ['a', 'a'])).toEqual([]);
});
