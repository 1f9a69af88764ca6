import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

test(
  'what a service does with tags, keys and updates, and with what is not ' +
    'there, is caught, and sound habits are not',
  async () => {
    const kinds = [
      'unchanged-for-good',
      'refuses-right-tag',
      'forgets-key',
      'creates-by-replacing',
      'names-lost-place',
      'passes-over-tests',
      'keeps-nulled',
      'weak-tags',
    ];
    const contract = fileURLToPath(new URL('./documents.yaml', import.meta.url));
    for await (const event of prove({
      choice: { contract, config: false },
      settings: { seed: 'test' },
      kinds,
      workers: 2,
    })) {
      if (event.type !== 'proof-finished') continue;
      const { missed, unmet, dormant, caught, falseAlarms } = event.summary;
      expect([...missed, ...unmet, ...dormant].map(({ title }) => title)).toEqual([]);
      expect(falseAlarms).toEqual([]);
      expect(caught).toBeGreaterThanOrEqual(kinds.length);
    }
    expect.assertions(3);
  },
);
