import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isJsonObject } from '../../src/json/value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { prove } from '../../src/prove/prove.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
import { proof, proveKinds } from './prove-kinds.ts';

test('a violated rule of the contract is detected for each operation', proof, async () => {
  const contract = fileURLToPath(new URL('./orders.yaml', import.meta.url));
  const checks = new Set<string>();
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    kinds: ['breaks-rule'],
    workers: 1,
  })) {
    if (event.type === 'task-done' && event.kind === 'mutation')
      for (const { check } of event.result.findings) checks.add(check);
    if (event.type !== 'proof-finished') continue;
    const { survived, equivalent, killed } = event.summary;
    expect(survived.map(({ title }) => title)).toEqual([]);
    expect(equivalent.map(({ title }) => title)).toEqual([]);
    // Three rules, each in the responses of three operations.
    expect(killed).toBe(9);
    expect([...checks]).toContain('rules-hold');
  }
  expect.assertions(4);
});

test(
  'what a create makes too much, and what a list lacks, shows without a text',
  proof,
  async () => {
    const kinds = ['creates-twice', 'keeps-refused', 'lacks-newest', 'answers-before'];
    const contract = fileURLToPath(new URL('./orders.yaml', import.meta.url));
    const { summary } = await proveKinds(contract, [...kinds, 'eventually-consistent']);
    expect(summary.kinds.planted).toBe(kinds.length);
  },
);

test('a list that no operation adds to has no newest record to lack', proof, async () => {
  const reading = parseJson(JSON.stringify(magazineDocument));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the document is no object');
  for await (const event of prove({
    choice: { contract: reading.value, config: false },
    settings: { seed: 'test' },
    kinds: ['lacks-newest'],
    workers: 1,
  })) {
    if (event.type !== 'proof-finished') continue;
    const { survived, noCoverage, equivalent } = event.summary;
    expect([...survived, ...noCoverage]).toEqual([]);
    expect(equivalent.map(({ title, reason }) => `${title}: ${reason ?? ''}`)).toContain(
      'GET /people lacks the newest record: ' +
        'no create says which record of GET /people is the newest',
    );
  }
  expect.assertions(2);
});
