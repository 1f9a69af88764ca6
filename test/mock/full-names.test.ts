import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { mockOf, send, jsonOf } from './workshop.ts';

const named = (pattern: string, more: object = {}) => ({
  type: 'object',
  required: ['name', 'title'],
  properties: {
    name: { type: 'string', pattern, readOnly: true },
    title: { type: 'string' },
    ...more,
  },
});
const hall = named('^halls/[^/]+$');
const seat = named('^halls/[^/]+/seats/[^/]+$', {
  spare_hall: { type: 'string', pattern: '^halls/[^/]+$' },
});
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const shows = (schema: object) => ({ 200: { description: 'It.', ...json(schema) } });
const refuses = { 400: { description: 'Invalid.' }, 404: { description: 'Not there.' } };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const id = (name: string) => ({ name, in: 'query', schema: { type: 'string' } });
const listOf = (name: string, items: object) => ({
  type: 'object',
  properties: { [name]: { type: 'array', items }, total_size: { type: 'integer' } },
});
const body = (schema: { readonly properties: object }) => ({
  requestBody: { required: true, ...json({ type: 'object', properties: schema.properties }) },
});

/** Halls and their seats, named as in Google AIP-122. */
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Halls', version: '1' },
    paths: {
      '/v1/halls': {
        get: { operationId: 'ListHalls', responses: shows(listOf('halls', hall)) },
        post: {
          operationId: 'CreateHall',
          parameters: [id('hall_id')],
          ...body(hall),
          responses: shows(hall),
        },
      },
      '/v1/halls/{hall}': {
        parameters: [inPath('hall')],
        get: { operationId: 'GetHall', responses: { ...shows(hall), ...refuses } },
      },
      '/v1/halls/{hall}/seats': {
        parameters: [inPath('hall')],
        get: {
          operationId: 'ListSeats',
          responses: { ...shows(listOf('seats', seat)), ...refuses },
        },
        post: {
          operationId: 'CreateSeat',
          parameters: [id('seat_id')],
          ...body(seat),
          responses: { ...shows(seat), ...refuses },
        },
      },
      '/v1/halls/{hall}/seats/{seat}': {
        parameters: [inPath('hall'), inPath('seat')],
        get: { operationId: 'GetSeat', responses: { ...shows(seat), ...refuses } },
      },
    },
  }),
  'halls.json',
);

test('a record has its full name, and the path holds the last part of it (AIP-122)', async () => {
  const mock = await mockOf({ contract });
  const made = jsonOf(await send(mock, 'POST /v1/halls?hall_id=red', { body: { title: 'Red' } }));
  expect(made).toMatchObject({ name: 'halls/red' });
  expect(jsonOf(await send(mock, 'GET /v1/halls/red'))).toEqual(made);
  const place = await send(mock, 'POST /v1/halls/red/seats?seat_id=a1', { body: { title: 'A1' } });
  expect(jsonOf(place)).toMatchObject({ name: 'halls/red/seats/a1' });
  expect(jsonOf(await send(mock, 'GET /v1/halls/red/seats/a1'))).toEqual(jsonOf(place));
});

test('a full name that names no record is refused', async () => {
  const mock = await mockOf({ contract });
  for (const title of ['red', 'blue'])
    await send(mock, `POST /v1/halls?hall_id=${title}`, { body: { title } });
  const statuses = [];
  for (const spare of ['halls/none', 'halls/blue'])
    statuses.push(
      (await send(mock, 'POST /v1/halls/red/seats', { body: { title: 'A', spare_hall: spare } }))
        .status,
    );
  expect(statuses).toEqual([400, 200]);
});

test('the mock names a record with a full name, and so are those that it starts with', async () => {
  const mock = await mockOf({ contract, seedRecords: 2 });
  const { name } = jsonOf(await send(mock, 'POST /v1/halls', { body: { title: 'B' } })) as {
    name: string;
  };
  const { halls } = jsonOf(await send(mock, 'GET /v1/halls')) as { halls: { name: string }[] };
  expect(halls.map((one) => one.name)).toContain(name);
  expect(halls.length).toBe(3);
  for (const one of halls) {
    expect((await send(mock, `GET /v1/${one.name}`)).status).toBe(200);
    const { seats } = jsonOf(await send(mock, `GET /v1/${one.name}/seats`)) as {
      seats: { name: string }[];
    };
    for (const place of seats) expect(place.name.startsWith(`${one.name}/seats/`)).toBe(true);
  }
});

test('records that show no identifier are identified by the address that they hold', async () => {
  const text = { type: 'string' };
  const song = {
    type: 'object',
    required: ['title', 'href'],
    properties: { title: text, href: { ...text, readOnly: true, example: '/songs/moonlight' } },
  };
  const clip = {
    type: 'object',
    required: ['note', 'href', 'song'],
    properties: {
      note: text,
      href: { ...text, readOnly: true, example: '/songs/moonlight/clips/4' },
      song: {
        type: 'object',
        required: ['href'],
        properties: { href: { ...text, example: '/songs/moonlight' } },
      },
    },
  };
  const made = (schema: object) => ({ 201: { description: 'Made.', ...json(schema) } });
  const songs = parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Songs', version: '1' },
      paths: {
        '/songs': {
          get: { responses: shows({ type: 'array', items: song }) },
          post: { ...body({ properties: { title: text } }), responses: made(song) },
        },
        '/songs/{song_id}': {
          parameters: [inPath('song_id')],
          get: { responses: { ...shows(song), ...refuses } },
        },
        '/songs/{song_id}/clips': {
          parameters: [inPath('song_id')],
          get: { responses: { ...shows({ type: 'array', items: clip }), ...refuses } },
          post: { ...body({ properties: { note: text } }), responses: made(clip) },
        },
        '/songs/{song_id}/clips/{clip_id}': {
          parameters: [inPath('song_id'), inPath('clip_id')],
          get: { responses: { ...shows(clip), ...refuses } },
        },
      },
    }),
    'songs.json',
  );
  const mock = await mockOf({ contract: songs, seedRecords: 3 });
  const listed = jsonOf(await send(mock, 'GET /songs')) as { href: string }[];
  expect(listed[0]).toMatchObject({ href: '/songs/moonlight' });
  for (const { href } of listed)
    expect(jsonOf(await send(mock, `GET ${href}`))).toHaveProperty('href', href);
  const own = jsonOf(await send(mock, 'POST /songs', { body: { title: 'Night' } })) as {
    href: string;
  };
  expect(jsonOf(await send(mock, `GET ${own.href}`))).toEqual(own);
  const added = jsonOf(await send(mock, `POST ${own.href}/clips`, { body: { note: 'Coda' } })) as {
    href: string;
  };
  expect(added.href.startsWith(`${own.href}/clips/`)).toBe(true);
  expect(added).toMatchObject({ song: { href: own.href } });
  expect(jsonOf(await send(mock, `GET ${added.href}`))).toEqual(added);
  expect(jsonOf(await send(mock, `GET ${own.href}/clips`))).toEqual([added]);
});
