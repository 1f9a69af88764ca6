import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { shownRecord } from '../../../src/check/reading/shown-records.ts';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const text = { type: 'string' };
const properties = {
  id: text,
  type: text,
  attributes: { type: 'object', properties: { code: text, data: { type: 'boolean' } } },
};
const thing = { type: 'object', required: ['id', 'type'], properties };
const whole = (data: JsonValue): JsonValue => ({
  type: 'object',
  required: ['data'],
  properties: { data },
});
const page = whole({ type: 'array', items: thing });
const code = { name: 'code', in: 'path', required: true, schema: text };
const contract = openEnvelopes(
  makeContract({
    paths: {
      '/things': {
        get: { responses: { 200: { description: 'All.', ...jsonContent(page) } } },
      },
      '/things/{code}': {
        parameters: [code],
        get: { responses: { 200: { description: 'One.', ...jsonContent(whole(thing)) } } },
      },
    },
  }),
);
const [things] = contract.resources;
if (things === undefined) throw new Error('The contract has no resource.');

test('a record in an envelope is known by an identifier that it keeps in a group', () => {
  const record = { id: '1', type: 'things', attributes: { code: 'a', data: true } };
  expect(things.identifier.field).toBe('code');
  // The envelope has the name of a field of the record.
  const answer = { kind: 'json', mediaType: 'application/json', value: { data: record } } as const;
  expect(shownRecord(things, answer)).toEqual({ id: '1', type: 'things', code: 'a', data: true });
});

test('an envelope may have an identifier of its own, and a group a member of that name', () => {
  const attributes = { code: 'a', id: 'other' };
  const record = { id: '1', type: 'things', attributes };
  const value = { code: 'response', data: record };
  const answer = { kind: 'json', mediaType: 'application/json', value } as const;
  expect(shownRecord(things, answer)).toEqual({ id: '1', type: 'things', code: 'a' });
});

test('a path that answers with the list of another one reads no record', () => {
  const schemas = { Thing: thing, Page: page };
  const answer = {
    200: { description: 'All.', ...jsonContent({ $ref: '#/components/schemas/Page' }) },
  };
  const [below] = openEnvelopes(
    makeContract({
      paths: {
        '/things': { get: { responses: answer } },
        '/things/{code}': { parameters: [code], get: { responses: answer } },
      },
      components: { schemas },
    }),
  ).resources;
  expect(Object.keys(below?.operations ?? {})).toEqual(['list']);
});
