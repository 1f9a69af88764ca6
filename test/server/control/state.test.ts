import { describe, expect, test } from 'vitest';
import { controlOf } from './control-client.ts';
import { fakeMock } from '../fake-mock.ts';

describe('the state in the control API', () => {
  test('describes the running mock and its state', async () => {
    const { call, send } = controlOf(fakeMock(), { version: '1.2.3', scenario: 'slow-list' });
    await send('GET /things');
    await call('POST /snapshots', { name: 'before' });
    expect((await call('GET /state')).body).toMatchInlineSnapshot(`
      {
        "clock": {
          "mode": "given",
          "now": "2030-01-02T03:04:05.000Z",
          "offsetMs": 0,
        },
        "contract": {
          "file": "things.yaml",
          "operations": 4,
          "title": "Things",
          "version": "1.2.0",
        },
        "exchanges": 1,
        "resources": [
          {
            "collection": "things",
            "count": 1,
            "identifier": "id",
            "identifierType": "integer",
            "kind": "collection",
            "name": "things",
            "parents": [],
            "path": "/things",
            "removable": true,
          },
        ],
        "scenario": "slow-list",
        "scenarios": [
          {
            "active": false,
            "description": "The list takes a while.",
            "name": "slow-list",
          },
          {
            "active": false,
            "description": "There is nothing.",
            "name": "no-things",
          },
        ],
        "seed": "test",
        "sessions": [],
        "snapshots": [
          "before",
        ],
        "store": "memory",
        "version": "1.2.3",
      }
    `);
  });

  test('names what is unknown', async () => {
    expect((await controlOf().call('GET /state')).body).toMatchObject({
      version: null,
      scenario: null,
      exchanges: 0,
    });
  });
});

describe('a reset in the control API', () => {
  test.each([undefined, '', '{}', ' { } '])(
    'with the body %j is of everything, the journal included',
    async (body) => {
      const { call, send, mock } = controlOf();
      await send('GET /things');
      expect((await call('POST /reset', body)).status).toBe(204);
      expect(mock.resets).toBe(1);
      expect((await call('GET /journal')).body).toEqual({ count: 0, forgotten: 0, exchanges: [] });
    },
  );

  test('of one session does not affect the others', async () => {
    const { call, send } = controlOf();
    for (const session of ['one', 'two']) {
      await call(`PUT /resources/things/records/5?session=${session}`, { name: 'five' });
      await send('GET /things', { 'Vouch-Session': session });
    }
    expect((await call('POST /reset', { session: 'one' })).status).toBe(204);
    expect((await call('GET /resources/things/records?session=one')).body).toMatchObject({
      total: 1,
    });
    expect((await call('GET /resources/things/records?session=two')).body).toMatchObject({
      total: 2,
    });
    expect((await call('GET /journal')).body).toMatchObject({
      count: 1,
      exchanges: [{ session: 'two' }],
    });
  });

  test.each([
    [
      { sesion: 'one' },
      'The body has the member sesion, which means nothing here. Did you mean session?',
    ],
    [
      { session: 'not a name' },
      'A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.',
    ],
    [{ session: 5 }, 'session must be a text.'],
  ])('of %j is refused, and changes nothing', async (body, detail) => {
    const { call, mock } = controlOf();
    expect(await call('POST /reset', body)).toMatchObject({ status: 400, body: { detail } });
    expect(mock.resets).toBe(0);
  });

  test('is refused with GET', async () => {
    const { call, mock } = controlOf();
    const answer = await call('GET /reset');
    expect([answer.status, answer.headers['allow'], mock.resets]).toEqual([
      405,
      'POST, OPTIONS',
      0,
    ]);
  });
});
