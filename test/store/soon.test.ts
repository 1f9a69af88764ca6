import { expect, test } from 'vitest';
import { whenReady } from '../../src/store/store.ts';

test('whenReady continues with a value immediately, and with a promise later', async () => {
  const log: string[] = [];
  const later = whenReady(Promise.resolve('later'), (word) => log.push(word));
  void whenReady('now', (word) => log.push(word));
  expect(log).toEqual(['now']);
  await later;
  expect(log).toEqual(['now', 'later']);
});

test('a synchronous failure is thrown, and a later one rejects', async () => {
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => whenReady(1, fail)).toThrow('no');
  await expect(whenReady(Promise.resolve(1), fail)).rejects.toThrow('no');
});
