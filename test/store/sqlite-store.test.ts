import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { loadSqlite, openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Collection } from '../../src/store/store.ts';
import { fc } from '../property.ts';
import { Model, storeCommands } from './store-model.ts';
import { describeStore } from './store-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function newFile(): string {
  files += 1;
  return join(folder, `${String(files)}.db`);
}

const collection: Collection = { session: 'default', name: 'tools' };

describeStore('sqlite', async (limits) => openSqliteStore(newFile(), limits));

test(
  'any sequence of calls leaves the file as it leaves plain maps, and a ' +
    'restart changes nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(storeCommands, async (commands) => {
        const file = newFile();
        const [model, real] = [new Model(), openSqliteStore(file)];
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await real.close();
        const again = openSqliteStore(file);
        await again.seed(model.fixtures);
        for (const [key, held] of model.collections) {
          const [session = '', name = ''] = key.split('/');
          expect(await again.list({ session, name })).toEqual(held.list());
          const next = await again.nextInteger({ session, name });
          expect(held.given.filter((earlier) => earlier >= next)).toEqual([]);
        }
        await again.close();
        rmSync(file);
      }),
      { numRuns: 60 },
    );
  },
);

describe('the file of the SQLite store', () => {
  test('keeps changes of sessions when fixtures change', async () => {
    const file = newFile();
    const first = openSqliteStore(file, { records: 3 });
    await first.seed(
      new Map([
        [
          'tools',
          [
            { id: '1', record: { name: 'saw' } },
            { id: '2', record: { name: 'axe' } },
            { id: '3', record: { name: 'file' } },
          ],
        ],
      ]),
    );
    await first.insert(collection, {
      id: '9007199254740993',
      record: { id: 9007199254740993n, half: 0.5, deep: [{ a: null }] },
    });
    await first.replace(collection, { id: '2', record: { name: 'my axe' } });
    await first.delete(collection, '3');
    expect(await first.nextInteger(collection)).toBe(9007199254740994n);
    await first.insert({ session: 'b', name: 'jobs' }, { id: 'x', record: {} });
    await first.close();

    const second = openSqliteStore(file, { records: 3 });
    await second.seed(
      new Map([
        [
          'tools',
          [
            { id: '3', record: { name: 'file' } },
            { id: '2', record: { name: 'new axe' } },
            { id: '1', record: { name: 'new saw' } },
          ],
        ],
      ]),
    );
    expect(await second.list(collection)).toEqual([
      { id: '2', record: { name: 'my axe' } },
      { id: '1', record: { name: 'new saw' } },
      { id: '9007199254740993', record: { id: 9007199254740993n, half: 0.5, deep: [{ a: null }] } },
    ]);
    expect([...(await second.sessions())].sort()).toEqual(['b', 'default']);
    expect(await second.nextInteger(collection)).toBe(9007199254740995n);
    expect(await second.insert(collection, { id: 'third', record: {} })).toBe('inserted');
    expect(await second.insert(collection, { id: 'fourth', record: {} })).toBe('full');
    await second.close();
  });

  test('holds more sessions than memory', async () => {
    const store = openSqliteStore(newFile(), { sessions: 2 });
    const names = ['a', 'b', 'c', 'd'];
    for (const session of names)
      await store.insert({ session, name: 'tools' }, { id: session, record: {} });
    for (const session of names)
      expect(await store.list({ session, name: 'tools' })).toEqual([{ id: session, record: {} }]);
    expect(await store.sessions()).toEqual(names);
    await store.close();
  });

  test(
    'has every record that was acknowledged before the process was killed',
    {
      timeout: 30_000,
    },
    async () => {
      const file = newFile();
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('sqlite-writer.ts', import.meta.url)), file],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const said: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        said.push(line);
        if (said.length === 2000) child.kill('SIGKILL');
      }
      expect(said.length).toBeGreaterThanOrEqual(2000);
      const store = openSqliteStore(file);
      await store.seed(new Map([['tools', [{ id: '1', record: { id: 1 } }]]]));
      const last = new Map(
        said.map((line) => line.split(' ')).map(([what = '', id = '']) => [id, what]),
      );
      // The one that was being written when the end came may be there or not.
      const pending = [...last.keys()].at(-1);
      for (const [id, what] of last) {
        if (id === pending) continue;
        const record = await store.get(collection, id);
        expect([
          id,
          what === 'deleted'
            ? record === undefined
            : record?.['changed'] === (what === 'changed' ? true : undefined) &&
              record !== undefined,
        ]).toEqual([id, true]);
      }
      expect(await store.get(collection, '1')).toEqual({ id: 1 });
      const next = await store.nextInteger(collection);
      expect([...last.keys()].filter((id) => BigInt(id) >= next)).toEqual([]);
      await store.close();
      const Database = loadSqlite();
      const database = new Database(file);
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      database.close();
    },
  );

  const unusable: readonly [string, () => string][] = [
    ['in no folder', () => join(folder, 'nowhere', 'records.db')],
    ['that is a folder', () => folder],
    [
      'that is no database',
      () => {
        const file = newFile();
        writeFileSync(
          file,
          'a shopping list, long enough to be looked at: milk, bread, eggs, ' +
            'butter, and so on and so on, until it is a hundred bytes',
        );
        return file;
      },
    ],
    [
      'that is another’s database',
      () => {
        const file = newFile();
        query(file, 'CREATE TABLE songs (name TEXT)');
        return file;
      },
    ],
    [
      'of a newer format',
      () => {
        const file = newFile();
        void openSqliteStore(file).close();
        query(file, 'PRAGMA user_version = 7');
        return file;
      },
    ],
    [
      'that another has open',
      () => {
        const file = newFile();
        openSqliteStore(file);
        return file;
      },
    ],
  ];

  test('that cannot be used is refused with a hint', () => {
    const refusals = unusable.map(([name, make]) => `${name}: ${refusalOf(make())}`);
    expect(
      refusals
        .join('\n')
        .replaceAll(folder, 'FOLDER')
        .replaceAll(/\d+\.db/g, 'N.db'),
    ).toMatchInlineSnapshot(`
      "in no folder: store-unusable Records cannot be kept in FOLDER/nowhere/records.db:
        ↳ there is no folder FOLDER/nowhere. Make the folder, or name a file in one that is
        ↳ there.
      that is a folder: store-unusable Records cannot be kept in FOLDER: it is a folder.
        ↳ Name a file, such as records.db in it.
      that is no database: store-unusable Records cannot be kept in FOLDER/N.db: it is not
        ↳ a database. Name another file: --persist records.db
      that is another’s database: store-unusable FOLDER/N.db is a database, but not one
        ↳ that vouch made; it was left as it is. Name another file: --persist records.db
      of a newer format: store-unusable FOLDER/N.db was written by a newer vouch (its
        ↳ format is 7, and this vouch knows 1); it was left as it is. Use that vouch, or name
        ↳ another file.
      that another has open: store-unusable Records cannot be kept in FOLDER/N.db: another
        ↳ process has it open. Stop the other vouch, or name another file."
    `);
  });

  test('that fails during use changes nothing, and reports it', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    await store.seed(new Map());
    await store.insert(collection, { id: '1', record: {} });
    await store.close();
    await store.seed(new Map());
    await expect(
      (async () => store.insert(collection, { id: '2', record: {} }))(),
    ).rejects.toMatchObject({ code: 'store-unavailable' });
    const again = openSqliteStore(file);
    expect(await again.list(collection)).toEqual([{ id: '1', record: {} }]);
    await again.close();
  });
});

test('Node’s warning about SQLite is not shown, and others are', () => {
  const module = new URL('../../src/store/sqlite-store.ts', import.meta.url).href;
  const script = `import { loadSqlite } from ${JSON.stringify(module)};
    loadSqlite(); process.emitWarning('another', 'ExperimentalWarning');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('ExperimentalWarning: another');
  expect(stderr).not.toContain('SQLite');
});

function refusalOf(file: string): string {
  try {
    void openSqliteStore(file).close();
    return 'none';
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return `${code} ${message} ${hint}`;
  }
}

function query(file: string, sql: string): void {
  const Database = loadSqlite();
  const database = new Database(file);
  database.exec(sql);
  database.close();
}
