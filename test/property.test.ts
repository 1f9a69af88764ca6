import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fc } from './property.ts';

test('a property has the same cases in every run, unless another seed is set', () => {
  const seed = Number(process.env['PROPERTY_SEED'] ?? 1);
  const drawn = (): number[] => {
    const numbers: number[] = [];
    fc.assert(fc.property(fc.integer(), (number) => numbers.push(number) > 0));
    return numbers;
  };
  expect(drawn()).toEqual(drawn());
  const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 100);
  expect(drawn()).toEqual(fc.sample(fc.integer(), { seed, numRuns }));
});

test('no test uses fast-check without the fixed seed', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts'),
  );
  const direct = files.filter((name) =>
    /^import .* from 'fast-check'/m.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
  expect(direct).toEqual(['property.ts']);
});
