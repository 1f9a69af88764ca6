import { expect, test } from 'vitest';
import { KeyedMutex } from '../../src/mock/guard-changes.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { mockOf, send } from './workshop.ts';

/** Lets everything that waits for nothing go on. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

test('work under one key waits for earlier work, under another it does not', async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => gates.set(name, resolve));
    log.push(`${name} ends`);
    return name;
  };
  const results = [
    turns.take('x', work('one')),
    turns.take('x', work('two')),
    turns.take('y', work('three')),
  ];
  await settle();
  gates.get('three')?.();
  await settle();
  gates.get('one')?.();
  await settle();
  gates.get('two')?.();
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three']);
  expect(log).toEqual([
    'one begins',
    'three begins',
    'three ends',
    'one ends',
    'two begins',
    'two ends',
  ]);
});

test('work that fails does not stop what waits for it', async () => {
  const turns = new KeyedMutex();
  const failing = turns.take('x', () => Promise.reject(new Error('no')));
  const next = turns.take('x', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('work without predecessors starts immediately and blocks no later work', async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const work = (name: string) => (): Promise<void> => {
    log.push(name);
    return Promise.resolve();
  };
  const first = turns.take('x', work('one'));
  log.push('asked');
  await first;
  await settle();
  void turns.take('x', work('two'));
  expect(log).toEqual(['one', 'asked', 'two']);
});

test('work on all keys waits for running work, and later work waits for it', async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => gates.set(name, resolve));
    log.push(`${name} ends`);
  };
  const results = [
    turns.take('x', work('one')),
    turns.alone(work('all')),
    turns.take('x', work('two')),
    turns.take('y', work('three')),
    turns.alone(work('all again')),
  ];
  for (const name of ['one', 'all', 'two', 'three', 'all again']) {
    await settle();
    gates.get(name)?.();
  }
  await Promise.all(results);
  expect(log).toEqual([
    'one begins',
    'one ends',
    'all begins',
    'all ends',
    'two begins',
    'three begins',
    'two ends',
    'three ends',
    'all again begins',
    'all again ends',
  ]);
  const failing = turns.alone(() => Promise.reject(new Error('no')));
  const next = turns.take('x', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('a reset reverts a change in progress', async () => {
  const store = makeMemoryStore();
  const read = store.get.bind(store);
  const reads: (() => void)[] = [];
  let isSlow = false;
  store.get = async (collection, id) => {
    const record = await read(collection, id);
    if (isSlow) await new Promise<void>((resolve) => reads.push(resolve));
    return record;
  };
  const mock = await mockOf({ store });
  expect((await send(mock, 'PATCH /v2/tools/1', { body: { name: 'Before' } })).status).toBe(200);
  isSlow = true;
  const patching = send(mock, 'PATCH /v2/tools/1', { body: { weight: 800 } });
  while (reads.length === 0) await settle();
  isSlow = false;
  const resetting = mock.reset();
  await settle();
  reads.forEach((go) => go());
  expect((await patching).status).toBe(200);
  await resetting;
  expect(await store.get({ session: 'default', name: 'tools' }, '1')).toMatchObject({
    name: 'Rip',
    weight: 700,
  });
});
