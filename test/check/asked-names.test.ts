import { expect, test } from 'vitest';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const text = { type: 'string' };
const tool = { type: 'object', required: ['id'], properties: { id: text, label: text } };
const order = {
  type: 'object',
  required: ['by'],
  properties: { by: text, direction: { ...text, enum: ['up', 'down'], default: 'up' } },
};
const question = {
  type: 'object',
  properties: { orders: { type: 'array', items: order }, size: { type: 'integer', minimum: 1 } },
};

/** A search whose orders name members in words that only the service knows. */
const contract = makeContract({
  paths: {
    '/tools/query': {
      post: {
        operationId: 'queryTools',
        requestBody: { required: true, ...jsonContent(question) },
        responses: {
          200: { description: 'All.', ...jsonContent({ type: 'array', items: tool }) },
          422: { description: 'Refused.' },
        },
      },
    },
  },
});

/** `least`: the sizes of pages that the service refuses, which its document allows. */
function tools(least = 1): Service {
  return ({ method, body }) => {
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
    const asked = jsonObject(body);
    if (asked === undefined) return { status: 422 };
    const { orders = [], size = 50 } = asked;
    const isOrder = (one: unknown): boolean => {
      const { by, direction = 'up' } = (one ?? {}) as Record<string, unknown>;
      return (by === 'label' || by === 'id') && (direction === 'up' || direction === 'down');
    };
    const isFit = Array.isArray(orders) && orders.every(isOrder);
    if (!isFit || !Number.isInteger(size) || Number(size) < least) return { status: 422 };
    return { status: 200, json: [{ id: 't1', label: 'Saw' }] };
  };
}

test('a refusal that names nothing may be about the name beside the tested value', async () => {
  const found = alarms(await findingsOf(contract, tools()));
  expect(found.filter((line) => line.includes('valid-accepted'))).toEqual([]);
});

test('a value without such a name beside it is still found to be refused', async () => {
  const found = alarms(await findingsOf(contract, tools(2)));
  expect(found.join('\n')).toMatch(/error valid-accepted queryTools: .*size is 1/);
});
