import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/json/value.ts';
import { controlOf } from './control-client.ts';

describe('records in the control API', () => {
  test('are read, added, replaced and removed, by session', async () => {
    const { call } = controlOf();
    expect(await call('GET /resources')).toMatchObject({
      status: 200,
      body: { session: 'default', resources: [{ name: 'things', identifier: 'id', count: 1 }] },
    });
    expect(
      await call('PUT /resources/things/records/9007199254740993', { name: 'huge' }),
    ).toMatchObject({ status: 201, body: { id: 9007199254740993n, name: 'huge' } });
    expect(await call('PUT /resources/things/records/1', { id: 1, name: 'changed' })).toMatchObject(
      { status: 200, body: { id: 1, name: 'changed' } },
    );
    expect(await call('GET /resources/things/records')).toMatchObject({
      body: {
        session: 'default',
        total: 2,
        offset: 0,
        records: [{ id: '1', record: { name: 'changed' } }, { id: '9007199254740993' }],
      },
    });
    expect(await call('GET /resources/things/records?offset=1&limit=1')).toMatchObject({
      body: { total: 2, records: [{ id: '9007199254740993' }] },
    });
    expect(await call('GET /resources/things/records/1?session=other')).toMatchObject({
      status: 200,
      body: { id: 1, name: 'first' },
    });
    expect(await call('DELETE /resources/things/records/1')).toMatchObject({ status: 204 });
    expect(await call('GET /resources/things/records/1')).toMatchObject({
      status: 404,
      body: { detail: 'There is no record 1 of things in this session.' },
    });
    expect(await call('DELETE /resources/things/records/1')).toMatchObject({ status: 404 });
    expect(await call('GET /state')).toMatchObject({ body: { sessions: ['default'] } });
  });

  test.each<[string, JsonValue, string]>([
    [
      '1',
      { id: 1, name: '' },
      'The contract does not allow this record of things. /name must NOT have ' +
        'fewer than 1 characters.',
    ],
    [
      '1',
      { id: 1 },
      'The contract does not allow this record of things. The record must have the field name.',
    ],
    [
      '1',
      { id: 2, name: 'x' },
      'The contract does not allow this record of things. /id must be 1, as in the path.',
    ],
    [
      'abc',
      { name: 'x' },
      'The contract does not allow this record of things. /id must be integer.',
    ],
    ['1', 'null', 'The contract does not allow this record of things. The record must be object.'],
  ])('that the contract does not allow stay out: %s %j', async (id, record) => {
    const { call } = controlOf();
    const answer = await call(`PUT /resources/things/records/${id}`, record);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        issues: [
          {
            at: expect.any(String),
            rule: expect.any(String),
            detail: expect.any(String),
            contract: expect.any(String),
          },
        ],
      },
    });
    expect((await call('GET /resources/things/records')).body).toMatchObject({
      total: 1,
      records: [{ id: '1', record: { id: 1, name: 'first' } }],
    });
  });

  test.each([
    ['GET /resources/thing/records', 404, 'There is no resource thing. Did you mean things?'],
    ['PUT /resources/thing/records/1', 404, 'There is no resource thing. Did you mean things?'],
    [
      'GET /resources/things/records?limit=1001',
      400,
      'limit must be a whole number from 0 to 1000.',
    ],
    ['GET /resources/things/records?offset=-1', 400, 'offset must be a whole number from 0.'],
    [
      'GET /resources?session=%20',
      400,
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
  ])('%s is %s', async (line, status, detail) => {
    expect(await controlOf().call(line, line.startsWith('PUT') ? {} : undefined)).toMatchObject({
      status,
      body: { detail },
    });
  });
});

