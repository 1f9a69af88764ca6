import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { mockOf, send } from './workshop.ts';

const json = (shown: object) => ({ content: { 'application/json': { schema: shown } } });
const desk = { $ref: '#/components/schemas/Desk' };
const deskSchema = {
  type: 'object',
  required: ['id', 'name', 'floorId'],
  properties: {
    id: { type: 'string', readOnly: true },
    name: { type: 'string' },
    floorId: { type: 'string', readOnly: true },
  },
};
const floor = {
  type: 'object',
  required: ['floorId'],
  properties: { floorId: { type: 'string' } },
};
const body = (sent: object) => ({ requestBody: { required: true, ...json(sent) } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const taken = { 409: { description: 'Another desk of the floor has this name.' } };

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Desks', version: '1' },
    components: { schemas: { Desk: deskSchema } },
    paths: {
      '/floors': {
        get: {
          operationId: 'listFloors',
          responses: { 200: { description: 'All.', ...json({ type: 'array', items: floor }) } },
        },
        post: {
          operationId: 'createFloor',
          ...body(floor),
          responses: { 201: { description: 'Made.', ...json(floor) } },
        },
      },
      '/floors/{floorId}': {
        get: {
          operationId: 'getFloor',
          parameters: [inPath('floorId')],
          responses: { 200: { description: 'It.', ...json(floor) } },
        },
      },
      '/floors/{floorId}/desks': {
        parameters: [inPath('floorId')],
        get: {
          operationId: 'listDesks',
          responses: { 200: { description: 'All.', ...json({ type: 'array', items: desk }) } },
        },
        post: {
          operationId: 'createDesk',
          description: 'The name is unique within the floor.',
          ...body({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
          responses: { 201: { description: 'Made.', ...json(desk) }, ...taken },
        },
      },
      '/desks/{deskId}': {
        parameters: [inPath('deskId')],
        get: {
          operationId: 'getDesk',
          responses: { 200: { description: 'It.', ...json(desk) } },
        },
        delete: { operationId: 'deleteDesk', responses: { 204: { description: 'Gone.' } } },
      },
    },
  }),
  'desks.json',
);

test('a value that is unique within the parent is refused below the same parent only', async () => {
  const mock = await mockOf({ contract });
  for (const id of ['one', 'two']) await send(mock, 'POST /floors', { body: { floorId: id } });
  const statuses = [];
  for (const id of ['one', 'two', 'one'])
    statuses.push(
      (await send(mock, `POST /floors/${id}/desks`, { body: { name: 'Window' } })).status,
    );
  expect(statuses).toEqual([201, 201, 409]);
});
