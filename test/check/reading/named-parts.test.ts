import { expect, test } from 'vitest';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import { namedParts, quotedParts } from '../../../src/check/reading/named-parts.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { talk } from '../fixture/talk.ts';

const order: JsonObject = {
  type: 'object',
  properties: {
    product: { type: 'string' },
    code: { type: 'string' },
    source: { type: 'object', properties: { file: { type: 'string' } } },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { amount: { type: 'integer' } } },
    },
  },
};
const contract = makeContract({
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        parameters: [{ name: 'dry_run', in: 'query', schema: { type: 'boolean' } }],
        requestBody: jsonContent(order),
        responses: { 201: { description: 'made' }, 422: { description: 'refused' } },
      },
    },
  },
});
const body = { product: 'gg', source: { file: 'a' }, lines: [{ amount: 1 }] };

test.each<[string, JsonValue, string[]]>([
  ['a pointer', { errors: [{ detail: 'bad', pointer: '#/source/file' }] }, ['source.file']],
  ['the path of a field', { field: 'lines[0].amount' }, ['lines.amount']],
  ['a location', { detail: [{ loc: ['body', 'lines', 0, 'amount'] }] }, ['lines.amount']],
  ['a parameter', { detail: [{ loc: ['query', 'dry_run'], msg: 'bad' }] }, ['dry_run']],
  ['a member of its own', { errors: { product: ['bad'], code: ['no'] } }, ['product', 'code']],
  ['messages by member', { errors: { dryRun: 'cannot be used' } }, ['dry_run']],
  ['words', { error: 'invalid source.file' }, ['source.file']],
  ['words alone', 'There is no product gg', ['product']],
  ['what is missing', { message: '"code" is required' }, ['code']],
  ['no part', { code: 'refused', message: 'The order is closed.' }, []],
  ['its own address', { instance: '/orders/7/product', title: 'Refused' }, []],
])('an answer names %s', (_what, answer, expected) => {
  const subject = talk(contract, [{ ask: 'POST /orders', body, status: 422, answer }]);
  expect(namedParts(subject).map(({ path }) => path)).toEqual(expected);
});

test('a named part has its place in the contract', () => {
  const answer = { pointer: '/source/file' };
  const [named] = namedParts(talk(contract, [{ ask: 'POST /orders', body, status: 422, answer }]));
  expect(named?.part).toBe('source');
  expect(named?.at).toMatch(/\/properties\/source\/properties\/file$/);
});

test.each([
  ['a value as a whole word', 'No such thing: gg', ['product']],
  ['a value in a word', 'No such eggs', []],
])('an answer quotes %s', (_what, answer, expected) => {
  const subject = talk(contract, [{ ask: 'POST /orders', body, status: 422, answer }]);
  expect(quotedParts(subject).map(({ path }) => path)).toEqual(expected);
});

const identifier = {
  type: 'object',
  properties: { type: { type: 'string', enum: ['people'] }, id: { type: 'string' } },
};
const document: JsonObject = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['type', 'attributes'],
      properties: {
        type: { type: 'string', enum: ['articles'] },
        attributes: {
          type: 'object',
          properties: { title: { type: 'string' }, status: { type: 'string' } },
        },
        relationships: {
          type: 'object',
          properties: { author: { type: 'object', properties: { data: identifier } } },
        },
      },
    },
  },
};
const enveloped = openEnvelopes(
  makeContract({
    paths: {
      '/articles': {
        post: {
          requestBody: jsonContent(document),
          responses: { 201: { description: 'made' }, 422: { description: 'refused' } },
        },
      },
    },
  }),
);
const article = {
  data: {
    type: 'articles',
    attributes: { title: 'Hello', status: 'draft' },
    relationships: { author: { data: { type: 'people', id: '7' } } },
  },
};

test.each<[string, JsonValue, string[]]>([
  ['a field', { errors: [{ source: { pointer: '/data/attributes/title' } }] }, ['title']],
  ['the type', { errors: [{ source: { pointer: '/data/type' } }] }, ['type']],
  ['a relationship', { source: { pointer: '/data/relationships/author/data/id' } }, ['author']],
  ['a field behind its location', { loc: ['body', 'data', 'attributes', 'status'] }, ['status']],
  ['a field in words', { detail: '`data.attributes.status` must be draft' }, ['status']],
  ['the envelope alone', { errors: [{ source: { pointer: '/data' } }] }, []],
  ['another envelope', { source: { pointer: '/result/attributes/title' } }, []],
])('an answer names %s through the envelope of the body', (_what, answer, expected) => {
  const subject = talk(enveloped, [{ ask: 'POST /articles', body: article, status: 422, answer }]);
  expect(namedParts(subject).map(({ path }) => path)).toEqual(expected);
});
