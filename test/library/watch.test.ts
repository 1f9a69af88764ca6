import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import {
  startMock,
  type ReloadEvent,
  type RunningMock,
  type StartMockOptions,
} from '../../src/library/start-mock.ts';
import {
  collectReloads,
  makeWorkplace,
  notesContract,
  noteSchema,
  type Reloads,
  type Workplace,
} from './workplace.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Watched extends Reloads {
  readonly mock: RunningMock;
  readonly place: Workplace;
}

const initial = {
  'api/openapi.yaml': notesContract(),
  'api/note.yaml': noteSchema(''),
  'fixtures/notes.yaml': 'notes:\n  - { id: 1, text: first }\n',
  'scenarios/down.yaml':
    'description: It is down.\nrules:\n  - operation: listNotes\n    ' +
    'answers: [{ status: 200, body: [] }]\n',
};

async function watch(
  files: Readonly<Record<string, string>> = initial,
  more: StartMockOptions = {},
): Promise<Watched> {
  const place = await makeWorkplace(files);
  closing.push(() => place.remove());
  const reloads = collectReloads();
  const mock = await startMock({
    contract: place.path('api/openapi.yaml'),
    fixtures: place.path('fixtures'),
    scenarios: place.path('scenarios'),
    config: false,
    authentication: 'off',
    watch: true,
    onReload: reloads.onReload,
    ...more,
  });
  closing.push(() => mock.close());
  return { ...reloads, mock, place };
}

async function list({ mock }: Watched, session = 'default'): Promise<unknown> {
  const answer = await fetch(`${mock.url}/notes`, { headers: { 'Vouch-Session': session } });
  return answer.json();
}

