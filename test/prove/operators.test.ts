import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { operators } from '../../src/prove/operators/index.ts';
import { tempers } from '../../src/prove/tempers.ts';

const tasks = await loadContract(fileURLToPath(new URL('./tasks.yaml', import.meta.url)));
const documents = await loadContract(fileURLToPath(new URL('./documents.yaml', import.meta.url)));

describe('the table of operators', () => {
  test('has at least sixty kinds, each under a name of its own', () => {
    expect(operators.length).toBeGreaterThanOrEqual(60);
    expect(new Set(operators.map(({ id }) => id)).size).toBe(operators.length);
  });

  test.each(operators.map((operator) => ({ id: operator.id, operator })))(
    '$id finds room in contracts that have everything between them',
    async ({ operator }) => {
      const found = [...(await operator.find(tasks)), ...(await operator.find(documents))];
      expect(found.length, 'no deviation could be planted').toBeGreaterThan(0);
      expect(found.every((deviation) => deviation.operator === operator.id)).toBe(true);
      expect(
        found.every(({ plant, contract, authentication }) =>
          [plant, contract, authentication].some((way) => way !== undefined),
        ),
      ).toBe(true);
    },
  );

  test.each(operators.map((operator) => ({ id: operator.id, operator })))(
    '$id reads as a sentence',
    async ({ operator }) => {
      expect(operator.rule).toMatch(/^[A-Z].*\.$/);
      for (const { title } of [
        ...(await operator.find(tasks)),
        ...(await operator.find(documents)),
      ])
        expect(title).toMatch(/^[a-z].*[^.]$/);
    },
  );

  test('is planted alike every time', async () => {
    const titles = async (): Promise<string[]> =>
      (await Promise.all(operators.map(async (operator) => operator.find(tasks))))
        .flat()
        .map(({ title }) => title);
    expect(await titles()).toEqual(await titles());
  });
});

test('each temper has a name of its own, and reads as a sentence', () => {
  expect(new Set(tempers.map(({ id }) => id)).size).toBe(tempers.length);
  for (const { rule } of tempers) expect(rule).toMatch(/^[A-Z].*\.$/);
});
