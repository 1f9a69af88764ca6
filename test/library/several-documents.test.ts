import { afterEach, describe, expect, test } from 'vitest';
import {
  startMock,
  type RunningMock,
  type StartMockOptions,
} from '../../src/library/start-mock.ts';
import { makeWorkplace, notesContract, type Workplace } from './workplace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const inlined =
  '{ type: object, required: [id, text], properties: { id: { type: ' +
  'integer, readOnly: true }, text: { type: string } } }';
const files = {
  'red/openapi.yaml': notesContract(inlined),
  'blue/openapi.yaml': notesContract(inlined),
  'green.yaml': notesContract(inlined).replace('/v1', '/green'),
  'blue/fixtures/notes.yaml': 'notes:\n  - { id: 9, text: blue }\n',
};

async function makePlace(more: Readonly<Record<string, string>> = {}): Promise<Workplace> {
  const place = await makeWorkplace({ ...files, ...more });
  closing.push(() => place.remove());
  return place;
}

async function start(options: StartMockOptions): Promise<RunningMock> {
  const mock = await startMock({
    config: false,
    authentication: 'off',
    seedRecords: 0,
    ...options,
  });
  closing.push(() => mock.close());
  return mock;
}

const notesOf = async (mock: RunningMock, name: string): Promise<unknown> =>
  (await fetch(`${mock.urls[name] ?? ''}/notes`)).json();

describe('several documents on one port', () => {
  test(
    'stand under their own base paths, or those that they are given, with ' +
      'names from their files',
    async () => {
      const place = await makePlace();
      const mock = await start({
        contracts: [
          place.path('red/openapi.yaml'),
          { contract: place.path('blue/openapi.yaml'), fixtures: place.path('blue/fixtures') },
          place.path('green.yaml'),
        ],
        bases: { blue: '/blue/v1/' },
      });
      expect(mock.urls).toEqual({
        red: `${mock.origin}/v1`,
        blue: `${mock.origin}/blue/v1`,
        green: `${mock.origin}/green`,
      });
      expect(mock.url).toBe(mock.urls['red']);
      expect([await notesOf(mock, 'red'), await notesOf(mock, 'blue')]).toEqual([
        [],
        [{ id: 9, text: 'blue' }],
      ]);
      expect(mock.journal().map(({ operation }) => operation)).toEqual([
        'red:listNotes',
        'blue:listNotes',
      ]);
      expect(mock.verify({ operation: 'blue:listNotes' })).toBe(1);
    },
  );

  test('are those of the configuration by default', async () => {
    const place = await makePlace({
      'vouch.config.yaml':
        'documents:\n  - { contract: red/openapi.yaml, name: first }\n  - ' +
        'contract: blue/openapi.yaml\n    base: /second\n    fixtures: blue/' +
        'fixtures\n    assume: [{ operation: removeNote, status: 204, because: ' +
        'it says so }]\n    resources: { notes: { identifier: id } }\n',
    });
    const mock = await start({ config: place.path('vouch.config.yaml') });
    expect(mock.urls).toEqual({ first: `${mock.origin}/v1`, openapi: `${mock.origin}/second` });
    expect(await notesOf(mock, 'openapi')).toEqual([{ id: 9, text: 'blue' }]);
  });

  test('have their settings of the configuration, also when they are named', async () => {
    const place = await makePlace({
      'vouch.config.yaml':
        'documents:\n  - { contract: blue/openapi.yaml, base: /second, fixtures: blue/fixtures }\n',
    });
    const mock = await start({
      config: place.path('vouch.config.yaml'),
      contract: place.path('blue/openapi.yaml'),
    });
    expect(mock.url).toBe(`${mock.origin}/second`);
    expect(await (await fetch(`${mock.url}/notes`)).json()).toEqual([{ id: 9, text: 'blue' }]);
  });

  test('may be one document twice', async () => {
    const place = await makePlace();
    const green = place.path('green.yaml');
    const mock = await start({
      contracts: [green, { contract: green, name: 'copy', base: '/copy' }],
    });
    await fetch(`${mock.urls['copy'] ?? ''}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"mine"}',
    });
    expect([await notesOf(mock, 'green'), await notesOf(mock, 'copy')]).toEqual([
      [],
      [{ id: 1, text: 'mine' }],
    ]);
  });

  test('are stored in one file over a restart', async () => {
    const place = await makePlace();
    const choice = {
      contracts: [place.path('red/openapi.yaml'), place.path('green.yaml')],
      persist: place.path('kept.db'),
    };
    const before = await start(choice);
    for (const name of ['openapi', 'green'])
      await fetch(`${before.urls[name] ?? ''}/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text: name }),
      });
    await before.close();
    const after = await start(choice);
    expect([await notesOf(after, 'openapi'), await notesOf(after, 'green')]).toEqual([
      [{ id: 1, text: 'openapi' }],
      [{ id: 1, text: 'green' }],
    ]);
  });

  test('share keys and tokens', async () => {
    const secured = notesContract(
      inlined,
      'components: { securitySchemes: { login: { type: oauth2, flows: { ' +
        'clientCredentials: { tokenUrl: /token, scopes: {} } } } } }\nsecurity: ' +
        '[{ login: [] }]\n',
    );
    const place = await makePlace({
      'one.yaml': secured.replace('/v1', '/one'),
      'two.yaml': secured.replace('/v1', '/two'),
    });
    const mock = await start({
      contracts: [place.path('one.yaml'), place.path('two.yaml')],
      authentication: 'known',
    });
    const answer = await fetch(`${mock.origin}/__vouch/oauth2/token`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${btoa('me:mine')}`,
      },
      body: 'grant_type=client_credentials',
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const statuses = await Promise.all(
      ['one', 'two'].map(
        async (name) =>
          (
            await fetch(`${mock.urls[name] ?? ''}/notes`, {
              headers: { Authorization: `Bearer ${token}` },
            })
          ).status,
      ),
    );
    expect(statuses).toEqual([200, 200]);
    expect((await fetch(`${mock.urls['two'] ?? ''}/notes`)).status).toBe(401);
  });

  test.each<[string, (place: Workplace) => StartMockOptions, string]>([
    [
      'that overlap',
      (place) => ({ contracts: [place.path('red/openapi.yaml'), place.path('blue/openapi.yaml')] }),
      'red and blue both have GET /v1/notes',
    ],
    [
      'with a base path for a name that none has',
      (place) => ({ contracts: [place.path('green.yaml')], bases: { grene: '/a' } }),
      'There is no contract grene to give a base path to.',
    ],
    [
      'with a base path that is none',
      (place) => ({ contracts: [place.path('green.yaml')], bases: { green: 'a?b' } }),
      'a?b is no base path.',
    ],
    [
      'of one name',
      (place) => ({
        contracts: [
          place.path('green.yaml'),
          { contract: place.path('red/openapi.yaml'), name: 'green' },
        ],
      }),
      'Two contracts are called green.',
    ],
    [
      'with fixtures for all',
      (place) => ({
        contracts: [place.path('green.yaml'), place.path('red/openapi.yaml')],
        fixtures: place.path('blue/fixtures'),
      }),
      'fixtures cannot be for several contracts at once.',
    ],
    [
      'with a scenario that none has',
      (place) => ({
        contracts: [place.path('green.yaml'), place.path('red/openapi.yaml')],
        scenario: 'nothing',
      }),
      'There is no scenario nothing.',
    ],
  ])('%s are refused at the start', async (_name, choose, message) => {
    await expect(start(choose(await makePlace()))).rejects.toThrow(message);
  });
});
