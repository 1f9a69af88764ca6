import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Store, StoredRecord, StoreLimits } from '../../src/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-bytes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const drivers: readonly (readonly [string, (limits: StoreLimits) => Store])[] = [
  ['memory', makeMemoryStore],
  ['sqlite', (limits) => openSqliteStore(join(folder, `${String((files += 1))}.db`), limits)],
];

const collection = { session: 'default', name: 'tools' };
const other = { session: 'other', name: 'tools' };
const outOfBytes = expect.objectContaining({ code: 'store-out-of-bytes' }) as unknown;

function sized(id: string, length: number): StoredRecord {
  return { id, record: { id, text: 'x'.repeat(length) } };
}

describe.each(drivers)('the %s store is bounded in bytes', (_name, open) => {
  test('over all sessions, for any change', async () => {
    const store = open({ bytes: 10_000 });
    await store.seed(new Map());
    expect(await store.insert(collection, sized('1', 4_000))).toBe('inserted');
    expect(await store.insert(other, sized('2', 4_000))).toBe('inserted');
    await expect(async () => store.insert(collection, sized('3', 4_000))).rejects.toEqual(
      outOfBytes,
    );
    await expect(async () => store.replace(collection, sized('1', 8_000))).rejects.toEqual(
      outOfBytes,
    );
    await expect(
      store.restore('third', {
        collections: { tools: { records: [sized('4', 4_000)], greatest: '0' } },
      }),
    ).rejects.toEqual(outOfBytes);
    expect((await store.list(collection)).map(({ id }) => id)).toEqual(['1']);
    expect(await store.sessions()).toHaveLength(2);
    await store.close();
  });

  test('and removing, shortening, resetting or restoring frees space', async () => {
    const store = open({ bytes: 10_000 });
    await store.seed(new Map());
    await store.insert(collection, sized('1', 8_000));
    expect(await store.replace(collection, sized('1', 100))).toBe(true);
    expect(await store.insert(collection, sized('2', 8_000))).toBe('inserted');
    expect(await store.delete(collection, '2')).toBe(true);
    expect(await store.insert(other, sized('3', 8_000))).toBe('inserted');
    await store.reset('other');
    await store.restore('default', {
      collections: { tools: { records: [sized('4', 8_000)], greatest: '0' } },
    });
    await expect(async () => store.insert(other, sized('5', 8_000))).rejects.toEqual(outOfBytes);
    await store.reset();
    expect(await store.insert(other, sized('5', 8_000))).toBe('inserted');
    await store.close();
  });

  test('and fixtures do not count', async () => {
    const store = open({ bytes: 10_000 });
    await store.seed(new Map([['tools', [sized('1', 100_000)]]]));
    expect(await store.insert(collection, sized('2', 4_000))).toBe('inserted');
    expect(await store.replace(collection, sized('1', 4_000))).toBe(true);
    await expect(async () => store.insert(collection, sized('3', 4_000))).rejects.toEqual(
      outOfBytes,
    );
    await store.close();
  });
});

test('a dropped session frees space', async () => {
  const store = makeMemoryStore({ bytes: 10_000, sessions: 1 });
  await store.insert(collection, sized('1', 8_000));
  await expect(async () => store.insert(other, sized('2', 8_000))).rejects.toEqual(outOfBytes);
  await store.insert(other, sized('2', 100));
  expect(await store.insert(other, sized('3', 8_000))).toBe('inserted');
});

test('many small values count by their memory, not their text', async () => {
  const store = makeMemoryStore({ bytes: 1_000_000 });
  const record = { list: Array.from({ length: 100_000 }, () => ({})) };
  await expect(async () => store.insert(collection, { id: '1', record })).rejects.toEqual(
    outOfBytes,
  );
});