describe('the form of records', () => {
  test('has the members of the schema with their kinds and rules', async () => {
    const { call } = controlOf();
    const plain = { description: null, choices: [], fields: [], item: null, nullable: false };
    expect((await call('GET /resources/things/form')).body).toEqual({
      fields: [
        { ...plain, name: 'id', kind: 'integer', required: true, readOnly: true, rule: 'int64' },
        {
          ...plain,
          name: 'name',
          kind: 'text',
          required: true,
          readOnly: false,
          rule: 'at least 1 character',
        },
        { ...plain, name: 'size', kind: 'integer', required: false, readOnly: false, rule: null },
      ],
    });
    expect((await call('GET /resources/thigns/form')).status).toBe(404);
  });

  test('a dry run says what the contract refuses, and stores nothing', async () => {
    const { call } = controlOf();
    expect((await call('PUT /resources/things/records/9?dry=true', { name: 'Nine' })).status).toBe(
      204,
    );
    expect((await call('GET /resources/things/records/9')).status).toBe(404);
    expect(
      await call('PUT /resources/things/records/1?dry=true', { name: '', size: 'big' }),
    ).toMatchObject({
      status: 400,
      body: { issues: [{ at: '/name' }, { at: '/size' }] },
    });
    expect(await call('PUT /resources/things/records/1?dry=true', {})).toMatchObject({
      status: 400,
      body: { issues: [{ at: '', property: 'name' }] },
    });
    expect((await call('PUT /resources/things/records/1?dry=yes', {})).status).toBe(400);
  });
});

