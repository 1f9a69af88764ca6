import { expect, test } from 'vitest';
import type { Mode } from '../../../src/check/model/phase.ts';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import { parseContract } from '../../../src/contract/load.ts';

const page = '{ name: size, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }';
const wider = '{ name: size, in: query, schema: { type: integer, minimum: 1, maximum: 90 } }';

/** Lists of records, each with its parameter. */
function listsWith(parameters: Readonly<Record<string, string>>): string {
  const paths = Object.entries(parameters).map(
    ([name, parameter]) => `
  /${name}:
    get: { operationId: ${name}, parameters: [${parameter}], responses: { '200': {
        description: ok, content: { application/json: { schema: { type: array, items: {
        type: object, properties: { id: { type: integer } } } } } } } } }
  /${name}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok }, '404': { description: none } } }`,
  );
  return `openapi: 3.0.3\ninfo: { title: t, version: '1' }\npaths:${paths.join('')}`;
}

/** How many requests test the parameter of each list, without those of sequences. */
function tested(text: string, mode: Mode = 'read-only'): Record<string, number> {
  const plan = makePlan({
    contract: parseContract(text, 't.yaml'),
    mode,
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  const counts: Record<string, number> = {};
  for (const { sequences } of plan.stages)
    for (const { operation, phase, intent } of sequences.flatMap(({ cases }) => cases)) {
      const isOfSize = 'at' in intent && intent.at.includes('/parameters/');
      if (!isOfSize || operation.path.includes('{')) continue;
      if (phase !== 'boundary' && phase !== 'negative') continue;
      counts[operation.id] = (counts[operation.id] ?? 0) + 1;
    }
  return counts;
}

test('a parameter that three lists have alike is tested on the first, once on others', () => {
  const counts = tested(listsWith({ ants: page, bees: page, cats: page }));
  expect(counts).toMatchObject({ bees: 1, cats: 1 });
  expect(counts['ants']).toBeGreaterThan(8);
});

test.each([
  ['two lists have it', { ants: page, bees: page }],
  ['its schema differs', { ants: page, bees: wider, cats: wider.replace('90', '80') }],
])('a parameter is tested on every list where %s', (_why, lists) => {
  const counts = Object.values(tested(listsWith(lists)));
  expect(counts).toHaveLength(Object.keys(lists).length);
  expect(Math.min(...counts)).toBeGreaterThan(8);
});

test('fuzzing tests it on every list', () => {
  const counts = Object.values(tested(listsWith({ ants: page, bees: page, cats: page }), 'fuzz'));
  expect(Math.min(...counts)).toBeGreaterThan(8);
});
