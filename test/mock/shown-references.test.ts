import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { mockOf, send } from './workshop.ts';

const text = { type: 'string' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const owner = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } };
const house = {
  type: 'object',
  required: ['id', 'ownerId'],
  properties: { id: text, ownerId: text },
};
const answers = (status: number, schema: object) => ({
  [status]: { description: 'It.', ...json(schema) },
});

test.each(['3.0.3', '3.1.0'])(
  'a reference that the contract shows is accepted (%s)',
  async (openapi) => {
    const shown = openapi === '3.0.3' ? { example: 'o-1' } : { examples: ['o-1'] };
    const body = {
      type: 'object',
      required: ['house'],
      properties: {
        house: {
          type: 'object',
          required: ['ownerId'],
          properties: { ownerId: { ...text, ...shown } },
        },
      },
    };
    const contract = parseContract(
      JSON.stringify({
        openapi,
        info: { title: 'Houses', version: '1' },
        paths: {
          '/owners': {
            get: { responses: answers(200, { type: 'array', items: owner }) },
            post: {
              requestBody: json({ type: 'object', properties: { name: text } }),
              responses: answers(201, owner),
            },
          },
          '/owners/{id}': {
            get: {
              parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
              responses: answers(200, owner),
            },
          },
          '/houses': {
            get: { responses: answers(200, { type: 'array', items: house }) },
            post: {
              requestBody: json(body),
              responses: { ...answers(201, house), 404: { description: 'No such owner.' } },
            },
          },
        },
      }),
      'houses.json',
    );
    const mock = await mockOf({ contract });
    const statuses = [];
    for (const ownerId of ['o-1', 'o-2'])
      statuses.push((await send(mock, 'POST /houses', { body: { house: { ownerId } } })).status);
    expect(statuses).toEqual([201, 404]);
  },
);
