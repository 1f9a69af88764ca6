import { expect, test } from 'vitest';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { readOnlyIsIgnored } from '../../../../src/check/topics/records/read-only-is-ignored.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const message = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    appId: { type: 'integer', readOnly: true, examples: [5] },
  },
};
const contractTaking = (body: JsonObject): Contract =>
  makeContract({
    paths: {
      '/messages': {
        post: {
          requestBody: jsonContent(body),
          responses: { 201: { description: 'made', ...jsonContent(message) } },
        },
      },
      '/messages/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: 'one', ...jsonContent(message) } } },
      },
    },
  });
const contract = contractTaking(message);

function isAccused(appId: number, of = contract): boolean {
  const found = readOnlyIsIgnored.inspect(
    talk(of, [
      { ask: 'POST /messages', status: 201, body: {}, answer: { id: 'a', appId: 1 } },
      { ask: 'POST /messages', status: 201, body: { appId }, answer: { id: 'b', appId } },
    ]),
  );
  return (found ?? []).length > 0;
}

test('a read-only value that the contract shows may be the own one of the service', () => {
  expect(isAccused(5)).toBe(false);
  expect(isAccused(987_654)).toBe(true);
});

test('what a body declares for itself is of the client, whatever answers say of theirs', () => {
  const { appId: _read, ...others } = message.properties;
  const body = { ...message, properties: { ...others, appId: { type: 'integer' } } };
  const declaring = contractTaking(body);
  expect(isAccused(987_654, declaring)).toBe(false);
});