async function add({ mock }: Watched, text: string, session = 'default'): Promise<number> {
  const answer = await fetch(`${mock.url}/notes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Vouch-Session': session },
    body: JSON.stringify({ text }),
  });
  return answer.status;
}

/** An event with the names of files in place of their paths. */
function brief(event: ReloadEvent): object {
  const names = event.files.map((file) => file.split('/').at(-1)).sort();
  return event.type === 'failed'
    ? {
        ...event,
        files: names,
        error: event.error instanceof VouchError ? event.error.message : event.error,
      }
    : { ...event, files: names };
}

describe('a mock that watches its files', () => {
  test('loads a new contract, and keeps the changes of sessions', async () => {
    const watched = await watch();
    expect([await add(watched, 'second'), await add(watched, 'mine', 'own')]).toEqual([201, 201]);
    await watched.place.write(
      'api/openapi.yaml',
      notesContract(
        '',
        "  /ping: { get: { operationId: ping, responses: { '204': { description: done } } } }\n",
      ),
    );
    expect(brief(await watched.next())).toEqual({
      type: 'reloaded',
      files: ['openapi.yaml'],
      contractChanged: true,
      operations: 5,
      dropped: 0,
      isFixed: false,
    });
    expect((await fetch(`${watched.mock.url}/ping`)).status).toBe(204);
    expect(await list(watched)).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: 'second' },
    ]);
    expect(await list(watched, 'own')).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: 'mine' },
    ]);
    expect(watched.mock.contract.operations).toHaveLength(5);
  });

  test('follows referenced files, and drops records that no longer conform', async () => {
    const watched = await watch();
    await add(watched, 'a long second one');
    await add(watched, 'a long third one', 'own');
    await watched.place.swap('api/note.yaml', noteSchema(', maxLength: 6'));
    expect(brief(await watched.next())).toEqual({
      type: 'reloaded',
      files: ['note.yaml'],
      contractChanged: true,
      operations: 4,
      dropped: 2,
      isFixed: false,
    });
    expect(await list(watched)).toEqual([{ id: 1, text: 'first' }]);
    expect(await add(watched, 'far too long')).toBe(400);
    expect(await add(watched, 'short')).toBe(201);
  });

  test('keeps the last valid contract after a broken edit, and reports both', async () => {
    const watched = await watch();
    await add(watched, 'second');
    await watched.place.swap('api/openapi.yaml', `${notesContract()}  /broken: {{\n`);
    const failed = await watched.next();
    expect(failed).toMatchObject({
      type: 'failed',
      error: {
        code: 'contract-unreadable',
        place: { line: 18 },
        frame: expect.stringContaining('/broken: {{'),
      },
    });
    expect(await list(watched)).toHaveLength(2);
    await watched.place.swap('api/openapi.yaml', notesContract());
    expect(brief(await watched.next())).toMatchObject({
      type: 'reloaded',
      isFixed: true,
      dropped: 0,
    });
    expect(await list(watched)).toHaveLength(2);
    expect(watched.waiting).toEqual([]);
  });

  test('loads new fixtures, and sessions keep their changes', async () => {
    const watched = await watch();
    await add(watched, 'second');
    await fetch(`${watched.mock.url}/notes/1`, {
      method: 'DELETE',
      headers: { 'Vouch-Session': 'own' },
    });
    await watched.place.write('fixtures/more.yaml', 'notes:\n  - { id: 50, text: fixed }\n');
    expect(brief(await watched.next())).toEqual({
      type: 'reloaded',
      files: ['more.yaml'],
      contractChanged: false,
      operations: 4,
      dropped: 0,
      isFixed: false,
    });
    expect(await list(watched)).toEqual([
      { id: 50, text: 'fixed' },
      { id: 1, text: 'first' },
      { id: 2, text: 'second' },
    ]);
    expect(await list(watched, 'own')).toEqual([{ id: 50, text: 'fixed' }]);
    expect(await list(watched, 'new')).toEqual([
      { id: 50, text: 'fixed' },
      { id: 1, text: 'first' },
    ]);
  });

  test('keeps its records if a fixture is invalid', async () => {
    const watched = await watch();
    await add(watched, 'second');
    await watched.place.write('fixtures/notes.yaml', 'notes:\n  - { id: 1 }\n');
    expect(await watched.next()).toMatchObject({
      type: 'failed',
      error: { code: 'fixture-invalid' },
    });
    expect(await list(watched)).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: 'second' },
    ]);
  });

  test('loads new scenarios, and active ones stay active', async () => {
    const watched = await watch();
    watched.mock.activate('down');
    watched.mock.deactivate('down', 'mine');
    await watched.place.write(
      'scenarios/other.yaml',
      'description: Another.\nrules:\n  - operation: readNote\n    answers: [{ status: 404 }]\n',
    );
    expect(brief(await watched.next())).toMatchObject({
      type: 'reloaded',
      files: ['other.yaml'],
      contractChanged: false,
    });
    expect(watched.mock.prepared.scenarios.map(({ name }) => name)).toEqual(['down', 'other']);
    expect(await list(watched)).toEqual([]);
    expect(await list(watched, 'mine')).toEqual([{ id: 1, text: 'first' }]);
    watched.mock.deactivate('down');
    expect(await list(watched)).toEqual([{ id: 1, text: 'first' }]);
  });

  test('refuses an invalid scenario, and continues', async () => {
    const watched = await watch();
    await watched.place.write(
      'scenarios/lie.yaml',
      'description: A lie.\nrules:\n  - operation: nobody\n    answers: [{ status: 200 }]\n',
    );
    expect(await watched.next()).toMatchObject({
      type: 'failed',
      error: { code: 'scenario-invalid' },
    });
    expect(await list(watched)).toEqual([{ id: 1, text: 'first' }]);
  });

  test('keeps the changed clock', async () => {
    const watched = await watch();
    watched.mock.setClock({ now: '2031-02-03' });
    await watched.place.swap('api/note.yaml', noteSchema(', maxLength: 60'));
    await watched.next();
    expect(watched.mock.prepared.mock.clock.now().toISOString()).toBe('2031-02-03T00:00:00.000Z');
  });

  test('notices a deleted file, and its return', async () => {
    const watched = await watch();
    await rm(watched.place.path('api/note.yaml'));
    expect(await watched.next()).toMatchObject({ type: 'failed' });
    await watched.place.write('api/note.yaml', noteSchema(''));
    expect(brief(await watched.next())).toMatchObject({ type: 'reloaded', isFixed: true });
    expect(await list(watched)).toEqual([{ id: 1, text: 'first' }]);
  });

  test('notices a replaced folder', async () => {
    const watched = await watch();
    await rm(watched.place.path('fixtures'), { recursive: true });
    expect(await watched.next()).toMatchObject({
      type: 'failed',
      error: { code: 'fixture-invalid' },
    });
    await watched.place.write('fixtures/notes.yaml', 'notes:\n  - { id: 3, text: third }\n');
    // The folder may be seen before the file in it.
    for (
      let event = await watched.next();
      event.type === 'failed' || !event.files.some((file) => file.endsWith('notes.yaml'));
    )
      event = await watched.next();
    expect(await list(watched)).toEqual([{ id: 3, text: 'third' }]);
    await watched.place.swap('fixtures/notes.yaml', 'notes:\n  - { id: 4, text: fourth }\n');
    await watched.next();
    expect(await list(watched)).toEqual([{ id: 4, text: 'fourth' }]);
  });

  test('treats a burst of writes as one change', async () => {
    const watched = await watch();
    // In one piece: a machine that is busy elsewhere must not make two bursts of it.
    for (let size = 10; size < 40; size += 1)
      writeFileSync(
        watched.place.path('api/note.yaml'),
        noteSchema(`, maxLength: ${String(size)}`),
      );
    expect(brief(await watched.next())).toMatchObject({ type: 'reloaded', files: ['note.yaml'] });
    expect(await add(watched, 'x'.repeat(39))).toBe(201);
    expect(await add(watched, 'x'.repeat(40))).toBe(400);
    expect(watched.waiting).toEqual([]);
  });

  test('ignores other files, and unchanged ones', async () => {
    const watched = await watch();
    await watched.place.write('api/readme.md', 'Nothing of yours.');
    await watched.place.swap('api/note.yaml', noteSchema(', maxLength: 60'));
    expect(brief(await watched.next())).toMatchObject({ files: ['note.yaml'] });
    expect(watched.waiting).toEqual([]);
  });

  test('loses no request while it reloads', async () => {
    const watched = await watch();
    const reloaded = watched.next();
    await watched.place.swap('api/note.yaml', noteSchema(', maxLength: 60'));
    const statuses: number[] = [];
    let over = false;
    void reloaded.then(() => (over = true));
    while (!over) statuses.push(await add(watched, 'more'));
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await list(watched)).toHaveLength(statuses.length + 1);
  });

  test('follows its configuration', async () => {
    const place = await makeWorkplace({
      ...initial,
      'vouch.config.yaml': 'contract: api/openapi.yaml\nmock: { keys: [old] }\n',
    });
    closing.push(() => place.remove());
    const reloads = collectReloads();
    const mock = await startMock({
      config: place.path('vouch.config.yaml'),
      watch: true,
      onReload: reloads.onReload,
    });
    closing.push(() => mock.close());
    await place.swap(
      'vouch.config.yaml',
      'contract: api/openapi.yaml\nmock: { keys: [new], fixtures: fixtures }\n',
    );
    expect(brief(await reloads.next())).toMatchObject({
      type: 'reloaded',
      files: ['vouch.config.yaml'],
      contractChanged: false,
    });
    expect(mock.keys).toEqual(['new']);
    expect(await (await fetch(`${mock.url}/notes`)).json()).toEqual([{ id: 1, text: 'first' }]);
    await place.swap('vouch.config.yaml', 'contract: api/openapi.yaml\nmocks: {}\n');
    expect(await reloads.next()).toMatchObject({
      type: 'failed',
      error: { code: 'config-invalid' },
    });
    await place.write('fixtures/notes.yaml', 'notes: []\n');
    expect(await reloads.next()).toMatchObject({
      type: 'failed',
      error: { code: 'config-invalid' },
    });
  });

  test('keeps records stored in a file', async () => {
    const place = await makeWorkplace(initial);
    const watched = await watch(initial, { persist: place.path('kept.db') });
    closing.push(() => place.remove());
    await add(watched, 'a long second one');
    await add(watched, 'third');
    await watched.place.swap('api/note.yaml', noteSchema(', maxLength: 6'));
    expect(brief(await watched.next())).toMatchObject({ type: 'reloaded', dropped: 1 });
    expect(await list(watched)).toEqual([
      { id: 1, text: 'first' },
      { id: 3, text: 'third' },
    ]);
  });

  test('serves several contracts', async () => {
    const place = await makeWorkplace({
      ...initial,
      'other.yaml': notesContract().replace('/v1', '/v2').replaceAll('note.yaml', 'api/note.yaml'),
    });
    closing.push(() => place.remove());
    const reloads = collectReloads();
    const mock = await startMock({
      contracts: [place.path('api/openapi.yaml'), place.path('other.yaml')],
      config: false,
      authentication: 'off',
      watch: true,
      fixtures: false,
      onReload: reloads.onReload,
    });
    closing.push(() => mock.close());
    const post = (url: string, text: string): Promise<Response> =>
      fetch(`${url}/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    const [first = '', second = ''] = Object.values(mock.urls);
    expect([
      (await post(first, 'a long one')).status,
      (await post(second, 'short')).status,
    ]).toEqual([201, 201]);
    await place.swap('api/note.yaml', noteSchema(', maxLength: 6'));
    expect(brief(await reloads.next())).toEqual({
      type: 'reloaded',
      files: ['note.yaml'],
      contractChanged: true,
      operations: 8,
      dropped: 1,
      isFixed: false,
    });
    expect([
      await (await fetch(`${first}/notes`)).json(),
      await (await fetch(`${second}/notes`)).json(),
    ]).toEqual([[], [{ id: 1, text: 'short' }]]);
    await place.swap('other.yaml', notesContract());
    expect(await reloads.next()).toMatchObject({
      type: 'failed',
      error: { code: expect.stringMatching(/contract|config-invalid/) },
    });
    expect((await fetch(`${second}/notes`)).status).toBe(200);
  });

  test('stops watching when it closes', async () => {
    const watched = await watch();
    await watched.mock.close();
    await watched.place.write('api/note.yaml', noteSchema(', maxLength: 60'));
    const other = await watch();
    await other.place.write('api/note.yaml', noteSchema(', maxLength: 60'));
    await other.next();
    expect(watched.waiting).toEqual([]);
  });
});
