import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostilePairs, type HostilePair } from '../contract/schema/hostile-pairs.ts';

const expected = [
  'recursive anyOf',
  'recursion over a large object',
  'unique objects',
  'members by patterns',
  'a long name above many items',
];
const chosen = hostilePairs.filter(({ name }) => expected.includes(name));

let folder = '';
let mock: RunningMock;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-hostile-'));
  await writeFile(join(folder, 'hostile.json'), JSON.stringify(documentOf(chosen)));
  mock = await startMock({ contract: join(folder, 'hostile.json'), port: 0 });
});
afterAll(async () => {
  await mock.close();
  await rm(folder, { recursive: true });
});

/**
 * A document with an operation for each pair, and a plain one. Each pair has its schemas to itself.
 */
function documentOf(pairs: readonly HostilePair[]): object {
  const own = (text: string, index: number): string =>
    text
      .replaceAll('/schemas/S"', `/schemas/S${String(index)}"`)
      .replaceAll('/schemas/Other"', `/schemas/Other${String(index)}"`);
  const responses = { 200: { description: 'Fine' }, 400: { description: 'Bad' } };
  const schemas = pairs.map(({ schema, others }, index) => ({
    [`S${String(index)}`]: JSON.parse(own(JSON.stringify(schema), index)) as object,
    ...(others === undefined ? {} : { [`Other${String(index)}`]: others['Other'] }),
  }));
  const paths = pairs.map((_pair, index) => ({
    [`/hostile${String(index)}`]: {
      post: {
        operationId: `hostile${String(index)}`,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/S${String(index)}` } },
          },
        },
        responses,
      },
    },
  }));
  const plain = {
    '/plain': {
      get: {
        operationId: 'plain',
        responses: {
          200: {
            description: 'Fine',
            content: { 'application/json': { schema: { type: 'integer' } } },
          },
        },
      },
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: Object.assign({}, plain, ...paths) as object,
    components: { schemas: Object.assign({}, ...schemas) as object },
  };
}

function post(index: number, { body }: HostilePair): Promise<Response> {
  return fetch(`${mock.url}/hostile${String(index)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
}

describe('hostile bodies', () => {
  test('are there', () => {
    expect(chosen.map(({ name }) => name).sort()).toEqual(expected.toSorted());
  });

  test('do not delay a plain request', async () => {
    const hostile = chosen.map((pair, index) => post(index, pair));
    const plain = await fetch(`${mock.url}/plain`);
    expect(plain.status).toBe(200);
    for (const { status } of await Promise.all(hostile)) expect([200, 400]).toContain(status);
  }, 30_000);

  test('that cannot be validated are refused with the reason', async () => {
    const index = chosen.findIndex(({ name }) => name === 'recursive anyOf');
    const pair = chosen[index];
    if (pair === undefined) throw new Error('There is no such pair.');
    const refused = await post(index, pair);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/cannot be validated within the work limit/);
  });
});
