import { expect, test } from 'vitest';
import { Turns } from '../../src/mock/turns.ts';

/** Lets everything that waits for nothing go on. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

test('work under one key waits for earlier work, under another it does not', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => gates.set(name, resolve));
    log.push(`${name} ends`);
    return name;
  };
  const results = [turns.take('x', work('one')), turns.take('x', work('two')), turns.take('y', work('three'))];
  await settle();
  gates.get('three')?.();
  await settle();
  gates.get('one')?.();
  await settle();
  gates.get('two')?.();
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three']);
  expect(log).toEqual(['one begins', 'three begins', 'three ends', 'one ends', 'two begins', 'two ends']);
});

test('work that fails does not stop what waits for it', async () => {
  const turns = new Turns();
  const failing = turns.take('x', () => Promise.reject(new Error('no')));
  const next = turns.take('x', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
