import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import type { StoredRecord } from '../../../src/store/store.ts';
import { controlOf, requestOf, type ControlClient } from '../control/control-client.ts';
import { fakeMock } from '../fake-mock.ts';
import { controlToken } from '../serve-fake.ts';
import { settingsDocument } from '../settings-document.ts';

const only = (record: JsonObject): readonly StoredRecord[] => [{ id: 'only', record }];
const big = 9007199254740993n;

function home(): ControlClient {
  const fixtures = new Map<string, readonly StoredRecord[]>([
    [
      'owners',
      [
        { id: '1', record: { id: 1, name: 'Ada' } },
        { id: '2', record: { id: 2, name: 'Ben' } },
      ],
    ],
    ['owners.profile/1', only({ bio: 'Counts.' })],
    ['settings', only({ theme: 'dark', account: big })],
    ['me.avatar', only({ alt: 'A face' })],
  ]);
  return controlOf(
    fakeMock(undefined, {
      contract: parseContract(JSON.stringify(settingsDocument()), 'settings.json'),
      fixtures,
    }),
  );
}

describe('the record of a singleton', () => {
  test('is listed beside the collections, with its count and whether it is removable', async () => {
    const { call } = home();
    const nameless = { kind: 'singleton', identifier: null, identifierType: null };
    expect((await call('GET /resources')).body).toMatchObject({
      resources: [
        {
          kind: 'collection',
          name: 'owners',
          identifier: 'id',
          identifierType: 'integer',
          removable: true,
          count: 2,
        },
        {
          ...nameless,
          name: 'owners.profile',
          path: '/owners/{ownerId}/profile',
          removable: true,
          parents: [{ parameter: 'ownerId', resource: 'owners', field: null }],
          count: 1,
        },
        {
          ...nameless,
          name: 'settings',
          path: '/settings',
          removable: false,
          parents: [],
          count: 1,
        },
        { ...nameless, name: 'me.avatar', removable: true, count: 1 },
      ],
    });
    expect((await call('GET /sessions')).body).toMatchObject({
      sessions: [{ name: 'default', records: 5 }],
    });
  });

  test('is read and replaced with every digit of its numbers and no other member', async () => {
    const { call } = home();
    expect((await call('GET /resources/settings/records')).body).toEqual({
      session: 'default',
      total: 1,
      offset: 0,
      records: [{ id: 'only', parents: [], record: { theme: 'dark', account: big } }],
    });
    const changed = { theme: 'light', account: big + 2n };
    expect(await call('PUT /resources/settings/records/only', changed)).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await call('GET /resources/settings/records/only')).body).toEqual(changed);
  });

  test.each<[string, JsonValue | undefined, number, string]>([
    [
      'PUT /resources/settings/records/only',
      { theme: 'pink', account: 1 },
      400,
      'The contract does not allow this record of settings. /theme must be one of light, dark.',
    ],
    [
      'PUT /resources/settings/records/only',
      { theme: 'dark' },
      400,
      'The contract does not allow this record of settings. The record must ' +
        'have the property account.',
    ],
    [
      'PUT /resources/settings/records/7',
      { theme: 'dark', account: 1 },
      404,
      'There is no record 7 of settings, which is one record at /settings. ' +
        'Here it goes by the id only.',
    ],
    ['PUT /resources/settings/records/only', '{"theme":', 400, 'The body is not valid JSON: '],
    [
      'DELETE /resources/settings/records/only',
      undefined,
      409,
      'The contract knows no time without settings: no operation deletes it, ' +
        'and none says what is answered where it is missing. Replace it, or ' +
        'reset the mock.',
    ],
    [
      'GET /resources/settings/records/only?parent=1',
      undefined,
      400,
      'The records of settings stand below no others. Leave parent out.',
    ],
    [
      'GET /resources/owners.profile/records/only?parent=2',
      undefined,
      404,
      'There is no record of owners.profile below 2 in this session.',
    ],
    [
      'PUT /resources/owners.profile/records/only?parent=9',
      { bio: 'a' },
      404,
      'No record of owners has the id `9`.',
    ],
    [
      'PUT /resources/owners.profile/records/only',
      { bio: 'a' },
      400,
      'The records of owners.profile stand at /owners/{ownerId}/profile, each ' +
        'below another. Say below which, by the query parameter parent: ownerId.',
    ],
  ])('%s %j is %s, and changes nothing', async (line, body, status, detail) => {
    const { call } = home();
    expect(await call(line, body)).toMatchObject({
      status,
      body: { detail: expect.stringContaining(detail) },
    });
    expect((await call('GET /state')).body).toMatchObject({ sessions: [] });
  });

  test('is deleted and added if the contract allows it to be missing', async () => {
    const { call } = home();
    expect((await call('DELETE /resources/me.avatar/records/only')).status).toBe(204);
    expect((await call('GET /resources')).body).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ name: 'me.avatar', count: 0 })]),
    });
    expect(await call('GET /resources/me.avatar/records/only')).toMatchObject({
      status: 404,
      body: { detail: 'There is no record of me.avatar in this session.' },
    });
    expect((await call('DELETE /resources/me.avatar/records/only')).status).toBe(404);
    expect(await call('PUT /resources/me.avatar/records/only', { alt: 'A hat' })).toMatchObject({
      status: 201,
      body: { alt: 'A hat' },
    });
  });

  test('exists once per parent record', async () => {
    const { call } = home();
    expect(
      (
        await call('PUT /resources/owners.profile/records/only?parent=2', {
          bio: 'Paints.',
          seen: big,
        })
      ).status,
    ).toBe(201);
    expect((await call('GET /resources/owners.profile/records')).body).toMatchObject({
      total: 2,
      records: [
        { id: 'only', parents: ['1'], record: { bio: 'Counts.' } },
        { id: 'only', parents: ['2'], record: { bio: 'Paints.', seen: big } },
      ],
    });
    expect((await call('DELETE /resources/owners.profile/records/only?parent=1')).status).toBe(204);
    expect((await call('GET /resources/owners.profile/records')).body).toMatchObject({
      total: 1,
      records: [{ parents: ['2'] }],
    });
  });

  test('belongs to its session, is restored by a reset, and is kept in a snapshot', async () => {
    const { call } = home();
    const theme = async (session: string): Promise<unknown> =>
      (await call(`GET /resources/settings/records/only?session=${session}`)).body;
    const avatar = async (): Promise<number> =>
      (await call('GET /resources/me.avatar/records/only?session=mine')).status;
    await call('PUT /resources/settings/records/only?session=mine', {
      theme: 'light',
      account: big,
    });
    await call('DELETE /resources/me.avatar/records/only?session=mine');
    expect([await theme('mine'), await theme('default')]).toMatchObject([
      { theme: 'light' },
      { theme: 'dark' },
    ]);
    expect((await call('POST /snapshots', { name: 'bright', session: 'mine' })).status).toBe(201);
    expect((await call('POST /reset', { session: 'mine' })).status).toBe(204);
    expect([await theme('mine'), await avatar()]).toMatchObject([{ theme: 'dark' }, 200]);
    const document = (await call('GET /snapshots/bright')).body;
    expect(await call('PUT /snapshots/kept', document)).toMatchObject({
      status: 200,
      body: { records: 4 },
    });
    expect((await call('POST /snapshots/kept/restore', { session: 'mine' })).status).toBe(204);
    expect([await theme('mine'), await avatar()]).toMatchObject([
      { theme: 'light', account: big },
      404,
    ]);
  });
});

describe('a record that must be new', () => {
  test.each([
    [
      '/resources/owners/records/2',
      { name: 'Eve' },
      412,
      'There is a record 2 of owners already, and it was left as it is.',
    ],
    [
      '/resources/owners.profile/records/only?parent=1',
      { bio: 'New.' },
      412,
      'There is a record of owners.profile below 1 already, and it was left as it is.',
    ],
    ['/resources/owners/records/3', { name: 'Eve' }, 201, undefined],
  ])('at %s is %j: %s', async (path, record, status, detail) => {
    const { app, call } = home();
    const answer = await requestOf(app, 'PUT', `/__vouch${path}`)
      .set('Authorization', `Bearer ${controlToken}`)
      .set('Content-Type', 'application/json')
      .set('If-None-Match', '*')
      .send(record);
    expect([answer.status, (JSON.parse(answer.text) as { detail?: string }).detail]).toEqual([
      status,
      detail,
    ]);
    expect((await call('GET /sessions')).body).toMatchObject({
      sessions: [{ records: status === 201 ? 6 : 5 }],
    });
  });
});
