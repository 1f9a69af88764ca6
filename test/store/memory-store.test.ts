import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { fc } from '../property.ts';
import { Model, storeCommands } from './store-model.ts';
import { describeStore } from './store-suite.ts';

describeStore('memory', async (limits) => makeMemoryStore(limits));

test('any sequence of calls has the same effect as on plain maps', async () => {
  await fc.assert(
    fc.asyncProperty(storeCommands, async (commands) => {
      await fc.asyncModelRun(() => ({ model: new Model(), real: makeMemoryStore() }), commands);
    }),
    { numRuns: 400 },
  );
});

describe('the memory store', () => {
  const collection = { session: 'default', name: 'tools' };

  test('shares one list among sessions that changed nothing', async () => {
    const store = makeMemoryStore();
    await store.seed(new Map([['tools', [{ id: '1', record: { id: 1 } }]]]));
    expect(await store.list(collection)).toBe(
      await store.list({ session: 'other', name: 'tools' }),
    );
  });

  test('shares the records that a session did not change', async () => {
    const store = makeMemoryStore();
    await store.seed(
      new Map([
        [
          'tools',
          [
            { id: '1', record: { id: 1 } },
            { id: '2', record: { id: 2 } },
          ],
        ],
      ]),
    );
    await store.delete(collection, '1');
    expect(await store.get(collection, '2')).toBe(
      await store.get({ session: 'other', name: 'tools' }, '2'),
    );
  });

  test('drops the least recently used session if there are too many', async () => {
    const store = makeMemoryStore({ sessions: 2 });
    for (const session of ['a', 'b'])
      await store.insert({ session, name: 'tools' }, { id: session, record: {} });
    await store.get({ session: 'a', name: 'tools' }, 'a');
    await store.insert({ session: 'c', name: 'tools' }, { id: 'c', record: {} });
    const held = await Promise.all(
      ['a', 'b', 'c'].map(async (session) => (await store.list({ session, name: 'tools' })).length),
    );
    expect(held).toEqual([1, 0, 1]);
  });

  test('refuses two fixtures with one identifier', async () => {
    const twice = new Map([
      [
        'tools',
        [
          { id: '1', record: {} },
          { id: '2', record: {} },
          { id: '1', record: {} },
        ],
      ],
    ]);
    const refusal = await makeMemoryStore()
      .seed(twice)
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(VouchError);
    expect((refusal as VouchError).message).toMatchInlineSnapshot(
      `"Two fixtures of tools have the identifier 1."`,
    );
  });

  test('loads neither SQLite nor the package for Redis', () => {
    expect(
      runtimeImports('src/store/local-store.ts').filter((name) => /sqlite|redis/.test(name)),
    ).toEqual([]);
    expect(
      runtimeImports('src/library/open-store.ts').filter((name) => /sqlite|redis/.test(name)),
    ).toEqual([]);
    expect(
      runtimeImports('src/store/redis-store.ts').filter((name) => name.includes('redis-link')),
    ).toHaveLength(1);
  });
});

/**
 * Every file that a file imports when it is loaded, and every package; what it imports later is
 * left out.
 */
function runtimeImports(file: string, seen: Set<string> = new Set()): string[] {
  const text = readFileSync(file, 'utf8');
  for (const [, name = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'([^']+)'/gm,
  )) {
    const target = name.startsWith('.') ? join(dirname(file), name) : name;
    if (seen.has(target)) continue;
    seen.add(target);
    if (name.startsWith('.')) runtimeImports(target, seen);
  }
  return [...seen];
}
