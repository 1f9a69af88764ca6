import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadContract, parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { mutators } from '../../src/prove/mutators.ts';
import { variants } from '../../src/prove/variants.ts';
import { inspectedDepots } from '../check/fixture/inspected-depots.ts';
import { atelier } from '../check/fixture/atelier.ts';
import { magazine } from '../check/fixture/magazine.ts';
import { newsroom } from '../check/fixture/newsroom.ts';
import { linkList, tokenList } from '../check/fixture/paged.ts';
import { shelf } from '../check/fixture/shelf.ts';
import { vanDocument } from '../check/fixture/vans.ts';
import { workshopContract } from '../check/fixture/workshop-service.ts';

const read = (name: string): Promise<Contract> =>
  loadContract(fileURLToPath(new URL(`./${name}.yaml`, import.meta.url)));

/** Comments whose list leaves out the answers to others. */
const comments = readFileSync(new URL('comments.yaml', import.meta.url), 'utf8').replace(
  'All comments,',
  'The comments without replies,',
);

const tasks = await read('tasks');
const others = ['documents', 'orders', 'audit', 'tickets', 'parcels'];
const related = ['plants', 'exports', 'stock', 'baskets', 'desks', 'folders', 'hal', 'boards'];
const all = [
  tasks,
  ...(await Promise.all([...others, ...related].map(read))),
  parseContract(comments, 'comments.yaml'),
  parseContract(JSON.stringify(inspectedDepots), 'depots.json'),
  magazine().contract,
  tokenList().contract,
  linkList().contract,
  shelf().contract,
  atelier().contract,
  workshopContract('OData'),
  newsroom().contract,
  parseContract(JSON.stringify(vanDocument), 'vans.json'),
];

describe('the table of mutators', () => {
  test('has at least sixty mutators with unique names', () => {
    expect(mutators.length).toBeGreaterThanOrEqual(60);
    expect(new Set(mutators.map(({ id }) => id)).size).toBe(mutators.length);
  });

  test.each(mutators.map((mutator) => ({ id: mutator.id, mutator })))(
    '$id applies to at least one of the sample contracts',
    async ({ mutator }) => {
      const found = (await Promise.all(all.map(async (one) => mutator.find(one)))).flat();
      expect(found.length, 'no mutation could be planted').toBeGreaterThan(0);
      expect(found.every((mutation) => mutation.mutator === mutator.id)).toBe(true);
      expect(
        found.every(({ plant, contract, authentication }) =>
          [plant, contract, authentication].some((way) => way !== undefined),
        ),
      ).toBe(true);
    },
  );

  test.each(mutators.map((mutator) => ({ id: mutator.id, mutator })))(
    '$id reads as a sentence',
    async ({ mutator }) => {
      expect(mutator.rule).toMatch(/^[A-Z].*\.$/);
      const found = (await Promise.all(all.map(async (one) => mutator.find(one)))).flat();
      for (const { title } of found) expect(title).toMatch(/^[A-Za-z].*[^.]$/);
    },
  );

  test('is deterministic', async () => {
    const titles = async (): Promise<string[]> =>
      (await Promise.all(mutators.map(async (mutator) => mutator.find(tasks))))
        .flat()
        .map(({ title }) => title);
    expect(await titles()).toEqual(await titles());
  });
});

test('each variant has a unique name that reads as a sentence', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
  for (const { rule } of variants) expect(rule).toMatch(/^[A-Z].*\.$/);
});
