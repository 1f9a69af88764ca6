import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/load.ts';
import { breachesOfPlan } from './plan-law.ts';

const examples = dirname(
  createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'),
);

/** Documents of others, and our own. */
function documents(): string[] {
  const folder = join(examples, '3.0', 'json');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const others = names.map((name) => join(folder, name));
  return ['openapi/petstore.v1.yaml', 'bench/servers/books.yaml', ...others];
}

describe('no plan has sweeps or changes records of others', () => {
  test.each(documents())('%s', async (file) => {
    const contract = await loadContract(file).catch(() => undefined);
    // What no contract can be made of is never sent anything.
    if (contract === undefined || contract.operations.length > 300) return;
    expect(breachesOfPlan(contract, 'read-write')).toEqual([]);
  });
});
