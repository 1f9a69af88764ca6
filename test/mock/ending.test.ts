import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const visit = {
  type: 'object',
  required: ['id', 'badge', 'status'],
  properties: {
    id: { type: 'string', readOnly: true },
    badge: { type: 'string', description: 'Unique.' },
    guest: { type: 'string' },
    status: { type: 'string', enum: ['planned', 'cancelled'], readOnly: true },
    cancelledAt: { type: 'string', format: 'date-time', readOnly: true },
  },
};
const error = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string' }, target: { type: 'string' } },
    },
  },
};
const body = { requestBody: { required: true, ...json(visit) } };
const shown = { description: 'It.', ...json(visit) };
const refusals = {
  400: { description: 'Invalid.', ...json(error) },
  404: { description: 'There is none.', ...json(error) },
  409: { description: 'The badge is taken.', ...json(error) },
};
const id = [{ name: 'visitId', in: 'path', required: true, schema: { type: 'string' } }];

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1' },
    paths: {
      '/visits': {
        post: { operationId: 'createVisit', ...body, responses: { 201: shown, ...refusals } },
      },
      '/visits/{visitId}': {
        parameters: id,
        get: { operationId: 'getVisit', responses: { 200: shown, ...refusals } },
        put: { operationId: 'replaceVisit', ...body, responses: { 200: shown, ...refusals } },
        patch: { operationId: 'changeVisit', ...body, responses: { 200: shown, ...refusals } },
        delete: {
          operationId: 'cancelVisit',
          description: 'The status becomes `cancelled`.',
          responses: { 204: { description: 'Done.' }, ...refusals },
        },
      },
    },
  }),
  'visits.json',
);

async function start() {
  const mock = await mockOf({ contract });
  const made = await send(mock, 'POST /visits', { body: { badge: 'A1' } });
  return { mock, path: `/visits/${String((jsonOf(made) as { id: string }).id)}` };
}

test('a deletion that sets a state keeps the record in it', async () => {
  const { mock, path } = await start();
  expect((await send(mock, `DELETE ${path}`)).status).toBe(204);
  const moment = '2030-01-02T03:04:05.000Z';
  const ended = { badge: 'A1', status: 'cancelled', cancelledAt: moment };
  expect(jsonOf(await send(mock, `GET ${path}`))).toMatchObject(ended);
  expect((await send(mock, `DELETE ${path}`)).status).toBe(204);
});

test('a change that leaves a unique value as it is meets no conflict', async () => {
  const { mock, path } = await start();
  const other = await send(mock, 'POST /visits', { body: { badge: 'B2' } });
  expect(other.status).toBe(201);
  expect((await send(mock, `PATCH ${path}`, { body: { badge: 'A1', guest: 'Kim' } })).status).toBe(
    200,
  );
  expect((await send(mock, `PATCH ${path}`, { body: { badge: 'B2' } })).status).toBe(409);
});

test('an error with room for one invalid member names it', async () => {
  const { mock } = await start();
  const refused = await send(mock, 'POST /visits', { body: { badge: 7 } });
  expect(jsonOf(refused)).toMatchObject({ error: { target: 'badge' } });
});

test('a value may stay that another record has as well', async () => {
  const rooms = new URL('../../bench/servers/rooms/rooms.yaml', import.meta.url);
  const mock = await mockOf({
    contract: parseContract(readFileSync(rooms, 'utf8'), 'rooms.yaml'),
    authentication: 'off',
  });
  const ids = [];
  for (const site of ['one', 'two']) {
    await send(mock, `PUT /sites/${site}`, { body: { title: site } });
    const made = await send(mock, `POST /sites/${site}/rooms`, {
      body: { name: 'Fjord', capacity: 2 },
    });
    ids.push((jsonOf(made) as { id: string }).id);
  }
  const changed = await send(mock, `PATCH /rooms/${String(ids[0])}`, {
    body: { capacity: 3 },
    type: 'application/merge-patch+json',
  });
  expect(jsonOf(changed)).toMatchObject({ name: 'Fjord', capacity: 3 });
});
