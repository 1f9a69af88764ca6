import { expect, test } from 'vitest';
import { batchLines } from '../../src/cli/serve/mock-log.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('writes the lines of one turn together, in order, and those of the next apart', async () => {
  const written: string[] = [];
  const say = batchLines(
    (item: number) => `${String(item)}\n`,
    (text) => written.push(text),
  );
  [1, 2, 3].forEach(say);
  expect(written).toEqual([]);
  await nextTurn();
  say(4);
  await nextTurn();
  expect(written).toEqual(['1\n2\n3\n', '4\n']);
});

test('writes at once when it is told to, and each line once', async () => {
  const written: string[] = [];
  const say = batchLines(String, (text) => written.push(text));
  say('a');
  say.flush();
  say.flush();
  expect(written).toEqual(['a']);
  await nextTurn();
  expect(written).toEqual(['a']);
});

test('writes nothing without lines', async () => {
  const written: string[] = [];
  batchLines(String, (text) => written.push(text));
  await nextTurn();
  expect(written).toEqual([]);
});