describe('snapshots in the control API', () => {
  test('are taken, listed, restored and dropped', async () => {
    const { call } = controlOf();
    await call('PUT /resources/things/records/2', { name: 'second' });
    expect(await call('POST /snapshots', { name: 'two-things' })).toMatchObject({
      status: 201,
      body: { name: 'two-things', sessions: ['default'], records: 2 },
    });
    await call('DELETE /resources/things/records/1');
    await call('PUT /resources/things/records/3?session=other', { name: 'third' });
    expect(await call('GET /snapshots')).toMatchObject({
      body: { snapshots: [{ name: 'two-things' }] },
    });
    expect((await call('POST /snapshots/two-things/restore')).status).toBe(204);
    expect((await call('GET /resources/things/records')).body).toMatchObject({ total: 2 });
    expect((await call('GET /resources/things/records?session=other')).body).toMatchObject({
      total: 1,
    });
    expect((await call('DELETE /snapshots/two-things')).status).toBe(204);
    expect(await call('POST /snapshots/two-things/restore')).toMatchObject({ status: 404 });
  });

  test('of one session are restored into that session, or into another', async () => {
    const { call } = controlOf();
    await call('PUT /resources/things/records/2?session=one', { name: 'second' });
    await call('POST /snapshots', { name: 'one', session: 'one' });
    expect((await call('POST /snapshots/one/restore', { session: 'two' })).status).toBe(204);
    expect((await call('GET /resources/things/records?session=two')).body).toMatchObject({
      total: 2,
    });
    expect((await call('GET /resources/things/records')).body).toMatchObject({ total: 1 });
  });

  test('are exported and imported exactly', async () => {
    const { call } = controlOf();
    await call('PUT /resources/things/records/9007199254740993', { name: 'huge' });
    await call('POST /snapshots', { name: 'out' });
    const { body: document = null } = await call('GET /snapshots/out');
    const { call: elsewhere } = controlOf();
    expect(await elsewhere('PUT /snapshots/in', document)).toMatchObject({
      status: 200,
      body: { name: 'in', records: 2 },
    });
    await elsewhere('POST /snapshots/in/restore');
    expect(await elsewhere('GET /resources/things/records/9007199254740993')).toMatchObject({
      status: 200,
      body: { id: 9007199254740993n },
    });
  });

  test('are imported with the records of scenarios', async () => {
    const { call } = controlOf();
    const document = {
      version: 1,
      sessions: {
        'one+empty-shelf': {
          collections: {
            things: { records: [{ id: '7', record: { id: 7, name: 'seventh' } }], greatest: '7' },
          },
        },
      },
    };
    expect(await call('PUT /snapshots/in', document)).toMatchObject({
      status: 200,
      body: { sessions: ['one+empty-shelf'] },
    });
    expect(
      await call('PUT /snapshots/out', { version: 1, sessions: { 'one+': { collections: {} } } }),
    ).toMatchObject({ status: 400 });
  });

  const collections = (things: JsonValue): JsonValue => ({
    version: 1,
    sessions: { default: { collections: { things } } },
  });
  test.each<[JsonValue, string]>([
    [{}, 'The snapshot must have the version 1.'],
    [
      { version: 1, session: {} },
      'The snapshot has the member session, which means nothing here. Did you mean sessions?',
    ],
    [
      { version: 1, sessions: { 'a b': { collections: {} } } },
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
    [
      { version: 1, sessions: { default: { collections: { thing: {} } } } },
      'The contract has no resource thing. Did you mean things?',
    ],
    [
      collections({ records: [], greatest: 1 }),
      'greatest of things must be an integer, written as a text.',
    ],
    [collections({ records: {}, greatest: '1' }), 'records of things must be a list.'],
    [
      collections({ records: [{ id: 1, record: {} }], greatest: '1' }),
      'things[0] must have an id, which is a text, and a record, which is an object.',
    ],
    [
      collections({ records: [{ id: '1', record: { id: 1 } }], greatest: '1' }),
      'The contract does not allow things[0]: the record must have the property name.',
    ],
    [
      collections({
        records: [
          { id: '1', record: { id: 1, name: 'a' } },
          { id: '1', record: { id: 1, name: 'a' } },
        ],
        greatest: '1',
      }),
      'Two records of things have the id 1.',
    ],
  ])('that are invalid are refused: %j', async (document, detail) => {
    const { call } = controlOf();
    expect(await call('PUT /snapshots/in', document)).toMatchObject({
      status: 400,
      body: { detail },
    });
    expect((await call('GET /snapshots')).body).toEqual({ snapshots: [] });
  });

  test.each<[string, JsonValue | undefined, number, string]>([
    [
      'POST /snapshots',
      {},
      400,
      'A snapshot is named by 1 to 64 letters, digits, dots, underscores and ' +
        'hyphens. Send {"name": "before-checkout"}.',
    ],
    [
      'POST /snapshots',
      { name: 'a b' },
      400,
      'A snapshot is named by 1 to 64 letters, digits, dots, underscores and ' +
        'hyphens. Send {"name": "before-checkout"}.',
    ],
    ['POST /snapshots/tow/restore', undefined, 404, 'There is no snapshot tow. Did you mean two?'],
    [
      'POST /snapshots/two/restore',
      { session: 'three' },
      400,
      'The snapshot has no session three. It has: one, two.',
    ],
  ])('%s %j is %s', async (line, body, status, detail) => {
    const { call } = controlOf();
    for (const session of ['one', 'two'])
      await call(`PUT /resources/things/records/2?session=${session}`, { name: 'second' });
    await call('POST /snapshots', { name: 'two' });
    expect(await call(line, body)).toMatchObject({ status, body: { detail } });
  });

  test('are limited to a hundred', async () => {
    const { call } = controlOf();
    for (let count = 0; count < 100; count += 1)
      await call('POST /snapshots', { name: `s${String(count)}` });
    expect(await call('POST /snapshots', { name: 'one-more' })).toMatchObject({
      status: 400,
      body: { detail: 'There are 100 snapshots already. Delete one that is not needed any more.' },
    });
    expect((await call('POST /snapshots', { name: 's5' })).status).toBe(201);
  });
});

describe('scenarios in the control API', () => {
  test('are activated and deactivated, for all or for one session', async () => {
    const { call, mock } = controlOf();
    expect((await call('GET /scenarios')).body).toEqual({
      scenarios: [
        { name: 'slow-list', description: 'The list takes a while.', active: false },
        { name: 'no-things', description: 'There is nothing.', active: false },
      ],
      folder: null,
    });
    expect((await call('POST /scenarios/slow-list', { active: true })).body).toMatchObject({
      scenarios: [{ name: 'slow-list', active: true }, { active: false }],
    });
    await call('POST /scenarios/no-things', { active: true, session: 'one' });
    expect([mock.scenarios.active(), mock.scenarios.active('one').toSorted()]).toEqual([
      ['slow-list'],
      ['no-things', 'slow-list'],
    ]);
    await call('POST /scenarios/slow-list', { active: false, session: 'one' });
    expect((await call('GET /scenarios?session=one')).body).toMatchObject({
      scenarios: [{ active: false }, { active: true }],
    });
    await call('POST /scenarios/slow-list', { active: false });
    expect(mock.scenarios.active()).toEqual([]);
  });

  test.each<[string, JsonValue, number, string]>([
    [
      'slow-lists',
      { active: true },
      404,
      'There is no scenario slow-lists. Did you mean slow-list?',
    ],
    [
      'slow-list',
      {},
      400,
      'The body must say whether the scenario is to be on. Send {"active": ' +
        'true} or {"active": false}.',
    ],
    ['slow-list', { active: 'yes' }, 400, 'active must be true or false.'],
    [
      'slow-list',
      { activ: true },
      400,
      'The body has the member activ, which means nothing here. Did you mean active?',
    ],
  ])('%s %j is %s', async (name, body, status, detail) => {
    expect(await controlOf().call(`POST /scenarios/${name}`, body)).toMatchObject({
      status,
      body: { detail },
    });
  });
});

describe('the clock in the control API', () => {
  test('is stopped, shifted, advanced and reset', async () => {
    const { call, mock } = controlOf();
    expect((await call('GET /clock')).body).toEqual({
      now: '2030-01-02T03:04:05.000Z',
      mode: 'given',
      offsetMs: 0,
    });
    expect((await call('PUT /clock', { now: '2030-12-06' })).body).toEqual({
      now: '2030-12-06T00:00:00.000Z',
      mode: 'fixed',
      offsetMs: 0,
    });
    expect((await call('PUT /clock', { advance: '1d' })).body).toMatchObject({
      now: '2030-12-07T00:00:00.000Z',
      mode: 'fixed',
    });
    expect((await call('PUT /clock', { offset: '-PT1H' })).body).toEqual({
      now: '2030-01-02T02:04:05.000Z',
      mode: 'offset',
      offsetMs: -3_600_000,
    });
    expect((await call('PUT /clock', { advance: 'P1W' })).body).toMatchObject({
      now: '2030-01-09T02:04:05.000Z',
      mode: 'offset',
    });
    expect(mock.clock.now().toISOString()).toBe('2030-01-09T02:04:05.000Z');
    expect((await call('DELETE /clock')).body).toMatchObject({
      now: '2030-01-02T03:04:05.000Z',
      mode: 'given',
    });
  });

  test.each<[JsonValue, string]>([
    [
      {},
      'A clock is set by one of now, offset and advance. Send {"now": ' +
        '"2030-12-06"}, {"offset": "P1D"} or {"advance": "1d"}.',
    ],
    [
      { now: '2030-12-06', advance: '1d' },
      'A clock is set by one of now, offset and advance. Send {"now": ' +
        '"2030-12-06"}, {"offset": "P1D"} or {"advance": "1d"}.',
    ],
    [
      { now: '2030-02-30' },
      '2030-02-30 is no date. Write it like 2030-12-06 or 2030-12-06T08:00:00Z.',
    ],
    [
      { advance: '1 month' },
      '1 month is no span of time. Write it like P1D, PT2H30M, 1d or 2h30m; ' +
        'months and years have no length of their own.',
    ],
    [
      { advance: '9999999999d' },
      'With advance 9999999999d the clock would leave the years 0 to 9999.',
    ],
    [{ now: 5 }, 'now must be a text.'],
    [
      { today: '2030-12-06' },
      'The body has the member today, which means nothing here. Choose one of: ' +
        'now, offset, advance.',
    ],
  ])('%j is refused, and changes nothing', async (body, detail) => {
    const { call } = controlOf();
    expect(await call('PUT /clock', body)).toMatchObject({ status: 400, body: { detail } });
    expect((await call('GET /clock')).body).toMatchObject({ mode: 'given' });
  });
});
